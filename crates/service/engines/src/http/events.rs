//! Server-sent events that contain JSON, read as they arrive.

use atelier_domain::Failure;
use serde_json::Value;

use crate::remote::unusable_answer;

/// The events of one stream, independent of how its bytes are divided.
#[derive(Debug)]
pub(super) struct Events {
    /// The longest event, in bytes.
    longest: usize,
    /// The unfinished line.
    line: Vec<u8>,
    name: String,
    data: String,
}

impl Events {
    pub(super) fn new(longest: usize) -> Self {
        Self {
            longest,
            line: Vec::new(),
            name: String::new(),
            data: String::new(),
        }
    }

    /// Takes the next bytes and returns the events that they complete. Events without JSON, such as `[DONE]`, are
    /// skipped. An event's name becomes its member `event`, unless its JSON already has such a member.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Value>, Failure> {
        let mut events = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.line.len() + self.data.len() + part.len() > self.longest {
                let most = self.longest;
                return Err(unusable_answer(&format!(
                    "an event in it is longer than {most} bytes"
                )));
            }
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                events.extend(self.read(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n'])));
            }
        }
        Ok(events)
    }

    fn read(&mut self, line: &str) -> Option<Value> {
        if line.is_empty() {
            let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
            let mut event: Value = serde_json::from_str(&data).ok()?;
            if let (Some(members), false) = (event.as_object_mut(), name.is_empty()) {
                members.entry("event").or_insert(Value::String(name));
            }
            return Some(event);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                if !self.data.is_empty() {
                    self.data.push('\n');
                }
                self.data.push_str(value);
            }
            // Ids, retry delays and comments.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const STREAM: &str = "\
        : hello\r\nevent: step\r\ndata: {\"done\": 1}\r\n\r\n\
        data: {\"a\":\ndata: \"é\"}\n\n\
        data: [DONE]\n\n\
        data: {\"unended\": 1}\n";

    #[test]
    fn events_are_the_same_whatever_pieces_they_come_in() {
        for size in [1, 2, 7, STREAM.len()] {
            let mut events = Events::new(1 << 10);
            let read: Vec<Value> = STREAM
                .as_bytes()
                .chunks(size)
                .flat_map(|piece| events.feed(piece).unwrap())
                .collect();
            let expected = [json!({"done": 1, "event": "step"}), json!({"a": "é"})];
            assert_eq!(read, expected, "{size}");
        }
    }
}
