//! Files that are here already, packs for other machines, and archives of runtimes.

use std::{fs, io::Write as _, sync::Arc};

use atelier_weights::{Index, Kind, Policy, Serves, this_target};

use crate::{Server, Setup, entry, file};

const SIZE: usize = 1_200_000;
/// Nothing listens there.
const NOWHERE: &str = "http://127.0.0.1:9/x";

fn names(found: &[String]) -> Vec<&str> {
    found.iter().map(String::as_str).collect()
}

#[tokio::test]
async fn a_file_is_recognised_in_a_folder_whatever_its_name() {
    let bytes = file(SIZE);
    let setup = Setup::new(&bytes, &[NOWHERE]);
    let mine = tempfile::tempdir().unwrap();
    let deep = mine.path().join("models/unet");
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("renamed.dat"), &bytes).unwrap();
    fs::write(mine.path().join("other"), vec![0; SIZE]).unwrap();
    let puller = setup.puller();
    let find = puller.find(mine.path()).await.unwrap();
    let imported = puller.import(&find, false, mine.path()).await.unwrap();
    assert_eq!(names(&imported.installed), ["tiny"]);
    assert_eq!(imported.recognised.len(), 1);
    assert_eq!(imported.recognised[0].path, deep.join("renamed.dat"));
    // It is a copy.
    fs::remove_dir_all(mine.path()).unwrap();
    setup.pull().await.unwrap();
}

#[tokio::test]
async fn a_file_that_is_linked_in_place_takes_no_space() {
    let bytes = file(SIZE);
    let setup = Setup::new(&bytes, &[NOWHERE]);
    let mine = tempfile::tempdir().unwrap();
    let path = mine.path().join("x.onnx");
    fs::write(&path, &bytes).unwrap();
    let puller = setup.puller();
    let find = puller.find(&path).await.unwrap();
    puller.import(&find, true, mine.path()).await.unwrap();
    let installed = puller.store.find("tiny").unwrap().unwrap();
    let graph = installed.path("graph").unwrap();
    assert_eq!(fs::canonicalize(graph).unwrap(), fs::canonicalize(&path).unwrap());
    assert_eq!(puller.store.bytes().unwrap(), 0);
    // Removing the model leaves the file alone.
    puller.store.remove("tiny", false).unwrap();
    assert!(path.exists());
}

#[tokio::test]
async fn an_entry_says_which_of_its_files_are_missing() {
    let (bytes, more) = (file(SIZE), file(7_000));
    let mut setup = Setup::new(&bytes, &[NOWHERE]);
    let mut two = setup.index.get("tiny").unwrap().clone();
    let mut second = entry("second", &more, &[NOWHERE]).files.remove(0);
    second.role = "voices".to_owned();
    two.files.push(second);
    setup.index.add(two);
    let mine = tempfile::tempdir().unwrap();
    fs::write(mine.path().join("x"), &bytes).unwrap();
    let puller = setup.puller();
    let find = puller.find(mine.path()).await.unwrap();
    let imported = puller.import(&find, false, mine.path()).await.unwrap();
    assert_eq!(imported.incomplete[0].missing, ["second.onnx"]);
    assert!(puller.store.find("tiny").unwrap().is_none());
}

