# The recipes people use. `just --list` names them.

# Start the service on 127.0.0.1:8080.
run *ARGS:
    cargo run --release -- serve {{ARGS}}

# Run every test. Needs only Rust and a C/C++ compiler.
test:
    cargo test --workspace

# Check what must pass before a commit: format, lints, docs.
check:
    cargo fmt --all -- --check
    scripts/check-docs
    cargo clippy --workspace --all-targets -- --deny warnings
    RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --no-deps

# Check the licences and sources of all dependencies.
deny:
    cargo deny check licenses bans sources

# Check the vendored trees against upstream.
vendor:
    scripts/vendor check --fetch

# Check Dockerfile, manifests, units, workflows and scripts with the linters that are installed.
packaging:
    scripts/check-packaging

# Build the Debian package into out/. Needs cargo-deb.
deb:
    scripts/deb

# Test the API against its own description. Needs `schemathesis` (PyPI).
fuzz-api:
    cargo build
    scripts/fuzz-api target/debug/atelier

# Damaged files, bodies and model files for every reader of what strangers send, each for some minutes.
fuzz MINUTES="1":
    cargo run --package atelier-fuzz -- --seconds "$(({{MINUTES}} * 60))"

# Test the pages in a browser. Needs node, npm and Debian's chromium.
e2e:
    cargo build
    cd e2e && npm ci --no-audit --no-fund && npm test

# Programs that share memory, and kills in the middle of jobs: 200 jobs, 100 kills, half an hour. Prints figures.
programs:
    cargo test --package atelier --test processes -- --ignored --nocapture --test-threads 1

# Kills under load that check themselves: `just chaos sqlite|postgres|remote|disk`. Each takes minutes and prints figures.
chaos WHAT="remote":
    cargo test --package atelier --test service -- --ignored --nocapture {{ if WHAT == "remote" { "remote::chaos" } else { "chaos::" + WHAT } }}

# Measure speed and size: start real servers, print a table of figures and ratios.
bench *ARGS:
    cargo build --profile dist
    cargo build --profile dist --locked --manifest-path crates/credentials/Cargo.toml --target-dir target
    cargo run --profile dist --package atelier-bench -- {{ARGS}}

# Time trained networks by both runtimes on two cores. Fetches them first, with pip and npm.
bench-networks:
    scripts/compare-networks --bench

# Make the samples that the pages show of each model and voice: all, or `just samples SLUG…`. Needs ffmpeg.
samples *SLUGS:
    cargo build
    scripts/samples target/debug/atelier {{SLUGS}}

# Time a picture in each style and each tool, without a server.
speed DIR="sheets":
    cargo run --release --package atelier-picture --example sheet -- {{DIR}} speed
    cargo run --release --package atelier-tasks --example tools_speed -- {{DIR}}

# Time videos in every style, weather and change, and compare their size with x264's (needs ffmpeg).
speed-videos DIR="sheets":
    cargo run --release --package atelier-tasks --example video_speed -- {{DIR}} 720p 5
    cargo run --release --package atelier-film --example sizes

# Attack marked pictures and print what the marks survive: `just marks FILE…`, `just marks --unmarked 10000 FILE…`.
marks *ARGS:
    cargo run --release --package atelier-marking --example marks -- {{ARGS}}

# Draw contact sheets of the embedded engines: `just sheet`, `just sheet audio`, `just sheet video`.
sheet KIND="pictures" DIR="sheets":
    just sheet-{{KIND}} {{DIR}}

[private]
sheet-audio DIR:
    cargo run --release --package atelier-sound --example music_sheet -- {{DIR}}
    cargo run --release --package atelier-sound --example effects_sheet -- {{DIR}}/effects
    cargo run --release --package atelier-sound --example voices -- {{DIR}}/voices

[private]
sheet-video DIR:
    cargo run --release --package atelier-tasks --example video_sheet -- {{DIR}}

[private]
sheet-pictures DIR:
    cargo run --release --package atelier-picture --example sheet -- {{DIR}}
    cargo run --release --package atelier-tasks --example tools_sheet -- {{DIR}}
