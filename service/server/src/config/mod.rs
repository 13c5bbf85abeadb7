//! The configuration: every setting by flag and by environment variable, secrets by file.
//!
//! One module for each subject; here they are combined, and checked against each other.

mod auth;
mod environment;
mod error;
mod limits;
mod listening;
mod redis;
mod store;
mod telemetry;
mod tls;

use std::ffi::OsStr;
use std::path::PathBuf;

pub use auth::{AuthArgs, AuthMode};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, Parser};
pub use environment::Environment;
pub use error::ConfigError;
use gamekeeper_games::{GameLimits, Settings};
use gamekeeper_policies::PolicyLibrary;
pub use limits::LimitArgs;
pub use listening::ListenArgs;
pub use redis::{RedisArgs, RedisTopologyArg, SentinelTlsArg};
pub use store::{StoreArgs, StoreKind};
pub use telemetry::{Exporter, LogArgs, LogFormat, TelemetryArgs};
pub use tls::TlsArgs;

use crate::auth::AuthConfig;
use crate::settings::EdgeSettings;
use crate::stores::StoreConfig;

/// Keeps board games and enforces their rules.
#[derive(Clone, Debug, Parser)]
#[command(name = "gamekeeperd", version = crate::version::LONG, about, max_term_width = 100)]
#[expect(missing_docs, reason = "the groups are named by their fields")]
pub struct Config {
    #[command(flatten)]
    pub listening: ListenArgs,

    #[command(flatten)]
    pub store: StoreArgs,

    #[command(flatten)]
    pub redis: RedisArgs,

    #[command(flatten)]
    pub auth: AuthArgs,

    #[command(flatten)]
    pub tls: TlsArgs,

    #[command(flatten)]
    pub limits: LimitArgs,

    /// Origins of web pages that may call the service, such as https://example.org; `*` for all. Unset:
    /// none.
    #[arg(
        long,
        env = "GAMEKEEPER_CORS_ORIGINS",
        value_delimiter = ',',
        value_name = "ORIGIN"
    )]
    pub cors_origins: Vec<String>,

    /// Folder with learned policies that bots can have: a network, NAME.onnx, and its manifest, NAME.json, are the
    /// policy `policy:NAME`. Read at the start. Unset: none.
    #[arg(long, env = "GAMEKEEPER_POLICIES", value_name = "DIR")]
    pub policies: Option<PathBuf>,

    #[command(flatten)]
    pub telemetry: TelemetryArgs,

    #[command(flatten)]
    pub log: LogArgs,

    /// Check the configuration, report the first problem in one line, and exit.
    #[arg(long)]
    pub check: bool,

    /// Print the settings without secrets, as an environment file, and exit.
    #[arg(long)]
    pub print_config: bool,

    #[command(subcommand)]
    pub task: Option<Task>,
}

/// A task that runs instead of the server. Settings may come before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Subcommand)]
pub enum Task {
    /// Replay every stored game with this build, list those that it would not play as they were played, and exit. No
    /// game is changed.
    CheckGames,
    /// Ask the running server on its admin port (--admin-listen) to write a backup into its --backup-dir, print the
    /// path, and exit.
    Backup,
    /// Make the layout of stored data that this build reads of the one that the store has, say what was done, and exit.
    /// No server may use the store meanwhile.
    Migrate {
        /// Only say what would be done.
        #[arg(long)]
        dry_run: bool,
    },
}

impl Config {
    /// Returns the command line with the variables of the environment that count. Settings may also follow the task.
    #[must_use]
    pub fn command_line() -> Command {
        let command = Self::command().mut_args(|setting| setting.global(true));
        Environment::of_process().applied_to(command)
    }

