//! From text to spoken words: words in ASCII letters, each with its position in the text.

mod letters;
mod lexicon;
mod numbers;
mod read;

/// Whether numbers, dates and abbreviations are read by their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Normalization {
    /// Same as `On`.
    #[default]
    Auto,
    /// Numbers, money, dates, times, units, ordinals, abbreviations and addresses become words.
    On,
    /// Reads the text literally: digits one by one, signs by their name, abbreviations as if they were words.
    Off,
}

/// The pause after a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pause {
    None,
    /// Within a sentence.
    Comma,
    /// A sentence ends.
    Sentence,
    /// A question ends.
    Question,
    /// A paragraph ends.
    Paragraph,
}

/// One piece of text and its spoken form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Words of ASCII letters and apostrophes, separated by spaces.
    pub(crate) say: String,
    /// Offsets into the text in Unicode scalar values; `to` is exclusive.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) pause: Pause,
}

/// The spoken form of an English text, in order.
pub(crate) fn pieces(text: &str, normalization: Normalization) -> Vec<Piece> {
    let mut chunks = chunks(text);
    let mut pieces = Vec::with_capacity(chunks.len());
    let mut next = 0;
    while next < chunks.len() {
        let read = match normalization {
            Normalization::Off => read::literally(&chunks[next]),
            Normalization::On | Normalization::Auto => read::meaning(&chunks[next..]),
        };
        let taken = read.taken.max(1);
        let last = (next + taken - 1).min(chunks.len() - 1);
        let (from, to, pause) = (chunks[next].from, chunks[last].to, chunks[last].pause);
        next = last + 1;
        if read.say.is_empty() {
            raise(&mut pieces, pause);
            continue;
        }
        pieces.push(Piece {
            say: read.say,
            from,
            to,
            pause,
        });
    }
    chunks.clear();
    pieces
}

/// The words of a line of lyrics: like `pieces`, each with one word.
pub(crate) fn words(text: &str) -> Vec<Piece> {
    let mut words = Vec::new();
    for piece in pieces(text, Normalization::On) {
        words.extend(piece.say.split(' ').map(|say| Piece {
            say: say.to_owned(),
            ..piece
        }));
    }
    words
}

/// Groups pieces that are spoken in one breath: sentences, and parts of very long sentences.
pub(crate) fn sentences(pieces: &[Piece]) -> Vec<&[Piece]> {
    /// Lengths in letters after which a comma ends a group, and after which any word does.
    const LONG: usize = 220;
    const TOO_LONG: usize = 400;
    let mut groups = Vec::new();
    let (mut first, mut letters) = (0, 0);
    for (index, piece) in pieces.iter().enumerate() {
        letters += piece.say.len() + 1;
        let ends = piece.pause > Pause::Comma
            || (piece.pause == Pause::Comma && letters > LONG)
            || letters > TOO_LONG;
        if ends {
            groups.push(&pieces[first..=index]);
            first = index + 1;
            letters = 0;
        }
    }
    if first < pieces.len() {
        groups.push(&pieces[first..]);
    }
    groups
}

/// Text between white space, without the surrounding punctuation.
#[derive(Debug)]
struct Chunk {
    core: String,
    /// Whether a full stop follows immediately. It may belong to an abbreviation.
    dotted: bool,
    from: usize,
    to: usize,
    pause: Pause,
}

/// If something silent has a longer pause, the pause applies to the piece before it.
fn raise(pieces: &mut [Piece], pause: Pause) {
    if let Some(before) = pieces.last_mut() {
        before.pause = before.pause.max(pause);
    }
}

fn chunks(text: &str) -> Vec<Chunk> {
    let letters: Vec<char> = text.chars().collect();
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        if is_space(letters[at]) {
            let newlines = letters[at..]
                .iter()
                .take_while(|letter| is_space(**letter))
                .filter(|letter| **letter == '\n')
                .count();
            while at < letters.len() && is_space(letters[at]) {
                at += 1;
            }
            if let Some(before) = chunks.last_mut().filter(|_| newlines > 1) {
                before.pause = before.pause.max(Pause::Paragraph);
            } else if let Some(before) = chunks.last_mut().filter(|_| newlines == 1) {
                before.pause = before.pause.max(Pause::Comma);
            }
            continue;
        }
        let end = (at..letters.len())
            .find(|&place| is_break(&letters, at, place))
            .unwrap_or(letters.len());
        chunks.push(chunk(&letters, at, end.max(at + 1)));
        at = end.max(at + 1);
    }
    chunks
}

/// Whether a chunk that began at `first` ends before `place`: at white space, and after a dash or an ellipsis.
fn is_break(letters: &[char], first: usize, place: usize) -> bool {
    let long = |letter: char| matches!(letter, '\u{2014}' | '\u{2026}');
    is_space(letters[place])
        || (place > first && long(letters[place - 1]))
        || (place > first + 60 && letters[place - 1] == '-')
        || place > first + 200
}

/// A range without the surrounding punctuation.
pub(crate) fn core(letters: &[char], from: usize, to: usize) -> (usize, usize) {
    let opening = |letter: char| "([{\"'\u{201c}\u{2018}\u{ab}\u{bf}\u{a1}*_~<>|".contains(letter);
    let closing = |letter: char| {
        ".,;:!?)]}\"'\u{201d}\u{2019}\u{bb}*_~<>|\
         \u{2014}\u{2026}\u{2013}\u{3002}\u{ff0c}\u{ff01}\u{ff1f}\u{3001}\u{61f}\u{60c}"
            .contains(letter)
    };
    let (mut first, mut last) = (from, to);
    while first < last && opening(letters[first]) {
        first += 1;
    }
    while last > first && closing(letters[last - 1]) {
        last -= 1;
    }
    (first, last.max(first))
}

fn chunk(letters: &[char], from: usize, to: usize) -> Chunk {
    let (first, last) = core(letters, from, to);
    let tail = &letters[last..to];
    let pause = tail
        .iter()
        .map(|letter| pause(*letter))
        .max()
        .unwrap_or(Pause::None);
    let core: String = letters[first..last].iter().collect();
    Chunk {
        core,
        dotted: tail.first() == Some(&'.'),
        from: first,
        to: last,
        pause,
    }
}

fn pause(letter: char) -> Pause {
    match letter {
        '?' | '\u{ff1f}' | '\u{61f}' => Pause::Question,
        '.' | '!' | '\u{2026}' | '\u{3002}' | '\u{ff01}' => Pause::Sentence,
        ',' | ';' | ':' | ')' | '\u{2014}' | '\u{2013}' | '\u{ff0c}' | '\u{3001}' | '\u{60c}' => Pause::Comma,
        _ => Pause::None,
    }
}

/// White space and invisible characters.
fn is_space(letter: char) -> bool {
    letter.is_whitespace()
        || (letter.is_control())
        || matches!(
            letter,
            '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{200e}'
                | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests;
