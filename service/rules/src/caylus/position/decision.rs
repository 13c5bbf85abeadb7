//! The open decision of a described table: it follows from the phase, the cursors and the favors that wait (CAY-15.8).

use crate::caylus::data::{Effect, Kind, Space, Special, Tile};
use crate::caylus::rules::{castle, scoring};
use crate::caylus::stage::{Decision, Phase, Stage};
use crate::caylus::state::{PendingFavors, State};
use crate::table::{PositionError, Seat};

/// A decision with the seat that owes it, and the stage that follows.
type Open = ((Seat, Decision), Stage);

/// Sets the cursors to what follows from the rest of the table, where it does.
///
/// # Rule CAY-14.5, CAY-14.13, CAY-15.9
pub(super) fn complete(state: &mut State) {
    let place_of = |list: &[Seat], seat| {
        let place = list.iter().position(|&other| other == seat);
        place.and_then(|place| u8::try_from(place).ok())
    };
    let favors = state.pending_favors.map(|favors| favors.seat);
    let cursor = match (state.phase, favors) {
        (Phase::Placement, _) => Some(0),
        (Phase::Special, Some(_)) => u8::try_from(Special::JoustField.index()).ok(),
        (Phase::Castle, Some(_)) => u8::try_from(state.castle.queue.len().saturating_sub(1)).ok(),
        (Phase::EndOfTurn, Some(seat)) => place_of(&state.turn_order, seat),
        (Phase::Special | Phase::Castle | Phase::EndOfTurn, None)
        | (Phase::Income | Phase::Provost | Phase::Activation | Phase::Over, _) => None,
    };
    state.cursor = cursor.unwrap_or(state.cursor);
    let last = state.pass_order.last().filter(|_| order_is_same(state));
    let place = last.and_then(|&seat| place_of(&state.turn_order, seat));
    state.placement_cursor = place.unwrap_or(state.placement_cursor);
}

/// Returns whether the turn order is still that of the finished placement: the stables change it.
fn order_is_same(state: &State) -> bool {
    match state.phase {
        Phase::Income | Phase::Placement => false,
        Phase::Special if usize::from(state.cursor) < Special::Stables.index() => true,
        Phase::Special
        | Phase::Provost
        | Phase::Activation
        | Phase::Castle
        | Phase::EndOfTurn
        | Phase::Over => state.seats() == 2,
    }
}

/// Returns the open decision. The table has passed the other judgments.
pub(super) fn open(state: &State) -> Result<Open, PositionError> {
    placement_cursor(state)?;
    match (state.phase, state.pending_favors) {
        (Phase::Placement, None) => placement(state),
        (Phase::Special, None) => special(state),
        (Phase::Special, Some(favors)) => Ok(favor(favors, Stage::AfterSpecial)),
        (Phase::Provost, None) => bribe(state),
        (Phase::Activation, None) => building(state),
        (Phase::Activation, Some(favors)) => building_favor(state, favors),
        (Phase::Castle, None) => builder(state),
        (Phase::Castle, Some(favors)) => most_batches(state, favors),
        (Phase::EndOfTurn, Some(favors)) => section_favor(state, favors),
        (Phase::EndOfTurn, None) => {
            let allowed = "the favors of a section that is scored";
            Err(PositionError::new(
                "CAY-15.8",
                "pending_favors",
                "none",
                allowed,
            ))
        }
        (Phase::Placement | Phase::Provost, Some(favors)) => {
            let allowed = "none in this phase";
            Err(PositionError::new(
                "CAY-15.8",
                "pending_favors",
                favors.count,
                allowed,
            ))
        }
        (Phase::Income | Phase::Over, _) => {
            let allowed = "a phase in which somebody decides";
            Err(PositionError::new(
                "CAY-15.8",
                "phase",
                state.phase.id(),
                allowed,
            ))
        }
    }
}

const fn favor(favors: PendingFavors, stage: Stage) -> Open {
    ((favors.seat, Decision::TakeFavor), stage)
}

fn wrong_cursor(state: &State, allowed: impl Into<String>) -> PositionError {
    PositionError::new("CAY-15.8", "cursor", state.cursor, allowed)
}

fn placement_cursor(state: &State) -> Result<(), PositionError> {
    let cursor = usize::from(state.placement_cursor);
    let places = 0..=state.seats() - 1;
    PositionError::within("CAY-15.8", "placement_cursor", cursor, places)
}

/// # Rule CAY-6.4.1
fn placement(state: &State) -> Result<Open, PositionError> {
    let seat = state.turn_order[usize::from(state.placement_cursor)];
    PositionError::unless(!state.pass_order.contains(&seat), || {
        let (path, allowed) = (
            "placement_cursor",
            "the place of a seat that has not passed",
        );
        PositionError::new("CAY-6.4.1", path, state.placement_cursor, allowed)
    })?;
    Ok(((seat, Decision::PlaceWorker), Stage::Place))
}

/// # Rule CAY-6.5.1, CAY-6.5.3, CAY-6.5.4, CAY-6.5.6
fn special(state: &State) -> Result<Open, PositionError> {
    let special = Special::ALL.get(usize::from(state.cursor)).copied();
    let (decision, worker) = match special {
        Some(Special::Gate) => (Decision::GateRelocate, state.special.gate),
        Some(Special::MerchantsGuild) => (Decision::GuildMove, state.special.merchants_guild),
        Some(Special::JoustField) => (Decision::Joust, state.special.joust_field),
        Some(Special::Inn) => (Decision::InnStay, state.special.inn_right),
        Some(Special::TradingPost | Special::Stables) | None => {
            let allowed = "0, 2, 3 or 5, a special building that asks";
            return Err(wrong_cursor(state, allowed));
        }
    };
    let seat = worker.ok_or_else(|| wrong_cursor(state, "a special building with a worker"))?;
    Ok(((seat, decision), Stage::AfterSpecial))
}

