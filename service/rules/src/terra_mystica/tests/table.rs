//! A table as a test needs it: everything in its place, round 3, seat 1 on turn.

use crate::ruleset::{Ruleset, carry_out, create, legal_actions};
use crate::table::{Chance, Detail, Journal, Seat, Seed};
use crate::terra_mystica::data::ScoringTile;
use crate::terra_mystica::data::{
    BonusCard, Cult, Faction, FavorTile, Land, LandSet, PriestSlot, Space, Structure, Terrain,
    TownTile, site_between,
};
use crate::terra_mystica::state::{CultSpades, Player, PoolCard, Stage, State, Town, Turn};
use crate::terra_mystica::{
    Action, Conversion, Decision, Draft, Event, Options, SetupMode, Span, SpecialUse, TerraMystica,
    Transform, Work,
};
use crate::terra_mystica::{PowerUse, Refusal, View};

pub(super) const S1: Seat = Seat::FIRST;
pub(super) const S2: Seat = Seat::at(1);
pub(super) const S3: Seat = Seat::at(2);
pub(super) const S4: Seat = Seat::at(3);

pub(super) use Structure::{
    Dwelling as D, Sanctuary as SA, Stronghold as SH, Temple as TE, TradingHouse as TP,
};

/// A table and what has happened to it.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) state: State,
    pub(super) events: Vec<Event>,
}

pub(super) fn land(id: &str) -> Land {
    Land::from_id(id).expect("a land")
}

pub(super) fn options(seats: usize, draft: &Draft) -> Result<Options, Refusal> {
    TerraMystica::options(&vec![String::new(); seats], draft).map_err(|refused| refused.why)
}

/// The options of these factions, the first one beginning.
pub(super) fn draft_of(factions: &[Faction]) -> Draft {
    Draft {
        start_player: Some(1),
        setup_mode: SetupMode::Custom,
        factions: Some(factions.iter().map(|&faction| Some(faction)).collect()),
        scoring_tiles: Some(
            ScoringTile::ALL[1..7]
                .iter()
                .map(|&tile| Some(tile))
                .collect(),
        ),
        ..Draft::default()
    }
}

impl Table {
    /// Round 3 with SCORE2, nothing on the map. Seats hold BON3, BON5, BON7, BON8 in turn; BON2,
    /// BON4 and BON9 lie in the pool.
    pub(super) fn of(factions: &[Faction]) -> Self {
        let options = options(factions.len(), &draft_of(factions)).expect("a legal table");
        let made = create::<TerraMystica>(&options, Chance::from_seed(&Seed::from_number(1)));
        let mut state = made.state;
        state.round = 3;
        state.scoring_tiles[2] = ScoringTile::Score2;
        state.stage = Stage::Action;
        state.turn = Turn::of(S1);
        let cards = [
            BonusCard::Bon3,
            BonusCard::Bon5,
            BonusCard::Bon7,
            BonusCard::Bon8,
            BonusCard::Bon6,
        ];
        for (player, card) in state.players.iter_mut().zip(cards) {
            player.card = Some(card);
        }
        let pool = [BonusCard::Bon2, BonusCard::Bon4, BonusCard::Bon9];
        state.pool = pool
            .map(|card| PoolCard { card, coins: 1 })
            .into_iter()
            .collect();
        Self {
            state,
            events: Vec::new(),
        }
    }

    fn with(mut self, change: impl FnOnce(&mut State)) -> Self {
        change(&mut self.state);
        self
    }

    fn player(self, seat: Seat, change: impl FnOnce(&mut Player)) -> Self {
        self.with(|state| change(&mut state.players[seat]))
    }

    /// A structure stands on a space, which is home terrain then.
    pub(super) fn at(self, seat: Seat, structure: Structure, spaces: &[&str]) -> Self {
        self.with(|state| {
            for space in spaces {
                let home = state.faction(seat).home();
                state.board.set_terrain(land(space), home);
                state.board.put(land(space), seat, structure);
            }
        })
    }

    pub(super) fn terrain(self, space: &str, terrain: Terrain) -> Self {
        self.with(|state| state.board.set_terrain(land(space), terrain))
    }

    pub(super) fn bridge(self, seat: Seat, a: &str, b: &str) -> Self {
        let site = site_between(land(a), land(b)).expect("a site");
        self.with(|state| state.board.put_bridge(site, seat))
    }

    /// Workers, coins, priests.
    pub(super) fn goods(self, seat: Seat, workers: u16, coins: u16, priests: u8) -> Self {
        self.player(seat, |player| {
            player.workers = workers;
            player.coins = coins;
            player.priests = priests;
        })
    }

