//! The program that signs results, if it is installed, and the operator's certificate.

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

/// What signs and reads signatures; `None`: the program for it does not lie beside `own_program`.
pub(crate) fn credentials(config: &Config, own_program: &Path) -> Result<Option<Credentials>, Failure> {
    let asked = &config.credentials;
    let signer = signer(config)?;
    let trusted = asked.trusted.as_ref();
    let trusted = trusted
        .map(|path| read(config, "marking.trusted", path))
        .transpose()?;
    let Some(program) = find(own_program) else {
        if signer.is_some() {
            let why = format!("the program {PROGRAM} does not lie beside this program");
            return Err(wrong(config, "marking.certificate", &why));
        }
        if asked.coverage != Coverage::Off && *config.origin("marking.credentials") != Origin::Default {
            tracing::warn!(
                "`marking.credentials` has no effect: the program {PROGRAM} does not lie beside this program"
            );
        }
        return Ok(None);
    };
    Ok(Some(Credentials::new(CredentialsOptions {
        program,
        coverage: asked.coverage,
        signer,
        trusted: trusted.unwrap_or_default(),
        time_stamps: asked.time_stamps.clone(),
    })))
}

/// The operator's certificate with what signs in its name.
fn signer(config: &Config) -> Result<Option<Signer>, Failure> {
    let asked = &config.credentials;
    let Some(certificate) = &asked.certificate else {
        if asked.key.is_some() || !asked.command.is_empty() {
            let why = "a key or a command signs only together with `marking.certificate`";
            return Err(wrong(config, "marking.certificate", why));
        }
        return Ok(None);
    };
    if asked.key.is_some() != asked.command.is_empty() {
        let why = "needs either `marking.certificate_key` or `marking.signing_command`";
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

/// Tries the operator's certificate, so that a wrong one stops the start and not the first job.
pub(crate) async fn check(config: &Config, credentials: Option<&Credentials>) -> Result<(), Failure> {
    let Some((credentials, signer)) =
        credentials.and_then(|credentials| Some((credentials, credentials.configured()?)))
    else {
        return Ok(());
    };
    let checked = credentials.check_signer(signer).await;
    checked.map_err(|why| wrong(config, "marking.certificate", &why))
}

/// The program beside this one. Commands that only list engines do not name this one.
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