/// # Rule CAY-6.6.1
fn bribe(state: &State) -> Result<Open, PositionError> {
    let places = 0..=state.seats() - 1;
    PositionError::within("CAY-15.8", "cursor", usize::from(state.cursor), places)?;
    let seat = state.pass_order[usize::from(state.cursor)];
    Ok(((seat, Decision::BribeProvost), Stage::AfterBribe))
}

/// The building at the cursor, its tile, and its worker, who is at work.
fn activated(state: &State) -> Result<(Space, Tile, Seat), PositionError> {
    let space = Space::new(state.cursor).filter(|space| *space <= state.provost);
    let found = space.and_then(|space| {
        let lot = &state.road[space];
        lot.tile
            .zip(lot.worker)
            .map(|(tile, worker)| (space, tile, worker))
    });
    found.ok_or_else(|| wrong_cursor(state, "a space up to the provost with a worker"))
}

/// # Rule CAY-6.7.1
/// The effect of a building that gives its owner a bonus is never a choice, so the bonus is open there.
fn building(state: &State) -> Result<Open, PositionError> {
    let (space, tile, worker) = activated(state)?;
    let owner = state.road[space].owner;
    let owner = owner.filter(|&owner| owner != worker && !tile.sheet().owner_bonus.is_empty());
    Ok(match owner {
        Some(owner) => (
            (owner, Decision::OwnerBonus { space }),
            Stage::LeaveBuilding,
        ),
        None => ((worker, Decision::UseBuilding { space }), Stage::OwnerBonus),
    })
}

/// # Rule CAY-6.7.1, step 2
/// Favors come from tiles that masons and architects build.
fn building_favor(state: &State, favors: PendingFavors) -> Result<Open, PositionError> {
    let (space, tile, worker) = activated(state)?;
    let builds = match tile.sheet().effect {
        Effect::BuildCraft(kind) => kind == Kind::Stone,
        Effect::BuildPrestige => true,
        Effect::None
        | Effect::Produce(_)
        | Effect::SellCube(_)
        | Effect::BuyCubes { .. }
        | Effect::Transform
        | Effect::Trade(_)
        | Effect::Alchemy => false,
    };
    PositionError::unless(builds, || {
        wrong_cursor(
            state,
            "the space of a mason or an architect, whose use gives favors",
        )
    })?;
    of_seat(favors, worker, &format!("the worker on {space}"))?;
    Ok(favor(favors, Stage::OwnerBonus))
}

/// Checks that the favors belong to this seat.
fn of_seat(favors: PendingFavors, seat: Seat, why: &str) -> Result<(), PositionError> {
    PositionError::unless(favors.seat == seat, || {
        let allowed = format!("{}, the seat of {why}", seat.number());
        PositionError::new(
            "CAY-15.8",
            "pending_favors.seat",
            favors.seat.number(),
            allowed,
        )
    })
}

/// # Rule CAY-6.8.2, CAY-15.5
/// Nobody behind the builder in the queue has delivered a batch.
fn builder(state: &State) -> Result<Open, PositionError> {
    let queue = state.castle.queue.get(usize::from(state.cursor)..);
    let Some((&seat, later)) = queue.and_then(<[Seat]>::split_first) else {
        return Err(wrong_cursor(state, "the place of a worker in the castle"));
    };
    for &waiting in later {
        let path = format!("castle.batches_this_turn[{}]", waiting.index());
        PositionError::within("CAY-15.5", path, state.castle.batches[waiting], 0..=0)?;
    }
    Ok(((seat, Decision::CastleBuild), Stage::Castle))
}

/// # Rule CAY-6.8.7
fn most_batches(state: &State, favors: PendingFavors) -> Result<Open, PositionError> {
    let most = castle::most_batches(&state.castle);
    let Some((seat, _)) = most else {
        let (path, allowed) = ("castle.batches_this_turn", "batches that give the favor");
        return Err(PositionError::new("CAY-6.8.7", path, "none", allowed));
    };
    of_seat(favors, seat, "the most batches")?;
    Ok(favor(favors, Stage::LeaveCastle))
}

/// # Rule CAY-6.9.2, CAY-6.9.4
/// The current section is due, and its parts give the seat favors.
fn section_favor(state: &State, favors: PendingFavors) -> Result<Open, PositionError> {
    let due = state
        .castle
        .current()
        .filter(|&section| scoring::is_due(state, section));
    let Some(section) = due else {
        let (path, allowed) = ("castle.sections", "a section that is due and not scored");
        return Err(PositionError::new(
            "CAY-6.9.2",
            path,
            state.castle.scored,
            allowed,
        ));
    };
    let parts = state.castle.parts[section.index()][favors.seat];
    PositionError::unless(section.sheet().favors(parts) > 0, || {
        let (section, seat) = (section.index(), favors.seat.index());
        let path = format!("castle.sections[{section}].parts[{seat}]");
        PositionError::new("CAY-6.9.4", path, parts, "enough parts for favors")
    })?;
    Ok(favor(favors, Stage::AfterSeat))
}
