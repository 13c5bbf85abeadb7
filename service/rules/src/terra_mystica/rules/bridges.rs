//! Bridges (TM-6.39).

use std::ops::ControlFlow;

use super::goods::{affordable, pay};
use super::reach::land_of;
use super::towns::check_town;
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::{Action, Span};
use crate::terra_mystica::data::{
    BRIDGE_SITES, ENGINEER_BRIDGE, Faction, SITES, bridge_sites_at, site_between,
};
use crate::terra_mystica::event::{Event, Purpose};
use crate::terra_mystica::refusal::{Expense, Piece, Refusal, RefusedAction};
use crate::terra_mystica::state::{ExecContext, State};

/// Lists every site at an own structure, its ends in the order of the data.
pub fn sites(state: &State, seat: Seat) -> impl Iterator<Item = Span> {
    let own = state.board.owned(seat).iter();
    let sites = own.fold(0, |sites, land| sites | bridge_sites_at(land));
    let near = (0..SITES).filter(move |site| sites & (1 << site) != 0);
    near.map(|site| {
        let ends = BRIDGE_SITES[site];
        Span {
            a: ends.a.into(),
            b: ends.b.into(),
        }
    })
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    if state.faction(seat) != Faction::Engineers {
        return ControlFlow::Continue(());
    }
    sites(state, seat)
        .map(|span| Action::BuildEngineerBridge { span })
        .try_for_each(|action| list.visit(action))
}

/// Checks the site of a bridge.
///
/// # Rule TM-6.39, TM-14.1
/// A site of the map, still empty, with an own structure at at least one end, and a bridge in stock.
pub fn check_bridge(
    state: &State,
    seat: Seat,
    span: Span,
    rule: &'static str,
) -> Result<usize, RefusedAction> {
    let (a, b) = (land_of(span.a, "a", rule)?, land_of(span.b, "b", rule)?);
    let site = site_between(a, b).ok_or(Refusal::InvalidBridgeSite { a, b }.citing(rule))?;
    if state.board.bridge(site).is_some() {
        return Err(Refusal::BridgeSiteTaken { a, b }.citing(rule));
    }
    let own = state.board.owned(seat);
    if !own.contains(a) && !own.contains(b) {
        return Err(Refusal::BridgeNeedsStructure { a, b }.citing(rule));
    }
    if state.board.bridges_left(seat) == 0 {
        let (piece, left) = (Piece::Bridge, 0);
        return Err(Refusal::NoPieceLeft { piece, left }.citing(rule));
    }
    Ok(site)
}

/// Checks the Engineers' bridge for two workers.
pub fn check(state: &State, seat: Seat, span: Span) -> Result<usize, RefusedAction> {
    let rule = "TM-6.39";
    let faction = state.faction(seat);
    if faction != Faction::Engineers {
        let needed = Faction::Engineers;
        return Err(Refusal::WrongFaction { needed, faction }.citing(rule));
    }
    let site = check_bridge(state, seat, span, rule)?;
    affordable(state, seat, (Expense::Bridge, ENGINEER_BRIDGE), rule)?;
    Ok(site)
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, site: usize) {
    pay(ctx, seat, ENGINEER_BRIDGE, Purpose::Bridge);
    build_bridge(ctx, seat, site);
}

/// Places a bridge and checks for towns at both ends.
pub fn build_bridge(ctx: &mut ExecContext<'_>, seat: Seat, site: usize) {
    ctx.state.board.put_bridge(site, seat);
    let ends = BRIDGE_SITES[site];
    ctx.emit(Event::BridgeBuilt {
        seat,
        a: ends.a,
        b: ends.b,
    });
    for end in [ends.a, ends.b] {
        if ctx.state.board.owned(seat).contains(end) {
            check_town(ctx, seat, end);
        }
    }
}
