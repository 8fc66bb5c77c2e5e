//! Server-sent events that contain JSON, read as they arrive.

use atelier_domain::Failure;
use serde_json::Value;

use crate::remote::unusable_answer;

/// The longest event, in bytes. It may contain a picture as Base64.
const LONGEST: usize = 256 << 20;

/// The events of one stream, independent of how its bytes are divided.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// The unfinished line.
    line: Vec<u8>,
    name: String,
    data: String,
}

impl Events {
    /// Takes the next bytes and returns the events that they complete. Events without JSON, such as `[DONE]`, are
    /// skipped. An event's name becomes its member `event`, unless its JSON already has such a member.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Value>, Failure> {
        let mut events = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.line.len() + self.data.len() + part.len() > LONGEST {
                return Err(unusable_answer("an event in it is too long"));
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
            let mut events = Events::default();
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
