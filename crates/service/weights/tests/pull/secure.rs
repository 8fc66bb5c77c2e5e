//! Certificates: a server of a private authority is refused until the operator names that authority.

use std::{net::SocketAddr, sync::Arc};

use rcgen::CertifiedKey;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer},
};

use crate::{Server, Setup, file};

/// Encrypts what comes for a server. Returns the address, for the name `localhost`, and the certificate as PEM.
async fn encrypted(plain: SocketAddr) -> (SocketAddr, String) {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // A client that does not trust the certificate leaves.
                if let Ok(mut secure) = acceptor.accept(stream).await
                    && let Ok(mut server) = TcpStream::connect(plain).await
                {
                    let _ = tokio::io::copy_bidirectional(&mut secure, &mut server).await;
                }
            });
        }
    });
    (address, cert.pem())
}

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
