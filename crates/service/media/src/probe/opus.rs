//! How long a packet of Opus lasts, by its first bytes (RFC 6716, section 3.1).

/// Samples at 48 kHz. Empty and impossible packets have none.
pub(super) fn samples(packet: &[u8]) -> u32 {
    /// 120 ms.
    const MOST: u32 = 5760;
    let Some(&toc) = packet.first() else { return 0 };
    let config = u32::from(toc >> 3);
    let frame = match config {
        0..=11 => [480, 960, 1920, 2880][config as usize % 4],
        12..=15 => [480, 960][config as usize % 2],
        _ => 120 << (config % 4),
    };
    let frames = match toc & 3 {
        0 => 1,
        1 | 2 => 2,
        _ => packet.get(1).map_or(0, |count| u32::from(count & 0x3f)),
    };
    let samples = frame * frames;
    if samples <= MOST { samples } else { 0 }
}
