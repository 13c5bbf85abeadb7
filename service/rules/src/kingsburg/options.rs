//! What a creator asks for, and what the rules accept (KIN-5.1, KIN-5.2, KIN-16.10).

use serde::{Deserialize, Serialize};

use super::data::Color;
use super::refusal::{No, Refusal};
use crate::table::{PerSeat, Refusal as _, Seat, broken, ids};

pub(crate) const MIN_PLAYERS: u8 = 2;
pub(crate) const MAX_PLAYERS: u8 = 5;

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

ids! {
    /// How the first turn order comes about.
    #[derive(Default)]
    InitialOrder {
        /// Each order is as likely.
        #[default]
        Random "random",
        /// The order of the seats.
        AsListed "as_listed",
    }
}

/// Unchecked options. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Colors by seat. A short list leaves the rest unsaid.
    pub colors: Vec<Wish<Color>>,
    /// How the first turn order comes about. Unsaid: at random.
    pub initial_order: Wish<InitialOrder>,
    /// Does each of two players set a die aside? Unsaid: yes. Without meaning for 3 to 5 players.
    pub two_player_set_aside: Option<bool>,
}

/// Checked options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The color of each seat.
    pub colors: PerSeat<Color>,
    /// How the first turn order comes about.
    pub initial_order: InitialOrder,
    /// Does each of two players set a die aside (KIN-9.2)? Without meaning for 3 to 5 players.
    pub two_player_set_aside: bool,
}

/// Checks count, players, colors and options, in this order.
///
/// # Rule KIN-16.10
pub(crate) fn check(players: &[String], draft: &Draft) -> Result<Options, No> {
    if !(MIN_PLAYERS.into()..=MAX_PLAYERS.into()).contains(&players.len()) {
        let refusal = Refusal::InvalidPlayerCount {
            players: players.len(),
            least: MIN_PLAYERS,
            most: MAX_PLAYERS,
        };
        return Err(refusal.at("KIN-5.1"));
    }
    let field = "initial_order";
    Ok(Options {
        colors: colors(players.len(), &draft.colors)?,
        initial_order: match draft.initial_order {
            Wish::Unsaid => InitialOrder::default(),
            Wish::Value(value) => value,
            Wish::Unknown => return Err(Refusal::InvalidOption { field }.at("KIN-5.2")),
        },
        two_player_set_aside: draft.two_player_set_aside.unwrap_or(true),
    })
}

/// Colors as asked for; the others take the first free ones.
///
/// # Rule KIN-5.1, KIN-16.10
fn colors(players: usize, wishes: &[Wish<Color>]) -> Result<PerSeat<Color>, No> {
    let invalid = || Refusal::InvalidOption { field: "colors" }.at("KIN-16.10");
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
    if let Some(&color) = first_repeated(&given) {
        return Err(Refusal::DuplicateColor { color }.at("KIN-5.1"));
    }
    let mut free = Color::ALL
        .into_iter()
        .filter(|color| !given.contains(color));
    Ok(PerSeat::new(players, |seat: Seat| {
        let wish = wishes.get(seat.index()).copied().flatten();
        // There are as many colors as seats: a free one is always left.
        wish.or_else(|| free.next())
            .unwrap_or_else(|| broken("KIN-5.1", seat))
    }))
}

fn first_repeated<T: PartialEq>(things: &[T]) -> Option<&T> {
    (1..things.len())
        .find(|&at| things[..at].contains(&things[at]))
        .map(|at| &things[at])
}
