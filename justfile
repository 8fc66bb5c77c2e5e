# The recipes people use; `just --list` names them.

# Start the service on 127.0.0.1:8080.
run *ARGS:
    cargo run --release -- serve {{ARGS}}

# Every test, with nothing installed but Rust and a C/C++ compiler.
test:
    cargo test --workspace

# What must hold before a commit: format, lints, docs.
check:
    cargo fmt --all -- --check
    cargo clippy --workspace --all-targets -- --deny warnings
    RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --no-deps

# Licences of everything that is linked in, and duplicates.
deny:
    cargo deny check licenses bans sources

# The API against its own description; needs the program `schemathesis` (PyPI).
fuzz-api:
    cargo build
    scripts/fuzz-api target/debug/atelier

# The account area in a browser: needs node, npm and Debian's chromium.
e2e:
    cargo build
    cd e2e && npm ci --no-audit --no-fund && npm test

# How fast and how small: starts real servers, prints a table of figures and ratios.
bench *ARGS:
    cargo build --release
    cargo run --release --package atelier-bench -- {{ARGS}}

# How long a picture in each style and each tool takes, without a server around it.
speed DIR="sheets":
    cargo run --release --package atelier-picture --example sheet -- {{DIR}} speed
    cargo run --release --package atelier-tasks --example tools_speed -- {{DIR}}

# How long videos take in every style, weather and change, and how large they are beside those of x264 (which needs ffmpeg).
speed-videos DIR="sheets":
    cargo run --release --package atelier-tasks --example video_speed -- {{DIR}} 720p 5
    cargo run --release --package atelier-film --example sizes

# Contact sheets of the embedded engines, to look at: `just sheet`, `just sheet audio`, `just sheet video`.
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
