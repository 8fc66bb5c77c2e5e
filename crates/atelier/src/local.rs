//! The service that `generate` uses by default: the running service of the data folder, or one started in this process.
//! Also the local account, which is created on first use.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    sync::Arc,
    time::Duration,
};

use atelier_app::{Admin, Error, accounts::create::CreateAccount};
use atelier_client::Client;
use atelier_domain::{KeyLimits, Plan};
use atelier_store::{Store, lock};

use crate::{
    config::Config,
    data,
    failure::Failure,
    service::{Parts, Role, Service},
};

/// The name of the local account.
const ACCOUNT: &str = "local";
/// The file with its key, readable by its owner alone.
const KEY_FILE: &str = "local.key";
const CREDITS: i64 = 1_000_000;
/// A user of their own machine needs no limit.
const PER_MINUTE: u32 = 60_000;
/// How long a server of the data folder may take to announce its address.
const ANNOUNCE_TIMEOUT: Duration = Duration::from_secs(10);

/// A reachable service.
#[derive(Debug)]
pub(crate) struct Reached {
    pub(crate) client: Client,
    /// The service started in this process. It ends with the command.
    service: Option<Service>,
}

impl Reached {
    /// A service elsewhere.
    pub(crate) const fn remote(client: Client) -> Self {
        Self {
            client,
            service: None,
        }
    }

    /// Finds the service of the data folder or starts one.
    pub(crate) async fn local(config: &Config, api_key: Option<&str>) -> Result<Self, Failure> {
        data::prepare(&config.data)?;
        let mut waited = Duration::ZERO;
        loop {
            match lock::holder(&config.data)? {
                Some(holder) if !holder.address.is_empty() => {
                    let key = match api_key {
                        Some(key) => key.to_owned(),
                        None => key_beside_server(config).await?,
                    };
                    return Ok(Self::remote(Client::new(
                        &format!("http://{}", holder.address),
                        &key,
                    )?));
                }
                Some(holder) if waited >= ANNOUNCE_TIMEOUT => {
                    let message = format!(
                        "the server with process id {} has not announced its address",
                        holder.pid
                    );
                    return Err(Failure::Failed {
                        code: "locked",
                        message,
                    });
                }
                Some(_) => {}
                None => match Self::start(config, api_key).await {
                    // Another command was faster and is the server now.
                    Err(Failure::Failed { code: "locked", .. }) if waited < ANNOUNCE_TIMEOUT => {}
                    started => return started,
                },
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            waited += Duration::from_millis(50);
        }
    }

    async fn start(config: &Config, api_key: Option<&str>) -> Result<Self, Failure> {
        let mut config = config.clone();
        config.listen = ([127, 0, 0, 1], 0).into();
        config.public_url = None;
        config.media_public_url = None;
        config.metrics_listen = None;
        let service = Service::start(&config, Parts::system(Role::Everything)?).await?;
        let key = match api_key {
            Some(key) => key.to_owned(),
            None => local_key(&data::admin(&config, service.store()), &config.data).await?,
        };
        let url = service
            .local_url()
            .ok_or_else(|| Failure::new("the service started here does not listen"))?;
        Ok(Self {
            client: Client::new(&url, &key)?,
            service: Some(service),
        })
    }

    /// Stops the service if it was started here.
    pub(crate) async fn close(self) -> Result<(), Failure> {
        match self.service {
            Some(service) => service.stop().await,
            None => Ok(()),
        }
    }
}

async fn key_beside_server(config: &Config) -> Result<String, Failure> {
    let store: Arc<dyn Store> = data::open_store(config, None).await?;
    let key = local_key(&data::admin(config, &store), &config.data).await;
    store.close().await?;
    key
}

/// The key of the local account. Creates the account and the key if they are missing.
async fn local_key(admin: &Admin, folder: &Path) -> Result<String, Failure> {
    let path = folder.join(KEY_FILE);
    let failed = |error: io::Error| Failure::new(format!("{}: {error}", path.display()));
    match fs::read_to_string(&path) {
        Ok(text) => {
            let key = text.trim();
            if admin.is_key(key).await? {
                return Ok(key.to_owned());
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let key = match admin.create_key(ACCOUNT, "local", KeyLimits::default()).await {
        Ok(key) => key.text,
        Err(Error::NotFound(_)) => {
            let new = CreateAccount {
                name: ACCOUNT.to_owned(),
                credits: CREDITS,
                plan: Some(Plan {
                    name: ACCOUNT.to_owned(),
                    active: true,
                }),
                beta: true,
                generations_per_minute: Some(PER_MINUTE),
                private_media: false,
            };
            admin.create_account(new).await?.key.text
        }
        Err(error) => return Err(error.into()),
    };
    write_private(&path, &key).map_err(failed)?;
    Ok(key)
}

/// Writes a file that its owner alone can read, atomically.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let whole = path.with_extension(format!("key-{}", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&whole)?;
    writeln!(file, "{text}")?;
    file.sync_all()?;
    fs::rename(&whole, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn admin_of(folder: &Path) -> Admin {
        let flags = crate::config::Flags {
            data: Some(folder.to_owned()),
            ..crate::config::Flags::default()
        };
        let config = Config::load(&flags, &crate::config::Environment::default()).unwrap();
        data::admin(&config, &data::open_store(&config, None).await.unwrap())
    }

    #[tokio::test]
    async fn the_local_account_is_created_once_and_only_its_owner_can_read_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let admin = admin_of(folder.path()).await;
        let key = local_key(&admin, folder.path()).await.unwrap();
        assert_eq!(local_key(&admin, folder.path()).await.unwrap(), key);
        let account = admin.account("local").await.unwrap();
        assert_eq!((account.available, account.may_use_api()), (1_000_000, true));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(folder.path().join(KEY_FILE))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[tokio::test]
    async fn a_lost_or_revoked_key_is_replaced_by_a_new_one_of_the_same_account() {
        let folder = tempfile::tempdir().unwrap();
        let admin = admin_of(folder.path()).await;
        let first = local_key(&admin, folder.path()).await.unwrap();
        let key = admin.keys("local").await.unwrap().remove(0);
        admin.revoke_key(&key.id.to_string()).await.unwrap();
        let second = local_key(&admin, folder.path()).await.unwrap();
        assert_ne!(first, second);
        fs::remove_file(folder.path().join(KEY_FILE)).unwrap();
        assert_ne!(local_key(&admin, folder.path()).await.unwrap(), second);
        assert_eq!(admin.accounts().await.unwrap().len(), 1);
    }
}
