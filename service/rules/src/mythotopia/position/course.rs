//! The course of the game on a described table: stage, turn, pending decisions.

use super::{Judged, is_set_up, seated};
use crate::mythotopia::data::{ACTIONS, GIVEN_AWAY, PointCard};
use crate::mythotopia::options::Options;
use crate::mythotopia::rules::awards;
use crate::mythotopia::stage::{Decision, Stage, Turn, TurnMark};
use crate::mythotopia::state::{Player, State, dealt};
use crate::mythotopia::view::View;
use crate::table::{Pending, PositionError, Seat};

/// Returns the open decisions: those of the view itself, which messages do not have, or else of its bookkeeping.
fn open(view: &View) -> &[Pending] {
    match (&view.bookkeeping, view.pending.as_slice()) {
        (Some(kept), []) => &kept.open,
        (_, open) => open,
    }
}

/// Reads the stage, which the pending decisions tell.
///
/// # Rule MYT-6.1
pub(super) fn stage(view: &View) -> Judged<Stage> {
    let all = [
        (Decision::SetupDiscard, Stage::SetupDiscard),
        (Decision::SetupCitadel, Stage::SetupCitadel),
        (Decision::Turn, Stage::Turns),
        (Decision::ChooseTokenSource, Stage::Turns),
        (Decision::ChoosePhilosopherCard, Stage::Philosopher),
    ];
    let Some(pending) = open(view).first() else {
        return Err(PositionError::new(
            "MYT-6.1",
            "bookkeeping.open",
            "nobody",
            "a seat that decides",
        ));
    };
    let mut all = all.into_iter();
    let found = all.find(|(decision, _)| decision.id() == pending.decision);
    found.map(|(_, stage)| stage).ok_or_else(|| {
        let path = "bookkeeping.open[0].decision";
        PositionError::new("MYT-6.1", path, pending.decision, "a decision of this game")
    })
}

/// Reads the first player and the active one. During the set-up there is none yet.
pub(super) fn seats(view: &View, stage: Stage, seats: usize) -> Judged<(Seat, Seat)> {
    if is_set_up(stage) {
        return Ok((Seat::FIRST, Seat::FIRST));
    }
    let (first, turn) = (view.turn_order.first(), view.turn.as_ref());
    let (Some(&first), Some(turn)) = (first, turn) else {
        let path = if first.is_none() {
            "turn_order"
        } else {
            "turn"
        };
        return Err(PositionError::new(
            "MYT-5.9",
            path,
            "nothing",
            "a value after the set-up",
        ));
    };
    seated("turn_order[0]", first, seats)?;
    seated("turn.active_player", turn.active_player, seats)?;
    Ok((first, turn.active_player))
}

/// Reads what has been done this turn.
///
/// # Rule MYT-4.3, MYT-11.11
pub(super) fn turn(view: &View) -> Judged<Turn> {
    let Some(shown) = &view.turn else {
        return Ok(Turn::default());
    };
    PositionError::within(
        "MYT-11.11",
        "turn.actions_done",
        shown.actions_done,
        0..=ACTIONS,
    )?;
    let free = [
        ("turn.road_move_used", shown.road_move_used),
        ("turn.warehouse_used", shown.warehouse_used),
    ];
    for (path, used) in free {
        PositionError::unless(shown.free_action_done || !used, || {
            PositionError::new("MYT-4.3", path, true, "true only after a free action")
        })?;
    }
    let marks = [
        (TurnMark::FreeAction, shown.free_action_done),
        (TurnMark::Drafted, shown.drafted),
        (TurnMark::RoadMove, shown.road_move_used),
        (TurnMark::Warehouse, shown.warehouse_used),
    ];
    let marks = marks
        .into_iter()
        .filter(|(_, used)| *used)
        .map(|(mark, _)| mark);
    Ok(Turn {
        actions_done: shown.actions_done,
        marks: marks
            .chain(shown.converters_used.iter().map(TurnMark::from))
            .collect(),
    })
}