#[tokio::test]
async fn a_pack_carries_models_to_a_machine_without_a_network() {
    let (bytes, shared) = (file(SIZE), file(9_000));
    let server = Server::good(bytes.clone()).await;
    let parts = Server::good(shared.clone()).await;
    let mut setup = Setup::new(&bytes, &[&server.url()]);
    let mut part = entry("encoder", &shared, &[&parts.url()]);
    (part.kind, part.serves, part.graph) = (Kind::Part, Vec::<Serves>::new(), serde_json::Map::new());
    setup.index.add(part);
    let mut tiny = setup.index.get("tiny").unwrap().clone();
    tiny.uses = vec!["encoder".to_owned()];
    setup.index.add(tiny);
    let puller = setup.puller();
    let plan = puller.plan(&["tiny".to_owned()]).unwrap();
    puller
        .pull(&plan, &atelier_weights::Meter::default())
        .await
        .unwrap();
    let pack = setup.folder.path().join("pack.tar");
    let packed = puller.export(&["tiny".to_owned()], &pack).await.unwrap();
    assert_eq!((packed.files, packed.bytes), (2, (SIZE + 9_000) as u64));

    // Another machine, whose index knows neither entry.
    let mut other = Setup::new(&bytes, &[NOWHERE]);
    other.index = Index::default();
    other.options.offline = true;
    let puller = other.puller();
    let mine = other.folder.path().join("models.d");
    let find = puller.find(&pack).await.unwrap();
    let imported = puller.import(&find, false, &mine).await.unwrap();
    assert_eq!(names(&imported.installed), ["encoder", "tiny"]);
    assert_eq!(Index::of_folder(&mine).unwrap().iter().len(), 2);
    let installed = puller.store.find("tiny").unwrap().unwrap();
    assert!(fs::read(installed.path("graph").unwrap()).unwrap() == bytes);

    // A damaged pack is refused.
    let mut damaged = fs::read(&pack).unwrap();
    let place = damaged.len() - SIZE / 2;
    damaged[place] ^= 1;
    fs::write(&pack, damaged).unwrap();
    let third = Setup::new(&bytes, &[NOWHERE]);
    let error = third
        .puller()
        .import(&find, false, &mine)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("the pack is damaged"), "{error}");
}

#[tokio::test]
async fn an_import_keeps_to_the_policy_of_licences() {
    let bytes = file(SIZE);
    let setup = Setup::new(&bytes, &[NOWHERE]);
    let mut puller = setup.puller();
    let mut index = Index::default();
    let mut own = setup.index.get("tiny").unwrap().clone();
    own.licence.id = "CC-BY-NC-4.0".to_owned();
    index.add(own);
    puller.index = Arc::new(index);
    puller.policy = Policy {
        allowed: vec!["permissive".to_owned()],
    };
    fs::write(setup.folder.path().join("x"), &bytes).unwrap();
    let error = puller.find(setup.folder.path()).await.unwrap_err().to_string();
    assert!(error.contains("not allowed by `models.licences`"), "{error}");
    let error = puller.plan(&["tiny".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("not allowed by `models.licences`"), "{error}");
}

#[tokio::test]
async fn a_runtime_is_unpacked_from_its_archive() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, content) in [("deep/in/libx.so.1", file(50_000)), ("README", b"no".to_vec())] {
        zip.start_file(name, options).unwrap();
        zip.write_all(&content).unwrap();
    }
    let archive = zip.finish().unwrap().into_inner();
    let server = Server::good(archive.clone()).await;
    let mut setup = Setup::new(&archive, &[&server.url()]);
    let mut runtime = setup.index.get("tiny").unwrap().clone();
    (runtime.kind, runtime.serves, runtime.graph) = (Kind::Runtime, Vec::new(), serde_json::Map::new());
    runtime.target = Some(this_target());
    runtime.files[0].name = "x.whl".to_owned();
    runtime.files[0].role = "library".to_owned();
    let mut member = atelier_weights::Member {
        path: "deep/in/libx.so.1".to_owned(),
        name: Some("libx.so".to_owned()),
        sha256: None,
        executable: false,
    };
    runtime.files[0].members = vec![member.clone()];
    setup.index.add(runtime.clone());
    let puller = setup.puller();
    let plan = puller.plan(&["tiny".to_owned()]).unwrap();
    let pulled = puller
        .pull(&plan, &atelier_weights::Meter::default())
        .await
        .unwrap();
    assert!(fs::read(pulled[0].path("library").unwrap()).unwrap() == file(50_000));
    assert_eq!(pulled[0].files.len(), 1);

    member.sha256 = Some("0".repeat(64));
    runtime.files[0].members = vec![member];
    setup.index.add(runtime.clone());
    let error = setup
        .puller()
        .pull(
            &setup.puller().plan(&["tiny".to_owned()]).unwrap(),
            &atelier_weights::Meter::default(),
        )
        .await;
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("which the entry does not name")
    );

    runtime.target = Some("plan9-mips".to_owned());
    setup.index.add(runtime);
    let error = setup.puller().plan(&["tiny".to_owned()]).unwrap_err().to_string();
    let here = this_target();
    assert_eq!(
        error,
        format!("`tiny` is for plan9-mips, and not for {here}; use --for plan9-mips --to FILE")
    );
    setup
        .puller()
        .plan_for(&["tiny".to_owned()], "plan9-mips")
        .unwrap();
}
