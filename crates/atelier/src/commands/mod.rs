//! The commands, one file each. A command reads the configuration, does its work and prints one result.

mod account;
mod api;
mod audit;
mod backup;
mod catalog;
mod completions;
mod config;
mod engines;
mod erase;
mod export;
mod generate;
mod hashes;
mod health;
mod join;
mod key;
mod mcp;
mod media;
mod models;
mod openapi;
mod plan;
mod policy;
mod report;
mod restore;
mod secret;
mod serve;
mod store;
mod user;
mod verify;
mod webhook;
mod workers;

use std::{future::Future, process::ExitCode, sync::Arc};

use atelier_app::Admin;
use atelier_engines::Marking;
use atelier_media::{Scratch, scratch::Quota};
use atelier_outbound::smtp::SmtpServer;

use crate::{
    cli::{self, Account, Cli, Command, Global},
    config::{Config, Environment, Flags},
    data,
    failure::Failure,
    files,
    output::{Output, print, say},
    service::{self, Parts, Role},
    studio,
};

/// Runs the command and returns the exit status.
pub(crate) fn run(cli: Cli) -> ExitCode {
    // A host reads its limits from its standard input and nothing from anywhere else.
    if let Command::DraftHost { soundfont } = cli.command {
        return studio::draft_host(soundfont);
    }
    if let Command::ProgramGuard { arguments } = cli.command {
        return atelier_processes::guard::main(&arguments);
    }
    if let Command::OnnxHost {
        runtime,
        library,
        provider,
        device,
        models,
    } = cli.command
    {
        return studio::onnx_host(studio::Places {
            runtime,
            library,
            provider,
            device,
            models,
        });
    }
    let output = Output {
        json: cli.global.json,
    };
    match dispatch(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report(output, &failure);
            ExitCode::from(failure.exit_status())
        }
    }
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    let Cli { global, command } = cli;
    match command {
        Command::Serve(serve) => {
            let flags = Flags {
                listen: serve.listen,
                ..global.flags()
            };
            let role = if serve.no_workers {
                Role::Api
            } else {
                Role::Everything
            };
            serve::run(&Session::with_flags(&flags, &global)?, role)
        }
        Command::Worker(worker) => match &worker.join {
            Some(service) => join::run(&Session::open(&global)?, service, &worker),
            None => serve::run(&Session::open(&global)?, Role::Workers),
        },
        Command::Workers(command) => {
            Session::open(&global)?.on_store(|session| workers::run(session, command))
        }
        Command::Generate(generate) => generate::run(&Session::open(&global)?, &generate),
        Command::Verify(asked) => verify::run(&Session::open(&global)?, &asked),
        Command::Mcp(asked) => mcp::run(Session::open(&global)?, &asked),
        Command::Catalog(asked) => catalog::run(&Session::open(&global)?, &asked),
        Command::Models(asked) => models::run(&Session::open(&global)?, asked),
        Command::Engines(engines) => engines::run(&Session::open(&global)?, &engines),
        Command::Openapi => openapi::run(&Session::open(&global)?),
        Command::Account(command) => {
            let session = Session::open(&global)?;
            match command {
                Account::Export { name, to } => {
                    let blobs = files::blobs(&session.config)?;
                    session.on_store(|session| export::run(session, blobs, name, to))
                }
                Account::Erase { name, cancel, yes } => {
                    let blobs = files::blobs(&session.config)?;
                    session.on_store(|session| erase::run(session, blobs, name, cancel, yes))
                }
                command => session.on_store(|session| account::run(session, command)),
            }
        }
        Command::Plan(command) => Session::open(&global)?.on_store(|session| plan::run(session, command)),
        Command::User(command) => Session::open(&global)?.on_store(|session| user::run(session, command)),
        Command::Key(command) => Session::open(&global)?.on_store(|session| key::run(session, command)),
        Command::Secret(command) => Session::open(&global)?.on_store(|session| secret::run(session, command)),
        Command::Webhook(command) => {
            Session::open(&global)?.on_store(|session| webhook::run(session, command))
        }
        Command::Media(command) => {
            let session = Session::open(&global)?;
            let blobs = files::blobs(&session.config)?;
            let looks = looks(&session.config)?;
            session.on_store(|session| media::run(session, (blobs, looks), command))
        }
        Command::Policy(asked @ (cli::Policy::Check { .. } | cli::Policy::Test { .. })) => {
            policy::run(&Session::open(&global)?, &asked)
        }
        Command::Policy(cli::Policy::Hashes(asked)) => {
            let session = Session::open(&global)?;
            let looks = looks(&session.config)?;
            session.on_store(|session| hashes::run(session, looks, asked))
        }
        Command::Policy(asked) => {
            Session::open(&global)?.on_store(|session| policy::on_store(session, asked))
        }
        Command::Report(asked) => Session::open(&global)?.on_store(|session| report::run(session, asked)),
        Command::Api(command) => Session::open(&global)?.on_store(|session| api::run(session, command)),
        Command::Backup(backup) => backup::run(&Session::open(&global)?, &backup),
        Command::Restore(restore) => restore::run(&Session::open(&global)?, &restore),
        Command::Store(command) => store::run(&Session::open(&global)?, &command),
        Command::Audit => Session::open(&global)?.on_store(audit::run),
        Command::Health(health) => health::run(&Session::open(&global)?, &health),
        Command::Config => config::run(&Session::open(&global)?),
        Command::Completions { shell } => completions::run(shell),
        Command::DraftHost { .. } | Command::ProgramGuard { .. } | Command::OnnxHost { .. } => Ok(()),
    }
}

