//! The figures that `gamekeeper-bench service` of a commit writes, in the forms that they have had.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::service::processes::Load;

/// The method that is compared, as the load client calls it.
pub(super) const METHOD: &str = "apply";

/// The reason why a report cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReportError {
    /// The text is not JSON, or of no known form.
    #[error("{0}")]
    Form(#[from] serde_json::Error),
    /// The report holds another number of rounds than one.
    #[error("one round of one store and ruleset was asked for, but it has {rounds}")]
    Rounds {
        /// The number of rounds in the report.
        rounds: usize,
    },
    /// The report has no figures of the method.
    #[error("it has no figures of `{METHOD}`")]
    Method,
}

/// The file of a commit.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Report {
    /// Rounds of each store and ruleset.
    Rounds(Vec<Rounds>),
    /// Rounds of each store and ruleset, the floor of each in a list of its own (until November 22, 2026).
    Floors(Vec<Columns>, IgnoredAny),
}

/// The rounds of a store and ruleset.
#[derive(Debug, Deserialize)]
pub(super) struct Rounds {
    turns: Vec<Round>,
}

/// One round.
#[derive(Debug, Deserialize)]
struct Round {
    real: Load,
    null: Load,
}

/// The rounds of a store and ruleset, in a list for each game.
#[derive(Debug, Deserialize)]
pub(super) struct Columns {
    real: Vec<Load>,
    null: Vec<Load>,
}

impl Report {
    /// Reads a report.
    ///
    /// # Errors
    /// If it has no known form.
    pub(super) fn read(text: &str) -> Result<Self, ReportError> {
        Ok(serde_json::from_str(text)?)
    }

    /// Returns the figures of the only round.
    ///
    /// # Errors
    /// If there is not exactly one round, or it has no figures of the method.
    pub(super) fn only(self) -> Result<Pair, ReportError> {
        let rounds: Vec<Round> = match self {
            Self::Rounds(all) => all.into_iter().flat_map(|all| all.turns).collect(),
            Self::Floors(all, _) => all.into_iter().flat_map(Columns::rounds).collect(),
        };
        let [round] = &rounds[..] else {
            let rounds = rounds.len();
            return Err(ReportError::Rounds { rounds });
        };
        let call = |load| Call::of(load).ok_or(ReportError::Method);
        Ok(Pair {
            real: call(&round.real)?,
            null: call(&round.null)?,
        })
    }
}

impl Columns {
    fn rounds(self) -> impl Iterator<Item = Round> {
        let rounds = self.real.into_iter().zip(self.null);
        rounds.map(|(real, null)| Round { real, null })
    }
}

/// The figures of a commit in one round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Pair {
    /// The ruleset.
    pub(super) real: Call,
    /// The null game.
    pub(super) null: Call,
}

/// The figures of a call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Call {
    /// Calls per second.
    pub(super) per_second: f64,
    /// The size of an answer, in bytes.
    pub(super) answer_bytes: f64,
    /// The processor time of the server per call, in microseconds.
    pub(super) server_us: f64,
    /// The processor time of Redis per call, in microseconds; `None` if the store is not in Redis.
    pub(super) redis_us: Option<f64>,
    /// The processor time of all processes per call, in microseconds.
    pub(super) cpu_us: f64,
}

impl Call {
    /// Takes the figures of the method from a report of the load client. Returns `None` if it was not called.
    pub(super) fn of(load: &Load) -> Option<Self> {
        let method = load.methods.iter().find(|method| method.name == METHOD)?;
        Some(Self {
            per_second: method.per_second,
            answer_bytes: method.answer_bytes,
            server_us: load.cpu_of("server"),
            redis_us: load.process("store").map(|used| used.cpu_us_per_call),
            cpu_us: load.cpu(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn load(method: &str, per_second: f64) -> Value {
        let process = |name: &str, cpu: f64| {
            json!({
                "name": name, "cpu_us_per_call": cpu, "cores": 0.5,
                "memory_at_start": 1, "memory_before": 2, "memory_after": 3,
            })
        };
        let called = |name: &str, per_second: f64| {
            json!({
                "name": name, "count": 9, "per_second": per_second, "answer_bytes": 574.0,
                "p50_us": 1.0, "p99_us": 2.0, "p999_us": 3.0,
            })
        };
        json!({
            "methods": [called("create", 1.0), called(method, per_second)],
            "processes": [process("server", 20.0), process("store", 10.0), process("client", 8.0)],
        })
    }

    fn round(real: &Value, padded: &Value) -> Value {
        json!({"real": real, "null": padded, "echo": load(METHOD, 70_000.0)})
    }

    /// Builds a report in the form of this commit.
    fn with_rounds(rounds: &[Value]) -> String {
        json!([{"store": "redis", "ruleset": "any", "ratio": {"median": 0.8}, "turns": rounds, "half": []}])
            .to_string()
    }

    fn only(text: &str) -> Result<Pair, ReportError> {
        Report::read(text).and_then(Report::only)
    }

    #[test]
    fn both_forms_of_a_report_have_the_same_figures() {
        let (real, padded) = (load(METHOD, 25_000.0), load(METHOD, 28_000.0));
        let now = with_rounds(&[round(&real, &padded)]);
        let pair = json!({"store": "redis", "ruleset": "any", "real": [real], "null": [padded], "half": real});
        let floor = json!({"store": "redis", "echo_per_second": 70_000.0, "null_to_echo": 0.4});
        let before = json!([[pair], [floor]]).to_string();
        let figures = only(&now).unwrap();
        assert_eq!(figures, only(&before).unwrap());
        let expected = Call {
            per_second: 25_000.0,
            answer_bytes: 574.0,
            server_us: 20.0,
            redis_us: Some(10.0),
            cpu_us: 38.0,
        };
        assert_eq!(figures.real, expected);
        assert_eq!(figures.null.per_second, 28_000.0);
    }

    #[test]
    fn a_store_outside_redis_has_no_time_of_redis() {
        let mut real = load(METHOD, 25_000.0);
        let processes = real["processes"].as_array_mut().unwrap();
        processes.retain(|process| process["name"] != "store");
        let figures = only(&with_rounds(&[round(&real, &real)])).unwrap();
        assert_eq!((figures.real.redis_us, figures.real.cpu_us), (None, 28.0));
    }

    #[test]
    fn reports_of_another_form_number_or_method_are_refused() {
        let (call, other) = (load(METHOD, 1.0), load("get", 1.0));
        let two = [round(&call, &call), round(&call, &call)];
        let refused = |text: &str| only(text).unwrap_err();
        assert!(matches!(refused("no JSON"), ReportError::Form(_)));
        assert!(matches!(refused(r#"{"rows": []}"#), ReportError::Form(_)));
        assert!(matches!(refused("[]"), ReportError::Rounds { rounds: 0 }));
        let two = refused(&with_rounds(&two));
        assert!(matches!(two, ReportError::Rounds { rounds: 2 }));
        let other = refused(&with_rounds(&[round(&call, &other)]));
        assert!(matches!(other, ReportError::Method));
    }
}
