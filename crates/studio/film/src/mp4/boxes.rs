//! MP4 boxes: a size, a four-letter type and a body, nested.

/// Writes a box whose body is what `body` appends.
pub(super) fn boxed(out: &mut Vec<u8>, kind: [u8; 4], body: impl FnOnce(&mut Vec<u8>)) {
    let at = out.len();
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&kind);
    body(out);
    let size = (out.len() - at) as u32;
    out[at..at + 4].copy_from_slice(&size.to_be_bytes());
}

/// Writes a box with a version and flags.
pub(super) fn full(
    out: &mut Vec<u8>,
    kind: [u8; 4],
    version: u8,
    flags: u32,
    body: impl FnOnce(&mut Vec<u8>),
) {
    boxed(out, kind, |out| {
        u32s(out, &[u32::from(version) << 24 | flags]);
        body(out);
    });
}

pub(super) fn u16s(out: &mut Vec<u8>, values: &[u16]) {
    out.extend(values.iter().flat_map(|v| v.to_be_bytes()));
}

pub(super) fn u32s(out: &mut Vec<u8>, values: &[u32]) {
    out.extend(values.iter().flat_map(|v| v.to_be_bytes()));
}

pub(super) fn u64s(out: &mut Vec<u8>, values: &[u64]) {
    out.extend(values.iter().flat_map(|v| v.to_be_bytes()));
}

/// Writes the identity matrix: no rotation, no shift.
pub(super) fn upright(out: &mut Vec<u8>) {
    u32s(out, &[0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]);
}

/// Encodes values as runs of (count, value). Equal neighbours share a run.
pub(super) fn runs(values: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((count, last)) if *last == value => *count += 1,
            _ => runs.push((1, value)),
        }
    }
    runs
}
