//! Invading a province (MYT-6.5.1).

use arrayvec::ArrayVec;

use super::actor::ActorContext;
use super::borders::{SiteCards, effective, is_sea_route, passes, site_cards};
use super::cards::{Cards, CheckResult, Role};
use super::gate;
use super::payment::{Cost, afford, armies_placed, exact};
use super::purse::Purse;
use crate::mythotopia::action::{Action, Invasion, Origin, Route, SymbolPlay};
use crate::mythotopia::data::{
    Border, BorderKind, Card, CardSet, HILLS_FOOD, INVADE_FOOD, Improvement, Numbered as _,
    Province, ProvinceSet, Sea, Symbol, count,
};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Purchase, Refusal, RefusedAction, ensure, require_known};
use crate::mythotopia::state::ExecContext;
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

const RESERVE_ARMY: Card = Card::improvement(Improvement::ReserveArmy);
const PORTAL: Card = Card::improvement(Improvement::Portal);

/// Sea areas of the longest route.
const MAX_AREAS: usize = 2;

/// Sea areas of a route.
type Areas = ArrayVec<Sea, MAX_AREAS>;

/// A validated action of this theme.
#[derive(Clone, Debug)]
pub struct ValidAction {
    target: Province,
    origin: Option<Province>,
    areas: Areas,
    armies: u8,
}

/// The route of an invasion, with known ids.
enum Way {
    Portal,
    Land(Province),
    Sea(Province, Areas),
}

impl Way {
    /// # Rule MYT-6.5.1, 14.9
    /// Ids are known; one or two sea areas; a route unless Portal is used.
    fn of(origin: Origin, route: Option<&Route>) -> Result<Self, RefusedAction> {
        let areas = match route {
            Some(Route::Sea { areas }) => areas.as_slice(),
            Some(Route::Land) | None => &[],
        };
        let mut seas = Areas::new();
        for &area in areas {
            // A third area does not fit into the list. Such a route is refused below by its length.
            let _third = seas.try_push(require_known(area, "sea.areas")?);
        }
        match (origin, route) {
            (Origin::Portal { .. }, None) => Ok(Self::Portal),
            (Origin::Site { province, .. }, Some(Route::Land)) => {
                require_known(province, "site.province").map(Self::Land)
            }
            (Origin::Site { province, .. }, Some(Route::Sea { .. })) => {
                let province = require_known(province, "site.province")?;
                let empty = Refusal::EmptyList { field: "sea.areas" };
                ensure(!areas.is_empty(), empty.citing("MYT-6.5.1"))?;
                let number = Refusal::InvalidAreaCount {
                    max: MAX_AREAS,
                    given: areas.len(),
                };
                ensure(areas.len() <= MAX_AREAS, number.citing("MYT-6.5.1"))?;
                Ok(Self::Sea(province, seas))
            }
            (Origin::Site { province, .. }, None) => {
                require_known(province, "site.province")?;
                Err(Refusal::RouteMissing.citing("MYT-6.5.1"))
            }
            (Origin::Portal { .. }, Some(_)) => Err(Refusal::RouteNotAllowed.citing("MYT-6.5.1")),
        }
    }

    const fn origin(&self) -> Option<Province> {
        match self {
            Self::Portal => None,
            Self::Land(province) | Self::Sea(province, _) => Some(*province),
        }
    }
}

/// Checks that this invasion may happen.
///
/// # Rule MYT-6.5.1
/// From an own province or through the Portal, over a border that is not mountains or over the sea,
/// for food and armies; not against or out of a Reserve Army.
pub fn check(actor: ActorContext, invasion: &Invasion) -> CheckResult<ValidAction> {
    let target = require_known(invasion.target, "target")?;
    let (origin, origin_card, role) = match invasion.origin {
        Origin::Site { card, province } => {
            let site = province.map_or(ProvinceSet::empty(), ProvinceSet::only);
            ("site.card", card, Role::Site(site))
        }
        Origin::Portal { card } => ("portal.card", card, Role::Ability(Improvement::Portal)),
    };
    let cards = Cards {
        uses: &[
            (origin, &[origin_card], role),
            ("transport", &invasion.transport, Role::Transport),
        ],
        pays: &[
            ("food", &invasion.food, Symbol::Food),
            ("armies", &invasion.armies, Symbol::Army),
        ],
    };
    cards.require_known()?;
    let way = Way::of(invasion.origin, invasion.route.as_ref())?;
    let armed = !invasion.armies.is_empty();
    ensure(
        armed,
        Refusal::EmptyList { field: "armies" }.citing("MYT-6.3.3"),
    )?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    let food = passage(
        actor,
        target,
        &way,
        invasion.transport.len(),
        spend.reserve_left,
    )?;
    reserve_armies(actor, target, spend.reserve_left)?;
    let cost = Cost::new(Purchase::Invasion, &invasion.food, Symbol::Food, food);
    afford(&[cost])?;
    no_idle_ships(target, &way, invasion.transport.len())?;
    exact(&[cost])?;
    let armies = armies_placed(&invasion.armies, actor.player().stock.armies)?;
    let valid_action = ValidAction {
        target,
        origin: way.origin(),
        areas: match way {
            Way::Sea(_, areas) => areas,
            Way::Portal | Way::Land(_) => Areas::new(),
        },
        armies,
    };
    Ok((spend, valid_action))
}

