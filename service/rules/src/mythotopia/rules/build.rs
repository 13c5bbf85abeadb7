//! Cities, castles and roads (MYT-6.5.12).

use super::actor::ActorContext;
use super::borders::{SiteCards, effective, passes, site_cards};
use super::cards::{Cards, CheckResult, Role, Spend};
use super::payment::{Cost, pay};
use super::purse::Purse;
use super::{awards, gate};
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{
    BONUS_GOLD, Border, BorderKind, CASTLE_STONE, CITY_STONE, Card, HILLS_STONE, Piece, Province,
    ProvinceSet, ROAD_STONE, Stack, Symbol,
};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Purchase, Refusal, RefusedAction, ensure, require_known};
use crate::mythotopia::stage::Building;
use crate::mythotopia::state::ExecContext;
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated building.
#[derive(Clone, Copy, Debug)]
enum Work {
    City(Province),
    Castle(Province),
    Road(Border),
}

/// A validated action of this theme.
#[derive(Debug)]
pub struct ValidAction {
    work: Work,
    bonus: Option<Stack>,
}

/// The cards of a building action.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    pub build_card: MaybeKnown<Card>,
    pub site_card: MaybeKnown<Card>,
    pub stone: &'a [SymbolPlay],
    /// Gold for Guild City or Roadside Inns. Empty for no bonus.
    pub bonus: &'a [SymbolPlay],
}

impl Tools<'_> {
    /// Checks that the cards are available and usable for building in one of these provinces. The
    /// gold of the bonus has its own field name.
    fn check(
        &self,
        actor: ActorContext,
        provinces: ProvinceSet,
        bonus: &'static str,
    ) -> Result<Spend, RefusedAction> {
        let cards = Cards {
            uses: &[
                ("build_card", &[self.build_card], Role::Build),
                ("site_card", &[self.site_card], Role::Site(provinces)),
            ],
            pays: &[
                ("stone", self.stone, Symbol::Stone),
                (bonus, self.bonus, Symbol::Gold),
            ],
        };
        cards.require_known()?;
        let used = cards.distinct()?;
        gate::action(actor)?;
        cards.usable(actor, used)
    }

    /// Checks the stone, and the gold of the bonus if one is wanted.
    fn pay(&self, [work, bonus]: [Purchase; 2], stone: u8) -> Result<(), RefusedAction> {
        let gold = if self.bonus.is_empty() { 0 } else { BONUS_GOLD };
        pay(&[
            Cost::new(work, self.stone, Symbol::Stone, stone),
            Cost::new(bonus, self.bonus, Symbol::Gold, gold),
        ])
    }

    /// # Rule MYT-6.5.12
    /// The bonus needs its point card in play and an available token.
    fn check_bonus(
        &self,
        actor: ActorContext,
        stack: Stack,
        spend: &Spend,
    ) -> Result<(), RefusedAction> {
        if self.bonus.is_empty() {
            return Ok(());
        }
        awards::check_token(actor, stack, spend, "MYT-6.5.12")
    }

    const fn bonus(&self, stack: Stack) -> Option<Stack> {
        if self.bonus.is_empty() {
            None
        } else {
            Some(stack)
        }
    }
}

fn not_controlled(province: Province) -> RefusedAction {
    Refusal::NotControlled { province }.citing("MYT-6.5.12")
}

/// Checks that a piece is left to build with.
fn one_left(piece: Piece, there: u8) -> Result<(), RefusedAction> {
    let empty = Refusal::SupplyEmpty {
        piece,
        there,
        needed: 1,
    };
    ensure(there > 0, empty.citing("MYT-6.5.12"))
}

/// Checks that a city may be built there.
///
/// # Rule MYT-6.5.12
/// In place of an own town, for two stone.
pub fn check_city(
    actor: ActorContext,
    province: MaybeKnown<Province>,
    tools: Tools,
) -> CheckResult<ValidAction> {
    let province = require_known(province, "province")?;
    let spend = tools.check(actor, ProvinceSet::only(province), "guild_gold")?;
    match actor.player().building(province) {
        None => return Err(not_controlled(province)),
        Some(Building::Citadel) => {
            return Err(Refusal::CitadelPresent { province }.citing("MYT-6.5.12"));
        }
        Some(Building::City) => return Err(Refusal::NoTownThere { province }.citing("MYT-6.5.12")),
        Some(Building::Town) => {}
    }
    one_left(Piece::City, actor.player().city_stock())?;
    tools.check_bonus(actor, Stack::GuildCity, &spend)?;
    tools.pay([Purchase::City, Purchase::GuildCity], CITY_STONE)?;
    let bonus = tools.bonus(Stack::GuildCity);
    let work = Work::City(province);
    Ok((spend, ValidAction { work, bonus }))
}

