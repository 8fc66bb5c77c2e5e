//! Speaks from the command line and prints seconds of speech, CPU-seconds and MiB, to measure and to listen.
//!
//! ```text
//! say HELPER MODELS TARGET OUT '{"text": "Hello", "voice": "Wren"}' …
//! ```
//!
//! HELPER is the program atelier-espeak, MODELS the folder of models, TARGET a model in it. Each request goes into a
//! folder of OUT, named by its number.

use std::{error::Error, fs, path::Path};

use atelier_protocol::Request;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [helper, models, target, out, requests @ ..] = args.as_slice() else {
        return Err("usage: say HELPER MODELS TARGET OUT REQUEST …".into());
    };
    for (number, params) in requests.iter().enumerate() {
        let out = Path::new(out).join(number.to_string());
        fs::create_dir_all(&out)?;
        let request = Request {
            task: "speech".to_owned(),
            params: serde_json::from_str(params)?,
            inputs: Vec::new(),
            seed: 1,
            out,
        };
        let begin = cpu_seconds()?;
        let response = atelier_speech::run_with(
            Path::new(helper),
            Path::new(models),
            target,
            &request,
            &mut |_| {},
        )?;
        let spent = cpu_seconds()? - begin;
        let seconds = atelier_sound::file::decode(&response.files[0])?.seconds();
        let status = fs::read_to_string("/proc/self/status")?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib: f64 = peak.unwrap_or_default().trim().trim_end_matches(" kB").parse()?;
        #[expect(clippy::print_stdout, reason = "the result")]
        {
            let metadata = serde_json::to_string(&response.metadata)?;
            println!(
                "{seconds:.2} s, {spent:.2} CPU-s, {:.0} MiB, {metadata}",
                kib / 1024.0
            );
        }
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
