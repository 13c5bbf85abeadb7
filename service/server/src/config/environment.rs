//! The **environment**: which variables count, for every setting.
//!
//! Platforms inject variables that nobody wrote for this program. An empty variable counts as unset. A variable of
//! OpenTelemetry's standard that cannot be used is named at the start and ignored, as the standard says; one of ours is
//! an error. A misspelled variable of ours is named with the nearest setting. If that setting protects games or callers,
//! the server does not start: it would run without the protection.

use std::ffi::{OsStr, OsString};

use clap::{Arg, Command, CommandFactory, FromArgMatches};

use super::{Config, ConfigError};

/// The variables of the client and of the tests, which the server ignores.
const IGNORED_VARS: [&str; 18] = [
    "GAMEKEEPER_ADMIN",
    "GAMEKEEPER_CA",
    "GAMEKEEPER_CERT",
    "GAMEKEEPER_CONTEXT",
    "GAMEKEEPER_CONTEXTS",
    "GAMEKEEPER_KEY",
    "GAMEKEEPER_SERVER",
    "GAMEKEEPER_TOKEN",
    "GAMEKEEPER_TOKENS",
    "GAMEKEEPER_LONG",
    "GAMEKEEPER_LONG_TRIALS",
    "GAMEKEEPER_SEED",
    "GAMEKEEPER_SOAK",
    "GAMEKEEPER_STEPS",
    "GAMEKEEPER_TABLES",
    "GAMEKEEPER_TEST_BINARIES",
    "GAMEKEEPER_TEST_LOG",
    "GAMEKEEPER_UPDATE",
];

/// Variables of OpenTelemetry's standard that choose a protocol.
const PROTOCOLS: [&str; 3] = [
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL",
];

/// The only protocol to collectors that is spoken.
const PROTOCOL: &str = "grpc";

/// The prefix of all variables of ours.
const PREFIX: &str = "GAMEKEEPER_";

/// The similarity, from 0 to 1, from which a name counts as a misspelling of another.
const MIN_SIMILARITY: f64 = 0.6;

/// The headings of settings that protect games and callers: durability, access and TLS.
const PROTECTIVE_HEADINGS: [&str; 3] = ["Authentication", "TLS", "Redis"];

/// Further settings that protect games and callers.
const PROTECTIVE_FLAGS: [&str; 5] = [
    "store",
    "data-dir",
    "backup-dir",
    "keep-finished",
    "cors-origins",
];

/// Variables by name. Contains no empty ones.
pub struct Environment(Vec<(String, OsString)>);

/// The effect of a variable on its setting.
enum Effect {
    /// The setting keeps its default.
    Unset,
    /// The setting has its value.
    Set,
    /// The value cannot be used, for this reason; the setting keeps its default.
    Ignored(String),
}

