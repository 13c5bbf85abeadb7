//! Procedure T: transforming and building (TM-6.20).

use arrayvec::ArrayVec;

use super::super::action::{Direction, MAX_LIST, Transform, Transforms, Work};
use super::super::data::{
    Faction, Goods, Land, STRONGHOLD_SPADES, Space, Spades, Structure, Terrain,
};
use super::super::refusal::{Piece, Refusal};
use super::super::state::State;
use super::reach::{Leaps, Reach};
use super::{affordable, land_of};
use crate::table::Seat;

/// Where the spades come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum SpadeSource {
    /// All spades are bought.
    Bought,
    /// ACT5.
    Act5,
    /// ACT6.
    Act6,
    /// BON1.
    Bon1,
    /// ACTG.
    ActG,
    /// The Halflings' stronghold (TM-6.57).
    Stronghold,
    /// So many of a cult reward (TM-6.62).
    Cult(u8),
}

impl SpadeSource {
    pub(super) const fn free(self) -> u8 {
        match self {
            Self::Bought => 0,
            Self::Act5 | Self::Bon1 => 1,
            Self::Act6 | Self::ActG => 2,
            Self::Stronghold => STRONGHOLD_SPADES,
            Self::Cult(spades) => spades,
        }
    }

    /// The most spaces of one action.
    pub(super) const fn most_spaces(self) -> usize {
        match self {
            Self::Bought | Self::Act5 | Self::Bon1 | Self::ActG => 1,
            Self::Act6 => 2,
            Self::Stronghold => 3,
            Self::Cult(_) => MAX_LIST,
        }
    }

    pub(super) const fn may_buy(self) -> bool {
        matches!(self, Self::Bought | Self::Act5 | Self::Act6 | Self::Bon1)
    }

    pub(super) const fn leaps(self) -> Leaps {
        if self.may_buy() {
            Leaps::Allowed
        } else {
            Leaps::Forbidden
        }
    }

    /// Must all spaces but the last become home terrain?
    pub(super) const fn home_first(self) -> bool {
        !matches!(self, Self::Cult(_))
    }

    /// May nothing be transformed, with or without a dwelling (TM-6.20 (7), TM-14.6)?
    pub(super) const fn may_idle(self, build_at: Option<Space>) -> bool {
        match self {
            Self::Bought => build_at.is_some(),
            Self::Bon1 | Self::ActG => false,
            // With a dwelling the stronghold is refused later: its space was not transformed.
            Self::Act5 | Self::Act6 | Self::Stronghold | Self::Cult(_) => true,
        }
    }
}

/// A space to be transformed, with the spades that it takes.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Dig {
    pub(super) land: Land,
    pub(super) target: Terrain,
    pub(super) spades: u8,
}

/// Procedure T, checked and priced. Only `check_work` makes one.
#[derive(Clone, Debug)]
pub(in super::super) struct Job {
    pub(super) source: SpadeSource,
    pub(super) digs: ArrayVec<Dig, MAX_LIST>,
    /// Spades bought on top of the free ones.
    pub(super) bought: u8,
    pub(super) leap: Option<Land>,
    pub(super) build: Option<Land>,
}

impl Job {
    /// The spades used on spaces.
    pub(super) fn used(&self) -> u8 {
        spades_of(&self.digs)
    }
}

fn spades_of(digs: &[Dig]) -> u8 {
    digs.iter().map(|dig| dig.spades).sum()
}

/// The price of spades.
pub(super) fn spade_price(state: &State, seat: Seat, spades: u8) -> Goods {
    let player = &state.players[seat];
    let spades = u16::from(spades);
    match player.sheet().spades {
        Spades::Workers { .. } => Goods::workers(spades * u16::from(3 - player.terraforming)),
        Spades::Priests => Goods::priests(spades),
    }
}

/// The price of a leap (TM-6.14).
pub(super) fn leap_price(state: &State, seat: Seat) -> Goods {
    if state.faction(seat) == Faction::Fakirs {
        Goods::priests(1)
    } else {
        Goods::workers(if state.has_stronghold(seat) { 1 } else { 2 })
    }
}

/// The spades that a transformation takes (J7, J14).
pub(super) fn spades_for(
    faction: Faction,
    from: Terrain,
    target: Terrain,
    direction: Direction,
) -> u8 {
    let short = from.spades_to(target);
    match direction {
        _ if faction == Faction::Giants => 2,
        Direction::Short => short,
        Direction::Long => 7 - short,
    }
}

