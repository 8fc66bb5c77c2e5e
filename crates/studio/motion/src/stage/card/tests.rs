use super::*;

#[test]
fn between_two_pixels_nothing_is_lost() {
    let grey = u32::from_le_bytes([200, 100, 50, 255]);
    for t in 0..=256 {
        assert_eq!(lerp(grey, grey, t), grey);
    }
    assert_eq!(lerp(0, grey, 128).to_le_bytes(), [100, 50, 25, 128]);
}

#[test]
fn what_lies_under_a_colour_shows_as_far_as_it_lets_and_nothing_grows_beyond_white() {
    let laid = |own: Pixel, under: Pixel| {
        let mut pixel = under;
        over(&mut pixel, u32::from_le_bytes(own));
        pixel
    };
    assert_eq!(laid([0, 0, 0, 0], [10, 20, 30, 7]), [10, 20, 30, 7]);
    assert_eq!(laid([1, 2, 3, 255], [10, 20, 30, 7]), [1, 2, 3, 7]);
    assert_eq!(laid([64, 0, 128, 128], [255, 255, 0, 7]), [191, 127, 128, 7]);
    for alpha in 0..=255 {
        assert_eq!(
            laid([alpha; 4], [255, 255, 255, 9]),
            [255, 255, 255, 9],
            "{alpha}"
        );
    }
    assert_eq!(laid([255, 200, 255, 128], [255, 200, 255, 0]), [255, 255, 255, 0]);
}

#[test]
fn a_row_is_the_texture_between_its_pixels_wherever_it_is_cut_into_blocks() {
    let (width, height) = (700, 3);
    let texture = |x: usize, y: usize| {
        let alpha = if (x / 40 + y).is_multiple_of(3) {
            0
        } else {
            (x * 7 % 256) as u8
        };
        [(x % 256) as u8, (y * 90) as u8, (x / 3 % 256) as u8].map(|c| c.min(alpha))
    };
    let card = Card {
        kind: LayerKind::Subject,
        name: String::new(),
        near: 0.5,
        lies: false,
        contact: None,
        left: -20.0,
        top: 0.0,
        width,
        height,
        rgba: (0..width * height)
            .map(|i| {
                let [r, g, b] = texture(i % width, i / width);
                [r, g, b, r.max(g).max(b)]
            })
            .collect(),
        ids: Vec::new(),
        flip: 1.0,
        beyond: Beyond::Nothing,
        sheet: 0,
        opaque: Vec::new(),
    };
    for scale in [0.31, 0.77, 1.0, 1.9, 40.0] {
        let axis = Axis { scale, offset: -31.4 };
        let mut out = vec![[0; 4]; 800];
        card.line(axis, 1.8, &mut out);
        for (x, pixel) in out.iter().enumerate() {
            let [r, g, b, _] = card.sample(axis.at(x as f32) + 20.0, 1.8).to_le_bytes();
            for (own, aim) in pixel.iter().zip([r, g, b]) {
                assert!(
                    own.abs_diff(aim) <= 3,
                    "{x} at {scale}: {pixel:?}, not {:?}",
                    [r, g, b]
                );
            }
        }
    }
}

#[test]
fn a_mirrored_texture_has_no_end() {
    let columns: Vec<usize> = (-3..8).map(|column| mirrored(column, 3)).collect();
    assert_eq!(columns, [3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1]);
}
