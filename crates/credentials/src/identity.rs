//! A certificate for a service that has none yet. Other programs do not trust it, but anyone who knows it can tell that
//! two files were signed by the same service.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256,
};
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};

/// The lifetime of such a certificate.
const YEARS: i64 = 10;

#[derive(Debug, Deserialize)]
pub struct Order {
    /// The signer's name, such as the service's address.
    name: String,
}

/// A chain of certificates, the signer's first, and the signer's key (ES256), in PEM.
#[derive(Debug, Serialize)]
pub struct Identity {
    certificates: String,
    key: String,
    algorithm: &'static str,
}

pub fn make(order: &Order) -> Result<Identity, String> {
    identity(&order.name).map_err(|error| format!("a certificate cannot be made: {error}"))
}

fn identity(name: &str) -> Result<Identity, rcgen::Error> {
    let now = OffsetDateTime::now_utc();
    let params = |common: String| {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::OrganizationName, name);
        params.distinguished_name.push(DnType::CommonName, common);
        params.not_before = now - Duration::days(1);
        params.not_after = now + Duration::days(YEARS * 365);
        params
    };
    // The profile of C2PA does not allow a signer's certificate that signs itself.
    let mut root = params(format!("{name} (self-made root)"));
    root.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    root.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let root = CertifiedIssuer::self_signed(root, KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?)?;
    let mut leaf = params(format!("{name} (self-made)"));
    leaf.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    leaf.extended_key_usages = vec![ExtendedKeyUsagePurpose::EmailProtection];
    leaf.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
    let leaf = leaf.signed_by(&key, &root)?;
    Ok(Identity {
        certificates: format!("{}{}", leaf.pem(), root.pem()),
        key: key.serialize_pem(),
        algorithm: "es256",
    })
}