/// Returns the food for the route, if there is one.
///
/// # Rule MYT-6.4, 6.5.1, 14.6, 14.7
fn passage(
    actor: ActorContext,
    target: Province,
    way: &Way,
    ships: usize,
    reserve_left: CardSet,
) -> Result<u8, RefusedAction> {
    if let Some(province) = way.origin() {
        let own = actor.controls(province);
        let foreign = Refusal::NotControlled { province };
        ensure(own, foreign.citing("MYT-6.4.2"))?;
    }
    let own = actor.controls(target);
    ensure(
        !own,
        Refusal::TargetIsOwn { province: target }.citing("MYT-6.5.1"),
    )?;
    match way {
        Way::Portal => Ok(INVADE_FOOD),
        &Way::Land(from) => {
            let apart = Refusal::NotAdjacent {
                from_province: from,
                to_province: target,
            }
            .citing("MYT-6.5.1");
            let border = Border::between(from, target).ok_or(apart)?;
            match effective(border, reserve_left) {
                BorderKind::Normal => Ok(INVADE_FOOD),
                BorderKind::Hills => Ok(INVADE_FOOD + HILLS_FOOD),
                BorderKind::Mountains => {
                    Err(Refusal::MountainBorder { border }.citing("MYT-6.5.1"))
                }
            }
        }
        Way::Sea(origin, areas) => {
            sail(*origin, target, areas, ships)?;
            Ok(INVADE_FOOD)
        }
    }
}

/// Checks a route over these areas, with a ship for each (MYT-6.4.3).
fn sail(from: Province, to: Province, areas: &Areas, ships: usize) -> Result<(), RefusedAction> {
    let none = |missing_ships| Refusal::NoSeaRoute {
        from_province: from,
        to_province: to,
        missing_ships,
    };
    ensure(is_sea_route(from, to, areas), none(0).citing("MYT-6.4.3"))?;
    let missing = areas.len().saturating_sub(ships);
    ensure(missing == 0, none(missing).citing("MYT-6.4.3"))
}

/// Checks that there is no surplus Ship card, and no second area where one joins both provinces.
///
/// # Rule MYT-6.4.3, 14.7
fn no_idle_ships(target: Province, way: &Way, given: usize) -> Result<(), RefusedAction> {
    let needed = match way {
        Way::Portal | Way::Land(_) => 0,
        &Way::Sea(from, ref areas) => {
            let shared = from.row().seas & target.row().seas;
            if shared.is_empty() { areas.len() } else { 1 }
        }
    };
    let surplus = Refusal::SuperfluousCard {
        purchase: Purchase::SeaRoute,
        symbol: None,
        price: u32::from(count(needed)),
        given: u32::try_from(given).unwrap_or(u32::MAX),
        traded: None,
    };
    ensure(given == needed, surplus.citing("MYT-6.4.3"))
}

/// # Rule MYT-7.25
/// A Reserve Army keeps newcomers out while its owner is at war with a player, and keeps its owner
/// from starting a war elsewhere. Wars against the neutral side only do not count.
fn reserve_armies(
    actor: ActorContext,
    target: Province,
    reserve_left: CardSet,
) -> Result<(), RefusedAction> {
    let ActorContext { state, seat, .. } = actor;
    let protects = |owner: Seat| {
        state.players[owner].reserves(Improvement::ReserveArmy)
            && !state.takes_part(seat, target)
            && !state.wars_with_players(owner).is_empty()
    };
    if let Some(owner) = state.controller(target).filter(|&owner| protects(owner)) {
        return Err(Refusal::TargetProtected {
            province: target,
            owner,
        }
        .citing("MYT-7.25"));
    }
    if !reserve_left.contains(RESERVE_ARMY) {
        return Ok(());
    }
    let wars = state.wars_with_players(seat) - ProvinceSet::only(target);
    ensure(
        wars.is_empty(),
        Refusal::OwnReserveArmy { wars }.citing("MYT-7.25"),
    )
}

/// Lands the armies. No war is resolved now.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: &ValidAction) {
    let ValidAction {
        target,
        origin,
        ref areas,
        armies,
    } = *valid_action;
    let player = &mut ctx.state.players[seat];
    player.stock.armies -= armies;
    player.armies.add(target, armies);
    ctx.emit(Event::Invaded {
        seat,
        target,
        origin,
        areas: areas.to_vec(),
        armies,
    });
}

