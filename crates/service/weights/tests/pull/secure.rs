//! Certificates: a server of a private authority is refused until the operator names that authority.

use atelier_testkit::encrypted;

use crate::{Server, Setup, file};

#[tokio::test]
async fn a_private_authority_is_trusted_when_the_operator_names_it() {
    let bytes = file(1_500_000);
    let server = Server::good(bytes.clone()).await;
    let (address, pem) = encrypted(server.address).await;
    let mut setup = Setup::new(
        &bytes,
        &[&format!("https://localhost:{}/file.bin", address.port())],
    );
    setup.options.allow_http = false;
    setup.options.tries = 2;
    let error = setup.refusal().await;
    assert!(
        error.contains("certificate") && error.contains("UnknownIssuer"),
        "{error}"
    );
    assert!(server.requests().is_empty());
    setup.options.ca_pem = Some(pem.into_bytes());
    setup.pull().await.unwrap();
    assert_eq!(server.sent(), 1_500_000);
}