    pub(super) fn vp(self, seat: Seat, vp: u16) -> Self {
        self.player(seat, |player| player.vp = vp)
    }

    pub(super) fn bowls(self, seat: Seat, bowls: [u8; 3]) -> Self {
        self.player(seat, |player| player.bowls = bowls)
    }

    /// Fire, water, earth, air.
    pub(super) fn cults(self, seat: Seat, cults: [u8; 4]) -> Self {
        self.player(seat, |player| player.cults = cults)
    }

    pub(super) fn keys(self, seat: Seat, keys: u8) -> Self {
        self.player(seat, |player| player.keys = keys)
    }

    pub(super) fn shipping(self, seat: Seat, level: u8) -> Self {
        self.player(seat, |player| player.shipping = level)
    }

    pub(super) fn level(self, seat: Seat, level: u8) -> Self {
        self.player(seat, |player| player.terraforming = level)
    }

    /// The player holds this card; if it lay in the pool, the old one lies there now.
    pub(super) fn card(self, seat: Seat, card: BonusCard) -> Self {
        self.with(|state| {
            let old = state.players[seat].card.replace(card);
            if let Some(pooled) = state.pool.iter_mut().find(|pooled| pooled.card == card) {
                pooled.card = old.expect("a card");
            }
        })
    }

    pub(super) fn favor(self, seat: Seat, tile: FavorTile) -> Self {
        self.player(seat, |player| player.favors.add(tile))
    }

    /// A town with its tile; its key is used up unless the test gives one.
    pub(super) fn town(self, seat: Seat, tile: Option<TownTile>, spaces: &[&str]) -> Self {
        let lands: LandSet = spaces.iter().map(|space| land(space)).collect();
        self.with(|state| {
            state.towns.push(Town {
                seat,
                tile,
                lands,
                river: None,
            });
        })
    }

    pub(super) fn round(self, round: u8, tile: ScoringTile) -> Self {
        self.with(|state| {
            state.round = round;
            state.scoring_tiles[usize::from(round) - 1] = tile;
        })
    }

    pub(super) fn tile(self, tile: ScoringTile) -> Self {
        let round = self.state.round;
        self.round(round, tile)
    }

    /// Priests on the four spaces of the first tracks.
    pub(super) fn priests_on_cults(self, seat: Seat, count: usize) -> Self {
        self.with(|state| {
            for at in 0..count {
                state.priest_spaces[at / 4][at % 4] = Some(seat);
            }
        })
    }

    pub(super) fn free_sacrifice(self) -> Self {
        self.with(|state| state.rules.free_sacrifice = true)
    }

    pub(super) fn all_tiles(self) -> Self {
        self.with(|state| {
            state.rules.promo_tiles.town_tiles = true;
            state.rules.promo_tiles.shipping_bonus_card = true;
            state.rules.promo_tiles.temple_scoring_tile = true;
        })
    }

    /// Phase III: this seat has spades to use.
    pub(super) fn cult_spades(self, seat: Seat, spades: u8) -> Self {
        self.with(|state| {
            state.stage = Stage::Cult;
            state.passed = state.turn_order.clone();
            state.cult_spades.push(CultSpades { seat, spades });
        })
    }

    /// A new turn of this seat, whatever was open.
    pub(super) fn turn(self, seat: Seat) -> Self {
        self.with(|state| state.turn = Turn::of(seat))
    }

    pub(super) fn favor_owed(self, tiles: u8) -> Self {
        self.with(|state| {
            state.turn.main_action_done = true;
            state.turn.follow_ups.favor_tiles = tiles;
        })
    }

    /// Plays an action that must be allowed and listed.
    #[track_caller]
    pub(super) fn play(mut self, seat: Seat, action: &Action) -> Self {
        let permit = match TerraMystica::check(&self.state, seat, action) {
            Ok(permit) => permit,
            Err(refusal) => panic!("{action:?}: {refusal}"),
        };
        let mut journal = Journal::new();
        let mut chance = Chance::from_seed(&Seed::from_number(1));
        carry_out::<TerraMystica>(&mut self.state, permit, &mut chance, &mut journal);
        self.events = journal.events;
        self
    }