impl Environment {
    /// Returns the variables of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self::new(std::env::vars_os())
    }

    fn new(variables: impl Iterator<Item = (OsString, OsString)>) -> Self {
        let named = variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        Self(named.filter(|(_, value)| !value.is_empty()).collect())
    }

    fn get(&self, name: &str) -> Option<&OsStr> {
        let mut variables = self.0.iter();
        let found = variables.find(|(variable, _)| variable == name);
        found.map(|(_, value)| value.as_os_str())
    }

    /// Takes variables that do not count from the settings of a command.
    pub(super) fn applied_to(&self, command: Command) -> Command {
        command.mut_args(|setting| match self.effect(&setting) {
            Effect::Set => setting,
            Effect::Unset | Effect::Ignored(_) => setting.env(None::<&'static str>),
        })
    }

    fn effect(&self, setting: &Arg) -> Effect {
        let name = setting.get_env().and_then(OsStr::to_str);
        let Some((name, value)) = name.and_then(|name| Some((name, self.get(name)?))) else {
            return Effect::Unset;
        };
        match name.starts_with("OTEL_").then(|| trial(setting, value)) {
            Some(Err(reason)) => Effect::Ignored(reason),
            Some(Ok(())) | None => Effect::Set,
        }
    }

    /// Returns a sentence for each variable that looks like a setting and is ignored.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let command = Config::command();
        let ignored = command.get_arguments().filter_map(|setting| {
            let name = setting.get_env()?.to_string_lossy();
            match self.effect(setting) {
                Effect::Ignored(reason) => Some(format!("{name} is ignored: {reason}")),
                Effect::Unset | Effect::Set => None,
            }
        });
        let spoken = |name: &&&str| self.get(name).is_some_and(|value| value != PROTOCOL);
        let protocols = PROTOCOLS.iter().filter(spoken).map(|name| {
            let value = self.get(name).unwrap_or_default().to_string_lossy();
            format!("{name}={value} is ignored: collectors get traces and metrics over OTLP/gRPC")
        });
        let unknown = self.unknown(&command).into_iter().map(|name| {
            let nearest = nearest(name, &command).map_or_else(String::new, |(nearest, _)| {
                format!("; the nearest is {nearest}")
            });
            format!("{name} is set in the environment, but there is no such setting{nearest}")
        });
        ignored.chain(protocols).chain(unknown).collect()
    }

    /// Refuses variables that look like misspelled settings which protect games or callers.
    ///
    /// # Errors
    /// The first such variable.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let command = Config::command();
        for variable in self.unknown(&command) {
            if let Some((nearest, true)) = nearest(variable, &command) {
                return Err(ConfigError::Misspelled {
                    variable: variable.to_owned(),
                    nearest,
                });
            }
        }
        Ok(())
    }

    /// Returns variables that begin like settings but are not settings: a misspelled one would be ignored silently.
    fn unknown(&self, command: &Command) -> Vec<&str> {
        let settings: Vec<_> = command.get_arguments().filter_map(Arg::get_env).collect();
        let is_other = |name: &str| {
            // Kubernetes sets these for a service of that name.
            let of_cluster = ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT"];
            let of_cluster = of_cluster.iter().any(|part| name.contains(part));
            of_cluster || IGNORED_VARS.contains(&name)
        };
        let names = self.0.iter().map(|(name, _)| name.as_str());
        names
            .filter(|name| name.starts_with(PREFIX) && !is_other(name))
            .filter(|name| !settings.contains(&OsStr::new(name)))
            .collect()
    }
}

/// Returns the known variable that is most similar to this name, and whether it is a setting that protects games or
/// callers. Returns `None` if none is similar.
fn nearest(name: &str, command: &Command) -> Option<(String, bool)> {
    let settings = command.get_arguments().filter_map(|setting| {
        let known = setting.get_env()?.to_str()?;
        Some((known, is_protective(setting)))
    });
    let known = settings.chain(IGNORED_VARS.map(|known| (known, false)));
    let rated = known.map(|(known, protects)| (similarity(name, known), known, protects));
    let best = rated.max_by(|(one, ..), (other, ..)| one.total_cmp(other));
    let (_, known, protects) = best.filter(|(rate, ..)| *rate >= MIN_SIMILARITY)?;
    Some((known.to_owned(), protects))
}

fn is_protective(setting: &Arg) -> bool {
    let heading = setting.get_help_heading().unwrap_or_default();
    let flag = setting.get_long().unwrap_or_default();
    PROTECTIVE_HEADINGS.contains(&heading) || PROTECTIVE_FLAGS.contains(&flag)
}

/// Returns how similar two names are, from 0 to 1. A name whose words begin or end the other one is similar.
fn similarity(name: &str, known: &str) -> f64 {
    let [name, known] = [name, known].map(|name| name.strip_prefix(PREFIX).unwrap_or(name));
    let letters = strsim::normalized_damerau_levenshtein(name, known);
    let contains = |long: &str, short: &str| {
        let rest = long.strip_prefix(short).map(|rest| rest.starts_with('_'));
        let begin = long.strip_suffix(short).map(|begin| begin.ends_with('_'));
        rest.or(begin).unwrap_or(false)
    };
    if contains(name, known) || contains(known, name) {
        letters.max(MIN_SIMILARITY)
    } else {
        letters
    }
}

