//! Tests of previews.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use atelier_domain::{Actor, Failure, FileName};
use atelier_engines::{Context, Engine, Job, Made, MadeFile};

use super::{World, takedown::upload};
use crate::{Error, System};

/// Makes a preview slowly: its file is taken down meanwhile.
#[derive(Debug, Default)]
struct Slow(OnceLock<(System, FileName)>);

#[async_trait]
impl Engine for Slow {
    fn name(&self) -> &'static str {
        atelier_engines::draft::NAME
    }

    fn concurrency(&self) -> usize {
        1
    }

    async fn run(&self, job: Job, _: Context) -> Result<Made, Failure> {
        if let Some((system, file)) = self.0.get() {
            let blobs = system.app.blobs();
            let admin = system.admin(Actor::Cli);
            admin.take_down(blobs, file.as_str(), "asked for").await.unwrap();
        }
        let path = job.scratch.path().join("preview.gif");
        std::fs::write(&path, PREVIEW).unwrap();
        Ok(Made {
            files: vec![MadeFile::Path(path)],
            ..Made::default()
        })
    }
}

/// A GIF of one pixel.
const PREVIEW: &[u8] =
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00\
    ,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

#[tokio::test]
async fn a_preview_that_ends_after_its_file_was_taken_down_is_not_stored() {
    let engine = Arc::new(Slow::default());
    let world = World::with(Arc::clone(&engine) as Arc<_>, None);
    let operator = world.operator().await;
    let url = upload(&world, &operator.caller).await.unwrap();
    let file = world.app.stored_file(&url).unwrap().unwrap();
    engine.0.set((world.system.clone(), file.clone())).unwrap();

    let preview = world.app.preview(&file).await;
    assert!(matches!(preview, Err(Error::Gone(_))), "{preview:?}");
    let path = world.scratch().join("preview.gif");
    std::fs::write(&path, PREVIEW).unwrap();
    let (name, _) = atelier_media::describe_file(&path).await.unwrap();
    assert_eq!(
        world.app.blobs().head(&name).await.unwrap(),
        None,
        "its bytes are gone"
    );
}
