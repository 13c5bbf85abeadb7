//! Ratios between commits, each from one round, and their spread over the rounds.

use serde::Serialize;

use super::report::{Call, Pair};
use crate::clock::Spread;
use crate::report::row;

/// The measurements of one round.
#[derive(Debug, Serialize)]
pub(super) struct Turn {
    pub(super) echo: Call,
    /// The measurements of each commit, in the order of the commits; `None` if it does not have the store.
    pub(super) commits: Vec<Option<Pair>>,
}

/// The comparison on one store.
#[derive(Debug, Serialize)]
pub(super) struct Compared {
    store: String,
    figures: Vec<Figures>,
    turns: Vec<Turn>,
}

/// A game that a commit was measured with.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Game {
    /// The ruleset.
    Real,
    /// The null game.
    Null,
}

impl Game {
    fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Null => "null",
        }
    }

    fn of(self, pair: &Pair) -> Call {
        match self {
            Self::Real => pair.real,
            Self::Null => pair.null,
        }
    }
}

/// The figures of a commit's ruleset or null game.
#[derive(Debug, Serialize)]
struct Figures {
    commit: String,
    game: Game,
    per_second: Spread,
    server_us: Spread,
    redis_us: Option<Spread>,
    answer_bytes: Spread,
    /// The ratio of the calls per second to those of the echo.
    to_echo: Spread,
    /// The ratio of the echo's processor time per call to the game's: like `to_echo`, higher is faster.
    to_echo_cpu: Spread,
    to_first: Option<ToFirst>,
}

/// The ratios of a commit's figures to those of the first commit.
#[derive(Debug, Serialize)]
struct ToFirst {
    per_second: Spread,
    server_us: Spread,
    redis_us: Option<Spread>,
}

/// Compares the commits with these labels.
pub(super) fn compared(store: &str, labels: &[String], turns: Vec<Turn>) -> Compared {
    let mut figures = Vec::new();
    for game in [Game::Real, Game::Null] {
        for (place, label) in labels.iter().enumerate() {
            figures.extend(figures_of(label, game, &turns, place));
        }
    }
    Compared {
        store: store.to_owned(),
        figures,
        turns,
    }
}

/// Summarizes the rounds of the commit at this place. Returns `None` if it was not measured.
fn figures_of(label: &str, game: Game, turns: &[Turn], place: usize) -> Option<Figures> {
    let call = |turn: &Turn, place: usize| {
        let pair = turn.commits.get(place)?.as_ref();
        pair.map(|pair| game.of(pair))
    };
    let figure = |of: fn(Call) -> f64| spread(turns, |turn| call(turn, place).map(of));
    let to_echo = |of: fn(Call, Call) -> f64| {
        spread(turns, |turn| {
            call(turn, place).map(|call| of(call, turn.echo))
        })
    };
    let to_first = |of: fn(Call) -> Option<f64>| {
        spread(turns, |turn| {
            Some(of(call(turn, place)?)? / of(call(turn, 0)?)?)
        })
    };
    let ratios = || {
        Some(ToFirst {
            per_second: to_first(|call| Some(call.per_second))?,
            server_us: to_first(|call| Some(call.server_us))?,
            redis_us: to_first(|call| call.redis_us),
        })
    };
    Some(Figures {
        commit: label.to_owned(),
        game,
        per_second: figure(|call| call.per_second)?,
        server_us: figure(|call| call.server_us)?,
        redis_us: spread(turns, |turn| call(turn, place)?.redis_us),
        answer_bytes: figure(|call| call.answer_bytes)?,
        to_echo: to_echo(|call, echo| call.per_second / echo.per_second)?,
        to_echo_cpu: to_echo(|call, echo| echo.cpu_us / call.cpu_us)?,
        to_first: if place == 0 { None } else { ratios() },
    })
}

/// Summarizes a figure of all rounds. Returns `None` if a round lacks it, or there is none.
fn spread(turns: &[Turn], of: impl Fn(&Turn) -> Option<f64>) -> Option<Spread> {
    let figures: Vec<f64> = turns.iter().map(of).collect::<Option<_>>()?;
    (!figures.is_empty()).then(|| Spread::of(figures))
}

