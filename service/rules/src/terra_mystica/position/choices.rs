//! The turn, its open choices, and the spades of cult rewards (TM-6.2, TM-6.27, TM-6.40 to TM-6.44, TM-6.54 to TM-6.62,
//! TM-15.5, TM-15.6).

use crate::table::{PositionError, Seat};
use crate::terra_mystica::data::{Faction, ScoringReward, SpecialAction, Structure};
use crate::terra_mystica::rules::reach::LeapRule;
use crate::terra_mystica::stage::Stage;
use crate::terra_mystica::state::{CultSpades, State, Takers, Turn};

pub(super) fn judge(state: &State) -> Result<(), PositionError> {
    match state.stage {
        Stage::Action => {
            turn(state)?;
            late_build(state)?;
            offers(state)?;
            kinds(state)?;
            not_lapsed(state)?;
            not_over(state)
        }
        Stage::Cult => queue(state),
        Stage::ChooseFaction(_) | Stage::PlaceDwelling | Stage::ChooseBonusCard | Stage::Over => {
            Ok(())
        }
    }?;
    let is_cult = state.stage == Stage::Cult;
    PositionError::unless(is_cult || state.cult_spades.is_empty(), || {
        let (found, allowed) = (state.cult_spades.len(), "none outside phase III");
        PositionError::new("TM-6.62", "cult_spades", found, allowed)
    })
}

/// Returns whether a main action of this turn has begun, so that choices can follow it.
const fn has_acted(turn: &Turn) -> bool {
    turn.main_action_done || turn.extra_actions == 1
}

/// # Rule TM-6.7, TM-6.44
/// Whoever has passed has no turn. Only the Chaos Magicians have two main actions, after their special action.
fn turn(state: &State) -> Result<(), PositionError> {
    let turn = &state.turn;
    let seat = turn.seat;
    PositionError::unless(!state.has_passed(seat), || {
        PositionError::new(
            "TM-6.7",
            "turn.seat",
            seat.number(),
            "a seat that has not passed",
        )
    })?;
    let double = state.players[seat].used.contains(SpecialAction::ActC) && !turn.main_action_done;
    let most = if double { 2 } else { 0 };
    PositionError::within(
        "TM-6.44",
        "turn.extra_actions",
        turn.extra_actions,
        0..=most,
    )
}

/// # Rule TM-6.27
/// Late dwellings stand on free home terrain in reach, after a main action that built none.
fn late_build(state: &State) -> Result<(), PositionError> {
    let turn = &state.turn;
    let reach = state.reach(turn.seat, LeapRule::Allowed).all();
    let may_build = has_acted(turn) && turn.offers.is_empty();
    let home = state.faction(turn.seat).home();
    for (place, land) in turn.late_build.iter().enumerate() {
        let is_free = state.board.piece(land).is_none() && state.board.terrain(land) == home;
        PositionError::unless(may_build && is_free && reach.contains(land), || {
            let allowed = "free home terrain in reach, after a main action";
            PositionError::new(
                "TM-6.27",
                format!("turn.late_build[{place}]"),
                land.id(),
                allowed,
            )
        })?;
    }
    Ok(())
}

/// # Rule TM-6.40
/// Offers are of one new structure, clockwise from its builder, to neighbors that can gain power.
fn offers(state: &State) -> Result<(), PositionError> {
    let turn = &state.turn;
    let steps = |seat: Seat| (seat.index() + state.seats() - turn.seat.index()) % state.seats();
    let mut before = 0;
    for (place, offer) in turn.offers.iter().enumerate() {
        let path = |field: &str| format!("power_offers[{place}].{field}");
        let builder = state.board.piece(offer.land).map(|piece| piece.seat);
        let is_first = turn
            .offers
            .first()
            .is_some_and(|first| first.land == offer.land);
        PositionError::unless(
            builder == Some(turn.seat) && is_first && has_acted(turn),
            || {
                let allowed =
                    "the space of a new structure of the active player, the same for all offers";
                PositionError::new("TM-6.40", path("space"), offer.land.id(), allowed)
            },
        )?;
        let step = steps(offer.seat);
        let gains = state.gainable(offer.seat, offer.value) > 0;
        PositionError::unless(step > before && gains, || {
            let allowed = "neighbors that can gain power, clockwise from the builder";
            PositionError::new("TM-6.40", path("seat"), offer.seat.number(), allowed)
        })?;
        before = step;
    }
    Ok(())
}

