//! Choices that follow an action (TM-6.54 to TM-6.57).

use super::super::data::{
    CULT_TOP, Cult, Faction, FavorTile, Goods, ORDINATION, ScoringTrigger, TownTile,
};
use super::super::event::{Event, GoodsSource, VpSource};
use super::super::refusal::Refusal;
use super::super::state::State;
use super::Play;
use crate::table::Seat;

/// VP of the Witches for each town.
const WITCHES_TOWN_VP: u16 = 5;
/// Workers of the Swarmlings for each town.
const SWARMLINGS_TOWN_WORKERS: u16 = 3;

/// # Rule TM-6.54
/// A tile that is left and that the player does not own.
pub(in super::super) fn check_favor_tile(
    state: &State,
    seat: Seat,
    tile: FavorTile,
) -> Result<FavorTile, Refusal> {
    if state.favor_left(tile) == 0 {
        return Err(Refusal::TileNotAvailable { tile: tile.id() });
    }
    if state.players[seat].favors.has(tile) {
        return Err(Refusal::TileAlreadyOwned { tile });
    }
    Ok(tile)
}

/// # Rule TM-6.55, TM-6.37, TM-P.12
/// A tile that is left. The tracks that use keys are named exactly if there are too few keys.
pub(in super::super) fn check_town_tile(
    state: &State,
    seat: Seat,
    tile: TownTile,
    key_cults: &[Cult],
) -> Result<TownTile, Refusal> {
    if state.town_tiles_left(tile) == 0 {
        return Err(Refusal::TileNotAvailable { tile: tile.id() });
    }
    let (keys, wanting) = state.key_choice(seat, tile);
    let tracks = u8::try_from(wanting.count()).unwrap_or(u8::MAX);
    let needed = keys > 0 && tracks > keys;
    if needed && key_cults.is_empty() {
        return Err(Refusal::KeyChoiceRequired { keys, tracks });
    }
    let differ = (1..key_cults.len()).all(|at| !key_cults[..at].contains(&key_cults[at]));
    let fit = key_cults
        .iter()
        .all(|&cult| state.wants_key(seat, cult, tile.cult_steps()));
    let enough = key_cults.len() == if needed { usize::from(keys) } else { 0 };
    if differ && fit && enough {
        Ok(tile)
    } else {
        Err(Refusal::InvalidKeyChoice { keys, tile })
    }
}

/// # Rule TM-6.43
/// Any track that can advance.
pub(in super::super) fn check_cult_step(
    state: &State,
    seat: Seat,
    cult: Cult,
) -> Result<Cult, Refusal> {
    if state.can_advance(seat, cult) {
        Ok(cult)
    } else {
        Err(Refusal::NoEffect { cult })
    }
}

/// # Rule TM-6.56
/// At most three, as many as there are workers in hand and priests in the supply.
pub(in super::super) fn check_ordination(
    state: &State,
    seat: Seat,
    count: u32,
) -> Result<u8, Refusal> {
    let most = state.most_ordained(seat);
    u8::try_from(count)
        .ok()
        .filter(|&count| count <= most)
        .ok_or(Refusal::InvalidAmount {
            amount: count,
            most: u32::from(most),
        })
}

impl State {
    /// How many priests can be ordained.
    pub(super) fn most_ordained(&self, seat: Seat) -> u8 {
        let workers = u8::try_from(self.players[seat].workers).unwrap_or(u8::MAX);
        ORDINATION.min(workers).min(self.priest_supply(seat))
    }

    /// The keys in hand when a town tile moves the markers, and the tracks that would use one.
    pub(super) fn key_choice(
        &self,
        seat: Seat,
        tile: TownTile,
    ) -> (u8, impl Iterator<Item = Cult>) {
        let keys = self.players[seat].keys + u8::from(tile == TownTile::Tw6);
        let steps = tile.cult_steps();
        let wanting = Cult::ALL.iter().copied();
        let wanting = wanting.filter(move |&cult| steps > 0 && self.wants_key(seat, cult, steps));
        (keys, wanting)
    }

