//! Procedure T: transforming and building (TM-6.20 to TM-6.22).

pub mod candidates;

use arrayvec::ArrayVec;

pub use candidates::{many_spaces, one_space};

use super::dwellings::{build_dwelling, dwelling_in_stock, dwelling_price};
use super::goods::{affordable, pay, receive, score, score_tile};
use super::reach::{Reach, empty, has_terrain, land_of};
use super::spades::{
    SpadeSource, halfling_spades, may_buy_for, spade_price, spades_for, spades_unused,
};
use crate::table::{Refusal as _, Seat};
use crate::terra_mystica::action::{MAX_LIST, Transform, Work};
use crate::terra_mystica::data::{
    Faction, Goods, LEAP_VP, Land, ScoringTrigger, Spades, Structure, Terrain,
};
use crate::terra_mystica::event::{Event, GoodsSource, Purpose, VpSource};
use crate::terra_mystica::refusal::{Expense, Refusal, RefusedAction};
use crate::terra_mystica::state::{ExecContext, State};

/// VP of the Darklings for each spade paid with a priest (J13).
const PRIEST_SPADE_VP: u16 = 2;
/// Power of the Alchemists with stronghold for each spade used.
const ALCHEMY_SPADE_POWER: u16 = 2;

/// A space to be transformed, with the spades that it takes.
#[derive(Clone, Copy, Debug)]
pub struct TransformStep {
    pub land: Land,
    pub target: Terrain,
    pub spades: u8,
}

/// Validated work of procedure T with its price. Only `check` makes one.
#[derive(Clone, Debug)]
pub struct PricedTransform {
    pub source: SpadeSource,
    pub steps: ArrayVec<TransformStep, MAX_LIST>,
    /// Spades bought on top of the free ones.
    pub bought: u8,
    pub leap: Option<Land>,
    pub build: Option<Land>,
}

impl PricedTransform {
    /// The spades used on spaces.
    pub fn used(&self) -> u8 {
        spades_of(&self.steps)
    }
}

fn spades_of(digs: &[TransformStep]) -> u8 {
    digs.iter().map(|dig| dig.spades).sum()
}

/// The price of a leap (TM-6.14).
pub fn leap_price(state: &State, seat: Seat) -> Goods {
    if state.faction(seat) == Faction::Fakirs {
        Goods::priests(1)
    } else {
        Goods::workers(if state.has_stronghold(seat) { 1 } else { 2 })
    }
}

/// Checks that this player may do this work with these spades.
///
/// # Rule TM-6.20, TM-14.1
/// The list first, then space by space, then the spades, then the dwelling, then the price.
pub fn check(
    state: &State,
    seat: Seat,
    source: SpadeSource,
    work: &Work,
) -> Result<PricedTransform, RefusedAction> {
    let rule = source.rule();
    if work.transforms.is_empty() && !source.may_idle(work.build_at) {
        return Err(Refusal::NothingToDo.citing(rule));
    }
    let mut lands: ArrayVec<Land, MAX_LIST> = ArrayVec::new();
    for transform in &work.transforms {
        lands.push(land_of(transform.space, "space", rule)?);
    }
    let build = work
        .build_at
        .map(|space| land_of(space, "build_at", rule))
        .transpose()?;
    check_list(source, &lands)?;
    let reach = state.reach(seat, source.leaps());
    let mut job = PricedTransform {
        source,
        steps: ArrayVec::new(),
        bought: 0,
        leap: None,
        build,
    };
    for (land, transform) in lands.iter().zip(&work.transforms) {
        let dig = check_space(state, seat, (&reach, rule), *land, transform)?;
        if reach.leapable.contains(*land) && job.leap.replace(*land).is_some() {
            return Err(Refusal::LeapLimit { space: *land }.citing(rule));
        }
        job.steps.push(dig);
    }
    job.bought = check_spades(state, seat, source, &job.steps)?;
    if let Some(land) = build {
        check_building(state, seat, &reach, &mut job, land)?;
    }
    affordable(state, seat, price(state, seat, &job), rule)?;
    Ok(job)
}

fn check_list(source: SpadeSource, lands: &[Land]) -> Result<(), RefusedAction> {
    let rule = source.rule();
    if let Some(twice) = (1..lands.len()).find(|&at| lands[..at].contains(&lands[at])) {
        let space = lands[twice];
        return Err(Refusal::SpaceRepeated { space }.citing(rule));
    }
    let (spaces, most) = (lands.len(), source.max_spaces());
    if spaces > most {
        return Err(Refusal::TooManySpaces { spaces, max: most }.citing(rule));
    }
    Ok(())
}

