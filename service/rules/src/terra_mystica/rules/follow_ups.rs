//! Choices that follow an action (TM-6.43, TM-6.54 to TM-6.57).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::cults::{self, advance_cult, move_marker};
use super::goods::{receive, score, score_tile};
use super::spades::SpadeSource;
use super::towns::check_all_towns;
use super::tracks::raise_shipping;
use super::transform::{self, PricedTransform};
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow, invariant_violated};
use crate::terra_mystica::action::{Action, MAX_LIST, Work};
use crate::terra_mystica::data::{
    CULT_TOP, Cult, Faction, FavorTile, Goods, ORDINATION, ScoringTrigger, TownTile,
};
use crate::terra_mystica::event::{Event, GoodsSource, VpSource};
use crate::terra_mystica::refusal::{Cults, Refusal, RefusedAction, Tile};
use crate::terra_mystica::state::{ExecContext, State};

/// VP of the Witches for each town.
const WITCHES_TOWN_VP: u16 = 5;
/// Workers of the Swarmlings for each town.
const SWARMLINGS_TOWN_WORKERS: u16 = 3;

/// A town tile, and the tracks that use keys for it, if there are too few keys.
#[derive(Clone, Debug)]
pub struct TownTaken {
    tile: TownTile,
    key_cults: ArrayVec<Cult, MAX_LIST>,
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let open = state.turn.follow_ups;
    if open.favor_tiles > 0 {
        let tiles = FavorTile::ALL.map(|tile| Action::ChooseFavorTile { tile });
        tiles
            .into_iter()
            .try_for_each(|action| list.visit(action))?;
    }
    if state.open_towns() > 0 {
        candidates_town_tile(state, seat, list)?;
    }
    if open.cult_step {
        let cults = Cult::ALL.map(|cult| Action::ChooseCultStep { cult });
        cults
            .into_iter()
            .try_for_each(|action| list.visit(action))?;
    }
    if open.ordination {
        let counts = 0..=u32::from(state.max_ordained(seat));
        let mut counts = counts.map(|count| Action::OrdainPriests { count });
        counts.try_for_each(|action| list.visit(action))?;
    }
    if open.stronghold_spades {
        let mut visit = |work| list.visit(Action::UseStrongholdSpades { work });
        visit(Work::default())?;
        transform::one_space(state, seat, SpadeSource::Stronghold, &mut visit)?;
        transform::many_spaces(state, seat, SpadeSource::Stronghold, &mut visit)?;
    }
    ControlFlow::Continue(())
}

