//! Options of a new game: requested, and validated (KIN-5.1, KIN-5.2, KIN-16.10).

use serde::{Deserialize, Serialize};

use super::data::{Color, MAX_PLAYERS, MIN_PLAYERS};
use super::refusal::Refusal;
use crate::table::{
    Field, OptionRule, OptionType as _, OptionalParam, PerSeat, Refusal as _, RefusedOption, Seat,
    ids, invariant_violated, player_count,
};

ids! {
    /// The way in which the first turn order is set.
    #[derive(Default)]
    InitialOrder {
        /// Each order is equally likely.
        #[default]
        Random "random",
        /// The order of the seats.
        AsListed "as_listed" "order of the seats",
    }
}

/// The requested options, not yet validated. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Colors by seat. A short list leaves the rest unset.
    pub colors: Vec<OptionalParam<Color>>,
    /// The way in which the first turn order is set. Unset: at random.
    pub initial_order: OptionalParam<InitialOrder>,
    /// Whether each of two players sets a die aside. Unset: yes. No effect for 3 to 5 players.
    pub two_player_set_aside: Option<bool>,
}

/// Validated options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The color of each seat.
    pub colors: PerSeat<Color>,
    /// The way in which the first turn order is set.
    pub initial_order: InitialOrder,
    /// Whether each of two players sets a die aside (KIN-9.2). No effect for 3 to 5 players.
    pub two_player_set_aside: bool,
}

impl Options {
    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.colors.count()
    }
}

const COLORS: &str = "colors";
const INITIAL_ORDER: &str = "initial_order";

/// The fields, and the number of colors (KIN-5.1).
pub const OPTIONS: &[OptionRule] = &[
    OptionRule::of::<Color>(COLORS, "Colors").listing(|seats| 1..=seats.into()),
    OptionRule::of::<InitialOrder>(INITIAL_ORDER, "First turn order"),
    OptionRule::new("two_player_set_aside", "Two players set a die aside"),
];

/// Validates the requested options: number of players, colors and the others, in this order.
///
/// # Rule KIN-16.10
pub fn check(players: &[String], draft: &Draft) -> Result<Options, RefusedOption<Refusal>> {
    let seats = player_count(players, MIN_PLAYERS..=MAX_PLAYERS, "KIN-5.1")?;
    let field = INITIAL_ORDER;
    let unknown = Refusal::InvalidOption { field }.citing("KIN-5.2");
    let initial_order = InitialOrder::accept(&draft.initial_order, seats);
    Ok(Options {
        colors: colors(seats.into(), &draft.colors)?,
        initial_order: initial_order.ok_or(unknown.for_field(field))?,
        two_player_set_aside: draft.two_player_set_aside.unwrap_or(true),
    })
}

/// Assigns colors as requested; the other seats take the first free ones.
///
/// # Rule KIN-5.1, KIN-16.10
fn colors(
    seats: usize,
    choices: &[OptionalParam<Color>],
) -> Result<PerSeat<Color>, RefusedOption<Refusal>> {
    let invalid = |path: Field| {
        Refusal::InvalidOption { field: COLORS }
            .citing("KIN-16.10")
            .for_field(path)
    };
    if choices.len() > seats {
        return Err(invalid(COLORS.into()));
    }
    let mut given = Vec::with_capacity(seats);
    for (index, choice) in choices.iter().enumerate() {
        given.push(choice.require_known(|| invalid((COLORS, index).into()))?);
    }
    for (index, choice) in given.iter().enumerate() {
        if let Some(color) = choice.filter(|_| given[..index].contains(choice)) {
            return Err(Refusal::DuplicateColor { color }
                .citing("KIN-5.1")
                .for_field((COLORS, index)));
        }
    }
    let mut free = Color::ALL
        .into_iter()
        .filter(|&color| !given.contains(&Some(color)));
    Ok(PerSeat::new(seats, |seat: Seat| {
        let choice = given.get(seat.index()).copied().flatten();
        // There are as many colors as seats: a free one is always left.
        choice
            .or_else(|| free.next())
            .unwrap_or_else(|| invariant_violated("KIN-5.1", seat))
    }))
}
