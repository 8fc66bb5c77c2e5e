//! Runs, rewrites and converts graphs from the command line, for `scripts/compare-networks`.
//!
//! ```text
//! network run THREADS GRAPH OUTPUT FILE INPUT=FILE:1x3x320x320 …    32-bit floats in and out; prints the
//!     CPU-seconds of loading and running, MiB, and the seconds of loading and running
//! network rewrite GRAPH FILE NAME …
//! network ncnn PARAM BIN FILE
//! ```

use std::{error::Error, fs, path::Path, time::Instant};

use atelier_networks::{Network, Tensor, ncnn, rewrite};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["run", threads, graph, output, file, inputs @ ..] => {
            run(threads.parse()?, graph, output, file, inputs)
        }
        ["rewrite", graph, file, names @ ..] => Ok(fs::write(file, rewrite(&fs::read(graph)?, names)?)?),
        ["ncnn", param, bin, file] => Ok(fs::write(
            file,
            ncnn(&fs::read_to_string(param)?, &fs::read(bin)?)?,
        )?),
        _ => Err("usage: network run|rewrite|ncnn …".into()),
    }
}

fn run(threads: usize, graph: &str, output: &str, file: &str, inputs: &[&str]) -> Result<(), Box<dyn Error>> {
    let (start, begun) = (cpu_seconds()?, Instant::now());
    let network = Network::from_file(Path::new(graph))?;
    let (loaded, loading) = (cpu_seconds()?, begun.elapsed().as_secs_f64());
    let given = inputs
        .iter()
        .map(|input| {
            let (name, rest) = input.split_once('=').ok_or("an input is NAME=FILE:SHAPE")?;
            let (path, shape) = rest.rsplit_once(':').ok_or("an input is NAME=FILE:SHAPE")?;
            let shape = shape
                .split('x')
                .map(str::parse)
                .collect::<Result<Vec<usize>, _>>()?;
            let bytes = fs::read(path)?;
            let values = bytes
                .as_chunks::<4>()
                .0
                .iter()
                .map(|b| f32::from_le_bytes(*b))
                .collect();
            Ok((name, Tensor::f32(&shape, values)))
        })
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let begun = Instant::now();
    let made = network.run_with_threads(given, &[output], threads)?.remove(0);
    let (done, running) = (cpu_seconds()?, begun.elapsed().as_secs_f64());
    let bytes: Vec<u8> = made.into_f32().iter().flat_map(|v| v.to_le_bytes()).collect();
    fs::write(file, bytes)?;
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: f64 = peak
        .unwrap_or_default()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap_or(0.0);
    #[expect(clippy::print_stdout, reason = "what the script reads")]
    {
        println!(
            "{:.2} {:.2} {:.0} {loading:.2} {running:.2}",
            loaded - start,
            done - loaded,
            kib / 1024.0
        );
    }
    Ok(())
}

/// The CPU time of this process on Linux.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let mut ticks = 0.0;
    for field in fields.split_whitespace().skip(11).take(2) {
        ticks += field.parse::<f64>()?;
    }
    Ok(ticks / 100.0)
}