/// Lists every tile; with too few keys, every choice of the tracks that use them (TM-6.37).
fn candidates_town_tile(
    state: &State,
    seat: Seat,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    for tile in TownTile::ALL {
        let (keys, wanting) = state.key_choice(seat, tile);
        let wanting: ArrayVec<Cult, { Cult::COUNT }> = wanting.collect();
        if keys == 0 || wanting.len() <= usize::from(keys) {
            let key_cults = ArrayVec::new();
            list.visit(Action::ChooseTownTile { tile, key_cults })?;
            continue;
        }
        for chosen in 0..1_u8 << wanting.len() {
            if chosen.count_ones() == u32::from(keys) {
                let tracks = wanting.iter().enumerate();
                let key_cults = tracks
                    .filter(|(at, _)| chosen & (1 << at) != 0)
                    .map(|(_, &cult)| cult)
                    .collect();
                list.visit(Action::ChooseTownTile { tile, key_cults })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// # Rule TM-6.54
/// A tile that is left and that the player does not own.
pub fn check_favor_tile(
    state: &State,
    seat: Seat,
    tile: FavorTile,
) -> Result<FavorTile, RefusedAction> {
    let rule = "TM-6.54";
    if state.favor_left(tile) == 0 {
        let tile = Tile::Favor(tile);
        return Err(Refusal::TileNotAvailable { tile }.citing(rule));
    }
    if state.players[seat].favors.contains(tile) {
        return Err(Refusal::TileAlreadyOwned { tile }.citing(rule));
    }
    Ok(tile)
}

/// # Rule TM-6.55, TM-6.37, TM-P.12
/// A tile that is left. The tracks that use keys are named if and only if there are too few keys.
pub fn check_town_tile(
    state: &State,
    seat: Seat,
    tile: TownTile,
    key_cults: &ArrayVec<Cult, MAX_LIST>,
) -> Result<TownTaken, RefusedAction> {
    let rule = "TM-6.55";
    if state.town_tiles_left(tile) == 0 {
        let tile = Tile::Town(tile);
        return Err(Refusal::TileNotAvailable { tile }.citing(rule));
    }
    let (keys, wanting) = state.key_choice(seat, tile);
    let tracks: Cults = wanting.collect();
    let needed = keys > 0 && tracks.len() > usize::from(keys);
    if needed && key_cults.is_empty() {
        return Err(Refusal::KeyChoiceRequired { keys, tracks }.citing(rule));
    }
    let differ = (1..key_cults.len()).all(|at| !key_cults[..at].contains(&key_cults[at]));
    let fit = key_cults
        .iter()
        .all(|&cult| state.wants_key(seat, cult, tile.cult_steps()));
    let keys = if needed { keys } else { 0 };
    let enough = key_cults.len() == usize::from(keys);
    if differ && fit && enough {
        let key_cults = key_cults.clone();
        Ok(TownTaken { tile, key_cults })
    } else {
        Err(Refusal::InvalidKeyChoice { keys, tracks }.citing(rule))
    }
}

/// # Rule TM-6.43
/// Any track that can advance.
pub fn check_cult_step(state: &State, seat: Seat, cult: Cult) -> Result<Cult, RefusedAction> {
    cults::check_step(state, seat, cult, "TM-6.43")
}

/// # Rule TM-6.56
/// At most three, as many as there are workers in hand and priests in the supply.
pub fn check_ordination(state: &State, seat: Seat, amount: u32) -> Result<u16, RefusedAction> {
    let most = state.max_ordained(seat);
    let count = u16::try_from(amount).ok().filter(|&count| count <= most);
    let most = u32::from(most);
    let refusal = Refusal::InvalidAmount {
        amount,
        min: 0,
        max: most,
    };
    count.ok_or(refusal.citing("TM-6.56"))
}

/// # Rule TM-6.57
/// Procedure T with the spades of the stronghold.
pub fn check_spades(
    state: &State,
    seat: Seat,
    work: &Work,
) -> Result<PricedTransform, RefusedAction> {
    transform::check(state, seat, SpadeSource::Stronghold, work)
}

impl State {
    /// The number of priests that can be ordained.
    fn max_ordained(&self, seat: Seat) -> u16 {
        let workers = self.players[seat].workers;
        ORDINATION.min(workers).min(self.priest_supply(seat))
    }

    /// The keys in hand when a town tile moves the markers, and the tracks that would use one.
    fn key_choice(&self, seat: Seat, tile: TownTile) -> (u8, impl Iterator<Item = Cult>) {
        let keys = self.players[seat].keys + u8::from(tile == TownTile::Tw6);
        let steps = tile.cult_steps();
        let wanting = Cult::ALL.into_iter();
        let wanting = wanting.filter(move |&cult| steps > 0 && self.wants_key(seat, cult, steps));
        (keys, wanting)
    }

    /// Returns whether the player can take any favor tile (J24).
    pub fn can_take_favor(&self, seat: Seat) -> bool {
        let mut tiles = FavorTile::ALL.into_iter();
        tiles.any(|tile| check_favor_tile(self, seat, tile).is_ok())
    }

    /// Returns whether any marker of the player can advance.
    pub fn can_advance_any(&self, seat: Seat) -> bool {
        let mut cults = Cult::ALL.into_iter();
        cults.any(|cult| self.can_advance(seat, cult))
    }
}

/// Drops the choices that nobody can make (TM-6.64, TM-14.5).
pub fn drop_lapsed(ctx: &mut ExecContext<'_>) {
    let seat = ctx.state.turn.seat;
    if ctx.state.turn.follow_ups.favor_tiles > 0 && !ctx.state.can_take_favor(seat) {
        ctx.state.turn.follow_ups.favor_tiles = 0;
    }
    if ctx.state.turn.follow_ups.cult_step && !ctx.state.can_advance_any(seat) {
        ctx.state.turn.follow_ups.cult_step = false;
    }
}

/// Takes the tile; FAV5 checks for towns before its steps are made (TM-6.52).
pub fn perform_favor_tile(ctx: &mut ExecContext<'_>, seat: Seat, tile: FavorTile) {
    ctx.state.turn.follow_ups.favor_tiles -= 1;
    ctx.state.players[seat].favors.insert(tile);
    ctx.emit(Event::FavorTileTaken { seat, tile });
    if tile == FavorTile::Fav5 {
        check_all_towns(ctx, seat);
    }
    advance_cult(ctx, seat, tile.cult(), tile.steps());
}

/// Takes the tile for the oldest town without one, with everything it gives (TM-6.51, TM-P.11).
pub fn perform_town_tile(ctx: &mut ExecContext<'_>, seat: Seat, taken: &TownTaken) {
    let TownTaken { tile, key_cults } = taken;
    let tile = *tile;
    let mut towns = ctx.state.towns.iter_mut();
    match towns.find(|town| town.tile.is_none()) {
        Some(town) => town.tile = Some(tile),
        None => invariant_violated("TM-6.55", tile),
    }
    ctx.emit(Event::TownTileTaken { seat, tile });
    score(ctx, seat, tile.vp(), VpSource::TownTile(tile));
    score_tile(ctx, seat, ScoringTrigger::Town, 1);
    receive(ctx, seat, tile.gain(), GoodsSource::TownTile(tile));
    match ctx.state.faction(seat) {
        Faction::Witches => score(ctx, seat, WITCHES_TOWN_VP, VpSource::Towns),
        Faction::Swarmlings => {
            let workers = Goods::workers(SWARMLINGS_TOWN_WORKERS);
            receive(ctx, seat, workers, GoodsSource::Towns);
        }
        Faction::Auren
        | Faction::Alchemists
        | Faction::Darklings
        | Faction::Halflings
        | Faction::Cultists
        | Faction::Engineers
        | Faction::Dwarves
        | Faction::Mermaids
        | Faction::ChaosMagicians
        | Faction::Giants
        | Faction::Fakirs
        | Faction::Nomads => {}
    }
    town_tile_steps(ctx, seat, tile, key_cults);
}

fn town_tile_steps(ctx: &mut ExecContext<'_>, seat: Seat, tile: TownTile, key_cults: &[Cult]) {
    if tile == TownTile::Tw6 {
        ctx.state.players[seat].keys += 1;
    }
    if tile == TownTile::Tw7 {
        raise_shipping(ctx, seat);
    }
    if tile.cult_steps() == 0 {
        return;
    }
    for cult in Cult::ALL {
        let mut goal = ctx.state.cult_goal(seat, cult, tile.cult_steps());
        if !key_cults.is_empty() && !key_cults.contains(&cult) {
            // Only the named tracks use keys; a marker on the last space stays there.
            goal = goal.min(CULT_TOP - 1);
        }
        move_marker(ctx, seat, cult, goal);
    }
}

pub fn perform_cult_step(ctx: &mut ExecContext<'_>, seat: Seat, cult: Cult) {
    ctx.state.turn.follow_ups.cult_step = false;
    advance_cult(ctx, seat, cult, 1);
}

pub fn perform_ordination(ctx: &mut ExecContext<'_>, seat: Seat, count: u16) {
    ctx.state.turn.follow_ups.ordination = false;
    ctx.state.players[seat].workers -= count;
    ctx.state.players[seat].priests += count;
    ctx.emit(Event::PriestsOrdained { seat, count });
}

pub fn perform_spades(ctx: &mut ExecContext<'_>, seat: Seat, priced: &PricedTransform) {
    ctx.state.turn.follow_ups.stronghold_spades = false;
    transform::execute(ctx, seat, priced);
}