/// Tries the value of a setting alone.
fn trial(setting: &Arg, value: &OsStr) -> Result<(), String> {
    let mut flag = OsString::from(format!("--{}=", setting.get_long().unwrap_or_default()));
    flag.push(value);
    let command = Config::command().mut_args(|setting| setting.env(None::<&'static str>));
    let config = command
        .try_get_matches_from([OsString::from("gamekeeperd"), flag])
        .and_then(|matches| Config::from_arg_matches(&matches));
    let config = config.map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().next().unwrap_or_default();
        reason.trim_start_matches("error: ").to_owned()
    })?;
    config
        .telemetry
        .validate()
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        let owned = |(name, value): &(&str, &str)| (OsString::from(name), OsString::from(value));
        Environment::new(variables.iter().map(owned))
    }

    #[test]
    fn an_empty_variable_is_not_named() {
        let all = [("GAMEKEEPER_MAX_RAET", ""), ("OTEL_TRACES_SAMPLER_ARG", "")];
        assert_eq!(environment(&all).warnings(), Vec::<String>::new());
    }

    /// A misspelled variable is ignored, so what it should have protected would not be protected.
    #[test]
    fn a_misspelled_protection_is_refused_and_other_misspellings_are_named() {
        let command = Config::command();
        let mut protective = 0;
        for setting in command.get_arguments() {
            let name = setting
                .get_env()
                .and_then(OsStr::to_str)
                .unwrap_or_default();
            if !name.starts_with(PREFIX) {
                continue;
            }
            let (last, without_last) = (name.len() - 1, &name[..name.len() - 1]);
            let swapped = format!(
                "{}{}{}",
                &name[..last - 1],
                &name[last..],
                &name[last - 1..last]
            );
            for wrong in [without_last, format!("{name}S").as_str(), swapped.as_str()] {
                if wrong == name || IGNORED_VARS.contains(&wrong) {
                    continue;
                }
                let environment = environment(&[(wrong, "1")]);
                let expected = ConfigError::Misspelled {
                    variable: wrong.to_owned(),
                    nearest: name.to_owned(),
                };
                if is_protective(setting) {
                    protective += 1;
                    assert_eq!(environment.validate(), Err(expected), "{wrong}");
                } else {
                    assert_eq!(environment.validate(), Ok(()), "{wrong}");
                }
                let warnings = environment.warnings();
                assert!(
                    warnings.len() == 1 && warnings[0].contains(name),
                    "{warnings:?}"
                );
            }
        }
        assert!(protective > 60, "{protective}");
    }

    #[test]
    fn a_word_too_many_or_too_few_is_a_misspelling() {
        for (wrong, nearest) in [
            ("GAMEKEEPER_WAIT_REPLICAS", "GAMEKEEPER_REDIS_WAIT_REPLICAS"),
            ("GAMEKEEPER_AUTH_MODE", "GAMEKEEPER_AUTH"),
            ("GAMEKEEPER_TLS_CERT", "GAMEKEEPER_TLS_CERT_FILE"),
            ("GAMEKEEPER_TENANT_KEYS", "GAMEKEEPER_TENANT_KEYS_FILE"),
        ] {
            let refused = environment(&[(wrong, "1")]).validate().unwrap_err();
            assert!(refused.to_string().contains(nearest), "{refused}");
        }
        for other in [
            "GAMEKEEPER_TEAM",
            "GAMEKEEPER_VERSION",
            "GAMEKEEPER_IMAGE_TAG",
        ] {
            assert_eq!(environment(&[(other, "1")]).validate(), Ok(()));
        }
    }

    /// Kubernetes sets these beside a Service.
    #[test]
    fn variables_of_services_are_no_misspellings() {
        for name in [
            "GAMEKEEPER_REDIS_PORT",
            "GAMEKEEPER_REDIS_PORT_6379_TCP_ADDR",
            "GAMEKEEPER_REDIS_SERVICE_HOST",
            "GAMEKEEPER_SERVICE_PORT_GRPC",
        ] {
            let environment = environment(&[(name, "tcp://10.0.0.1:6379")]);
            assert_eq!(environment.validate(), Ok(()));
            assert_eq!(environment.warnings(), Vec::<String>::new());
        }
    }

    #[test]
    fn variables_of_the_standard_that_cannot_be_used_are_named_and_ignored() {
        for (name, value) in [
            (
                "OTEL_TRACES_SAMPLER_ARG",
                "endpoint=http://jaeger:14250,pollingIntervalMs=5000",
            ),
            ("OTEL_TRACES_SAMPLER_ARG", "2"),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"),
            ("OTEL_TRACES_EXPORTER", "zipkin"),
            ("OTEL_METRICS_EXPORTER", "console"),
            ("OTEL_SDK_DISABLED", "1"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
            ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"),
        ] {
            let warnings = environment(&[(name, value)]).warnings();
            assert!(
                warnings.len() == 1 && warnings[0].contains(name),
                "{warnings:?}"
            );
        }
        for (name, value) in [
            ("OTEL_TRACES_SAMPLER_ARG", "0.25"),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4317"),
            ("OTEL_TRACES_EXPORTER", "none"),
            ("OTEL_METRICS_EXPORTER", "otlp,prometheus"),
            ("OTEL_SDK_DISABLED", "True"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ] {
            assert_eq!(
                environment(&[(name, value)]).warnings(),
                Vec::<String>::new(),
                "{name}"
            );
        }
    }
}