/// Compares the pending decisions with the table.
///
/// # Rule MYT-5.15
pub(super) fn fit(state: &State, view: &View) -> Judged {
    if is_set_up(state.stage) {
        set_up_is_untouched(state, view)?;
    }
    let due: Vec<(Seat, &str)> = state
        .pending()
        .map(|(seat, due)| (seat, due.id()))
        .collect();
    let shown: Vec<(Seat, &str)> = open(view)
        .iter()
        .map(|pending| (pending.seat, pending.decision))
        .collect();
    PositionError::unless(!due.is_empty() && due == shown, || {
        PositionError::new("MYT-5.15", "bookkeeping.open", listed(&shown), listed(&due))
    })?;
    let Some(&award) = state.awards.first() else {
        return Ok(());
    };
    PositionError::unless(
        awards::sources(state, award).iter().next().is_some(),
        || {
            let found = state.token(award.stack);
            PositionError::new(
                "MYT-6.8",
                "awards[0].token",
                found,
                "a token that can be taken",
            )
        },
    )
}

/// `turn of seat 1`; `nobody`.
fn listed(pending: &[(Seat, &str)]) -> String {
    let each: Vec<String> = pending
        .iter()
        .map(|(seat, due)| format!("{due} of {seat}"))
        .collect();
    if each.is_empty() {
        String::from("nobody")
    } else {
        each.join(", ")
    }
}

/// Checks that in the set-up nothing has happened but choices.
///
/// # Rule MYT-5.16
fn set_up_is_untouched(state: &State, view: &View) -> Judged {
    let misplaced = |path: &str, found: String, allowed: &str| {
        Err(PositionError::new("MYT-5.16", path, found, allowed))
    };
    if view.turn.is_some() {
        return misplaced("turn", String::from("a turn"), "none in the set-up");
    }
    let discards = state.stage == Stage::SetupDiscard;
    if discards && !state.more_choice {
        return misplaced(
            "bookkeeping.open[0].decision",
            String::from("setup_discard"),
            "more choice",
        );
    }
    if !discards && !state.in_play.contains(PointCard::Citadel) {
        return misplaced(
            "bookkeeping.open[0].decision",
            String::from("setup_citadel"),
            "the Citadel card",
        );
    }
    if !(state.roads.is_empty() && state.castles.is_empty()) {
        return misplaced(
            "roads",
            String::from("roads or castles"),
            "none in the set-up",
        );
    }
    let provinces = usize::from(dealt(state.seats(), state.more_choice));
    let given_away = if discards || !state.more_choice {
        0
    } else {
        GIVEN_AWAY
    };
    for (seat, player) in state.players.entries() {
        let (path, due) = (format!("players[{}]", seat.index()), provinces - given_away);
        if player.controlled().len() != due || player.towns.len() != due {
            let found = format!("{} towns", player.towns.len());
            return misplaced(&path, found, &format!("{due} towns in the set-up"));
        }
        if !has_only_begun(player) {
            return misplaced(
                &path,
                String::from("pieces or cards"),
                "none used in the set-up",
            );
        }
    }
    Ok(())
}

/// Returns whether a player has used nothing.
fn has_only_begun(player: &Player) -> bool {
    player.garrisons().is_empty()
        && player.ships == [0; 4]
        && player.tokens == [0; 3]
        && (player.hand | player.reserve | player.removed).is_empty()
        && player
            .discard
            .iter()
            .all(|card| card.as_improvement().is_some())
}

/// Reads the number of provinces that a choice of the set-up names.
pub(super) fn chosen(stage: Stage, options: &Options) -> usize {
    match stage {
        Stage::SetupDiscard if options.more_choice => GIVEN_AWAY,
        Stage::SetupDiscard | Stage::SetupCitadel => 1,
        Stage::Turns | Stage::Philosopher | Stage::Over => 0,
    }
}
