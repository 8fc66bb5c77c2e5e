//! Finds the program that signs results, and reads the operator's certificate.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use atelier_engines::{
    Coverage, Credentials, CredentialsOptions,
    credentials::{PROGRAM, Signer},
};

use crate::{
    config::{Config, Origin},
    failure::Failure,
};

/// Signs files and reads signatures; `None` if the program for it is not in the folder of `own_program`.
pub(crate) fn credentials(config: &Config, own_program: &Path) -> Result<Option<Credentials>, Failure> {
    let asked = &config.credentials;
    let signer = signer(config)?;
    let certificates = |key, path: &Option<PathBuf>| {
        let text = path.as_ref().map(|path| read(config, key, path)).transpose();
        text.map(Option::unwrap_or_default)
    };
    let earlier = certificates("marking.earlier", &asked.earlier)?;
    if asked.earlier.is_some() && !earlier.contains("-----BEGIN CERTIFICATE-----") {
        return Err(wrong(config, "marking.earlier", "there is no certificate in PEM"));
    }
    let trusted = certificates("marking.trusted", &asked.trusted)?;
    let Some(program) = find(own_program) else {
        if signer.is_some() {
            let why = format!("the program {PROGRAM} is not in the folder of this program");
            return Err(wrong(config, "marking.certificate", &why));
        }
        if asked.coverage != Coverage::Off && *config.origin("marking.credentials") != Origin::Default {
            tracing::warn!(
                "`marking.credentials` has no effect: the program {PROGRAM} is not in the folder of this program"
            );
        }
        return Ok(None);
    };
    Ok(Some(Credentials::new(CredentialsOptions {
        program,
        coverage: asked.coverage,
        signer,
        earlier,
        trusted,
        time_stamps: asked.time_stamps.clone(),
    })))
}

/// The operator's certificate, and its key or command.
fn signer(config: &Config) -> Result<Option<Signer>, Failure> {
    let asked = &config.credentials;
    let Some(certificate) = &asked.certificate else {
        if asked.key.is_some() || !asked.command.is_empty() {
            let why = "`marking.certificate_key` and `marking.signing_command` require it";
            return Err(wrong(config, "marking.certificate", why));
        }
        return Ok(None);
    };
    if asked.key.is_some() != asked.command.is_empty() {
        let why = "requires either `marking.certificate_key` or `marking.signing_command`";
        return Err(wrong(config, "marking.certificate", why));
    }
    let key = asked.key.as_ref();
    let key = key.map(|path| read(config, "marking.certificate_key", path));
    Ok(Some(Signer {
        certificates: read(config, "marking.certificate", certificate)?,
        key: key.transpose()?.unwrap_or_default(),
        command: asked.command.clone(),
        algorithm: asked.algorithm.clone(),
    }))
}

/// Tests the operator's certificate, so that the service does not start with a wrong one.
pub(crate) async fn check(config: &Config, credentials: Option<&Credentials>) -> Result<(), Failure> {
    let Some((credentials, signer)) =
        credentials.and_then(|credentials| Some((credentials, credentials.configured()?)))
    else {
        return Ok(());
    };
    let checked = credentials.check_signer(signer).await;
    checked.map_err(|why| wrong(config, "marking.certificate", &why))
}

/// The program in the folder of this one. Commands that only list engines pass an empty `own_program`.
fn find(own_program: &Path) -> Option<PathBuf> {
    let own_program = if own_program.as_os_str().is_empty() {
        env::current_exe().ok()?
    } else {
        own_program.to_owned()
    };
    let file = own_program.with_file_name(format!("{PROGRAM}{}", env::consts::EXE_SUFFIX));
    file.is_file().then_some(file)
}

fn read(config: &Config, key: &str, path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| wrong(config, key, &format!("{}: {error}", path.display())))
}

fn wrong(config: &Config, key: &str, why: &str) -> Failure {
    Failure::Failed {
        code: "configuration",
        message: format!("{}: `{key}`: {why}", config.origin(key)),
    }
}