    /// The code with which an action is refused.
    #[track_caller]
    pub(super) fn refuses(&self, seat: Seat, action: &Action) -> &'static str {
        match TerraMystica::check(&self.state, seat, action) {
            Ok(_) => panic!("{action:?} is allowed"),
            Err(refusal) => refusal.code(),
        }
    }

    pub(super) fn allows(&self, seat: Seat, action: &Action) -> bool {
        TerraMystica::check(&self.state, seat, action).is_ok()
    }

    pub(super) fn lists(&self, seat: Seat, action: &Action) -> bool {
        legal_actions::<TerraMystica>(&self.state, seat, Detail::Moves).contains(action)
    }

    pub(super) fn decision(&self) -> Option<(Seat, Decision)> {
        self.state.decision()
    }

    pub(super) fn view(&self) -> View {
        TerraMystica::view(&self.state, crate::table::Viewer::Spectator)
    }

    pub(super) fn p(&self, seat: Seat) -> &Player {
        &self.state.players[seat]
    }

    /// Workers, coins, priests.
    pub(super) fn goods_of(&self, seat: Seat) -> (u16, u16, u8) {
        let player = self.p(seat);
        (player.workers, player.coins, player.priests)
    }

    pub(super) fn vp_of(&self, seat: Seat) -> u16 {
        self.p(seat).vp
    }

    pub(super) fn piece(&self, space: &str) -> Option<(Seat, Structure)> {
        let piece = self.state.board.piece(land(space));
        piece.map(|piece| (piece.seat, piece.structure))
    }

    pub(super) fn terrain_of(&self, space: &str) -> Terrain {
        self.state.board.terrain(land(space))
    }
}

pub(super) fn space(id: &str) -> Space {
    Space::from_id(id)
}

pub(super) fn work(transforms: &[(&str, Terrain)], build_at: &str) -> Work {
    Work {
        transforms: transforms
            .iter()
            .map(|&(id, target)| Transform {
                space: space(id),
                target,
                direction: crate::terra_mystica::Direction::Short,
            })
            .collect(),
        build_at: (!build_at.is_empty()).then(|| space(build_at)),
    }
}

/// Main action 1; no dwelling if the space is empty.
pub(super) fn transform(transforms: &[(&str, Terrain)], build_at: &str) -> Action {
    Action::TransformAndBuild {
        work: work(transforms, build_at),
    }
}

pub(super) fn build(build_at: &str) -> Action {
    transform(&[], build_at)
}

pub(super) fn late(id: &str) -> Action {
    Action::BuildDwelling { space: space(id) }
}

pub(super) fn upgrade(id: &str, to: Structure) -> Action {
    Action::UpgradeStructure {
        space: space(id),
        to,
    }
}

pub(super) fn power(power_use: PowerUse) -> Action {
    sacrificing(power_use, 0)
}

pub(super) fn sacrificing(power_use: PowerUse, sacrifice: u32) -> Action {
    Action::TakePowerAction {
        power_use,
        sacrifice,
    }
}

pub(super) fn act1(a: &str, b: &str) -> Action {
    power(PowerUse::Bridge(Some(span(a, b))))
}

pub(super) fn span(a: &str, b: &str) -> Span {
    Span {
        a: space(a),
        b: space(b),
    }
}

pub(super) fn act5(transforms: &[(&str, Terrain)], build_at: &str) -> Action {
    power(PowerUse::Spade(work(transforms, build_at)))
}

pub(super) fn act6(transforms: &[(&str, Terrain)], build_at: &str) -> Action {
    power(PowerUse::TwoSpades(work(transforms, build_at)))
}

pub(super) fn special(special_use: SpecialUse) -> Action {
    Action::TakeSpecialAction { special_use }
}

pub(super) fn ride(id: &str) -> Action {
    special(SpecialUse::WitchesRide(space(id)))
}

pub(super) fn priest(cult: Cult, slot: PriestSlot) -> Action {
    Action::SendPriest { cult, slot }
}

pub(super) fn convert(kind: Conversion, times: u32) -> Action {
    Action::Convert {
        kind,
        times,
        sacrifice: 0,
    }
}

pub(super) fn pass(card: BonusCard) -> Action {
    Action::Pass { card: Some(card) }
}

pub(super) const LAST_PASS: Action = Action::Pass { card: None };

pub(super) const ACCEPT: Action = Action::DecidePower { accept: true };

pub(super) const REFUSE: Action = Action::DecidePower { accept: false };

pub(super) fn favor_tile(tile: FavorTile) -> Action {
    Action::ChooseFavorTile { tile }
}

pub(super) fn town_tile(tile: TownTile, key_cults: &[Cult]) -> Action {
    Action::ChooseTownTile {
        tile,
        key_cults: key_cults.iter().copied().collect(),
    }
}

pub(super) fn river_town(river: &str) -> Action {
    Action::FoundRiverTown {
        river: space(river),
    }
}

pub(super) fn cult_spades(transforms: &[(&str, Terrain)]) -> Action {
    Action::UseCultSpades {
        transforms: work(transforms, "").transforms,
    }
}
