//! Protocol-buffer messages as lists of fields. Unchanged fields are written back byte for byte, whether or not this
//! program knows the field.

use std::borrow::Cow;

/// The value of a field, by its type on the wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Field<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Bytes(Cow<'a, [u8]>),
    Fixed32([u8; 4]),
}

/// The fields of a message in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Message<'a> {
    pub(super) fields: Vec<(u64, Field<'a>)>,
}

impl<'a> Message<'a> {
    /// Reads a message; nothing if the bytes are not one.
    pub(super) fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes)?;
            let field = match key & 7 {
                0 => Field::Varint(varint(&mut bytes)?),
                1 => Field::Fixed64(take(&mut bytes, 8)?.try_into().ok()?),
                2 => {
                    let length = usize::try_from(varint(&mut bytes)?).ok()?;
                    Field::Bytes(Cow::Borrowed(take(&mut bytes, length)?))
                }
                5 => Field::Fixed32(take(&mut bytes, 4)?.try_into().ok()?),
                _ => return None,
            };
            fields.push((key >> 3, field));
        }
        Some(Self { fields })
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (number, field) in &self.fields {
            let kind = match field {
                Field::Varint(_) => 0,
                Field::Fixed64(_) => 1,
                Field::Bytes(_) => 2,
                Field::Fixed32(_) => 5,
            };
            put_varint(&mut out, number << 3 | kind);
            match field {
                Field::Varint(value) => put_varint(&mut out, *value),
                Field::Fixed64(bytes) => out.extend(bytes),
                Field::Bytes(bytes) => {
                    put_varint(&mut out, bytes.len() as u64);
                    out.extend_from_slice(bytes);
                }
                Field::Fixed32(bytes) => out.extend(bytes),
            }
        }
        out
    }

    /// The byte strings of a repeated field.
    pub(super) fn all(&self, number: u64) -> impl Iterator<Item = &[u8]> {
        self.fields.iter().filter_map(move |(at, field)| match field {
            Field::Bytes(bytes) if *at == number => Some(bytes.as_ref()),
            _ => None,
        })
    }

    /// The last byte string of a field, which is the one that counts.
    pub(super) fn bytes(&self, number: u64) -> Option<&[u8]> {
        self.all(number).last()
    }

    pub(super) fn text(&self, number: u64) -> &str {
        self.bytes(number)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    pub(super) fn number(&self, number: u64) -> Option<u64> {
        self.fields.iter().rev().find_map(|(at, field)| match field {
            Field::Varint(value) if *at == number => Some(*value),
            _ => None,
        })
    }

    /// A repeated number, packed or not.
    pub(super) fn numbers(&self, number: u64) -> Vec<u64> {
        let mut out = Vec::new();
        for (at, field) in &self.fields {
            match field {
                Field::Varint(value) if *at == number => out.push(*value),
                Field::Bytes(bytes) if *at == number => {
                    let mut bytes = bytes.as_ref();
                    while let Some(value) = varint(&mut bytes) {
                        out.push(value);
                    }
                }
                _ => {}
            }
        }
        out
    }

    pub(super) fn remove(&mut self, number: u64) {
        self.fields.retain(|(at, _)| *at != number);
    }

    pub(super) fn push_number(&mut self, number: u64, value: u64) {
        self.fields.push((number, Field::Varint(value)));
    }

    pub(super) fn push_float(&mut self, number: u64, value: f32) {
        self.fields.push((number, Field::Fixed32(value.to_le_bytes())));
    }

    pub(super) fn push(&mut self, number: u64, bytes: impl Into<Cow<'a, [u8]>>) {
        self.fields.push((number, Field::Bytes(bytes.into())));
    }

    pub(super) fn push_text(&mut self, number: u64, text: &str) {
        self.push(number, text.as_bytes().to_vec());
    }

    pub(super) fn push_message(&mut self, number: u64, message: &Message<'_>) {
        self.push(number, message.write());
    }
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = take(bytes, 1)?[0];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_written_back_byte_for_byte() {
        // Fields 1 (number 300), 2 (text), 3 (four bytes), 999 (eight bytes).
        let bytes = [
            0x08, 0xac, 0x02, 0x12, 2, b'h', b'i', 0x1d, 1, 2, 3, 4, 0xb9, 0x3e, 1, 2, 3, 4, 5, 6, 7, 8,
        ];
        let message = Message::read(&bytes).unwrap();
        assert_eq!(
            (message.number(1), message.text(2), message.fields[3].0),
            (Some(300), "hi", 999)
        );
        assert_eq!(message.write(), bytes);
    }

    #[test]
    fn numbers_are_read_packed_or_not() {
        let packed = [0x42, 3, 1, 0xac, 0x02];
        let plain = [0x40, 1, 0x40, 0xac, 0x02];
        for bytes in [&packed[..], &plain] {
            assert_eq!(Message::read(bytes).unwrap().numbers(8), [1, 300]);
        }
    }

    #[test]
    fn bytes_that_end_too_early_are_not_a_message() {
        for bytes in [&[0x12, 9, 1][..], &[0x08], &[0x0b], &[0x08, 0xff]] {
            assert_eq!(Message::read(bytes), None, "{bytes:?}");
        }
    }
}
