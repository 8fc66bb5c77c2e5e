//! Intakes that end well, and every way in which they do not.

use std::fs;

use super::*;
use crate::scratch::Quota;

/// A picture's header, and as many bytes after it as asked for.
fn gif(size: usize) -> Vec<u8> {
    let mut bytes = b"GIF89a\x20\0\x10\0".to_vec();
    bytes.resize(size, 7);
    bytes
}

fn unlimited(folder: &tempfile::TempDir) -> Scratch {
    Scratch::new(folder.path(), Quota::NONE)
}

fn left_in(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[tokio::test]
async fn a_file_is_named_by_its_bytes_and_removed_with_its_owner() {
    let scratch = tempfile::tempdir().unwrap();
    let bytes = gif(300_001);
    let mut intake = Intake::new(&unlimited(&scratch), 300_001).await.unwrap();
    for piece in bytes.chunks(1013) {
        intake.write(piece).await.unwrap();
    }
    let received = intake.finish().await.unwrap();

    assert_eq!(received.name, name_of(&bytes, MediaType::Gif));
    assert_eq!(received.facts.size, 300_001);
    assert_eq!(
        (received.facts.width, received.facts.height),
        (Some(32), Some(16))
    );
    assert_eq!(fs::read(received.path()).unwrap(), bytes);
    assert_eq!(
        describe(&bytes).unwrap(),
        (received.name.clone(), received.facts.clone())
    );
    assert_eq!(
        describe_file(received.path()).await.unwrap(),
        (received.name.clone(), received.facts.clone())
    );
    drop(received);
    assert_eq!(left_in(scratch.path()), 0);
}

#[test]
fn a_name_is_the_sha_256_of_the_bytes() {
    let (name, _) = describe(b"GIF89a\x01\0\x01\0").unwrap();
    assert_eq!(
        name.as_str(),
        "fb6567d497606314a968515ebf9063dcee9fcff777897c384ed8e6a26dbd7190.gif"
    );
}

#[tokio::test]
async fn one_byte_too_many_is_refused_and_leaves_nothing_behind() {
    let scratch = tempfile::tempdir().unwrap();
    let mut intake = Intake::new(&unlimited(&scratch), 200_000).await.unwrap();
    intake.write(&gif(200_000)).await.unwrap();
    assert_eq!(left_in(scratch.path()), 1);
    assert!(matches!(
        intake.write(b"x").await,
        Err(IntakeError::TooLarge { max_bytes: 200_000 })
    ));
    assert_eq!(left_in(scratch.path()), 0);
    assert!(intake.finish().await.is_err());
}

#[tokio::test]
async fn memory_does_not_grow_with_the_file() {
    let scratch = tempfile::tempdir().unwrap();
    let mut intake = Intake::new(&unlimited(&scratch), 64 << 20).await.unwrap();
    let bytes = gif(8 << 20);
    intake.write(&bytes).await.unwrap();
    intake.write(&bytes[..CHUNK / 2]).await.unwrap();
    assert!(intake.buffer.capacity() <= CHUNK, "{}", intake.buffer.capacity());
}

#[tokio::test]
async fn nothing_and_the_unknown_are_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let intake = Intake::new(&unlimited(&scratch), 100).await.unwrap();
    assert!(matches!(intake.finish().await, Err(IntakeError::Empty)));
    for bytes in [
        &b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"[..],
        b"<html></html>",
        b"hello",
    ] {
        let mut intake = Intake::new(&unlimited(&scratch), 100).await.unwrap();
        intake.write(bytes).await.unwrap();
        assert!(
            matches!(intake.finish().await, Err(IntakeError::Unrecognised)),
            "{bytes:?}"
        );
        assert!(
            matches!(describe(bytes), Err(IntakeError::Unrecognised)),
            "{bytes:?}"
        );
    }
    assert_eq!(left_in(scratch.path()), 0);
}

#[tokio::test]
async fn a_wrong_type_is_refused_before_the_rest_of_the_file_arrives() {
    let scratch = tempfile::tempdir().unwrap();
    let mut intake = Intake::new(&unlimited(&scratch), 1 << 30).await.unwrap();
    assert_eq!(intake.media_type(), None, "nothing has arrived yet");
    intake.write(b"<html>").await.unwrap();
    assert!(matches!(
        intake.write(&[b' '; HEAD]).await,
        Err(IntakeError::Unrecognised)
    ));
    assert_eq!(left_in(scratch.path()), 0);

    let mut intake = Intake::new(&unlimited(&scratch), 1 << 30).await.unwrap();
    intake.write(&gif(HEAD)).await.unwrap();
    assert_eq!(intake.media_type(), Some(MediaType::Gif));
}

#[tokio::test]
async fn a_dropped_intake_leaves_nothing_behind() {
    let scratch = tempfile::tempdir().unwrap();
    let mut intake = Intake::new(&unlimited(&scratch), 1 << 20).await.unwrap();
    intake.write(&gif(400_000)).await.unwrap();
    drop(intake);
    assert_eq!(left_in(scratch.path()), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_write_dropped_half_way_leaves_nothing_behind() {
    let scratch = tempfile::tempdir().unwrap();
    let mut intake = Intake::new(&unlimited(&scratch), 64 << 20).await.unwrap();
    // A pipe takes less than a chunk until somebody reads: this write stays under way for as long as the test wants.
    let (reader, writer) = io::pipe().unwrap();
    intake.sink.as_mut().unwrap().file = File::from(std::os::fd::OwnedFd::from(writer));
    let bytes = gif(CHUNK);
    {
        let mut write = Box::pin(intake.write(&bytes));
        assert!(futures_util::poll!(&mut write).is_pending());
    }
    assert!(intake.write(&bytes).await.is_err());
    drop(intake);
    assert_eq!(left_in(scratch.path()), 1);
    // The write that nobody waits for owns the file, and removes it when it ends.
    drop(reader);
    for _ in 0..1000 {
        if left_in(scratch.path()) == 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the file is still there");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_says_so_and_leaves_nothing_behind() {
    let scratch = tempfile::tempdir().unwrap();
    for size in [100, CHUNK * 2] {
        let mut intake = Intake::new(&unlimited(&scratch), 1 << 20).await.unwrap();
        // Every write to this device fails as on a full disk.
        intake.sink.as_mut().unwrap().file = File::options().write(true).open("/dev/full").unwrap();
        let outcome = match intake.write(&gif(size)).await {
            Ok(()) => intake.finish().await.map(|_| ()),
            Err(error) => Err(error),
        };
        assert!(
            matches!(outcome, Err(IntakeError::DiskFull)),
            "{size}: {outcome:?}"
        );
        assert_eq!(left_in(scratch.path()), 0);
    }
}

#[tokio::test]
async fn an_intake_ends_where_the_scratch_folder_has_no_room() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("other"), vec![0; 700_000]).unwrap();
    let quota = Quota {
        most: 1_000_000,
        reserve: 0,
    };
    let scratch = Scratch::new(folder.path(), quota);
    for size in [299_000, 301_000] {
        let mut intake = Intake::new(&scratch, 1 << 20).await.unwrap();
        let outcome = match intake.write(&gif(size)).await {
            Ok(()) => intake.finish().await.map(|_| ()),
            Err(error) => Err(error),
        };
        match outcome {
            Ok(()) => assert_eq!(size, 299_000),
            Err(error) => assert!(
                matches!(error, IntakeError::DiskFull) && size == 301_000,
                "{error}"
            ),
        }
        assert_eq!(left_in(folder.path()), 1);
    }
}
