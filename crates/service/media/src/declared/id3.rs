//! Texts with names in the tag at the beginning of an MP3 file (ID3v2.3 and ID3v2.4, frame TXXX).

const HEADER: usize = 10;

/// The names and values of the texts that lie in these first bytes of a file, in ISO 8859-1 or UTF-8.
pub(super) fn texts(bytes: &[u8]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let &[
        b'I',
        b'D',
        b'3',
        version @ (3 | 4),
        _,
        _,
        a,
        b,
        c,
        d,
        ref rest @ ..,
    ] = bytes
    else {
        return found;
    };
    let mut rest = &rest[..rest.len().min(synchsafe([a, b, c, d]))];
    while let Some((header, after)) = rest.split_at_checked(HEADER) {
        let size = [header[4], header[5], header[6], header[7]];
        let size = if version == 4 {
            synchsafe(size)
        } else {
            u32::from_be_bytes(size) as usize
        };
        let Some((content, next)) = after.split_at_checked(size) else {
            break;
        };
        if header.starts_with(b"TXXX")
            && let [0 | 3, text @ ..] = content
        {
            let text = String::from_utf8_lossy(text);
            if let Some((name, value)) = text.split_once('\0') {
                found.push((name.to_owned(), value.trim_end_matches('\0').to_owned()));
            }
        }
        rest = next;
    }
    found
}

/// A number of seven bits a byte.
fn synchsafe(bytes: [u8; 4]) -> usize {
    bytes
        .iter()
        .fold(0, |number, byte| number << 7 | usize::from(byte & 0x7f))
}
