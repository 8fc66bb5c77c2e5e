//! The contract of every place of blobs, stamped for a folder and for a bucket in memory; and the contract of a folder
//! alone.

use std::{fs, time::Duration};

use atelier_domain::MediaType;
use futures_util::TryStreamExt as _;

use super::*;

fn name(first: u8) -> FileName {
    let mut hash = [0x5a; 32];
    hash[0] = first;
    FileName::new(&hash, MediaType::Png)
}

async fn read(blobs: &Blobs, name: &FileName, range: Option<Range<u64>>) -> Result<Vec<u8>, BlobError> {
    let blob = blobs.get(name, range).await?;
    let pieces: Vec<Bytes> = blob.stream.try_collect().await?;
    Ok(pieces.concat())
}

/// Runs `test` on each kind of place.
macro_rules! everywhere {
    ($($test:ident),* $(,)?) => {
        mod in_a_folder {
            $(#[tokio::test] async fn $test() {
                let folder = tempfile::tempdir().unwrap();
                super::$test(super::Blobs::folder(&folder.path().join("media")).unwrap()).await;
            })*
        }
        mod in_a_bucket {
            $(#[tokio::test] async fn $test() { super::$test(super::Blobs::memory()).await; })*
        }
    };
}

everywhere!(
    what_is_put_can_be_read,
    a_large_file_arrives_whole,
    a_range_is_what_was_asked_for,
    a_second_put_changes_nothing,
    what_is_deleted_is_gone,
    a_place_that_works_is_ready,
);

#[test]
fn clients_can_upload_to_a_bucket_and_not_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Blobs::folder(&folder.path().join("media")).unwrap();
    let refused = folder.taking_uploads_at("https://bucket.example.com");
    assert!(matches!(refused, Err(OpenError::NoBucket)), "{refused:?}");
    assert!(Blobs::memory().incoming().is_none());
    let bucket = Blobs::memory().taking_uploads_at("https://bucket.example.com");
    assert!(bucket.unwrap().incoming().is_some());
}

async fn what_is_put_can_be_read(blobs: Blobs) {
    assert_eq!(blobs.head(&name(1)).await.unwrap(), None);
    assert!(matches!(
        read(&blobs, &name(1), None).await,
        Err(BlobError::Missing)
    ));
    blobs
        .put_bytes(Bytes::from_static(b"some bytes"), &name(1))
        .await
        .unwrap();
    assert_eq!(blobs.head(&name(1)).await.unwrap(), Some(10));
    assert_eq!(read(&blobs, &name(1), None).await.unwrap(), b"some bytes");
    assert_eq!(blobs.head(&name(2)).await.unwrap(), None);
}

async fn a_large_file_arrives_whole(blobs: Blobs) {
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("finished");
    let bytes: Vec<u8> = (0..20_000_003_u32).map(|n| (n % 251) as u8).collect();
    fs::write(&source, &bytes).unwrap();
    blobs.put_file(&source, &name(1)).await.unwrap();
    assert!(read(&blobs, &name(1), None).await.unwrap() == bytes);
    assert!(source.exists());
    fs::remove_file(&source).unwrap();
    assert!(read(&blobs, &name(1), Some(9_000_000..9_500_000)).await.unwrap() == bytes[9_000_000..9_500_000]);
}

async fn a_range_is_what_was_asked_for(blobs: Blobs) {
    blobs
        .put_bytes(Bytes::from_static(b"0123456789"), &name(1))
        .await
        .unwrap();
    for (range, expected) in [(0..10, "0123456789"), (0..1, "0"), (9..10, "9"), (3..7, "3456")] {
        let blob = blobs.get(&name(1), Some(range.clone())).await.unwrap();
        assert_eq!(blob.size, 10);
        assert_eq!(
            read(&blobs, &name(1), Some(range)).await.unwrap(),
            expected.as_bytes()
        );
    }
    for range in [10..11, 5..11, 5..5, 100..200] {
        let outcome = blobs.get(&name(1), Some(range.clone())).await;
        assert!(
            matches!(outcome, Err(BlobError::RangeOutside { size: 10 })),
            "{range:?}: {outcome:?}"
        );
    }
    assert!(matches!(
        blobs.get(&name(2), Some(0..1)).await,
        Err(BlobError::Missing)
    ));
}

async fn a_second_put_changes_nothing(blobs: Blobs) {
    blobs
        .put_bytes(Bytes::from_static(b"first"), &name(1))
        .await
        .unwrap();
    blobs
        .put_bytes(Bytes::from_static(b"other"), &name(1))
        .await
        .unwrap();
    assert_eq!(read(&blobs, &name(1), None).await.unwrap(), b"first");
}

async fn what_is_deleted_is_gone(blobs: Blobs) {
    blobs
        .put_bytes(Bytes::from_static(b"bytes"), &name(1))
        .await
        .unwrap();
    blobs.delete(&name(1)).await.unwrap();
    blobs.delete(&name(1)).await.unwrap();
    assert_eq!(blobs.head(&name(1)).await.unwrap(), None);
    blobs
        .put_bytes(Bytes::from_static(b"again"), &name(1))
        .await
        .unwrap();
    assert_eq!(read(&blobs, &name(1), None).await.unwrap(), b"again");
}