/// May this player do this work with these spades?
///
/// # Rule TM-6.20, TM-14.1
/// The list first, then space by space, then the spades, then the dwelling, then the price.
pub(in super::super) fn check_work(
    state: &State,
    seat: Seat,
    source: SpadeSource,
    work: &Work,
) -> Result<Job, Refusal> {
    if work.transforms.is_empty() && !source.may_idle(work.build_at) {
        return Err(Refusal::NothingToDo);
    }
    let mut lands: ArrayVec<Land, MAX_LIST> = ArrayVec::new();
    for transform in &work.transforms {
        lands.push(land_of(transform.space)?);
    }
    let build = work.build_at.map(land_of).transpose()?;
    check_list(source, &lands)?;
    let reach = state.reach(seat, source.leaps());
    let mut job = Job {
        source,
        digs: ArrayVec::new(),
        bought: 0,
        leap: None,
        build,
    };
    for (land, transform) in lands.iter().zip(&work.transforms) {
        let dig = check_space(state, seat, &reach, *land, transform)?;
        if reach.leapable.contains(*land) && job.leap.replace(*land).is_some() {
            return Err(Refusal::LeapLimit { space: land.id() });
        }
        job.digs.push(dig);
    }
    job.bought = check_spades(state, seat, source, &job.digs)?;
    if let Some(land) = build {
        check_building(state, seat, &reach, &mut job, land)?;
    }
    affordable(state, seat, price(state, seat, &job))?;
    Ok(job)
}

/// The spades of a cult reward: transformations only (TM-6.62).
pub(in super::super) fn check_cult_spades(
    state: &State,
    seat: Seat,
    transforms: &Transforms,
) -> Result<Job, Refusal> {
    let spades = state.cult_spades.first().map_or(0, |queued| queued.spades);
    let work = Work {
        transforms: transforms.clone(),
        build_at: None,
    };
    check_work(state, seat, SpadeSource::Cult(spades), &work)
}

fn check_list(source: SpadeSource, lands: &[Land]) -> Result<(), Refusal> {
    if let Some(twice) = (1..lands.len()).find(|&at| lands[..at].contains(&lands[at])) {
        return Err(Refusal::SpaceRepeated {
            space: lands[twice].id(),
        });
    }
    let (spaces, most) = (lands.len(), source.most_spaces());
    if spaces > most {
        return Err(Refusal::TooManySpaces { spaces, most });
    }
    Ok(())
}

fn check_space(
    state: &State,
    seat: Seat,
    reach: &Reach,
    land: Land,
    transform: &Transform,
) -> Result<Dig, Refusal> {
    let (space, target) = (land.id(), transform.target);
    let (faction, terrain) = (state.faction(seat), state.board.terrain(land));
    if state.board.piece(land).is_some() {
        return Err(Refusal::SpaceOccupied { space });
    }
    if terrain == target {
        return Err(Refusal::SameTerrain { space, terrain });
    }
    let home = faction.home();
    if faction == Faction::Giants && target != home {
        return Err(Refusal::TargetNotHome { home });
    }
    if !reach.reachable.or(reach.leapable).contains(land) {
        return Err(Refusal::NotReachable { space });
    }
    let spades = spades_for(faction, terrain, target, transform.direction);
    Ok(Dig {
        land,
        target,
        spades,
    })
}

/// The spades to be bought.
fn check_spades(
    state: &State,
    seat: Seat,
    source: SpadeSource,
    digs: &[Dig],
) -> Result<u8, Refusal> {
    let home = state.faction(seat).home();
    if let Some((_last, before)) = digs.split_last()
        && source.home_first()
        && let Some(away) = before.iter().find(|dig| dig.target != home)
    {
        return Err(Refusal::MustReachHomeFirst {
            space: away.land.id(),
        });
    }
    let spades = spades_of(digs);
    let free = source.free();
    let may_buy = source.may_buy() && digs.len() == 1;
    if spades > free && !may_buy {
        return Err(Refusal::NotEnoughSpades { spades, free });
    }
    Ok(spades.saturating_sub(free))
}

/// May a dwelling stand on this space after the work? (TM-6.20 (6))
fn check_building(
    state: &State,
    seat: Seat,
    reach: &Reach,
    job: &mut Job,
    land: Land,
) -> Result<(), Refusal> {
    let (space, home) = (land.id(), state.faction(seat).home());
    let dug = job
        .digs
        .iter()
        .any(|dig| dig.land == land && dig.target == home);
    if job.digs.is_empty() && job.source != SpadeSource::Stronghold {
        let terrain = state.board.terrain(land);
        if state.board.piece(land).is_some() {
            return Err(Refusal::SpaceOccupied { space });
        }
        if terrain != home {
            return Err(Refusal::WrongTerrain { space, terrain });
        }
        if !reach.reachable.or(reach.leapable).contains(land) {
            return Err(Refusal::NotReachable { space });
        }
        job.leap = Some(land).filter(|&land| reach.leapable.contains(land));
    } else if !dug {
        return Err(Refusal::BuildSpaceNotTransformed { space });
    }
    dwelling_in_stock(state, seat)
}

/// A dwelling is left (TM-6.23).
pub(super) fn dwelling_in_stock(state: &State, seat: Seat) -> Result<(), Refusal> {
    if state.board.left(seat, Structure::Dwelling) > 0 {
        Ok(())
    } else {
        let piece = Piece::Structure(Structure::Dwelling);
        Err(Refusal::NoPieceLeft { piece })
    }
}

/// Everything together (TM-6.20 (8)).
fn price(state: &State, seat: Seat, job: &Job) -> Goods {
    let mut price = spade_price(state, seat, job.bought);
    if job.leap.is_some() {
        price = price.and(leap_price(state, seat));
    }
    if job.build.is_some() {
        price = price.and(state.players[seat].sheet().cost(Structure::Dwelling));
    }
    price
}
