//! The signature of a form, and which objects a clean-up removes.

use object_store::StaticCredentialProvider;

use super::*;

const HOUR: Duration = Duration::from_hours(1);

fn incoming() -> Incoming {
    let credential = AwsCredential {
        key_id: "AKIAIOSFODNN7EXAMPLE".to_owned(),
        secret_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
        token: Some("a token".to_owned()),
    };
    let signing = Signing {
        bucket: "studio".to_owned(),
        region: "us-east-1".to_owned(),
        credentials: Arc::new(StaticCredentialProvider::new(credential)),
    };
    let store = Arc::new(object_store::memory::InMemory::new());
    Incoming::new(
        store,
        &Path::from("some/media"),
        signing,
        "https://s3.example.com/studio",
    )
}

#[tokio::test]
async fn a_form_allows_one_key_type_and_size_until_it_expires() {
    let now = Timestamp::of_text("2015-12-29T00:00:00Z").unwrap();
    let allowed = Allowed {
        name: "a-name",
        media_type: MediaType::Png,
        size: 48_213,
        now,
        valid: HOUR,
    };
    let form = incoming().form(allowed).await.unwrap();
    assert_eq!(form.url, "https://s3.example.com/studio");
    let names: Vec<_> = form.fields.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "Content-Type",
            "key",
            "policy",
            "x-amz-algorithm",
            "x-amz-credential",
            "x-amz-date",
            "x-amz-security-token",
            "x-amz-signature"
        ]
    );
    assert_eq!(form.fields["x-amz-date"], "20151229T000000Z");
    let policy = STANDARD.decode(&form.fields["policy"]).unwrap();
    let policy: Value = serde_json::from_slice(&policy).unwrap();
    assert_eq!(
        policy,
        json!({
            "expiration": "2015-12-29T01:00:00.000Z",
            "conditions": [
                { "Content-Type": "image/png" },
                { "key": "some/media/incoming/a-name" },
                { "x-amz-algorithm": "AWS4-HMAC-SHA256" },
                { "x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request" },
                { "x-amz-date": "20151229T000000Z" },
                { "x-amz-security-token": "a token" },
                { "bucket": "studio" },
                ["content-length-range", 48_213, 48_213],
            ]
        })
    );
}

/// The example of Amazon's documentation: its Base64 policy and the signature of it.
#[test]
fn a_policy_is_signed_as_amazon_documents() {
    let policy = concat!(
        "eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6ICJz",
        "aWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6ICJw",
        "dWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5hbWF6",
        "b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1hZ2Uv",
        "Il0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5cHRp",
        "b24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNyZWRl",
        "bnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1hbXot",
        "YWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBdDQp9",
    );
    let secret = b"AWS4wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_vec();
    let scope = ["20151229", "us-east-1", "s3", "aws4_request"];
    let key = scope.iter().fold(secret, |key, part| hmac(&key, part));
    assert_eq!(
        hex::encode(hmac(&key, policy)),
        "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e"
    );
}

#[tokio::test]
async fn an_upload_is_read_noted_and_removed() {
    let incoming = incoming();
    let name = Incoming::name(Timestamp(1_000_000), [7; 16]);
    assert_eq!(name, format!("0000000003e8-{}", "07".repeat(16)));
    assert!(matches!(incoming.open(&name).await, Err(BlobError::Missing)));
    assert_eq!(incoming.noted(&name).await.unwrap(), None);
    let key = incoming.key(&name);
    incoming.store.put(&key, "some bytes".into()).await.unwrap();
    let blob = incoming.open(&name).await.unwrap();
    let pieces: Vec<Bytes> = blob.stream.try_collect().await.unwrap();
    assert_eq!((blob.size, pieces.concat()), (10, b"some bytes".to_vec()));
    incoming.note(&name, "seen".into()).await.unwrap();
    incoming.remove(&name).await.unwrap();
    incoming.remove(&name).await.unwrap();
    assert!(matches!(incoming.open(&name).await, Err(BlobError::Missing)));
    assert_eq!(incoming.noted(&name).await.unwrap(), Some("seen".into()));
}

#[tokio::test]
async fn a_clean_up_removes_old_uploads_with_their_notes_and_nothing_else() {
    let incoming = incoming();
    let now = Timestamp::of_text("2026-11-21T09:30:00Z").unwrap();
    let old = Incoming::name(now.minus(HOUR), [1; 16]);
    let young = Incoming::name(now, [0; 16]);
    for name in [old.as_str(), &young, "0001", "something of others"] {
        incoming.store.put(&incoming.key(name), "x".into()).await.unwrap();
    }
    incoming.note(&old, "seen".into()).await.unwrap();
    let outside = Path::from("some/media/0000000003e8-of-others");
    incoming.store.put(&outside, "x".into()).await.unwrap();
    assert_eq!(incoming.remove_before(now).await.unwrap(), 2);
    assert_eq!(incoming.remove_before(now).await.unwrap(), 0);
    assert!(incoming.store.head(&outside).await.is_ok());
    for name in [young.as_str(), "0001", "something of others"] {
        assert!(incoming.open(name).await.is_ok(), "{name}");
    }
}