    /// Can the player take any favor tile? (J24)
    pub(super) fn can_take_favor(&self, seat: Seat) -> bool {
        let mut tiles = FavorTile::ALL.iter();
        tiles.any(|&tile| check_favor_tile(self, seat, tile).is_ok())
    }

    /// Can any marker of the player advance?
    pub(super) fn can_advance_any(&self, seat: Seat) -> bool {
        Cult::ALL.iter().any(|&cult| self.can_advance(seat, cult))
    }
}

impl Play<'_> {
    /// Drops the choices that nobody can make (TM-6.64, TM-14.5).
    pub(in super::super) fn drop_lapsed(&mut self) {
        let seat = self.state.turn.seat;
        if self.state.turn.follow_ups.favor_tiles > 0 && !self.state.can_take_favor(seat) {
            self.state.turn.follow_ups.favor_tiles = 0;
        }
        if self.state.turn.follow_ups.cult_step && !self.state.can_advance_any(seat) {
            self.state.turn.follow_ups.cult_step = false;
        }
    }

    /// Takes the tile; FAV5 looks for towns before its steps are made (TM-6.52).
    pub(in super::super) fn perform_favor_tile(&mut self, seat: Seat, tile: FavorTile) {
        self.state.turn.follow_ups.favor_tiles -= 1;
        self.state.players[seat].favors.add(tile);
        self.tell(Event::FavorTileTaken { seat, tile });
        if tile == FavorTile::Fav5 {
            self.check_all_towns(seat);
        }
        self.advance_cult(seat, tile.cult(), tile.steps());
    }

    /// Takes the tile for the oldest town without one, with everything it brings (TM-6.51, TM-P.11).
    pub(in super::super) fn perform_town_tile(
        &mut self,
        seat: Seat,
        tile: TownTile,
        key_cults: &[Cult],
    ) {
        let mut towns = self.state.towns.iter_mut();
        if let Some(town) = towns.find(|town| town.tile.is_none()) {
            town.tile = Some(tile);
        }
        self.tell(Event::TownTileTaken { seat, tile });
        self.score(seat, tile.vp(), VpSource::TownTile(tile));
        self.score_tile(seat, ScoringTrigger::Town, 1);
        self.receive(seat, tile.gain(), GoodsSource::TownTile(tile));
        match self.state.faction(seat) {
            Faction::Witches => self.score(seat, WITCHES_TOWN_VP, VpSource::Towns),
            Faction::Swarmlings => {
                let workers = Goods::workers(SWARMLINGS_TOWN_WORKERS);
                self.receive(seat, workers, GoodsSource::Towns);
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
        self.town_tile_steps(seat, tile, key_cults);
    }

    fn town_tile_steps(&mut self, seat: Seat, tile: TownTile, key_cults: &[Cult]) {
        if tile == TownTile::Tw6 {
            self.state.players[seat].keys += 1;
        }
        if tile == TownTile::Tw7 {
            self.raise_shipping(seat);
        }
        if tile.cult_steps() == 0 {
            return;
        }
        for &cult in Cult::ALL {
            let mut goal = self.state.cult_goal(seat, cult, tile.cult_steps());
            if !key_cults.is_empty() && !key_cults.contains(&cult) {
                // Only the named tracks use keys; a marker on the last space stays there.
                goal = goal.min(CULT_TOP - 1);
            }
            self.move_marker(seat, cult, goal);
        }
    }

    pub(in super::super) fn perform_cult_step(&mut self, seat: Seat, cult: Cult) {
        self.state.turn.follow_ups.cult_step = false;
        self.advance_cult(seat, cult, 1);
    }

    pub(in super::super) fn perform_ordination(&mut self, seat: Seat, count: u8) {
        self.state.turn.follow_ups.ordination = false;
        self.state.players[seat].workers -= u16::from(count);
        self.state.players[seat].priests += count;
        self.tell(Event::PriestsOrdained { seat, count });
    }
}
