use std::fs;

use insta::assert_snapshot;

use super::*;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn with_file(text: &str) -> Self {
        let place = Self::new();
        fs::write(place.folder.path().join(FILE), text).unwrap();
        place
    }

    fn flags(&self) -> Flags {
        Flags {
            data: Some(self.folder.path().to_owned()),
            ..Flags::default()
        }
    }

    fn load(&self, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
        Config::load(&self.flags(), &environment(variables))
    }

    /// The problems, with the folder's name taken out.
    fn problems(&self, variables: &[(&str, &str)]) -> String {
        self.load(variables)
            .unwrap_err()
            .to_string()
            .replace(&*self.folder.path().to_string_lossy(), "DATA")
    }
}

fn environment(variables: &[(&str, &str)]) -> Environment {
    Environment::new(
        variables
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned())),
    )
}

#[test]
fn everything_has_a_usable_default() {
    let place = Place::new();
    let config = place.load(&[]).unwrap();
    assert_eq!(config.data, place.folder.path());
    assert_eq!(config.listen, "127.0.0.1:8080".parse().unwrap());
    assert_eq!(config.public_url(config.listen), "http://127.0.0.1:8080");
    assert_eq!(config.media_url(config.listen), "http://127.0.0.1:8080/media");
    assert_eq!(
        config.store,
        StorePlace::Sqlite(place.folder.path().join("atelier.db"))
    );
    assert_eq!(config.webhook_retry_seconds, [5.0, 30.0, 180.0]);
    assert_eq!(
        (config.generations_per_minute, config.requests_per_minute),
        (20, 600)
    );
    assert_eq!(config.max_upload_bytes, 26_214_400);
    assert!(!config.allow_private);
    assert!(config.concurrency >= 1);
    assert_eq!(config.routes, []);
}

#[test]
fn flags_win_over_variables_over_the_file_over_defaults() {
    let place =
        Place::with_file("[server]\nlisten = \"127.0.0.1:1\"\n\n[limits]\ngenerations_per_minute = 7\n");
    let config = place.load(&[]).unwrap();
    assert_eq!((config.listen.port(), config.generations_per_minute), (1, 7));
    assert_eq!(
        config.origin("limits.generations_per_minute"),
        &Origin::File {
            path: place.folder.path().join(FILE),
            line: 5
        }
    );

    let variable = ("ATELIER_SERVER__LISTEN", "127.0.0.1:2");
    let config = place.load(&[variable]).unwrap();
    assert_eq!((config.listen.port(), config.generations_per_minute), (2, 7));
    assert_eq!(
        config.origin("server.listen"),
        &Origin::Variable("ATELIER_SERVER__LISTEN".to_owned())
    );

    let flags = Flags {
        listen: Some("127.0.0.1:3".parse().unwrap()),
        ..place.flags()
    };
    let config = Config::load(&flags, &environment(&[variable])).unwrap();
    assert_eq!(config.listen.port(), 3);
    assert_eq!(
        config.origin("server.listen"),
        &Origin::Flag("--listen".to_owned())
    );
    assert_eq!(config.origin("log.level"), &Origin::Default);
}

#[test]
fn a_named_file_can_move_the_data_folder_and_is_read_instead_of_the_one_there() {
    let place = Place::with_file("[log]\nlevel = \"debug\"\n");
    let named = place.folder.path().join("other.toml");
    fs::write(&named, "data = \"below\"\n").unwrap();
    let flags = Flags {
        config: Some(named),
        ..Flags::default()
    };
    let config = Config::load(&flags, &Environment::default()).unwrap();
    assert_eq!(config.data, place.folder.path().join("below"));
    assert_eq!(config.log_level, "info");

    let place = Place::with_file("data = \"elsewhere\"\n");
    assert_snapshot!(place.problems(&[]), @"DATA/atelier.toml:1: `data` cannot be set here; the data folder is set with --data, ATELIER_DATA or in a file given with --config");
}

#[test]
fn texts_in_variables_are_taken_as_they_are_and_other_kinds_are_read() {
    let place = Place::new();
    let config = place
        .load(&[
            ("ATELIER_S3__SECRET_ACCESS_KEY", "123456"),
            ("ATELIER_WEBHOOKS__RETRY_SECONDS", "[0.5, 1]"),
            ("ATELIER_OUTBOUND__ALLOW_PRIVATE", "true"),
            ("ATELIER_METRICS__LISTEN", ""),
            ("ATELIER_ROUTES", "[{ model = \"*\", engine = \"echo\" }]"),
        ])
        .unwrap();
    assert_eq!(config.s3.secret_access_key.as_deref(), Some("123456"));
    assert_eq!(config.webhook_retry_seconds, [0.5, 1.0]);
    assert!(config.allow_private);
    assert_eq!(config.metrics_listen, None);
    assert_eq!(
        config.routes,
        [Route {
            model: "*".to_owned(),
            engine: "echo".to_owned(),
            target: None,
            workflow: None,
            body: None,
        }]
    );
}

