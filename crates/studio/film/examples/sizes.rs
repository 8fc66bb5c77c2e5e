//! Compares the size of our films with those of x264 (preset `veryfast`) at equal PSNR, on the clips of the tests:
//! `cargo run --release --example sizes`. Needs the program `ffmpeg`, which draws the clips and contains x264.

#[path = "../tests/films/common.rs"]
#[allow(dead_code, reason = "the tests use the others")]
mod common;

#[expect(clippy::print_stdout, reason = "an example prints its measurements")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ffmpeg = atelier_found::program("ffmpeg").ok_or("ffmpeg is needed")?;
    println!("    own     x264  ratio");
    for source in common::CLIPS {
        let (own, other) = common::sizes(&ffmpeg, source, 48);
        println!(
            "{:4.0} KB  {:4.0} KB  {:5.2}  {source}",
            own / 1e3,
            other / 1e3,
            own / other
        );
    }
    Ok(())
}
