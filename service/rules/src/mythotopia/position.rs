//! Tables that somebody describes: makes the table of an operator's view, and judges it (MYT-5.12).
//!
//! Reads only what nothing else tells: whoever calls compares the rest of the view with that of the table made here.

mod board;
mod cards;
mod course;
mod players;
mod tokens;

use super::data::{ImprovementSet, PointCard, PointCardSet};
use super::options::Options;
use super::stage::Stage;
use super::state::State;
use super::view::View;
use crate::table::{Chance, PositionError, Seat};

/// The result of reading a part of a described table.
type Judged<T = ()> = Result<T, PositionError>;

/// Makes the table that an operator's view describes. What is hidden and left out is dealt.
///
/// # Errors
/// The first part of the view that does not fit.
///
/// # Rule MYT-5.12, MYT-5.13
pub fn position(options: &Options, view: &View, chance: &mut Chance) -> Judged<State> {
    let stage = course::stage(view)?;
    let (first, active) = course::seats(view, stage, options.seats())?;
    let (in_play, tokens) = tokens::point_cards(view, options)?;
    let mut players = players::players(options, view)?;
    let board = board::board(view, in_play, &mut players)?;
    players::pieces(view, options, in_play, stage, &mut players)?;
    let mut state = State {
        switches: options.switches,
        more_choice: options.more_choice,
        stage,
        first,
        active,
        turn: course::turn(view)?,
        castles: board.castles,
        dragons: board.dragons,
        runestones: board.runestones,
        roads: board.roads,
        display: ImprovementSet::empty(),
        improvement_deck: Default::default(),
        in_play,
        tokens,
        bank: [0; 3],
        awards: Default::default(),
        players,
    };
    state.bank = tokens::bank(&state)?;
    cards::cards(&mut state, view, chance)?;
    state.awards = tokens::awards(&state, view)?;
    course::fit(&state, view)?;
    Ok(state)
}

/// Returns whether the stage is one of the set-up, at which decks have no order yet.
const fn is_set_up(stage: Stage) -> bool {
    matches!(stage, Stage::SetupDiscard | Stage::SetupCitadel)
}

/// Checks that a seat is one of the table.
fn seated(path: impl Into<String>, seat: Seat, seats: usize) -> Judged {
    PositionError::within("MYT-5.1", path, usize::from(seat.number()), 1..=seats)
}

/// Checks that a point card is in play wherever something of it is.
fn needs(
    in_play: PointCardSet,
    card: PointCard,
    path: impl Into<String>,
    found: impl ToString,
) -> Judged {
    PositionError::unless(in_play.contains(card), || {
        PositionError::new(
            "MYT-5.5",
            path,
            found,
            format!("none without the {card} card"),
        )
    })
}
