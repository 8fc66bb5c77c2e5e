//! A pulled program whose libraries are not on this machine.

use std::{fs, path::PathBuf, process::Command};

use serde_json::{Value, json};

use crate::{
    Place,
    setup::until,
    shelf::{CONFIG, Shelf},
};

/// A program that needs this library, which is not there.
fn program_without(place: &Place, library: &str) -> PathBuf {
    let compile = |source: &str, arguments: &[&str]| {
        let file = place.path("source.c");
        fs::write(&file, source).unwrap();
        let mut compiler = Command::new("cc");
        compiler.current_dir(place.path("")).arg(file).args(arguments);
        assert!(compiler.status().unwrap().success());
    };
    compile("int draw(void) { return 0; }", &["-shared", "-o", library]);
    compile(
        "int draw(void); int main(void) { return draw(); }",
        &["-o", "program", library],
    );
    fs::remove_file(place.path(library)).unwrap();
    place.pack("sd-server", fs::read(place.path("program")).unwrap())
}

#[tokio::test]
async fn a_program_that_lacks_a_library_serves_nothing_and_its_import_and_the_log_say_which() {
    let mut shelf = Shelf::empty(CONFIG);
    let archive = program_without(&shelf.place, "libnowhere.so");
    shelf.runtime_of("sd-server-cpu-toy", &archive);
    let server = &mut shelf.world.server;
    let (status, said, _) = server.command(&["models", "import", archive.to_str().unwrap()]);
    assert_eq!(status, 0);
    assert!(
        said.contains("It cannot run on this machine, which lacks libnowhere.so"),
        "{said}"
    );
    server.command(&["models", "rm", "sd-server-cpu-toy"]);
    let (_, said, _) = server.command(&["models", "import", "--json", archive.to_str().unwrap()]);
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["installed"], json!(["sd-server-cpu-toy"]));
    assert_eq!(report["lacks"], json!({ "sd-server-cpu-toy": "libnowhere.so" }));
    server.start();
    let weights = shelf.file("toy");
    let facts =
        "kind = \"model\"\nruntime = \"sd-server\"\nserves = [{ model = \"sdxl-1-0\", task = \"image\" }]";
    shelf.entry("toy", facts, "diffusion_model", &weights, "steps = 1");
    shelf.import(&weights);
    let (status, said, _) = shelf.world.server.command(&["models", "probe", "toy"]);
    assert_ne!(status, 0);
    assert!(
        said.contains("cannot run on this machine") && said.contains("libnowhere.so"),
        "{said}"
    );
    until("the log says why", async || {
        let log = shelf.world.server.log();
        log.contains("weights are not served") && log.contains("their program lacks libnowhere.so")
    })
    .await;
}
