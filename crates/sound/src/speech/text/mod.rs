//! Text to what is said: words in ASCII letters, each with the place in the text it stems from.

/// One piece of text and how it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Words of ASCII letters and apostrophes, separated by spaces.
    pub(crate) say: String,
    /// Offsets into the text in Unicode scalar values, `to` exclusive.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// The words of a line, without reading numbers or signs.
pub(crate) fn words(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open = false;
    for (at, letter) in text.chars().enumerate() {
        let plain = if letter == '\u{2019}' { '\'' } else { letter };
        if !plain.is_alphanumeric() && plain != '\'' {
            open = false;
            continue;
        }
        if !open {
            pieces.push(Piece {
                say: String::new(),
                from: at,
                to: at,
            });
            open = true;
        }
        if let Some(piece) = pieces.last_mut() {
            piece.say.push(plain.to_ascii_lowercase());
            piece.to = at + 1;
        }
    }
    pieces.retain(|piece| piece.say.bytes().all(|byte| byte.is_ascii()));
    pieces
}
