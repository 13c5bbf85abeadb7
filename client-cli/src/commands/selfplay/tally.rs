//! Counts of wins, scores and speed.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::Standing;
use serde_json::{Value, json};

use gamekeeper_rules::table::text::{BOLD, Columns, styled};

use crate::policy::Policy;

/// The results of the games played.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(super) games: u64,
    pub(super) unfinished: u64,
    /// Games with several winners.
    draws: u64,
    pub(super) actions: u64,
    seats: Vec<SeatTally>,
}

/// The results of the finished games of two seats, from the view of the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Duel {
    pub(crate) won: u64,
    pub(crate) drawn: u64,
    pub(crate) lost: u64,
}

#[derive(Clone, Debug)]
struct SeatTally {
    /// The number of games that the seat won alone.
    won: u64,
    /// The number of wins; a shared first place counts as an equal part of one win.
    wins: f64,
    sum: i64,
    min: i32,
    max: i32,
}

impl Default for SeatTally {
    fn default() -> Self {
        Self {
            won: 0,
            wins: 0.0,
            sum: 0,
            min: i32::MAX,
            max: i32::MIN,
        }
    }
}

impl Tally {
    /// Counts a game. A game without standings is unfinished.
    pub(super) fn add(&mut self, standings: &[Standing], versions: u64) {
        self.games += 1;
        self.actions += versions.saturating_sub(1);
        self.unfinished += u64::from(standings.is_empty());
        let winners = standings.iter().filter(|standing| standing.rank == 1);
        let winners = winners.count();
        self.draws += u64::from(winners > 1);
        let share = 1.0 / f64::from(u32::try_from(winners.max(1)).unwrap_or(1));
        for standing in standings {
            let seat = self.seat(standing.seat);
            seat.wins += if standing.rank == 1 { share } else { 0.0 };
            seat.won += u64::from(standing.rank == 1 && winners == 1);
            seat.sum += i64::from(standing.score);
            seat.min = seat.min.min(standing.score);
            seat.max = seat.max.max(standing.score);
        }
    }

    fn seat(&mut self, number: u32) -> &mut SeatTally {
        let index = usize::try_from(number).unwrap_or(1).saturating_sub(1);
        if self.seats.len() <= index {
            self.seats.resize_with(index + 1, SeatTally::default);
        }
        &mut self.seats[index]
    }

    /// Returns the wins of each side in games of two seats.
    pub(crate) fn duel(&self) -> Duel {
        let won = |index: usize| self.seats.get(index).map_or(0, |seat| seat.won);
        Duel {
            won: won(0),
            drawn: self.draws,
            lost: won(1),
        }
    }

    fn finished(&self) -> f64 {
        number((self.games - self.unfinished).max(1))
    }

    /// Formats the results as text for people. `first` is the heading of the first column.
    pub(crate) fn report(&self, first: &str, policies: &[Policy], took: Duration) -> String {
        let seconds = took.as_secs_f64().max(f64::EPSILON);
        let mut text = format!(
            "{} games, {} actions ({:.1} a game) in {seconds:.1} s: {:.0} games/s, {:.0} actions/s",
            self.games,
            self.actions,
            number(self.actions) / number(self.games.max(1)),
            number(self.games) / seconds,
            number(self.actions) / seconds,
        );
        if self.unfinished > 0 {
            text += &format!("\n{} games were left unfinished", self.unfinished);
        }
        if self.draws > 0 {
            text += &format!(
                "\n{} games were drawn: each winner counts a part",
                self.draws
            );
        }
        let headings = [
            first, "POLICY", "WINS", "SHARE", "95 %", "MEAN", "MIN", "MAX",
        ];
        let mut columns = Columns::new(&headings);
        for (number, (seat, policy)) in (1..).zip(self.seats.iter().zip(policies)) {
            columns.row([
                styled(BOLD, number),
                policy.id().to_owned(),
                wins(seat.wins),
                format!("{:.1} %", 100.0 * seat.wins / self.finished()),
                {
                    let (low, high) = interval(seat.wins, self.finished());
                    format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high)
                },
                format!("{:.1}", seat.mean(self.finished())),
                seat.min.to_string(),
                seat.max.to_string(),
            ]);
        }
        format!("{text}\n\n{columns}")
    }

    /// Formats the results as JSON.
    pub(crate) fn json(&self, took: Duration) -> Value {
        let seat = |(index, seat): (usize, &SeatTally)| {
            let (low, high) = interval(seat.wins, self.finished());
            json!({
                "low": low,
                "high": high,
                "seat": index + 1,
                "wins": seat.wins,
                "share": seat.wins / self.finished(),
                "mean": seat.mean(self.finished()),
                "min": seat.min,
                "max": seat.max,
            })
        };
        json!({
            "games": self.games,
            "unfinished": self.unfinished,
            "draws": self.draws,
            "actions": self.actions,
            "seconds": took.as_secs_f64(),
            "seats": self.seats.iter().enumerate().map(seat).collect::<Vec<_>>(),
        })
    }

    /// Adds the counts of another tally.
    pub(super) fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.unfinished += other.unfinished;
        self.draws += other.draws;
        self.actions += other.actions;
        for (number, theirs) in (1..).zip(&other.seats) {
            let seat = self.seat(number);
            seat.wins += theirs.wins;
            seat.won += theirs.won;
            seat.sum += theirs.sum;
            seat.min = seat.min.min(theirs.min);
            seat.max = seat.max.max(theirs.max);
        }
    }
}