/// Lists invasions, by the number of the target.
pub fn candidates(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let purse = Purse::of(actor);
    let hungry = purse.giving(Symbol::Food).is_empty();
    let unarmed = purse.giving(Symbol::Army).is_empty();
    if actor.player().stock.armies == 0 || hungry || unarmed {
        return VisitFlow::Continue(());
    }
    let origins = site_cards(actor, purse);
    let portal = purse.with_played(PORTAL);
    let reach = match portal {
        Some(_) => ProvinceSet::all(),
        None => reach(&origins, purse),
    };
    for target in (reach - actor.player().controlled()).iter() {
        let plan = Plan { actor, target };
        list.alternatives(|list| {
            for &(card, sites) in &origins {
                for site in sites.iter() {
                    plan.over_land_or_sea(list, purse.without(card), card, site)?;
                }
            }
            portal.map_or(VisitFlow::Continue(()), |purse| plan.by_portal(list, purse))
        })?;
    }
    VisitFlow::Continue(())
}

/// All possible targets from these places, over land or with the ships of a purse.
fn reach(origins: &SiteCards, purse: Purse) -> ProvinceSet {
    let ships = (purse.free() & Card::SHIPS).len();
    let sites = origins.iter().map(|&(_, sites)| sites);
    let sites = sites.fold(ProvinceSet::empty(), |all, sites| all | sites);
    let mut reach = ProvinceSet::empty();
    for site in sites.iter() {
        reach |= site.neighbors();
        for sea in site.row().seas.iter().filter(|_| ships > 0) {
            reach |= sea.coast();
            for next in sea.adjacent().iter().filter(|_| ships > 1) {
                reach |= next.coast();
            }
        }
    }
    reach
}

/// Ways to invade one target.
#[derive(Clone, Copy)]
struct Plan<'a> {
    actor: ActorContext<'a>,
    target: Province,
}

impl Plan<'_> {
    fn over_land_or_sea(
        self,
        list: &mut ActionEnumerator<'_, Action>,
        purse: Purse,
        card: Card,
        province: Province,
    ) -> VisitFlow {
        let origin = Origin::Site {
            card: Some(card),
            province: Some(province),
        };
        if let Some(border) = Border::between(province, self.target) {
            for (purse, extra) in passes(self.actor, purse, border) {
                let food = INVADE_FOOD + extra * HILLS_FOOD;
                let route = Some(&Route::Land);
                list.group(|list| self.with_armies(list, (purse, food), origin, route, &[]))?;
            }
        }
        self.by_sea(list, purse, origin, province)
    }

    fn by_sea(
        self,
        list: &mut ActionEnumerator<'_, Action>,
        purse: Purse,
        origin: Origin,
        province: Province,
    ) -> VisitFlow {
        let (from, to) = (province.row().seas, self.target.row().seas);
        let ships = purse.free() & Card::SHIPS;
        if from.is_empty() || to.is_empty() || ships.is_empty() {
            return VisitFlow::Continue(());
        }
        for sea in (from & to).iter() {
            let route = Route::Sea {
                areas: vec![Some(sea)],
            };
            for ship in ships.iter() {
                let (paid, transport) = ((purse.without(ship), INVADE_FOOD), [Some(ship)]);
                list.group(|list| self.with_armies(list, paid, origin, Some(&route), &transport))?;
            }
        }
        if !(from & to).is_empty() {
            return VisitFlow::Continue(());
        }
        for first in from.iter() {
            for last in (first.adjacent() & to).iter() {
                let route = Route::Sea {
                    areas: vec![Some(first), Some(last)],
                };
                for one in ships.iter() {
                    for two in ships.since(one.index() + 1).iter() {
                        let paid = (purse.without(one).without(two), INVADE_FOOD);
                        let (route, transport) = (Some(&route), [Some(one), Some(two)]);
                        list.group(|list| self.with_armies(list, paid, origin, route, &transport))?;
                    }
                }
            }
        }
        VisitFlow::Continue(())
    }

    fn by_portal(self, list: &mut ActionEnumerator<'_, Action>, purse: Purse) -> VisitFlow {
        let origin = Origin::Portal { card: Some(PORTAL) };
        list.group(|list| self.with_armies(list, (purse, INVADE_FOOD), origin, None, &[]))
    }

    fn with_armies(
        self,
        list: &mut ActionEnumerator<'_, Action>,
        (purse, food): (Purse, u8),
        origin: Origin,
        route: Option<&Route>,
        transport: &[MaybeKnown<Card>],
    ) -> VisitFlow {
        let stock = self.actor.player().stock.armies;
        purse.pay(Symbol::Food, food, list, &mut |list, purse, food| {
            purse.place(Symbol::Army, stock, list, &mut |list, armies| {
                list.visit(self.action(origin, route, transport, food, armies))
            })
        })
    }

    fn action(
        self,
        origin: Origin,
        route: Option<&Route>,
        transport: &[MaybeKnown<Card>],
        food: &[SymbolPlay],
        armies: &[SymbolPlay],
    ) -> Action {
        Action::Invade(Invasion {
            target: Some(self.target),
            origin,
            route: route.cloned(),
            armies: armies.to_vec(),
            food: food.to_vec(),
            transport: transport.to_vec(),
        })
    }
}
