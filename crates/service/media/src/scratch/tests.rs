//! The quota and the reserve, and what writers reserve of them.

use super::*;

fn scratch(folder: &Path, most: u64) -> Scratch {
    Scratch::new(folder, Quota { most, reserve: 0 })
}

#[test]
fn the_room_is_what_the_quota_and_the_reserve_leave() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("job");
    fs::create_dir(&inner).unwrap();
    fs::write(folder.path().join("upload"), [0; 300]).unwrap();
    fs::write(inner.join("input"), [0; 200]).unwrap();
    let quota = |most, reserve| Quota { most, reserve }.room(folder.path()).unwrap();
    assert_eq!(quota(1000, 0), 500);
    assert_eq!(quota(400, 0), 0);
    assert_eq!(quota(u64::MAX, 0), u64::MAX);
    #[cfg(unix)]
    {
        assert_eq!(quota(1000, u64::MAX), 0, "no disk is that large");
        assert_eq!(quota(1000, 1), 500);
    }
}

#[tokio::test]
async fn what_one_writer_reserves_no_other_gets() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = scratch(folder.path(), 1_000);
    let (mut one, mut other) = (scratch.reservation(), scratch.below("job").reservation());
    one.need(700).await.unwrap();
    other.need(300).await.unwrap();
    assert!(matches!(other.need(301).await, Err(ScratchError::Full)));
    assert!(!scratch.found_no_place());
    let job = scratch.below("another");
    assert!(job.reservation().need(1_000).await.is_err());
    assert!(
        job.clone().found_no_place() && !scratch.found_no_place(),
        "each folder knows of its own writers"
    );
    drop(one);
    other.need(1_000).await.unwrap();
    assert!(matches!(other.need(1_001).await, Err(ScratchError::Full)));
}

#[tokio::test]
async fn written_bytes_count_once_and_until_their_file_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = scratch(folder.path(), 1_000);
    scratch.write("first", &[0; 600]).await.unwrap();
    let mut second = scratch.create("second").await.unwrap();
    second.write(&[0; 400]).await.unwrap();
    assert!(matches!(second.write(&[0; 1]).await, Err(ScratchError::Full)));
    assert!(!scratch.has_room().await);
    fs::remove_file(folder.path().join("first")).unwrap();
    assert!(scratch.has_room().await);
    second.write(&[0; 600]).await.unwrap();
    assert_eq!(fs::metadata(folder.path().join("second")).unwrap().len(), 1_000);
}

#[tokio::test]
async fn many_writers_at_once_stay_within_the_quota() {
    const MOST: u64 = 4 << 20;
    let folder = tempfile::tempdir().unwrap();
    let scratch = scratch(folder.path(), MOST);
    let writers = (0..32).map(|number| {
        let scratch = scratch.clone();
        tokio::spawn(async move {
            let mut file = scratch.create(number.to_string()).await.unwrap();
            while file.write(&[0; 10_000]).await.is_ok() {}
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let written = used(folder.path(), 0).unwrap();
    assert!(written <= MOST, "{written}");
    assert!(written > MOST / 2, "{written}");
}

#[tokio::test]
async fn a_process_that_fills_the_folder_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = scratch(folder.path(), 1_000_000);
    let job = scratch.below("job");
    fs::create_dir(job.path()).unwrap();
    let writes = async {
        for number in 0..100 {
            fs::write(job.path().join(number.to_string()), vec![0; 50_000]).unwrap();
            sleep(WATCH).await;
        }
    };
    tokio::select! {
        error = job.until_full() => assert!(matches!(error, ScratchError::Full), "{error}"),
        () = writes => panic!("it wrote five times the quota"),
    }
    assert!(used(folder.path(), 1).unwrap() <= 1_000_000);
}

#[tokio::test]
async fn the_reserve_of_the_disk_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let reserve = u64::MAX;
    let scratch = Scratch::new(
        folder.path(),
        Quota {
            most: u64::MAX,
            reserve,
        },
    );
    let expected = if cfg!(unix) {
        "the scratch folder is full"
    } else {
        ""
    };
    let error = scratch
        .write("file", b"1")
        .await
        .map_err(|error| error.to_string());
    assert_eq!(error.err().unwrap_or_default(), expected);
}

#[test]
fn a_sweep_removes_old_files_and_keeps_young_ones_and_folders() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old");
    let young = folder.path().join("young");
    fs::write(&old, b"left behind").unwrap();
    fs::write(&young, b"in use").unwrap();
    fs::create_dir(folder.path().join("kept")).unwrap();
    let file = fs::File::options().write(true).open(&old).unwrap();
    let written = file.metadata().unwrap().modified().unwrap();
    file.set_modified(written - Duration::from_hours(25)).unwrap();

    assert_eq!(sweep(folder.path(), Duration::from_hours(24)).unwrap(), 1);
    assert!(!old.exists());
    assert!(young.exists());
    assert!(folder.path().join("kept").exists());
}
