//! The few words that a tool's prompt can contain: phrases are searched longest first, and words that no phrase
//! covers are reported as unknown.

use serde_json::{Map, Value, json};

/// Words that mean nothing by themselves.
const FILLERS: &str = "a an and as at be by coming comes from give i if in into is it light lighting lit like make me \
    my of on picture photo please seen should show side that the this to was were view with would camera angle \
    very bit slightly look looks looking shot scene image";

/// A prompt being read.
#[derive(Debug, Clone)]
pub(crate) struct Words {
    said: Vec<String>,
    used: Vec<bool>,
    understood: Vec<String>,
}

impl Words {
    pub(crate) fn of(text: &str) -> Self {
        let said: Vec<String> = text
            .to_lowercase()
            .split(|c: char| !(c.is_alphanumeric() || c == '#' || c == '.' || c == '\''))
            .map(|word| word.trim_matches('.').to_owned())
            .filter(|word| !word.is_empty())
            .take(400)
            .collect();
        Self {
            used: vec![false; said.len()],
            said,
            understood: Vec::new(),
        }
    }

    /// The meaning of the first of these phrases in the prompt; longer phrases before shorter ones.
    pub(crate) fn take<T: Copy>(&mut self, phrases: &[(&'static str, T)]) -> Option<T> {
        let mut order: Vec<&(&'static str, T)> = phrases.iter().collect();
        order.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
        for (phrase, meaning) in order {
            let parts: Vec<&str> = phrase.split(' ').collect();
            let found = (0..(self.said.len() + 1).saturating_sub(parts.len())).find(|at| {
                parts
                    .iter()
                    .enumerate()
                    .all(|(k, part)| !self.used[at + k] && self.said[at + k] == *part)
            });
            if let Some(at) = found {
                self.used[at..at + parts.len()].fill(true);
                self.understood.push((*phrase).to_owned());
                return Some(*meaning);
            }
        }
        None
    }

    /// The number before the word "degrees".
    pub(crate) fn degrees(&mut self) -> Option<f32> {
        let at = (1..self.said.len()).find(|at| matches!(self.said[*at].as_str(), "degree" | "degrees"))?;
        let number: f32 = self.said[at - 1].parse().ok()?;
        self.used[at - 1..=at].fill(true);
        self.understood.push(format!("{number} degrees"));
        Some(number)
    }

    /// Reports what was understood, and the words that were not.
    pub(crate) fn tell(self, notes: &mut Map<String, Value>) {
        let unknown: Vec<&String> = self
            .said
            .iter()
            .zip(&self.used)
            .filter(|(word, used)| {
                !**used && !FILLERS.split_whitespace().any(|filler| filler == word.as_str())
            })
            .map(|(word, _)| word)
            .collect();
        notes.insert("understood".into(), json!(self.understood));
        notes.insert("unknown".into(), json!(unknown));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_understood_and_the_rest_is_told() {
        let mut words = Words::of("Warm evening sun from the upper left, with zebras");
        assert_eq!(words.take(&[("left", 1), ("upper left", 2)]), Some(2));
        assert_eq!(words.take(&[("evening sun", 'e'), ("sun", 's')]), Some('e'));
        assert_eq!(words.take(&[("cold", 0)]), None);
        let mut notes = Map::new();
        words.tell(&mut notes);
        assert_eq!(notes["understood"], json!(["upper left", "evening sun"]));
        assert_eq!(notes["unknown"], json!(["warm", "zebras"]));
    }

    #[test]
    fn degrees_are_numbers() {
        assert_eq!(Words::of("30 degrees to the left").degrees(), Some(30.0));
        assert_eq!(Words::of("many degrees").degrees(), None);
        assert_eq!(Words::of("degrees").degrees(), None);
    }
}