    /// Checks what no single flag can check.
    ///
    /// # Errors
    /// The first settings that do not fit together.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.auth_config()?;
        self.validate_playground()?;
        self.validate_ports()?;
        self.telemetry.validate()?;
        self.limits.validate()
    }

    /// The service and the admin port must be different.
    fn validate_ports(&self) -> Result<(), ConfigError> {
        let (service, Some(admin)) = (self.listening.listen, self.listening.admin_listen) else {
            return Ok(());
        };
        let (one, other) = (service.ip(), admin.ip());
        let is_shared = one == other || one.is_unspecified() || other.is_unspecified();
        if service.port() != 0 && service.port() == admin.port() && is_shared {
            return Err(ConfigError::SamePort(admin));
        }
        Ok(())
    }

    /// The playground calls the service in plain text, bypassing its port, and must not bypass what
    /// that port requires of callers.
    fn validate_playground(&self) -> Result<(), ConfigError> {
        if !self.listening.playground {
            return Ok(());
        }
        let admin = self
            .listening
            .admin_listen
            .ok_or(ConfigError::PlaygroundNeedsAdmin)?;
        if self.tls.tls_client_ca_file.is_some() {
            return Err(ConfigError::PlaygroundWithoutCertificates);
        }
        if self.auth.auth.is_none() && !admin.ip().is_loopback() {
            return Err(ConfigError::PlaygroundNeedsAuthMode(admin));
        }
        Ok(())
    }

    /// Returns the access policy.
    ///
    /// # Errors
    /// When it is not set, and when a key file is missing.
    pub fn auth_config(&self) -> Result<AuthConfig, ConfigError> {
        self.auth.config(self.listening.listen)
    }

    /// Returns the settings of the store.
    #[must_use]
    pub fn store_config(&self) -> StoreConfig {
        self.store.config(&self.redis)
    }

    /// Returns the settings as lines of an environment file, those at their defaults as comments. The lines name files
    /// without their contents; addresses are shown without passwords.
    #[must_use]
    pub fn env_file(matches: &ArgMatches) -> String {
        let command = Self::command();
        let to_line = |setting: &Arg| {
            let (id, name) = (setting.get_id().as_str(), setting.get_env()?);
            let shown = |value: &OsStr| match (id, value.to_string_lossy()) {
                ("redis" | "otlp_endpoint", address) => redis::redacted(&address),
                (_, value) => value.into_owned(),
            };
            let values: Vec<String> = matches.get_raw(id)?.map(shown).collect();
            let prefix = match matches.value_source(id) {
                Some(ValueSource::DefaultValue) => "# ",
                _ => "",
            };
            let name = name.to_string_lossy();
            Some(format!("{prefix}{name}={}", values.join(",")))
        };
        let lines: Vec<String> = command.get_arguments().filter_map(to_line).collect();
        lines.join("\n")
    }

    /// Returns the settings of calls.
    #[must_use]
    pub fn edge(&self) -> EdgeSettings {
        let open = matches!(self.auth_config(), Ok(AuthConfig::Open));
        let edge = self.limits.edge();
        EdgeSettings {
            anonymous_rate: edge.anonymous_rate.filter(|_| !open),
            ..edge
        }
    }

    /// Returns the settings of the games, without learned policies, whose files are read elsewhere.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let open = matches!(self.auth_config(), Ok(AuthConfig::Open));
        Settings {
            snapshot_every: self.limits.snapshot_every,
            cached_games: self.limits.cached_games,
            allow_seeds: self.auth.allow_seeds || open,
            serve_examples: self.listening.serve_examples,
            seat_token_lifetime: self.auth.seat_token_lifetime,
            outage_after: Some(self.limits.outage_after).filter(|after| !after.is_zero()),
            bookmark_every: self.limits.bookmark_every,
            slow_consumer_timeout: self.limits.watch_patience,
            max_games_per_tenant: Some(self.limits.max_games_per_tenant).filter(|max| *max > 0),
            max_bytes_per_tenant: Some(self.limits.max_bytes_per_tenant).filter(|max| *max > 0),
            max_watch_age: self.limits.max_connection_age,
            rate: self.limits.rate().filter(|_| !open),
            max_watches: self.limits.max_watches,
            plan_timeout: self.limits.request_timeout,
            max_self_plays: self.limits.max_self_plays,
            max_self_play_games: self.limits.max_self_play_games,
            game_limits: GameLimits {
                versions: self.limits.max_versions,
                log_bytes: self.limits.max_log_bytes,
            },
            max_thinking_bots: self.limits.max_thinking_bots.get().into(),
            policies: PolicyLibrary::default(),
            max_painting: self.limits.max_painting.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    fn validated(flags: &[&str]) -> Result<(), ConfigError> {
        let flags = ["gamekeeperd", "--playground"].iter().chain(flags);
        Config::parse_from(flags).validate()
    }

    #[test]
    fn settings_are_printed_as_an_environment_file() {
        let flags = ["gamekeeperd", "--redis=ann:word@a:1,b:2", "--playground"];
        let printed = Config::env_file(&Config::command().get_matches_from(flags));
        for line in [
            "GAMEKEEPER_REDIS=...@a:1,b:2",
            "GAMEKEEPER_PLAYGROUND=true",
            "# GAMEKEEPER_LISTEN=127.0.0.1:50051",
        ] {
            assert!(printed.lines().any(|shown| shown == line), "{printed}");
        }
    }

    #[test]
    fn settings_are_valid_before_and_after_a_task() {
        let parsed = |flags: &[&str]| {
            let flags = ["gamekeeperd"].iter().chain(flags);
            let arguments = Config::command_line().try_get_matches_from(flags).unwrap();
            Config::from_arg_matches(&arguments).unwrap()
        };
        let here = "--data-dir=here";
        for flags in [[here, "check-games"], ["check-games", here]] {
            let config = parsed(&flags);
            assert_eq!(config.task, Some(Task::CheckGames));
            assert_eq!(config.store.data_dir.to_str(), Some("here"));
        }
        let config = parsed(&["backup", "--admin-listen=127.0.0.1:7", "--store=memory"]);
        assert_eq!(config.task, Some(Task::Backup));
        assert_eq!(config.store.kind, StoreKind::Memory);
        assert_eq!(config.listening.admin_listen.unwrap().port(), 7);
        assert_eq!(parsed(&[here]).task, None);
    }

    #[test]
    fn the_playground_is_no_way_around_what_the_service_asks() {
        assert_eq!(validated(&[]), Err(ConfigError::PlaygroundNeedsAdmin));
        let here = "--admin-listen=127.0.0.1:0";
        assert_eq!(validated(&[here]), Ok(()));
        let everywhere = "--admin-listen=0.0.0.0:9090";
        assert!(matches!(
            validated(&[everywhere]),
            Err(ConfigError::PlaygroundNeedsAuthMode(_))
        ));
        assert_eq!(validated(&[everywhere, "--auth=open"]), Ok(()));
        let tls = [
            here,
            "--tls-cert-file=cert",
            "--tls-key-file=key",
            "--tls-client-ca-file=ca",
        ];
        assert_eq!(
            validated(&tls),
            Err(ConfigError::PlaygroundWithoutCertificates)
        );
    }
}