#[test]
fn routes_stand_in_the_file_as_tables() {
    let place = Place::with_file(
        "[[routes]]\nmodel = \"image-gen-4\"\nengine = \"draft\"\n\n[[routes]]\nmodel = \"video-*\"\nengine = \"echo\"\n",
    );
    let routes = place.load(&[]).unwrap().routes;
    assert_eq!(
        routes
            .iter()
            .map(|route| route.engine.as_str())
            .collect::<Vec<_>>(),
        ["draft", "echo"]
    );
}

#[test]
fn every_unknown_key_is_named_with_its_place_and_what_there_is() {
    let place =
        Place::with_file("colour = 1\n\n[limits]\ngenerations_per_minut = 3\n\n[sever]\nlisten = \"x\"\n");
    assert_snapshot!(place.problems(&[("ATELIER_LIMITS__SPEED", "9"), ("ATELIER_DTA", "x")]), @r"
    DATA/atelier.toml:1: `colour` is no setting; there are: data, routes, engines, server, metrics, media, s3, store, outbound, webhooks, limits, accounts, workers, catalog, draft, policy, log
    DATA/atelier.toml:4: `limits.generations_per_minut` is no setting (did you mean `limits.generations_per_minute`?); in [limits] there are: generations_per_minute, requests_per_minute, upload_mib
    DATA/atelier.toml:6: `sever` is no setting; there are: data, routes, engines, server, metrics, media, s3, store, outbound, webhooks, limits, accounts, workers, catalog, draft, policy, log
    variable ATELIER_DTA: `dta` is no setting; there are: data, routes, engines, server, metrics, media, s3, store, outbound, webhooks, limits, accounts, workers, catalog, draft, policy, log
    variable ATELIER_LIMITS__SPEED: `limits.speed` is no setting; in [limits] there are: generations_per_minute, requests_per_minute, upload_mib
    ");
}

#[test]
fn every_unusable_value_is_named_with_its_place_and_what_is_allowed() {
    let place = Place::with_file(
        r#"[server]
listen = "8080"
public_url = "https://example.com/path"
shutdown_grace_seconds = -1

[store]
url = "postgres://user:secret@db/atelier?sslmode=maybe"

[webhooks]
retry_seconds = [5, "x"]

[limits]
generations_per_minute = 0
requests_per_minute = 1.5

[s3]
secret_access_key = 5

[log]
level = "loud"

[[routes]]
model = "x"
engin = "echo"
"#,
    );
    assert_snapshot!(place.problems(&[("ATELIER_OUTBOUND__ALLOW_PRIVATE", "yes"), ("ATELIER_DRAFT__MEMORY_MB", "8")]), @r#"
    DATA/atelier.toml:22: `routes` is [{"engin":"echo","model":"x"}]; a route has no `engin`, only `model`, `engine`, `target`, `workflow` and `body`
    DATA/atelier.toml:2: `server.listen` is "8080"; allowed is an address and a port, such as 127.0.0.1:8080 or [::1]:8080
    DATA/atelier.toml:3: `server.public_url` is "https://example.com/path"; allowed is an http or https URL without path and query, such as https://media.example.com
    DATA/atelier.toml:4: `server.shutdown_grace_seconds` is -1; allowed is a number of seconds from 0 to 3600
    DATA/atelier.toml:17: `s3.secret_access_key` is unusable; allowed is a text
    DATA/atelier.toml:7: `store.url` is "postgres://user:********@db/atelier?sslmode=maybe"; its sslmode is `maybe`; allowed is disable, prefer, require or verify-full
    variable ATELIER_OUTBOUND__ALLOW_PRIVATE: `outbound.allow_private` is "yes"; allowed is true or false
    DATA/atelier.toml:10: `webhooks.retry_seconds` is [5,"x"]; allowed is a list of at most 20 numbers of seconds, each from 0 to 86400
    DATA/atelier.toml:13: `limits.generations_per_minute` is 0; allowed is a whole number from 1 to 4294967295
    DATA/atelier.toml:14: `limits.requests_per_minute` is 1.5; allowed is a whole number from 1 to 4294967295
    variable ATELIER_DRAFT__MEMORY_MB: `draft.memory_mb` is 8; allowed is a whole number from 64 to 1048576
    DATA/atelier.toml:20: `log.level` is "loud"; allowed is error, warn, info, debug, trace, or a filter such as info,atelier_worker=debug
    "#);
}

#[test]
fn a_database_is_shown_without_its_password() {
    let place = Place::with_file(
        "[store]\nurl = \"postgres://ada:topsecret@db/atelier?sslmode=require\"\nconnections = 4\n",
    );
    let config = place.load(&[]).unwrap();
    let shown = config
        .settings()
        .iter()
        .find(|setting| setting.key == "store.url")
        .unwrap();
    assert_eq!(shown.value, "postgres://ada:********@db/atelier?sslmode=require");
    assert_eq!(config.store_connections, 4);
    assert!(!format!("{config:?}").contains("topsecret"));
    let unreadable = Place::with_file("[store]\nurl = \"postgres://ada:topsecret@/atelier\"\n").problems(&[]);
    assert!(!unreadable.contains("topsecret"), "{unreadable}");
}

#[test]
fn a_section_must_be_one_and_a_broken_file_is_named_with_the_line() {
    assert_snapshot!(Place::with_file("server = 1\n").problems(&[]), @"DATA/atelier.toml:1: `server` is a section: write [server] and its settings below");
    assert_snapshot!(Place::with_file("[server]\nlisten = \n").problems(&[]), @"DATA/atelier.toml:2: this is not valid TOML: string values must be quoted, expected literal string");
    assert_snapshot!(Place::with_file("[log]\nlevel = \"info\"\nlevel = \"warn\"\n").problems(&[]), @"DATA/atelier.toml:3: this is not valid TOML: duplicate key");
}

#[test]
fn a_missing_named_file_is_an_error() {
    let flags = Flags {
        config: Some(PathBuf::from("no/such/file.toml")),
        ..Flags::default()
    };
    let error = Config::load(&flags, &Environment::default())
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("--config no/such/file.toml: "), "{error}");
}

#[test]
fn settings_are_shown_with_their_origin_and_secrets_masked() {
    let place = Place::with_file("[s3]\nsecret_access_key = \"topsecret\"\n");
    let config = place
        .load(&[("ATELIER_SERVER__PUBLIC_URL", "https://media.example.com/")])
        .unwrap();
    let shown = config
        .settings()
        .iter()
        .filter(|setting| {
            [
                "server.public_url",
                "media.public_url",
                "media.url",
                "s3.secret_access_key",
                "s3.session_token",
                "data",
            ]
            .contains(&setting.key)
        })
        .map(|setting| format!("{} = {} ({})", setting.key, setting.value, setting.from))
        .collect::<Vec<_>>()
        .join("\n")
        .replace(&*place.folder.path().to_string_lossy(), "DATA");
    assert_snapshot!(shown, @r#"
    data = "DATA" (--data)
    server.public_url = "https://media.example.com/" (variable ATELIER_SERVER__PUBLIC_URL)
    media.public_url = "https://media.example.com/media" (default, from server.public_url)
    media.url = "file:DATA/media" (default, from data)
    s3.secret_access_key = "********" (DATA/atelier.toml:2)
    s3.session_token = "" (default)
    "#);
    assert!(!format!("{config:?}").contains("topsecret"));
}

#[test]
fn a_user_name_or_password_in_the_url_of_an_engine_is_refused_and_not_shown() {
    let place = Place::with_file(
        "[engines.gpu]\nkind = \"comfyui\"\nurl = \"http://ada:hunter2@10.0.0.5:8188\"\n",
    );
    assert_snapshot!(place.problems(&[]), @r#"DATA/atelier.toml:1: `engines` is {"gpu":{"kind":"comfyui","url":"http://***@10.0.0.5:8188"}}; the engine `gpu`: `url` must not contain a user name or password (got http://***@10.0.0.5:8188); use `key_env` or `key_file`"#);
    let place = Place::with_file("[engines.gpu]\nkind = \"comfyui\"\nurl = \"htp://ada:hunter2@gpu\"\n");
    let problems = place.problems(&[]);
    assert!(
        problems.contains("htp://***@gpu") && !problems.contains("hunter2"),
        "{problems}"
    );
}