fn check_space(
    state: &State,
    seat: Seat,
    (reach, rule): (&Reach, &'static str),
    space: Land,
    transform: &Transform,
) -> Result<TransformStep, RefusedAction> {
    empty(state, space, rule)?;
    let (faction, terrain) = (state.faction(seat), state.board.terrain(space));
    let (home, target) = (faction.home(), transform.target);
    if terrain == target {
        return Err(Refusal::SameTerrain { space, terrain }.citing(rule));
    }
    if faction == Faction::Giants && target != home {
        let refusal = Refusal::TargetNotHome {
            space,
            target,
            home,
        };
        return Err(refusal.citing(rule));
    }
    if !reach.has(space) {
        return Err(Refusal::NotReachable { space }.citing(rule));
    }
    let spades = spades_for(faction, terrain, target, transform.direction);
    Ok(TransformStep {
        land: space,
        target,
        spades,
    })
}

/// Returns the number of spades to be bought.
fn check_spades(
    state: &State,
    seat: Seat,
    source: SpadeSource,
    digs: &[TransformStep],
) -> Result<u8, RefusedAction> {
    let rule = source.rule();
    let faction = state.faction(seat);
    let home = faction.home();
    if let Some((_last, before)) = digs.split_last()
        && source.home_first()
        && let Some(away) = before.iter().find(|dig| dig.target != home)
    {
        let space = away.land;
        return Err(Refusal::MustReachHomeFirst { space, home }.citing(rule));
    }
    let spades = spades_of(digs);
    let free = source.free();
    let may_buy = match digs {
        [dig] => may_buy_for(source, faction, state.board.terrain(dig.land)),
        _ => false,
    };
    if spades > free && !may_buy {
        return Err(Refusal::NotEnoughSpades { spades, free }.citing(rule));
    }
    Ok(spades.saturating_sub(free))
}

/// Checks that a dwelling may be built on this space after the work (TM-6.20 (6)).
fn check_building(
    state: &State,
    seat: Seat,
    reach: &Reach,
    job: &mut PricedTransform,
    space: Land,
) -> Result<(), RefusedAction> {
    let rule = job.source.rule();
    let home = state.faction(seat).home();
    let dug = job
        .steps
        .iter()
        .any(|dig| dig.land == space && dig.target == home);
    if job.steps.is_empty() && job.source != SpadeSource::Stronghold {
        empty(state, space, rule)?;
        has_terrain(state, space, home, rule)?;
        if !reach.has(space) {
            return Err(Refusal::NotReachable { space }.citing(rule));
        }
        job.leap = Some(space).filter(|&space| reach.leapable.contains(space));
    } else if !dug {
        return Err(Refusal::BuildSpaceNotTransformed { space, home }.citing(rule));
    }
    dwelling_in_stock(state, seat, rule)
}

/// The total price (TM-6.20 (8)).
fn price(state: &State, seat: Seat, priced: &PricedTransform) -> (Expense, Goods) {
    let dwelling_alone = priced.bought == 0 && priced.leap.is_none();
    let expense = match priced.build {
        Some(_) if dwelling_alone => Expense::Structure(Structure::Dwelling),
        Some(_) | None => Expense::Work,
    };
    let mut price = spade_price(state, seat, priced.bought);
    if priced.leap.is_some() {
        price = price.and(leap_price(state, seat));
    }
    if priced.build.is_some() {
        price = price.and(dwelling_price(state, seat));
    }
    (expense, price)
}

/// Carries out leap, spades, terrain and dwelling, in this order (TM-6.21).
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, priced: &PricedTransform) {
    if let Some(land) = priced.leap {
        pay(ctx, seat, leap_price(ctx.state, seat), Purpose::Leap);
        ctx.emit(Event::Leapt { seat, space: land });
        score(ctx, seat, LEAP_VP, VpSource::Leap);
    }
    pay(
        ctx,
        seat,
        spade_price(ctx.state, seat, priced.bought),
        Purpose::Spades,
    );
    spades_obtained(ctx, seat, priced);
    for dig in &priced.steps {
        transform_space(ctx, seat, dig);
    }
    spades_used(ctx, seat, priced);
    spades_unused(
        ctx,
        seat,
        priced.source.free().saturating_sub(priced.used()),
    );
    if let Some(land) = priced.build {
        let price = dwelling_price(ctx.state, seat);
        build_dwelling(ctx, seat, land, price);
    } else if !matches!(priced.source, SpadeSource::Cult(_)) {
        let home = ctx.state.faction(seat).home();
        let turned = priced.steps.iter().filter(|dig| dig.target == home);
        ctx.state.turn.late_build = turned.map(|dig| dig.land).collect();
    }
}

fn transform_space(ctx: &mut ExecContext<'_>, seat: Seat, dig: &TransformStep) {
    let from = ctx.state.board.terrain(dig.land);
    ctx.state.board.set_terrain(dig.land, dig.target);
    ctx.emit(Event::TerrainTransformed {
        seat,
        space: dig.land,
        from_terrain: from,
        to_terrain: dig.target,
        spades: dig.spades,
    });
}

/// Gives the gains for obtaining spades (TM-6.22): Halflings for each, Darklings for each priest. Spades of the
/// stronghold and of cult rewards were counted when they were obtained (TM-6.33, TM-14.7).
fn spades_obtained(ctx: &mut ExecContext<'_>, seat: Seat, priced: &PricedTransform) {
    let free = match priced.source {
        SpadeSource::Stronghold | SpadeSource::Cult(_) => 0,
        SpadeSource::Bought
        | SpadeSource::Act5
        | SpadeSource::Act6
        | SpadeSource::Bon1
        | SpadeSource::ActG => priced.source.free(),
    };
    halfling_spades(ctx, seat, free + priced.bought);
    if ctx.state.players[seat].sheet().spades == Spades::Priests {
        let vp = PRIEST_SPADE_VP * u16::from(priced.bought);
        score(ctx, seat, vp, VpSource::Spades);
    }
}

/// Gives the gains for using spades on spaces (J11): the scoring tile in phase II, the Alchemists' power.
fn spades_used(ctx: &mut ExecContext<'_>, seat: Seat, priced: &PricedTransform) {
    let used = u16::from(priced.used());
    if !matches!(priced.source, SpadeSource::Cult(_)) {
        score_tile(ctx, seat, ScoringTrigger::Spade, used);
    }
    if ctx.state.faction(seat) == Faction::Alchemists && ctx.state.has_stronghold(seat) {
        let power = Goods::power(ALCHEMY_SPADE_POWER * used);
        receive(ctx, seat, power, GoodsSource::Spades);
    }
}
