//! TLS in front of a server, with a certificate that only its maker knows.

use std::{net::SocketAddr, sync::Arc};

use rcgen::CertifiedKey;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer},
};

/// Encrypts what comes for a server. Returns the address, for the name `localhost`, and the certificate as PEM.
pub async fn encrypted(plain: SocketAddr) -> (SocketAddr, String) {
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
                    // Both sides may end as they like.
                    let _ = tokio::io::copy_bidirectional(&mut secure, &mut server).await;
                }
            });
        }
    });
    (address, cert.pem())
}
