//! Draws contact sheets of the picture engine into a folder: `cargo run --release --example sheet -- FOLDER [SET]
//! [SIDE] [RATIO] [REFERENCE…]`. With references, prompts are applied to them. `SET` is a built-in set (`pictures`,
//! `styles`, `subjects`, `light`, `speed`, `layers`) or any prompt; `SIDE` is the side of a tile.

#![expect(clippy::print_stdout, reason = "an example speaks to its terminal")]

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use atelier_picture::layers::{Composite, Layered};
use atelier_picture::{dimensions, render, render_from};

/// Forty-eight prompts: subjects, styles, light, and relations between things.
const PICTURES: [&str; 48] = [
    "a lighthouse on a cliff at dusk, watercolor",
    "three boats on a lake below a mountain at sunrise, oil painting",
    "a fox in a snowy forest at night, woodblock",
    "a neon city skyline in the rain",
    "a red bicycle leaning on a wall, flat vector",
    "a bowl of oranges on a table, gouache",
    "a rocket over the moon, pixel art",
    "poster that says \"HELLO WORLD\"",
    "an old oak tree in autumn, low angle",
    "a portrait of a woman in profile, ink",
    "abstract sense of calm, pastel",
    "a castle on a hill, stained glass",
    "a whale underwater, papercut",
    "two horses in a meadow in the morning, soft pastel",
    "a hot air balloon over mountains at golden hour, low poly",
    "a train on a bridge, blueprint",
    "a street at night in the rain, film noir",
    "a village by a lake in winter, isometric",
    "a sunflower field at noon, pointillism",
    "a robot in the desert, pop art",
    "a cup of coffee and a book on a table, pencil drawing",
    "a stormy sea with a ship, charcoal drawing",
    "a palm tree on a beach at sunset, neon",
    "mountains and a lake at golden hour, photo",
    "a starry night over a lake",
    "hills at dawn in the fog, photo",
    "a harbor at golden hour, oil painting",
    "a cabin in falling snow at dusk",
    "cherry trees by a river in spring, watercolor",
    "a desert with three camels at sunset",
    "a forest path in autumn, oil painting",
    "a thunderstorm over a field, photo",
    "a meadow with wildflowers in the morning, gouache",
    "the sea at night, woodblock",
    "a volcano at dusk, photo",
    "a waterfall in a jungle, photo",
    "a castle reflected in a lake at sunset, photo",
    "a cat under a table",
    "a bird on a branch of a tree in spring, watercolor",
    "a boat under a stone bridge, oil painting",
    "a dog in front of a church",
    "a tower behind a tree, gouache",
    "a balloon over a castle, flat vector",
    "a ladder leaning against a house, pencil drawing",
    "an apple on a stack of books, oil painting",
    "a person on a bridge in the fog",
    "a horse to the left of a barn, woodblock",
    "travel poster of a lighthouse that says \"NORTH SEA\", flat vector",
];

/// One prompt in every shape.
const SHAPES: [&str; 8] = ["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"];

const LIGHT: &[&str] = &[
    "mountains at dawn",
    "a meadow in the morning",
    "hills at noon",
    "a village at golden hour",
    "the sea at sunset",
    "a forest at dusk",
    "a starry night over a lake",
    "a harbor in the fog",
    "a road in the rain",
    "a cabin in falling snow",
    "a storm at sea, ship",
    "a desert with camels at sunset",
    "spring cherry trees by a river",
    "winter village at night",
    "autumn forest path",
    "a beach with palm trees, no people",
];

const SCENE: &str = "a sailboat on a lake below mountains at golden hour, a house on the shore";

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| "sheets".to_owned());
    let set = args.next().unwrap_or_else(|| "pictures".to_owned());
    let side: usize = args.next().and_then(|side| side.parse().ok()).unwrap_or(512);
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let styles = [
        "photo",
        "watercolor",
        "oil painting",
        "gouache",
        "pencil drawing",
        "charcoal drawing",
        "ink drawing",
        "woodblock print",
        "pixel art",
        "low poly",
        "flat vector",
        "isometric",
        "stained glass",
        "neon",
        "pop art",
        "film noir",
        "papercut",
        "blueprint",
        "pointillism",
        "soft pastel",
    ];
    let prompts: Vec<String> = match set.as_str() {
        "pictures" => {
            shapes(folder)?;
            PICTURES.iter().map(|p| (*p).to_owned()).collect()
        }
        "light" => LIGHT.iter().map(|p| (*p).to_owned()).collect(),
        "styles" => styles.iter().map(|style| format!("{SCENE}, {style}")).collect(),
        "subjects" => atelier_picture::subjects_by_name()
            .map(|name| format!("one {name}"))
            .collect(),
        "speed" => return speed(&styles),
        "layers" => return layers(folder),
        other => other
            .split('|')
            .flat_map(|p| vec![p.trim().to_owned(); if other.contains('|') { 1 } else { 4 }])
            .collect(),
    };
    let rows_a_page = if prompts.len() == PICTURES.len() { 3 } else { 5 };
    let columns = if prompts.len() <= 4 {
        2
    } else if prompts.len() > PICTURES.len() {
        8
    } else {
        4
    };
    let ratio = args.next().unwrap_or_else(|| "1:1".to_owned());
    let references: Vec<std::path::PathBuf> = args.map(Into::into).collect();
    let (fw, fh) = dimensions(&ratio, "1K").map_err(std::io::Error::other)?;
    let k = side as f64 / 1024.0;
    let (w, h) = ((fw as f64 * k) as usize, (fh as f64 * k) as usize);
    for (page, prompts) in prompts
        .chunks(columns * if columns == 8 { 4 } else { rows_a_page })
        .enumerate()
    {
        let rows = prompts.len().div_ceil(columns);
        let (gap, width) = (8, columns * (w + 8) + 8);
        let height = rows * (h + gap) + gap;
        let mut sheet = vec![255_u8; width * height * 3];
        for (i, prompt) in prompts.iter().enumerate() {
            let start = Instant::now();
            let picture = if references.is_empty() {
                render(prompt, 1, i as u64, w, h)
            } else {
                render_from(prompt, &references, 1, 0, w, h).map_err(std::io::Error::other)?
            };
            println!("{:6.0} ms  {prompt}", start.elapsed().as_secs_f64() * 1000.0);
            let (x, y) = (gap + (i % columns) * (w + gap), gap + (i / columns) * (h + gap));
            for row in 0..h {
                let to = ((y + row) * width + x) * 3;
                sheet[to..to + w * 3].copy_from_slice(&picture.rgb[row * w * 3..(row + 1) * w * 3]);
            }
        }
        let name = if set.chars().all(char::is_alphanumeric) {
            set.clone()
        } else {
            "prompt".to_owned()
        };
        write(&folder.join(format!("{name}-{}.png", page + 1)), &sheet, width)?;
    }
    Ok(())
}