/// Builds the rows of a table, with their heading.
pub(super) fn rows(compared: &Compared) -> Vec<Vec<String>> {
    let mut rows = vec![row([
        "store",
        "game",
        "commit",
        "calls/s",
        "of first",
        "server us",
        "of first",
        "Redis us",
        "of first",
        "answer B",
        "of echo",
        "by CPU",
    ])];
    let figures = compared.figures.iter();
    rows.extend(figures.map(|figures| cells(&compared.store, figures)));
    rows
}

fn cells(store: &str, figures: &Figures) -> Vec<String> {
    let text = |spread: Option<Spread>| {
        spread.map_or_else(|| String::from("-"), |spread| spread.to_string())
    };
    let first = figures.to_first.as_ref();
    vec![
        store.to_owned(),
        figures.game.name().to_owned(),
        figures.commit.clone(),
        figures.per_second.to_string(),
        text(first.map(|first| first.per_second)),
        figures.server_us.to_string(),
        text(first.map(|first| first.server_us)),
        text(figures.redis_us),
        text(first.and_then(|first| first.redis_us)),
        format!("{:.0}", figures.answer_bytes.median),
        figures.to_echo.to_string(),
        figures.to_echo_cpu.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(per_second: f64, server_us: f64, redis_us: Option<f64>) -> Call {
        Call {
            per_second,
            answer_bytes: 600.0,
            server_us,
            redis_us,
            cpu_us: server_us + redis_us.unwrap_or(0.0),
        }
    }

    fn turn(commits: &[Option<Call>]) -> Turn {
        let pair = |real: Call| Pair {
            real,
            null: call(2.0 * real.per_second, 10.0, None),
        };
        Turn {
            echo: call(100.0, 6.0, None),
            commits: commits.iter().map(|real| real.map(pair)).collect(),
        }
    }

    fn labels() -> [String; 2] {
        ["old", "new"].map(str::to_owned)
    }

    #[test]
    fn ratios_are_of_one_round_so_that_a_slow_minute_of_the_machine_is_in_both() {
        let turns = vec![
            turn(&[
                Some(call(40.0, 20.0, Some(10.0))),
                Some(call(30.0, 30.0, Some(15.0))),
            ]),
            turn(&[
                Some(call(20.0, 24.0, Some(12.0))),
                Some(call(15.0, 48.0, Some(12.0))),
            ]),
            turn(&[
                Some(call(32.0, 20.0, Some(10.0))),
                Some(call(16.0, 20.0, Some(20.0))),
            ]),
        ];
        let compared = compared("redis", &labels(), turns);
        let [old, new, old_null, new_null] = &compared.figures[..] else {
            panic!("two commits with two games");
        };
        assert!(old.to_first.is_none() && old_null.to_first.is_none());
        let first = new.to_first.as_ref().unwrap();
        assert_eq!(first.per_second.to_string(), "0.75 [0.50-0.75]");
        assert_eq!(first.server_us.to_string(), "1.50 [1.00-2.00]");
        assert_eq!(first.redis_us.unwrap().to_string(), "1.50 [1.00-2.00]");
        assert_eq!(new.per_second.to_string(), "16.00 [15.00-30.00]");
        assert_eq!(old.to_echo.to_string(), "0.32 [0.20-0.40]");
        assert_eq!(old.to_echo_cpu.to_string(), "0.20 [0.17-0.20]");
        assert_eq!(
            (new_null.game.name(), new_null.commit.as_str()),
            ("null", "new")
        );
        assert_eq!(new_null.per_second.median, 32.0);
        assert!(new_null.redis_us.is_none());
    }

    #[test]
    fn a_commit_without_the_store_has_no_row_and_no_ratio() {
        let real = Some(call(40.0, 20.0, None));
        let missing_second = compared("memory", &labels(), vec![turn(&[real, None])]);
        assert_eq!(missing_second.figures.len(), 2);
        let missing_first = compared("memory", &labels(), vec![turn(&[None, real])]);
        assert_eq!(missing_first.figures.len(), 2);
        assert!(
            missing_first
                .figures
                .iter()
                .all(|figures| figures.to_first.is_none())
        );
        let rows = rows(&missing_first);
        let commits: Vec<&str> = rows.iter().map(|row| row[2].as_str()).collect();
        assert_eq!(commits, ["commit", "new", "new"]);
        assert_eq!(rows[1].len(), rows[0].len());
        assert_eq!(rows[1][4], "-");
    }
}
