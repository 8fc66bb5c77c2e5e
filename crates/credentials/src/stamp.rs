//! Time stamps (RFC 3161): an authority confirms when a signature was made, so that the signature stays valid after the
//! certificate has expired.

use std::{
    sync::{Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use c2pa::{
    BoxedSigner, Context, Result, Signer, SigningAlg,
    crypto::time_stamp::{TimeStampError, default_rfc3161_message, default_rfc3161_request},
    dynamic_assertion::DynamicAssertion,
};

/// The longest wait for the authority. A signature without a time stamp is better than none.
const PATIENCE: Duration = Duration::from_secs(10);
/// Room for a time stamp with the certificates of its authority.
const RESERVED: usize = 20_480;

/// A signer whose signatures get a time stamp if their authority answers.
pub struct Stamped {
    signer: BoxedSigner,
    authority: Option<String>,
    missed: Mutex<Option<String>>,
}

impl Stamped {
    pub fn new(signer: BoxedSigner, authority: Option<String>) -> Self {
        Self {
            signer,
            authority,
            missed: Mutex::default(),
        }
    }

    /// The reason why the time stamp is missing.
    pub fn missed(&self) -> Option<String> {
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Signer for Stamped {
    fn sign(&self, data: &[u8]) -> Result<Vec<u8>> {
        self.signer.sign(data)
    }

    fn alg(&self) -> SigningAlg {
        self.signer.alg()
    }

    fn certs(&self) -> Result<Vec<Vec<u8>>> {
        self.signer.certs()
    }

    fn reserve_size(&self) -> usize {
        let stamp = self.authority.as_ref().map_or(0, |_| RESERVED);
        self.signer.reserve_size() + stamp
    }

    fn ocsp_val(&self) -> Option<Vec<u8>> {
        self.signer.ocsp_val()
    }

    fn direct_cose_handling(&self) -> bool {
        self.signer.direct_cose_handling()
    }

    fn dynamic_assertions(&self) -> Vec<Box<dyn DynamicAssertion>> {
        self.signer.dynamic_assertions()
    }

    fn send_timestamp_request(&self, message: &[u8]) -> Option<Result<Vec<u8>>> {
        let authority = self.authority.clone()?;
        let (sender, answer) = mpsc::channel();
        let message = message.to_vec();
        // The connection has no time limit of its own.
        thread::spawn(move || sender.send(ask(&authority, &message)));
        let why = match answer.recv_timeout(PATIENCE) {
            Ok(Ok(stamp)) => return Some(Ok(stamp)),
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("there was no answer within {} s", PATIENCE.as_secs()),
        };
        *self.missed.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        None
    }
}

/// A time stamp of the message, examined.
fn ask(authority: &str, message: &[u8]) -> std::result::Result<Vec<u8>, TimeStampError> {
    let request = default_rfc3161_message(message)?;
    default_rfc3161_request(authority, None, &request, message, &Context::new())
}
