//! What a creator asks for, and what the rules accept (KIN-5.1, KIN-5.2, KIN-16.10).

use serde::{Deserialize, Serialize};

use super::data::Color;
use super::refusal::{OptionName, Refusal};
use crate::table::{PerSeat, Seat};

/// The fewest players.
pub(super) const MIN_PLAYERS: usize = 2;
/// The most players.
pub(super) const MAX_PLAYERS: usize = 5;

/// A value that a creator names, or leaves to the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wish<T> {
    /// Nothing was said.
    #[default]
    Unsaid,
    /// This value.
    Value(T),
    /// Something that does not exist.
    Unknown,
}

/// How the first turn order comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum InitialOrder {
    /// Each order is as likely.
    #[default]
    Random,
    /// The order of the seats.
    AsListed,
}

impl InitialOrder {
    /// Both values.
    pub const ALL: [Self; 2] = [Self::Random, Self::AsListed];

    /// The id in the data file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::AsListed => "as_listed",
        }
    }
}

/// Unchecked options. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Colours by seat. A short list leaves the rest unsaid.
    pub colors: Vec<Wish<Color>>,
    /// How the first turn order comes about. Unsaid: at random.
    pub initial_order: Wish<InitialOrder>,
    /// Does each of two players set a die aside? Unsaid: yes. Without meaning for 3 to 5 players.
    pub two_player_set_aside: Option<bool>,
}

/// Checked options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The colour of each seat.
    pub colors: PerSeat<Color>,
    /// How the first turn order comes about.
    pub initial_order: InitialOrder,
    /// Does each of two players set a die aside (KIN-9.2)? Without meaning for 3 to 5 players.
    pub two_player_set_aside: bool,
}

/// Checks count, players, colours and options, in this order.
///
/// # Rule KIN-16.10
pub(super) fn check(players: &[String], draft: &Draft) -> Result<Options, Refusal> {
    if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&players.len()) {
        return Err(Refusal::InvalidPlayerCount(players.len()));
    }
    if let Some(twice) = first_repeated(players) {
        return Err(Refusal::DuplicatePlayer(twice.clone()));
    }
    Ok(Options {
        colors: colors(players.len(), &draft.colors)?,
        initial_order: match draft.initial_order {
            Wish::Unsaid => InitialOrder::default(),
            Wish::Value(value) => value,
            Wish::Unknown => return Err(Refusal::InvalidOption(OptionName::InitialOrder)),
        },
        two_player_set_aside: draft.two_player_set_aside.unwrap_or(true),
    })
}

/// Colours as asked for; the others take the first free ones.
///
/// # Rule KIN-5.1, KIN-16.10
fn colors(players: usize, wishes: &[Wish<Color>]) -> Result<PerSeat<Color>, Refusal> {
    let invalid = || Refusal::InvalidOption(OptionName::Color);
    if wishes.len() > players {
        return Err(invalid());
    }
    let wishes: Vec<Option<Color>> = wishes
        .iter()
        .map(|wish| match wish {
            Wish::Unsaid => Ok(None),
            Wish::Value(color) => Ok(Some(*color)),
            Wish::Unknown => Err(invalid()),
        })
        .collect::<Result<_, _>>()?;
    let given: Vec<Color> = wishes.iter().flatten().copied().collect();
    if let Some(twice) = first_repeated(&given) {
        return Err(Refusal::DuplicateColor(*twice));
    }
    let mut free = Color::ALL
        .into_iter()
        .filter(|color| !given.contains(color));
    Ok(PerSeat::new(players, |seat: Seat| {
        let wish = wishes.get(seat.index()).copied().flatten();
        // There are as many colours as seats: a free one is always left.
        wish.or_else(|| free.next()).unwrap_or(Color::Black)
    }))
}

fn first_repeated<T: PartialEq>(things: &[T]) -> Option<&T> {
    (1..things.len())
        .find(|&at| things[..at].contains(&things[at]))
        .map(|at| &things[at])
}