/// Checks that a castle may be built there.
///
/// # Rule MYT-6.5.12
/// With an own town or city, for one stone; at most one castle, and none with a citadel.
pub fn check_castle(
    actor: ActorContext,
    province: MaybeKnown<Province>,
    tools: Tools,
) -> CheckResult<ValidAction> {
    let province = require_known(province, "province")?;
    let spend = tools.check(actor, ProvinceSet::only(province), "guild_gold")?;
    let building = actor.player().building(province);
    ensure(building.is_some(), not_controlled(province))?;
    let castle = actor.state.castles.contains(province);
    ensure(
        !castle,
        Refusal::CastlePresent { province }.citing("MYT-6.5.12"),
    )?;
    let citadel = building == Some(Building::Citadel);
    ensure(
        !citadel,
        Refusal::CitadelPresent { province }.citing("MYT-6.5.12"),
    )?;
    one_left(Piece::Castle, actor.state.castle_supply())?;
    tools.pay([Purchase::Castle; 2], CASTLE_STONE)?;
    let work = Work::Castle(province);
    Ok((spend, ValidAction { work, bonus: None }))
}

/// Checks that a road may be built there.
///
/// # Rule MYT-6.5.12
/// Over a land border between two own provinces, for two stone, three over hills.
pub fn check_road(
    actor: ActorContext,
    ends: [MaybeKnown<Province>; 2],
    tools: Tools,
) -> CheckResult<ValidAction> {
    let [a, b] = [require_known(ends[0], "a")?, require_known(ends[1], "b")?];
    let both = a | b;
    let spend = tools.check(actor, both, "inn_gold")?;
    let border = Border::between(a, b).ok_or(
        Refusal::NotAdjacent {
            from_province: a,
            to_province: b,
        }
        .citing("MYT-6.5.12"),
    )?;
    for end in [a, b] {
        ensure(actor.controls(end), not_controlled(end))?;
    }
    let road = actor.state.roads.contains(border);
    ensure(!road, Refusal::RoadPresent { border }.citing("MYT-6.5.12"))?;
    one_left(Piece::Road, actor.state.road_supply())?;
    let stone = match effective(border, spend.reserve_left) {
        BorderKind::Normal => ROAD_STONE,
        BorderKind::Hills => ROAD_STONE + HILLS_STONE,
        BorderKind::Mountains => {
            return Err(Refusal::MountainBorder { border }.citing("MYT-6.5.12"));
        }
    };
    tools.check_bonus(actor, Stack::RoadsideInns, &spend)?;
    tools.pay([Purchase::Road, Purchase::RoadsideInns], stone)?;
    let bonus = tools.bonus(Stack::RoadsideInns);
    let work = Work::Road(border);
    Ok((spend, ValidAction { work, bonus }))
}

/// Builds, and rewards the builder.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: &ValidAction) {
    let ValidAction { work, bonus } = *valid_action;
    let stack = match work {
        Work::City(province) => {
            let player = &mut ctx.state.players[seat];
            player.towns.remove(province);
            player.cities.insert(province);
            ctx.emit(Event::CityBuilt { seat, province });
            Stack::City
        }
        Work::Castle(province) => {
            ctx.state.castles.insert(province);
            ctx.emit(Event::CastleBuilt { seat, province });
            Stack::Castle
        }
        Work::Road(border) => {
            ctx.state.roads.insert(border);
            ctx.emit(Event::RoadBuilt { seat, border });
            Stack::Road
        }
    };
    awards::queue(ctx.state, seat, stack);
    if let Some(bonus) = bonus {
        awards::queue(ctx.state, seat, bonus);
    }
}

/// The cards that a player may build with.
struct Means<'a> {
    actor: ActorContext<'a>,
    purse: Purse,
    site_cards: SiteCards,
}

impl<'a> Means<'a> {
    /// Returns `None` if a card to build, one for the site, or stone is missing.
    fn of(actor: ActorContext<'a>) -> Option<Self> {
        let purse = Purse::of(actor);
        let builder = !(purse.free() & Card::BUILDERS).is_empty();
        if !builder || purse.giving(Symbol::Stone).is_empty() {
            return None;
        }
        let site_cards = site_cards(actor, purse);
        (!site_cards.is_empty()).then_some(Self {
            actor,
            purse,
            site_cards,
        })
    }
}