/// The context of every command.
struct Session {
    config: Config,
    output: Output,
    /// `ATELIER_API_KEY`.
    api_key: Option<String>,
}

/// The context of commands that work on the store directly.
struct OnStore {
    admin: Admin,
    output: Output,
    /// The origin in links, without a trailing slash.
    public_url: String,
    mail: Option<SmtpServer>,
}

impl Session {
    fn open(global: &Global) -> Result<Self, Failure> {
        Self::with_flags(&global.flags(), global)
    }

    fn with_flags(flags: &Flags, global: &Global) -> Result<Self, Failure> {
        let environment = Environment::of_process();
        let config = Config::load(flags, &environment)?;
        Ok(Self {
            config,
            output: Output { json: global.json },
            api_key: environment.api_key,
        })
    }

    /// The key for a service named with `--server`.
    fn api_key_for_server(&self) -> Result<&str, Failure> {
        let missing =
            || Failure::usage("--server requires an API key of that service in the variable ATELIER_API_KEY");
        self.api_key.as_deref().ok_or_else(missing)
    }

    /// Runs a command on the store and closes it. Servers may use the store at the same time.
    fn on_store<F: Future<Output = Result<(), Failure>>>(
        self,
        command: impl FnOnce(Arc<OnStore>) -> F,
    ) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let store = data::open_store(&self.config, None).await?;
            let session = OnStore {
                admin: data::admin(&self.config, &store),
                output: self.output,
                public_url: self.config.public_url(self.config.listen),
                mail: self.config.mail.clone(),
            };
            let done = command(Arc::new(session)).await;
            store.close().await?;
            done
        })
    }
}

/// Returns the engine that looks at a picture before it is taken down, and a work folder for it.
fn looks(config: &Config) -> Result<Option<(Marking, Scratch)>, Failure> {
    let (program, args) = Parts::system(Role::Workers)?.draft_host;
    let folder = service::scratch(config).join(format!("takedown-{}", std::process::id()));
    let marking = crate::engines::marking(config, &program, args);
    Ok(marking.map(|marking| (marking, Scratch::new(folder, Quota::NONE))))
}

fn report(output: Output, failure: &Failure) {
    if matches!(failure, Failure::Reported) {
        return;
    }
    say(&format!("error: {failure}"));
    if output.json {
        let value =
            serde_json::json!({ "error": { "code": failure.code(), "message": failure.to_string() } });
        // If standard output is closed, nobody reads the failure.
        let _ = print(&value.to_string());
    }
}
