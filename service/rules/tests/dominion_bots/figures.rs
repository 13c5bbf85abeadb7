//! Means over many games, compared with the known ones.

use super::bot::Buys;
use super::game::{options, play};

/// The number of games of each pair.
const GAMES: u32 = 20_000;
/// The number of games behind each known figure.
const KNOWN_GAMES: u32 = 100_000;
/// The maximum difference of two figures that agree, in standard errors of the difference.
const LIMIT: f64 = 4.0;

/// The known figures of a pair: the first bot, then the second; seat 1 (which begins), then seat 2.
pub(crate) struct Expected {
    /// Games won outright, in percent.
    pub(crate) won: [f64; 2],
    /// Games with two winners, in percent.
    pub(crate) tied: f64,
    /// Mean number of turns of the first bot.
    pub(crate) turns: f64,
    /// Mean victory points.
    pub(crate) points: [f64; 2],
    /// Games won outright by the seat, in percent.
    pub(crate) won_by_seat: [f64; 2],
}

/// Sum and sum of squares of one figure over all games.
#[derive(Clone, Copy, Default)]
struct Sample {
    sum: f64,
    squares: f64,
}

impl Sample {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(self) -> f64 {
        self.sum / f64::from(GAMES)
    }

    fn deviation(self) -> f64 {
        (self.squares / f64::from(GAMES) - self.mean() * self.mean()).sqrt()
    }

    /// Describes the deviation from the known figure, if it is too large.
    fn differs(self, name: &str, expected: f64) -> Option<String> {
        let error =
            self.deviation() * (1.0 / f64::from(GAMES) + 1.0 / f64::from(KNOWN_GAMES)).sqrt();
        let (mean, tolerance) = (self.mean(), LIMIT * error);
        let line = format!("{name}: {mean:.3}, known {expected:.3}, tolerance {tolerance:.3}");
        println!("{line}");
        ((mean - expected).abs() > tolerance).then_some(line)
    }
}

/// All figures of a pair.
#[derive(Default)]
struct Figures {
    won: [Sample; 2],
    tied: Sample,
    turns: Sample,
    points: [Sample; 2],
    won_by_seat: [Sample; 2],
}

/// Plays all games of a pair, the first bot in seat 1 in every other game, and compares.
pub(crate) fn compare(first: Buys, second: Buys, expected: &Expected) {
    let options = options([first, second]);
    let mut figures = Figures::default();
    for game in 0..GAMES {
        // Seat of the first bot, seat of the second bot.
        let seats = if game % 2 == 0 { [0, 1] } else { [1, 0] };
        let mut buys = [first, second];
        if seats[0] == 1 {
            buys.reverse();
        }
        let outcomes = play(&options, buys, u64::from(game));
        for bot in 0..2 {
            let outcome = outcomes[seats[bot]];
            figures.won[bot].add(percent(outcome.wins));
            figures.points[bot].add(f64::from(outcome.points));
            figures.won_by_seat[bot].add(percent(outcomes[bot].wins));
        }
        figures
            .tied
            .add(percent(!outcomes[0].wins && !outcomes[1].wins));
        figures.turns.add(f64::from(outcomes[seats[0]].turns));
    }
    let wrong: Vec<String> = figures.differ(expected).into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

impl Figures {
    fn differ(&self, expected: &Expected) -> [Option<String>; 8] {
        [
            self.won[0].differs("won by the first bot", expected.won[0]),
            self.won[1].differs("won by the second bot", expected.won[1]),
            self.tied.differs("tied", expected.tied),
            self.turns.differs("turns of the first bot", expected.turns),
            self.points[0].differs("points of the first bot", expected.points[0]),
            self.points[1].differs("points of the second bot", expected.points[1]),
            self.won_by_seat[0].differs("won by seat 1", expected.won_by_seat[0]),
            self.won_by_seat[1].differs("won by seat 2", expected.won_by_seat[1]),
        ]
    }
}

/// Returns the result of a single game in percent: 100 if it is won, otherwise 0.
fn percent(holds: bool) -> f64 {
    if holds { 100.0 } else { 0.0 }
}