async fn a_place_that_works_is_ready(blobs: Blobs) {
    blobs.check().await.unwrap();
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[tokio::test]
async fn many_puts_of_equal_bytes_at_once_yield_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::folder(&folder.path().join("media")).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let bytes = vec![9; 300_000];
    let puts = (0..32).map(|n| {
        let (blobs, bytes) = (blobs.clone(), bytes.clone());
        let source = scratch.path().join(n.to_string());
        fs::write(&source, &bytes).unwrap();
        tokio::spawn(async move {
            if n % 2 == 0 {
                blobs.put_file(&source, &name(1)).await
            } else {
                blobs.put_bytes(bytes.into(), &name(1)).await
            }
        })
    });
    for put in puts.collect::<Vec<_>>() {
        put.await.unwrap().unwrap();
    }
    assert_eq!(files_below(folder.path()), [blobs.local_path(&name(1)).unwrap()]);
    assert!(read(&blobs, &name(1), None).await.unwrap() == bytes);
}

#[tokio::test]
async fn a_file_in_a_folder_can_be_read_in_place_and_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::folder(folder.path()).unwrap();
    blobs
        .put_bytes(Bytes::from_static(b"bytes"), &name(0xab))
        .await
        .unwrap();
    let path = blobs.local_path(&name(0xab)).unwrap();
    assert_eq!(path, folder.path().join("ab").join(name(0xab).as_str()));
    assert_eq!(fs::read(&path).unwrap(), b"bytes");
    assert!(fs::metadata(&path).unwrap().permissions().readonly());
    assert_eq!(Blobs::memory().local_path(&name(0xab)), None);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_is_not_stored_in_place_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::folder(&folder.path().join("media")).unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, b"not for you").unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&secret, &link).unwrap();
    assert!(matches!(
        blobs.put_file(&link, &name(1)).await,
        Err(BlobError::Storage(_))
    ));
    assert_eq!(blobs.head(&name(1)).await.unwrap(), None);
}

#[tokio::test]
async fn a_folder_that_is_gone_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::folder(&folder.path().join("media")).unwrap();
    fs::remove_dir_all(folder.path().join("media")).unwrap();
    assert!(matches!(blobs.check().await, Err(BlobError::Storage(_))));
    assert!(matches!(
        blobs.put_bytes(Bytes::from_static(b"bytes"), &name(1)).await,
        Err(BlobError::Storage(_))
    ));
}

#[test]
fn a_full_disk_is_told_from_other_failures() {
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
        assert!(matches!(
            BlobError::from(io::Error::from(kind)),
            BlobError::DiskFull
        ));
    }
    assert!(matches!(
        BlobError::from(io::Error::other("x")),
        BlobError::Storage(_)
    ));
}

#[test]
fn a_place_is_named_by_a_url() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("with space");
    let options = BTreeMap::new();
    for url in [
        format!("file://{}", path.display()),
        format!("file:{}", path.display()),
        format!("FILE:{}", path.display().to_string().replace(' ', "%20")),
    ] {
        let blobs = Blobs::open(&url, &options).unwrap();
        assert_eq!(
            blobs.local_path(&name(1)).unwrap().parent().unwrap().parent(),
            Some(&*path),
            "{url}"
        );
    }
    assert_eq!(
        format!("{:?}", Blobs::open("memory:", &options).unwrap()),
        "Blobs(memory:)"
    );
    for wrong in [
        "",
        "media",
        "file:media",
        "file://host/path",
        "file:/a?b",
        "file:/a#b",
        "gs://bucket",
        "s3:",
        "s3://",
    ] {
        assert!(
            matches!(Blobs::open(wrong, &options), Err(OpenError::Url { .. })),
            "{wrong}"
        );
    }
}

#[test]
fn a_bucket_takes_its_credentials_from_options_and_shows_none() {
    let options = BTreeMap::from(
        [
            ("access_key_id", "key"),
            ("secret_access_key", "hush"),
            ("region", "eu-central-1"),
            ("endpoint", "http://127.0.0.1:9000"),
            ("allow_http", "true"),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned())),
    );
    let blobs = Blobs::open("s3://bucket/some/prefix", &options).unwrap();
    assert_eq!(format!("{blobs:?}"), "Blobs(s3://bucket/some/prefix)");
    assert_eq!(blobs.local_path(&name(1)), None);
    let wrong = BTreeMap::from([("colour".to_owned(), "blue".to_owned())]);
    let error = Blobs::open("s3://bucket", &wrong).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the bucket cannot be used: `colour` is no option of a bucket"
    );
    assert!(Blobs::open("s3://key:hush@bucket/prefix", &BTreeMap::new()).is_err());
}

#[tokio::test]
async fn jobs_wait_until_there_is_room_for_the_largest_file_that_found_none() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::folder(&folder.path().join("media")).unwrap();
    let Place::Folder(media) = &*blobs.place else {
        panic!("{blobs:?} is not a folder");
    };
    let now = Instant::now();
    media.found_no_room(1, now);
    assert!(blobs.look().await && blobs.has_room(), "there is room for it");
    media.found_no_room(u64::MAX, now);
    media.found_no_room(1, now);
    assert!(!blobs.look().await);
    assert!(!blobs.works().await && !blobs.has_room());
    // Smaller files can be stored meanwhile, and the node can serve what is stored.
    blobs
        .put_bytes(Bytes::from_static(b"small"), &name(1))
        .await
        .unwrap();
    blobs.check().await.unwrap();
    // Other jobs do not wait for it for ever.
    media.check_room(now + Duration::from_secs(59)).unwrap_err();
    media.check_room(now + Duration::from_mins(1)).unwrap();
}