/// A possible building, and its price.
#[derive(Clone, Copy)]
struct Site {
    work: Work,
    /// The provinces whose site card is valid.
    provinces: ProvinceSet,
    bonus: Option<Stack>,
}

/// Lists cities, by province number.
pub fn candidates_city(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let Some(means) = Means::of(actor).filter(|_| actor.player().city_stock() > 0) else {
        return VisitFlow::Continue(());
    };
    actor.player().towns.iter().try_for_each(|province| {
        let site = Site {
            work: Work::City(province),
            provinces: ProvinceSet::only(province),
            bonus: Some(Stack::GuildCity),
        };
        candidates_site(list, &means, site)
    })
}

/// Lists castles, by province number.
pub fn candidates_castle(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let places = (actor.player().towns | actor.player().cities) - actor.state.castles;
    let Some(means) = Means::of(actor).filter(|_| actor.state.castle_supply() > 0) else {
        return VisitFlow::Continue(());
    };
    places.iter().try_for_each(|province| {
        let site = Site {
            work: Work::Castle(province),
            provinces: ProvinceSet::only(province),
            bonus: None,
        };
        candidates_site(list, &means, site)
    })
}

/// Lists roads, by border.
pub fn candidates_road(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let own = actor.player().controlled();
    let Some(means) = Means::of(actor).filter(|_| actor.state.road_supply() > 0) else {
        return VisitFlow::Continue(());
    };
    for a in own.iter() {
        for b in (a.neighbors() & own).iter().filter(|&b| a < b) {
            let Some(border) = Border::between(a, b) else {
                continue;
            };
            if actor.state.roads.contains(border) {
                continue;
            }
            let site = Site {
                work: Work::Road(border),
                provinces: a | b,
                bonus: Some(Stack::RoadsideInns),
            };
            candidates_site(list, &means, site)?;
        }
    }
    VisitFlow::Continue(())
}

/// Lists the ways to build one thing: without the bonus first.
fn candidates_site(
    list: &mut ActionEnumerator<'_, Action>,
    means: &Means,
    site: Site,
) -> VisitFlow {
    let actor = means.actor;
    list.alternatives(|list| {
        for build in (means.purse.free() & Card::BUILDERS).iter() {
            let purse = means.purse.without(build);
            for &(card, provinces) in &means.site_cards {
                if (provinces & site.provinces).is_empty() {
                    continue;
                }
                let tools = Tools {
                    build_card: Some(build),
                    site_card: Some(card),
                    stone: &[],
                    bonus: &[],
                };
                let purse = purse.without(card);
                list.group(|list| candidates_stone(actor, purse, site, tools, list))?;
            }
        }
        VisitFlow::Continue(())
    })
}

fn candidates_stone(
    actor: ActorContext,
    purse: Purse,
    site: Site,
    tools: Tools,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let in_play = |stack: &Stack| actor.state.in_play.contains(stack.card());
    let bonus = site.bonus.filter(in_play);
    let mut pay = |purse: Purse, stone: u8| {
        purse.pay(Symbol::Stone, stone, list, &mut |list, purse, stone| {
            list.visit(action(site.work, Tools { stone, ..tools }))?;
            if bonus.is_none() {
                return VisitFlow::Continue(());
            }
            purse.pay(Symbol::Gold, BONUS_GOLD, list, &mut |list, _, bonus| {
                list.visit(action(
                    site.work,
                    Tools {
                        stone,
                        bonus,
                        ..tools
                    },
                ))
            })
        })
    };
    match site.work {
        Work::City(_) => pay(purse, CITY_STONE),
        Work::Castle(_) => pay(purse, CASTLE_STONE),
        Work::Road(border) => passes(actor, purse, border)
            .into_iter()
            .try_for_each(|(purse, extra)| pay(purse, ROAD_STONE + extra * HILLS_STONE)),
    }
}

fn action(work: Work, tools: Tools) -> Action {
    let Tools {
        build_card,
        site_card,
        ..
    } = tools;
    let (stone, bonus) = (tools.stone.to_vec(), tools.bonus.to_vec());
    match work {
        Work::City(province) => Action::BuildCity {
            build_card,
            site_card,
            province: Some(province),
            stone,
            guild_gold: bonus,
        },
        Work::Castle(province) => Action::BuildCastle {
            build_card,
            site_card,
            province: Some(province),
            stone,
        },
        Work::Road(border) => Action::BuildRoad {
            build_card,
            site_card,
            a: Some(border.row().a),
            b: Some(border.row().b),
            stone,
            inn_gold: bonus,
        },
    }
}
