mod addresses;

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

    /// The problems, without the name of the folder.
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
fn every_setting_has_a_valid_default() {
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
fn a_named_file_can_set_the_data_folder_and_replaces_the_file_in_it() {
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
    assert_eq!(
        place.problems(&[]),
        "DATA/atelier.toml:1: `data` cannot be set here; set the data folder with --data, ATELIER_DATA or in a file \
         given with --config"
    );
}

#[test]
fn variables_are_texts_unless_the_setting_has_another_type() {
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
fn routes_are_tables_in_the_file() {
    let place = Place::with_file(
        "[[routes]]\nmodel = \"image-gen-4\"\nengine = \"draft\"\n\n\
         [[routes]]\nmodel = \"video-*\"\nengine = \"echo\"\n",
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
fn every_unknown_setting_is_reported_with_its_place_and_the_known_ones() {
    let place =
        Place::with_file("colour = 1\n\n[limits]\ngenerations_per_minut = 3\n\n[sever]\nlisten = \"x\"\n");
    let variables = [("ATELIER_LIMITS__SPEED", "9"), ("ATELIER_DTA", "x")];
    assert_snapshot!("unknown_settings", place.problems(&variables));
}

#[test]
fn every_invalid_value_is_reported_with_its_place_and_the_expected_one() {
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
    let variables = [
        ("ATELIER_OUTBOUND__ALLOW_PRIVATE", "yes"),
        ("ATELIER_DRAFT__MEMORY_MB", "8"),
    ];
    assert_snapshot!("invalid_values", place.problems(&variables));
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
fn a_section_must_be_a_table_and_invalid_toml_is_reported_with_its_line() {
    for (text, problem) in [
        (
            "server = 1\n",
            "1: `server` is a section; write [server] and its settings below",
        ),
        (
            "[server]\nlisten = \n",
            "2: invalid TOML: string values must be quoted, expected literal string",
        ),
        (
            "[log]\nlevel = \"info\"\nlevel = \"warn\"\n",
            "3: invalid TOML: duplicate key",
        ),
    ] {
        let problems = Place::with_file(text).problems(&[]);
        assert_eq!(problems, format!("DATA/atelier.toml:{problem}"));
    }
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
    let place =
        Place::with_file("[engines.gpu]\nkind = \"comfyui\"\nurl = \"http://ada:hunter2@10.0.0.5:8188\"\n");
    assert_eq!(
        place.problems(&[]),
        "DATA/atelier.toml:1: `engines` is {\"gpu\":{\"kind\":\"comfyui\",\"url\":\"http://***@10.0.0.5:8188\"}}; the \
         engine `gpu`: `url` must not contain a user name or password (got http://***@10.0.0.5:8188); use `key_env` or \
         `key_file`"
    );
    let place = Place::with_file("[engines.gpu]\nkind = \"comfyui\"\nurl = \"htp://ada:hunter2@gpu\"\n");
    let problems = place.problems(&[]);
    assert!(
        problems.contains("htp://***@gpu") && !problems.contains("hunter2"),
        "{problems}"
    );
}

const PROGRAM: &str = "[engines.w]\nkind = \"process\"\n";

#[test]
fn a_program_has_a_profile_a_command_with_a_port_and_the_memory_that_it_holds() {
    let place = Place::with_file(&format!(
        "{PROGRAM}profile = \"cog\"\ncommand = [\"serve\"]\nenvironment = {{ PORT = \"{{port}}\" }}\n\
         memory_mb = {{ gpu = 9000, cpu = 500 }}\ndevice = \"gpu\"\nidle_seconds = 0\n\
         [devices.gpu]\nmemory_mb = 24000\n"
    ));
    let config = place.load(&[("PATH", "/bin"), ("SECRET", "x")]).unwrap();
    let [
        EngineConfig {
            name,
            concurrency: 1,
            kind: EngineKind::Process(program),
        },
    ] = &config.engines[..]
    else {
        panic!("{:?}", config.engines);
    };
    let bytes = |mib: u64| mib << 20;
    assert_eq!((name.as_str(), program.device.as_str()), ("w", "gpu"));
    let memory = [("cpu".to_owned(), bytes(500)), ("gpu".to_owned(), bytes(9_000))];
    assert_eq!(program.memory, memory.into());
    let environment = [("PATH", "/bin"), ("PORT", "{port}")];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(
        program.environment,
        environment.into(),
        "no other variables of the service"
    );
    assert_eq!(
        (program.idle, program.start_deadline),
        (None, Duration::from_mins(10))
    );
    assert_eq!(config.devices, [("gpu".to_owned(), bytes(24_000))].into());
}

#[test]
fn a_program_that_cannot_be_run_is_an_error_that_names_the_setting() {
    let complete = "profile = \"cog\"\ncommand = [\"serve\", \"{port}\"]\nmemory_mb = 10\n";
    let table = [
        (
            "command = [\"a\", \"{port}\"]\nmemory_mb = 1\n",
            "`profile` is required",
        ),
        ("profile = \"cog\"\nmemory_mb = 1\n", "`command` is required"),
        (
            "profile = \"cog\"\ncommand = [\"a\"]\nmemory_mb = 1\n",
            "must contain `{port}` or `{socket}`",
        ),
        (
            "profile = \"cog\"\ncommand = [\"a\", \"{port}\"]\n",
            "`memory_mb` is required: the memory that the program holds on `cpu`, in MiB",
        ),
        (
            &format!("{complete}network = \"some\"\n"),
            "`network` must be `host` or `none` (got `some`)",
        ),
        (
            &format!("{complete}start_seconds = -1\n"),
            "`start_seconds` must be between 0 and 604800 (got -1)",
        ),
        (
            &format!("{complete}url = \"http://127.0.0.1\"\n"),
            "`process` do not have the setting `url`",
        ),
        (&format!("{complete}idle = 3\n"), "idle"),
    ];
    for (rest, expected) in table {
        let problems = Place::with_file(&format!("{PROGRAM}{rest}")).problems(&[]);
        assert!(
            problems.contains("the engine `w`") && problems.contains(expected),
            "{rest}: {problems}"
        );
    }
    let http = "[engines.w]\nkind = \"http\"\nprofile = \"cog\"\ncommand = [\"a\"]\n";
    let problems = Place::with_file(http).problems(&[]);
    assert!(
        problems.contains("engines of the kind `http` do not have the setting `command`"),
        "{problems}"
    );
}

#[test]
fn mail_needs_a_server_and_a_sender_and_its_password_is_shown_to_nobody() {
    assert!(Place::new().load(&[]).unwrap().mail.is_none());
    let file = "[mail]\nurl = \"smtps://ada:topsecret@mx.example\"\nfrom = \"atelier <a@b.example>\"\n";
    let config = Place::with_file(file).load(&[]).unwrap();
    assert!(config.mail.is_some());
    assert!(!format!("{config:?}").contains("topsecret"));
    let url = config.settings().iter().find(|setting| setting.key == "mail.url");
    assert_eq!(url.unwrap().value, "********");
    for (file, why) in [
        (
            "url = \"smtp://ada:topsecret@mx.example\"",
            "`mail.from` must be an address",
        ),
        (
            "url = \"http://topsecret@x\"\nfrom = \"a@b.example\"",
            "its scheme must be smtp or smtps",
        ),
    ] {
        let problems = Place::with_file(&format!("[mail]\n{file}\n")).problems(&[]);
        assert!(
            problems.contains(why) && !problems.contains("topsecret"),
            "{problems}"
        );
    }
}