fn write(path: &Path, rgb: &[u8], width: usize) -> std::io::Result<()> {
    let file = std::fs::File::create(path)?;
    let height = rgb.len() / 3 / width;
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(std::io::Error::other)?;
    writer.write_image_data(rgb).map_err(std::io::Error::other)
}

/// The same scene in all eight shapes, at one height.
fn shapes(folder: &Path) -> std::io::Result<()> {
    const HIGH: usize = 300;
    let pictures: Vec<_> = SHAPES
        .iter()
        .map(|shape| {
            let (w, h) = dimensions(shape, "1K").unwrap_or((16, 16));
            render(
                "a lighthouse on a cliff and two boats at sunset, oil painting",
                1,
                0,
                w * HIGH / h,
                HIGH,
            )
        })
        .collect();
    let width: usize = pictures.iter().map(|p| p.width + 8).sum();
    let mut sheet = vec![255_u8; width * HIGH * 3];
    let mut left = 0;
    for picture in &pictures {
        for (y, row) in picture.rgb.chunks_exact(3 * picture.width).enumerate() {
            let to = (y * width + left) * 3;
            sheet[to..to + row.len()].copy_from_slice(row);
        }
        left += picture.width + 8;
    }
    write(&folder.join("shapes.png"), &sheet, width)
}

/// The layers of a scene one by one on grey, and the scene seen by a camera that moved to the side.
fn layers(folder: &Path) -> std::io::Result<()> {
    const PROMPT: &str = "two boats on a lake below mountains at golden hour, a house, photo";
    let (w, h, margin) = (480, 320, 48);
    let scene = Layered::new(PROMPT, 1, 0, w, h);
    let layers = scene.layers(margin, 0.0);
    let mut tiles: Vec<Composite> = layers
        .iter()
        .map(|layer| {
            println!(
                "{:?} {:?} depth {:.2} near {:.2}",
                layer.kind, layer.name, layer.depth, layer.near
            );
            let mut tile = Composite::new(w, h);
            tile.rgb.fill([128; 3]);
            tile.lay(layer, 0, 0);
            tile
        })
        .collect();
    for shift in [-36.0, 36.0] {
        let mut tile = Composite::new(w, h);
        for layer in &layers {
            let by = shift * (1.0 - f32::midpoint(layer.depth, layer.near));
            tile.lay(layer, by as i32, 0);
        }
        tile.rgb = scene.finish(&tile);
        tiles.push(tile);
    }
    let columns = 4;
    let (width, rows) = (columns * (w + 8), tiles.len().div_ceil(columns));
    let mut sheet = vec![255_u8; width * rows * (h + 8) * 3];
    for (i, tile) in tiles.iter().enumerate() {
        let (x, y) = ((i % columns) * (w + 8), (i / columns) * (h + 8));
        for (row, pixels) in tile.rgb.chunks_exact(w).enumerate() {
            let to = ((y + row) * width + x) * 3;
            sheet[to..to + 3 * w].copy_from_slice(pixels.as_flattened());
        }
    }
    write(&folder.join("layers.png"), &sheet, width)
}

/// How long each style takes at each resolution.
fn speed(styles: &[&str]) -> std::io::Result<()> {
    for style in styles {
        let mut line = format!("{style:18}");
        for resolution in ["1K", "2K", "4K"] {
            let (w, h) = dimensions("1:1", resolution).map_err(std::io::Error::other)?;
            let start = Instant::now();
            let picture = render(&format!("{SCENE}, {style}"), 1, 0, w, h);
            assert_eq!(picture.rgb.len(), w * h * 3);
            let _ = write!(line, "  {resolution} {:6.2} s", start.elapsed().as_secs_f64());
        }
        println!("{line}");
    }
    Ok(())
}
