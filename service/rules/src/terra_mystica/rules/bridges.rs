//! Bridges (TM-6.39).

use super::super::action::Span;
use super::super::data::{BRIDGE_SITES, ENGINEER_BRIDGE, Faction, site_between};
use super::super::event::{Event, Purpose};
use super::super::refusal::{Piece, Refusal};
use super::super::state::State;
use super::{Play, affordable, land_of};
use crate::table::Seat;

/// The site of a bridge that this player may build.
///
/// # Rule TM-6.39, TM-14.1
/// A site of the map, still empty, with an own structure at one end at least, and a bridge in stock.
pub(in super::super) fn check_bridge(
    state: &State,
    seat: Seat,
    span: Span,
) -> Result<usize, Refusal> {
    let (one, other) = (land_of(span.a)?, land_of(span.b)?);
    let (a, b) = (one.id(), other.id());
    let site = site_between(one, other).ok_or(Refusal::InvalidBridgeSite { a, b })?;
    if state.board.bridge(site).is_some() {
        return Err(Refusal::BridgeSiteTaken { a, b });
    }
    let own = state.board.owned(seat);
    if !own.contains(one) && !own.contains(other) {
        return Err(Refusal::BridgeNeedsStructure { a, b });
    }
    if state.board.bridges_left(seat) == 0 {
        return Err(Refusal::NoPieceLeft {
            piece: Piece::Bridge,
        });
    }
    Ok(site)
}

/// The Engineers' bridge for two workers.
pub(in super::super) fn check_engineer_bridge(
    state: &State,
    seat: Seat,
    span: Span,
) -> Result<usize, Refusal> {
    let faction = state.faction(seat);
    if faction != Faction::Engineers {
        let action = "build_engineer_bridge";
        return Err(Refusal::WrongFaction { action, faction });
    }
    let site = check_bridge(state, seat, span)?;
    affordable(state, seat, ENGINEER_BRIDGE)?;
    Ok(site)
}

impl Play<'_> {
    pub(in super::super) fn perform_engineer_bridge(&mut self, seat: Seat, site: usize) {
        self.pay(seat, ENGINEER_BRIDGE, Purpose::Bridge);
        self.build_bridge(seat, site);
    }

    /// Places a bridge and looks for towns at both ends.
    pub(super) fn build_bridge(&mut self, seat: Seat, site: usize) {
        self.state.board.put_bridge(site, seat);
        let ends = BRIDGE_SITES[site];
        self.tell(Event::BridgeBuilt {
            seat,
            a: ends.a,
            b: ends.b,
        });
        for end in [ends.a, ends.b] {
            if self.state.board.owned(seat).contains(end) {
                self.check_town(seat, end);
            }
        }
    }
}