/// Returns Wilson's score interval for a share of wins, at 95% confidence.
fn interval(wins: f64, games: f64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let share = wins / games;
    let square = Z * Z / games;
    let middle = share + square / 2.0;
    let half = Z * (share * (1.0 - share) / games + square / games / 4.0).sqrt();
    (
        (middle - half) / (1.0 + square),
        (middle + half) / (1.0 + square),
    )
}

impl SeatTally {
    #[expect(
        clippy::cast_precision_loss,
        reason = "sums of scores are far below 2^52"
    )]
    fn mean(&self, games: f64) -> f64 {
        self.sum as f64 / games
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of games are far below 2^52"
)]
fn number(count: u64) -> f64 {
    count as f64
}

/// Formats a number of wins, without a fraction if it is whole.
fn wins(wins: f64) -> String {
    if wins.fract() == 0.0 {
        format!("{wins:.0}")
    } else {
        format!("{wins:.1}")
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::bots;

    use super::*;

    fn standing(seat: u32, rank: u32, score: i32) -> Standing {
        Standing {
            seat,
            rank,
            score,
            ..Standing::default()
        }
    }

    #[test]
    fn shared_wins_are_parts_of_one() {
        let (mut one, mut other) = (Tally::default(), Tally::default());
        one.add(&[standing(2, 1, 30), standing(1, 2, 10)], 101);
        other.add(&[standing(1, 1, 20), standing(2, 1, 20)], 51);
        other.add(&[], 5_000);
        one.merge(&other);
        assert_eq!(
            (one.games, one.unfinished, one.actions),
            (3, 1, 100 + 50 + 4_999)
        );
        let duel = Duel {
            won: 0,
            drawn: 1,
            lost: 1,
        };
        assert_eq!(one.duel(), duel);
        let json = one.json(Duration::from_secs(1));
        assert_eq!(json["seats"][1]["wins"], 1.5);
        assert_eq!(json["seats"][1]["share"], 0.75);
        assert_eq!(json["seats"][0]["mean"], 15.0);
        let report = one.report(
            "SEAT",
            &[Policy::Rules(bots::Policy::Random); 2],
            Duration::from_secs(1),
        );
        assert!(report.contains("1 games were left unfinished"), "{report}");
        assert!(report.contains("75.0 %"), "{report}");
        assert!(report.contains("1 games were drawn"), "{report}");
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        // Textbook values: 81 of 263, and all of 10.
        for (wins, games, low, high) in [(81.0, 263.0, 0.2553, 0.3662), (10.0, 10.0, 0.7225, 1.0)] {
            let (below, above) = interval(wins, games);
            assert!((below - low).abs() < 0.0005, "{below}");
            assert!((above - high).abs() < 0.0005, "{above}");
        }
    }
}
