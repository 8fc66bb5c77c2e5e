//! Kokoro: phones become tokens, a row of a voice's file says how they sound.

use std::{
    collections::HashMap,
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use atelier_networks::{Network, Tensor};
use atelier_protocol::{Error, Request};
use atelier_sound::speech::{Sound, Spelling};

use crate::{
    DURATIONS, Manner,
    folder::{Family, Folder},
    join::Spoken,
    speed, string, times, voices,
};

/// The most tokens of one run, without those at both ends. The network takes 508; long runs lose words.
pub(crate) const LONGEST: usize = 400;
/// The numbers of a style, and the styles of a voice: one for each count of tokens.
const STYLE: usize = 256;
const ROWS: usize = 510;

/// The speeds at which a recogniser understands it. Every sound takes at least 25 ms, so it is hardly faster at 4 than
/// at 2.
const CLEAR: RangeInclusive<f32> = 0.5..=2.0;

/// The parameters that have an effect.
pub(crate) const HEEDED: &[&str] = &["voice", "language_code", "speed"];

/// The symbols that the network knows, and their numbers.
const TOKENS: &[(i64, &str)] = &[
    (1, ";:,.!?"),
    (9, "—…\"()“” \u{303}ʣʥʦʨᵝꭧAI"),
    (31, "O"),
    (33, "Q"),
    (35, "ST"),
    (39, "W"),
    (41, "Yᵊabcdef"),
    (50, "hijklmnopqrstuvwxyzɑɐɒæ"),
    (75, "βɔɕç"),
    (80, "ɖðʤə"),
    (85, "ɚɛɜ"),
    (90, "ɟ"),
    (92, "ɡ"),
    (99, "ɥ"),
    (101, "ɨɪʝ"),
    (110, "ɯɰŋɳɲɴø"),
    (118, "ɸθœ"),
    (123, "ɹ"),
    (125, "ɾɻ"),
    (128, "ʁɽʂʃʈʧ"),
    (135, "ʊʋ"),
    (138, "ʌɣɤ"),
    (142, "χʎ"),
    (147, "ʒʔ"),
    (156, "ˈˌː"),
    (162, "ʰ"),
    (164, "ʲ"),
    (169, "↓"),
    (171, "→↗↘"),
    (177, "ᵻ"),
];

/// Phones that are one symbol here, in every language.
const WHOLE: &[(&str, &str)] = &[
    ("aɪ", "I"),
    ("aʊ", "W"),
    ("eɪ", "A"),
    ("oʊ", "O"),
    ("əʊ", "Q"),
    ("ɔɪ", "Y"),
    ("dʒ", "ʤ"),
    ("tʃ", "ʧ"),
    ("dz", "ʣ"),
    ("ts", "ʦ"),
    ("ss", "S"),
];

/// Phones of English that the network was taught in another form.
const ENGLISH: &[(&str, &str)] = &[
    ("əl", "ᵊl"),
    ("aɪə", "Iə"),
    ("aɪɚ", "Iəɹ"),
    ("aʊə", "Wə"),
    ("aʊɚ", "Wəɹ"),
    ("e", "A"),
];
const AMERICAN: &[(&str, &str)] = &[("ɜː", "ɜɹ"), ("ɪə", "iə"), ("ʔ", "t"), ("ɾ", "T")];
const BRITISH: &[(&str, &str)] = &[("eə", "ɛː"), ("iə", "ɪə")];

/// Phones of Chinese, whose aspiration and retroflexion the helper writes in its own way.
const CHINESE: &[(&str, &str)] = &[
    ("tɕh", "ʨʰ"),
    ("tɕ", "ʨ"),
    ("tsh", "ʦʰ"),
    ("ts", "ʦ"),
    ("ts.h", "ꭧʰ"),
    ("ts.", "ꭧ"),
    ("th", "tʰ"),
    ("ph", "pʰ"),
    ("kh", "kʰ"),
    ("χ", "x"),
    ("s.", "ʂ"),
    ("i.", "ɨ"),
    ("i\u{32a}", "ɨ"),
    ("o-", "ɤ"),
    ("onɡ", "ʊŋ"),
    ("iɛ", "jɛ"),
    ("yɛ", "ɥe"),
    ("ɑ", "a"),
    ("ɑu", "au"),
    ("ʐ", "ɻ"),
];

/// Weights in memory.
#[derive(Debug)]
pub(crate) struct Kokoro {
    pub(crate) rate: u32,
    languages: Vec<String>,
    default_voice: String,
    network: Network,
    /// The names of the inputs for tokens, style and speed, and of the output.
    ports: [String; 4],
    /// Whether the graph tells the frames of each token.
    has_durations: bool,
    /// The folder of the voices' files.
    voices: PathBuf,
    /// The voice that was read last.
    voice: Option<(String, Vec<f32>)>,
    tokens: HashMap<char, i64>,
}

impl Kokoro {
    pub(crate) fn load(models: &Path, folder: &Folder) -> Result<Self, String> {
        let Family::Kokoro(settings) = &folder.family else {
            return Err("the weights are not Kokoro's".to_owned());
        };
        let parts = folder.uses.iter().map(|part| models.join(part).join("voices"));
        let voices = parts.into_iter().find(|path| path.is_dir());
        let voices = voices.ok_or("the voices are missing; pull `kokoro-voices`")?;
        let network = Network::from_file(&folder.file("graph")?).map_err(|error| error.to_string())?;
        let (inputs, outputs) = (network.inputs(), network.outputs());
        let port = |names: &[String], wanted: &[&str]| {
            let found = names.iter().find(|name| wanted.contains(&name.as_str()));
            found
                .cloned()
                .ok_or_else(|| format!("the graph has no port `{}`", wanted.join("` or `")))
        };
        let ports = [
            port(&inputs, &["tokens", "input_ids"])?,
            port(&inputs, &["style"])?,
            port(&inputs, &["speed"])?,
            port(&outputs, &["audio", "waveform"])?,
        ];
        Ok(Self {
            rate: settings.sample_rate,
            languages: settings.languages.clone(),
            default_voice: settings.default_voice.clone(),
            network,
            ports,
            has_durations: outputs.iter().any(|name| name == DURATIONS),
            voices,
            voice: None,
            tokens: numbers(),
        })
    }

    pub(crate) fn manner(&self, request: &Request, text: &str) -> Result<Manner, Error> {
        let asked = string(request, "voice").unwrap_or(&self.default_voice);
        let (voice, language) =
            voices::kokoro(asked, string(request, "language_code"), text).map_err(Error::Failed)?;
        if !self.languages.iter().any(|known| known == language.name) {
            return Err(Error::Failed(format!(
                "the weights do not speak `{}`",
                language.name
            )));
        }
        if !self.voices.join(format!("{voice}.bin")).is_file() {
            return Err(Error::Failed(format!("the weights have no voice `{voice}`")));
        }
        Ok(Manner {
            voice,
            language: language.helper,
            told: language.name.to_owned(),
            speed: speed(request, CLEAR),
            noise: None,
            noise_of_lengths: None,
            speaker: None,
        })
    }

    /// How many tokens a sound has.
    pub(crate) fn cost(&self, language: &str, sound: &Sound) -> usize {
        self.tokens_of(language, sound).len()
    }

    /// The tokens of a sound. Symbols that the network does not know have none.
    fn tokens_of(&self, language: &str, sound: &Sound) -> Vec<i64> {
        let mut written = String::new();
        match sound {
            Sound::Space => written.push(' '),
            Sound::Mark(mark) => written.push(*mark),
            Sound::Phone(phone) => phone_symbols(language, phone, &mut written),
        }
        let known = written
            .chars()
            .filter_map(|symbol| self.tokens.get(&symbol).copied());
        known.collect()
    }

    pub(crate) fn speak(&mut self, manner: &Manner, line: &Spelling) -> Result<Spoken, String> {
        let mut tokens = vec![0];
        let mut ranges = Vec::with_capacity(line.sounds.len());
        for (sound, _) in &line.sounds {
            let begin = tokens.len();
            tokens.extend(self.tokens_of(manner.language, sound));
            ranges.push(begin..tokens.len());
        }
        tokens.push(0);
        let count = tokens.len();
        let style = self.style(&manner.voice, count - 2)?;
        let [tokens_in, style_in, speed_in, audio] = &self.ports;
        let inputs = vec![
            (tokens_in.as_str(), Tensor::i64(&[1, count], tokens)),
            (style_in.as_str(), Tensor::f32(&[1, STYLE], style)),
            (speed_in.as_str(), Tensor::f32(&[1], vec![manner.speed])),
        ];
        let mut outputs = vec![audio.as_str()];
        outputs.extend(self.has_durations.then_some(DURATIONS));
        let made = self.network.run(inputs, &outputs);
        let mut made = made
            .map_err(|error| error.to_string())?
            .into_iter()
            .map(Tensor::into_f32);
        let samples = made.next().unwrap_or_default();
        let seconds = samples.len() as f32 / self.rate as f32;
        let spans = made
            .next()
            .and_then(|frames| times::spans(&frames, &ranges, count, seconds));
        Ok(Spoken { samples, spans })
    }

    /// The style of a voice for a number of tokens.
    fn style(&mut self, voice: &str, tokens: usize) -> Result<Vec<f32>, String> {
        if self.voice.as_ref().is_none_or(|(name, _)| name != voice) {
            let path = self.voices.join(format!("{voice}.bin"));
            let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            if bytes.len() != 4 * STYLE * ROWS {
                let size = bytes.len();
                return Err(format!(
                    "{} has {size} bytes; a voice has {}",
                    path.display(),
                    4 * STYLE * ROWS
                ));
            }
            let (numbers, _) = bytes.as_chunks::<4>();
            let numbers = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            self.voice = Some((voice.to_owned(), numbers));
        }
        let row = tokens.min(ROWS - 1) * STYLE;
        let styles = self.voice.as_ref().map(|(_, styles)| &styles[row..row + STYLE]);
        Ok(styles.unwrap_or_default().to_vec())
    }
}

fn numbers() -> HashMap<char, i64> {
    let runs = TOKENS
        .iter()
        .flat_map(|(first, symbols)| (*first..).zip(symbols.chars()));
    runs.map(|(number, symbol)| (symbol, number)).collect()
}

/// A phone in the symbols that the network was taught.
fn phone_symbols(language: &str, phone: &str, written: &mut String) {
    let rest = phone.trim_start_matches(['ˈ', 'ˌ']);
    // These two were taught without stress.
    if !matches!(language, "ja" | "zh") {
        written.push_str(&phone[..phone.len() - rest.len()]);
    }
    let tables: &[&[(&str, &str)]] = match language {
        "en-us" => &[AMERICAN, ENGLISH, WHOLE],
        "en" => &[BRITISH, ENGLISH, WHOLE],
        "zh" => &[CHINESE, WHOLE],
        _ => &[WHOLE],
    };
    let tone = rest
        .find(|letter: char| letter.is_ascii_digit())
        .unwrap_or(rest.len());
    let (base, tone) = rest.split_at(tone);
    let (plain, long) = match base.strip_suffix('ː') {
        Some(plain) if find(tables, base).is_none() => (plain, "ː"),
        _ => (base, ""),
    };
    let mut found = find(tables, plain).map_or_else(|| plain.to_owned(), str::to_owned);
    found.push_str(long);
    let found = match language {
        "en-us" => english(&found).replace('ː', ""),
        "en" => english(&found),
        "ja" => found.replace('ᵝ', ""),
        _ => found.replace('-', ""),
    };
    for letter in found.chars() {
        match letter {
            'ã' => written.push_str("a\u{303}"),
            'õ' => written.push_str("o\u{303}"),
            'ũ' => written.push_str("u\u{303}"),
            'ĩ' => written.push_str("i\u{303}"),
            'ẽ' => written.push_str("e\u{303}"),
            _ => written.push(letter),
        }
    }
    written.push_str(match tone {
        "55" => "→",
        "35" => "↗",
        "214" | "21" => "↓",
        "51" => "↘",
        _ => "",
    });
}

fn find(tables: &[&[(&str, &'static str)]], phone: &str) -> Option<&'static str> {
    let mut rows = tables.iter().copied().flatten();
    rows.find(|(name, _)| *name == phone).map(|(_, symbols)| *symbols)
}

/// Letters of English phones in the form that the network was taught.
fn english(phone: &str) -> String {
    let mut written = String::with_capacity(phone.len());
    for letter in phone.chars() {
        match letter {
            'ɚ' => written.push_str("əɹ"),
            'r' => written.push('ɹ'),
            'x' | 'ç' => written.push('k'),
            'ɐ' => written.push('ə'),
            'ɬ' => written.push('l'),
            'o' => written.push('ɔ'),
            'ʲ' | '\u{303}' => {}
            // A consonant that is a syllable.
            '\u{329}' => {
                let consonant = written.pop();
                written.push('ᵊ');
                written.extend(consonant);
            }
            _ => written.push(letter),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: &str, phones: &[&str]) -> String {
        let mut written = String::new();
        for phone in phones {
            phone_symbols(language, phone, &mut written);
        }
        written
    }

    #[test]
    fn there_are_as_many_tokens_as_the_network_has() {
        let numbers = numbers();
        assert_eq!(numbers.len(), 114);
        for (symbol, number) in [
            (';', 1),
            ('—', 9),
            (' ', 16),
            ('\u{303}', 17),
            ('I', 25),
            ('f', 48),
            ('z', 68),
            ('æ', 72),
            ('ə', 83),
            ('ɜ', 87),
            ('ø', 116),
            ('ʧ', 133),
            ('ː', 158),
            ('↘', 173),
            ('ᵻ', 177),
        ] {
            assert_eq!(numbers.get(&symbol), Some(&number), "{symbol}");
        }
    }

    #[test]
    fn english_phones_become_the_symbols_of_the_accent() {
        assert_eq!(of("en-us", &["b", "ˈɛ", "ɾ", "ɚ"]), "bˈɛTəɹ");
        assert_eq!(of("en-us", &["w", "ˈɜː", "l", "d"]), "wˈɜɹld");
        assert_eq!(of("en", &["w", "ˈɜː", "l", "d"]), "wˈɜːld");
        assert_eq!(of("en-us", &["h", "ə", "l", "ˈoʊ"]), "həlˈO");
        assert_eq!(of("en", &["h", "ə", "l", "ˈəʊ"]), "həlˈQ");
        assert_eq!(of("en-us", &["dʒ", "ˈɔɪ"]), "ʤˈY");
        assert_eq!(of("en-us", &["f", "ˈoː", "ɹ"]), "fˈɔɹ");
        assert_eq!(of("en", &["ð", "ˈeə"]), "ðˈɛː");
        assert_eq!(of("en-us", &["b", "ˈʌ", "ʔ", "n\u{329}"]), "bˈʌtᵊn");
    }

    #[test]
    fn other_languages_keep_their_phones_except_for_single_symbols() {
        assert_eq!(of("fr", &["b", "ɔ̃", "ʒ", "ˈu", "ʁ"]), "bɔ̃ʒˈuʁ");
        assert_eq!(of("it", &["p", "ˈi", "tsː", "a"]), "pˈiʦːa");
        assert_eq!(of("pt-br", &["n", "ˈõ"]), "nˈo\u{303}");
        assert_eq!(of("zh", &["tɕh", "ˈy51"]), "ʨʰy↘");
        assert_eq!(of("ja", &["k", "ʲ", "ˈɯᵝ"]), "kʲɯ");
    }
}