/// Returns the answers so far to the Cultists' structure.
///
/// # Rule TM-6.43, TM-15.5
/// They count while offers of the Cultists are open. Somebody has accepted only if a neighbor has no offer any more.
pub(super) fn takers(state: &State, turn: &Turn, accepted: bool) -> Result<Takers, PositionError> {
    let player = state.players.iter().nth(turn.seat.index());
    let is_event = player.is_some_and(|player| player.faction == Faction::Cultists);
    let open = turn.offers.first().filter(|_| is_event);
    let has_answered = |land| {
        let near = state.board.direct(land);
        let has_none = |seat: &Seat| turn.offers.iter().all(|offer| offer.seat != *seat);
        let mut others = turn.seat.others(state.seats()).filter(has_none);
        others.any(|seat| state.board.power_value(seat, near) > 0)
    };
    let can_accept = open.is_some_and(|offer| has_answered(offer.land));
    PositionError::unless(can_accept || !accepted, || {
        let allowed = "false before a neighbor of the Cultists has answered";
        PositionError::new("TM-15.5", "turn.power_accepted", true, allowed)
    })?;
    Ok(match open {
        None => Takers::NoEvent,
        Some(_) if accepted => Takers::Somebody,
        Some(_) => Takers::Nobody,
    })
}

/// # Rule TM-6.33, TM-6.43, TM-6.54, TM-6.56, TM-6.57, TM-15.6
/// Choices belong to factions and structures that give them.
fn kinds(state: &State) -> Result<(), PositionError> {
    let (seat, open) = (state.turn.seat, state.turn.follow_ups);
    let faction = state.faction(seat);
    let has = |structure| state.board.count(seat, structure) > 0;
    let great = has(Structure::Stronghold);
    let tiles = if faction == Faction::ChaosMagicians {
        2
    } else {
        1
    };
    let gives_tiles =
        has(Structure::Temple) || has(Structure::Sanctuary) || faction == Faction::Auren && great;
    let most = if gives_tiles { tiles } else { 0 };
    let rows = [
        (
            "TM-6.54",
            "favor tiles",
            open.favor_tiles == 0,
            open.favor_tiles <= most,
        ),
        (
            "TM-6.43",
            "cult step",
            !open.cult_step,
            faction == Faction::Cultists && state.turn.offers.is_empty(),
        ),
        (
            "TM-6.56",
            "ordination",
            !open.ordination,
            faction == Faction::Darklings && great,
        ),
        (
            "TM-6.57",
            "stronghold spades",
            !open.stronghold_spades,
            faction == Faction::Halflings && great,
        ),
    ];
    for (rule, kind, is_closed, is_given) in rows {
        PositionError::unless(is_closed || is_given && has_acted(&state.turn), || {
            let allowed = "choices that the faction's structures give after a main action";
            PositionError::new(rule, "follow_ups", kind, allowed)
        })?;
    }
    Ok(())
}

/// # Rule TM-14.5
/// Once all offers are answered, no choice is open that cannot be made.
fn not_lapsed(state: &State) -> Result<(), PositionError> {
    let turn = &state.turn;
    let (seat, open) = (turn.seat, turn.follow_ups);
    let lapsed = [
        (
            "favor tiles",
            open.favor_tiles > 0 && !state.can_take_favor(seat),
        ),
        ("cult step", open.cult_step && !state.can_advance_any(seat)),
    ];
    let lapsed = lapsed
        .into_iter()
        .find(|&(_, lapsed)| lapsed && turn.offers.is_empty());
    lapsed.map_or(Ok(()), |(kind, _)| {
        let allowed = "choices that can be made";
        Err(PositionError::new("TM-14.5", "follow_ups", kind, allowed))
    })
}

/// # Rule TM-6.2
/// With the option, a turn in which nothing is left to do is over.
fn not_over(state: &State) -> Result<(), PositionError> {
    let turn = &state.turn;
    let is_open = !turn.main_action_done || !turn.offers.is_empty() || state.owes_choice();
    PositionError::unless(is_open || !state.rules.auto_end_turn, || {
        let allowed = "false, since the turn ends by itself";
        PositionError::new("TM-6.2", "turn.main_action_done", true, allowed)
    })
}

/// # Rule TM-6.61, TM-6.62
/// The spades are those of the round's reward, in the next turn order, from the seat on that decides; it can use them.
fn queue(state: &State) -> Result<(), PositionError> {
    let reward = state.scoring_tile().reward();
    let due = state.next_turn_order().into_iter().filter_map(|seat| {
        let ScoringReward::Spade(cult, per) = reward else {
            return None;
        };
        let spades = state.players[seat].cults[cult.index()] / per;
        (spades > 0).then_some(CultSpades { seat, spades })
    });
    let due: Vec<CultSpades> = due.collect();
    let queue = state.cult_spades.as_slice();
    PositionError::unless(!queue.is_empty() && due.ends_with(queue), || {
        let found = queue
            .iter()
            .map(|one| format!("{} for {}", one.spades, one.seat));
        let found = found.collect::<Vec<_>>().join(", ");
        let allowed = "the last ones of the spades that the scoring tile of the round gives";
        PositionError::new("TM-15.7", "cult_spades", format!("[{found}]"), allowed)
    })?;
    let first = queue.first().filter(|&&first| !state.can_use_spades(first));
    first.map_or(Ok(()), |first| {
        let (path, allowed) = ("cult_spades[0].seat", "a seat that can use a spade");
        Err(PositionError::new(
            "TM-6.62",
            path,
            first.seat.number(),
            allowed,
        ))
    })
}
