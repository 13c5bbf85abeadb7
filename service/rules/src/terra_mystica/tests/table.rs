//! A table for tests: complete, in round 3, with seat 1 to move.

use gamekeeper_rules::conformance::TestTable;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, OptionalParam, Seat, Seed};
use gamekeeper_rules::terra_mystica::data::Conversion;
use gamekeeper_rules::terra_mystica::data::ScoringTile;
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Cult, Faction, FavorTile, Land, LandSet, PriestSlot, Space, Structure, Terrain,
    TownTile, site_between,
};
use gamekeeper_rules::terra_mystica::stage::Stage;
use gamekeeper_rules::terra_mystica::state::{CultSpades, Player, PoolCard, State, Town, Turn};
use gamekeeper_rules::terra_mystica::{
    Action, Decision, Draft, Options, PowerUse, Refusal, SetupMode, Span, SpecialUse, TerraMystica,
    Transform, Work,
};

pub(crate) use gamekeeper_rules::conformance::TestPlay;
pub(crate) use gamekeeper_rules::table::Viewer::Spectator;

pub(crate) const S1: Seat = Seat::FIRST;
pub(crate) const S2: Seat = Seat::at(1);
pub(crate) const S3: Seat = Seat::at(2);
pub(crate) const S4: Seat = Seat::at(3);

pub(crate) use Structure::{
    Dwelling as D, Sanctuary as SA, Stronghold as SH, Temple as TE, TradingHouse as TP,
};

gamekeeper_rules::test_type! { Table: TestTable<TerraMystica> }

pub(crate) fn land(id: &str) -> Land {
    Land::by_id(id).expect("a land")
}

pub(crate) fn options(seats: usize, draft: &Draft) -> Result<Options, Refusal> {
    TerraMystica::options(&vec![String::new(); seats], draft).map_err(|no| no.refused.reason)
}

/// Options with these factions, the first one starting.
pub(crate) fn draft_of(factions: &[Faction]) -> Draft {
    Draft {
        first_player: Some(1),
        setup_mode: OptionalParam::Known(SetupMode::Custom),
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
    /// BON4 and BON9 are in the pool.
    pub(crate) fn of(factions: &[Faction]) -> Self {
        let options = options(factions.len(), &draft_of(factions)).expect("a legal table");
        let luck = Chance::from_seed(&Seed::from_number(1));
        let mut table = TestTable::<TerraMystica>::created(&options, luck);
        let state = &mut table.state;
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
        Self(table)
    }

    fn with(mut self, change: impl FnOnce(&mut State)) -> Self {
        change(&mut self.state);
        self
    }

    fn player(self, seat: Seat, change: impl FnOnce(&mut Player)) -> Self {
        self.with(|state| change(&mut state.players[seat]))
    }

    /// Puts a structure on spaces, which become home terrain.
    pub(crate) fn at(self, seat: Seat, structure: Structure, spaces: &[&str]) -> Self {
        self.with(|state| {
            for space in spaces {
                let home = state.faction(seat).home();
                state.board.set_terrain(land(space), home);
                state.board.put(land(space), seat, structure);
            }
        })
    }

    pub(crate) fn terrain(self, space: &str, terrain: Terrain) -> Self {
        self.with(|state| state.board.set_terrain(land(space), terrain))
    }

    pub(crate) fn bridge(self, seat: Seat, a: &str, b: &str) -> Self {
        let site = site_between(land(a), land(b)).expect("a site");
        self.with(|state| state.board.put_bridge(site, seat))
    }

    /// Sets workers, coins, priests.
    pub(crate) fn goods(self, seat: Seat, workers: u16, coins: u16, priests: u16) -> Self {
        self.player(seat, |player| {
            player.workers = workers;
            player.coins = coins;
            player.priests = priests;
        })
    }

    pub(crate) fn vp(self, seat: Seat, vp: u16) -> Self {
        self.player(seat, |player| player.vp = vp)
    }

    pub(crate) fn bowls(self, seat: Seat, bowls: [u8; 3]) -> Self {
        self.player(seat, |player| player.bowls = bowls)
    }

    /// Sets the steps on fire, water, earth, air.
    pub(crate) fn cults(self, seat: Seat, cults: [u8; 4]) -> Self {
        self.player(seat, |player| player.cults = cults)
    }

    pub(crate) fn keys(self, seat: Seat, keys: u8) -> Self {
        self.player(seat, |player| player.keys = keys)
    }

    pub(crate) fn shipping(self, seat: Seat, level: u8) -> Self {
        self.player(seat, |player| player.shipping = level)
    }

    pub(crate) fn level(self, seat: Seat, level: u8) -> Self {
        self.player(seat, |player| player.terraforming = level)
    }

    /// Gives the player this card; if it was in the pool, the old one replaces it there.
    pub(crate) fn card(self, seat: Seat, card: BonusCard) -> Self {
        self.with(|state| {
            let old = state.players[seat].card.replace(card);
            if let Some(pooled) = state.pool.iter_mut().find(|pooled| pooled.card == card) {
                pooled.card = old.expect("a card");
            }
        })
    }

    pub(crate) fn favor(self, seat: Seat, tile: FavorTile) -> Self {
        self.player(seat, |player| {
            player.favors.insert(tile);
        })
    }

    /// Adds a town with its tile; its key is used up unless the test gives one.
    pub(crate) fn town(self, seat: Seat, tile: Option<TownTile>, spaces: &[&str]) -> Self {
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

    pub(crate) fn round(self, round: u8, tile: ScoringTile) -> Self {
        self.with(|state| {
            state.round = round;
            state.scoring_tiles[usize::from(round) - 1] = tile;
        })
    }

    pub(crate) fn tile(self, tile: ScoringTile) -> Self {
        let round = self.state.round;
        self.round(round, tile)
    }

    /// Puts priests on the four spaces of the first tracks.
    pub(crate) fn priests_on_cults(self, seat: Seat, count: usize) -> Self {
        self.with(|state| {
            for at in 0..count {
                state.priest_spaces[at / 4][at % 4] = Some(seat);
            }
        })
    }

    pub(crate) fn free_sacrifice(self) -> Self {
        self.with(|state| state.rules.free_sacrifice = true)
    }

    pub(crate) fn cultist_power_needs_offer(self) -> Self {
        self.with(|state| state.rules.cultist_power_needs_offer = true)
    }

    pub(crate) fn all_tiles(self) -> Self {
        self.with(|state| {
            state.rules.promo_tiles.town_tiles = true;
            state.rules.promo_tiles.shipping_bonus_card = true;
            state.rules.promo_tiles.temple_scoring_tile = true;
        })
    }

    /// Begins phase III: this seat has spades to use.
    pub(crate) fn cult_spades(self, seat: Seat, spades: u8) -> Self {
        self.with(|state| {
            state.stage = Stage::Cult;
            state.passed = state.turn_order.clone();
            state.cult_spades.push(CultSpades { seat, spades });
        })
    }

    /// Begins a new turn of this seat, and drops everything pending.
    pub(crate) fn turn(self, seat: Seat) -> Self {
        self.with(|state| state.turn = Turn::of(seat))
    }

    pub(crate) fn favor_owed(self, tiles: u8) -> Self {
        self.with(|state| {
            state.turn.main_action_done = true;
            state.turn.follow_ups.favor_tiles = tiles;
        })
    }

    /// Plays an action. Tests go on from the table that this returns.
    #[track_caller]
    pub(crate) fn play(mut self, seat: Seat, action: &Action) -> Self {
        TestPlay::play(&mut self, seat, action);
        self
    }

    /// The VP of a seat from a source of the final scoring.
    #[track_caller]
    pub(crate) fn final_vp(&self, seat: Seat, source: &str) -> i32 {
        let ranking = TerraMystica::ranking(&self.state).expect("the end");
        let mut standings = ranking.standings.iter();
        let standing = standings.find(|one| one.seat == seat).unwrap();
        let mut items = standing.breakdown.iter();
        items.find(|item| item.source.id == source).unwrap().points
    }

    pub(crate) fn decision(&self) -> Option<(Seat, Decision)> {
        self.state.pending()
    }

    pub(crate) fn p(&self, seat: Seat) -> &Player {
        &self.state.players[seat]
    }

    /// Returns workers, coins, priests.
    pub(crate) fn goods_of(&self, seat: Seat) -> (u16, u16, u16) {
        let player = self.p(seat);
        (player.workers, player.coins, player.priests)
    }

    pub(crate) fn vp_of(&self, seat: Seat) -> u16 {
        self.p(seat).vp
    }

    pub(crate) fn piece(&self, space: &str) -> Option<(Seat, Structure)> {
        let piece = self.state.board.piece(land(space));
        piece.map(|piece| (piece.seat, piece.structure))
    }

    pub(crate) fn terrain_of(&self, space: &str) -> Terrain {
        self.state.board.terrain(land(space))
    }
}

pub(crate) fn space(id: &str) -> Space {
    Space::by_id(id)
}

pub(crate) fn work(transforms: &[(&str, Terrain)], build_at: &str) -> Work {
    Work {
        transforms: transforms
            .iter()
            .map(|&(id, target)| Transform {
                space: space(id),
                target,
                direction: gamekeeper_rules::terra_mystica::Direction::Short,
            })
            .collect(),
        build_at: (!build_at.is_empty()).then(|| space(build_at)),
    }
}

/// Makes main action 1; without a dwelling if `build_at` is empty.
pub(crate) fn transform(transforms: &[(&str, Terrain)], build_at: &str) -> Action {
    Action::TransformAndBuild {
        work: work(transforms, build_at),
    }
}

pub(crate) fn build(build_at: &str) -> Action {
    transform(&[], build_at)
}

pub(crate) fn late(id: &str) -> Action {
    Action::BuildDwelling { space: space(id) }
}

pub(crate) fn upgrade(id: &str, to: Structure) -> Action {
    Action::UpgradeStructure {
        space: space(id),
        to_structure: to,
    }
}

pub(crate) fn power(power_use: PowerUse) -> Action {
    sacrificing(power_use, 0)
}

pub(crate) fn sacrificing(power_use: PowerUse, sacrifice: u32) -> Action {
    Action::TakePowerAction {
        power_use,
        sacrifice,
    }
}

pub(crate) fn act1(a: &str, b: &str) -> Action {
    power(PowerUse::Bridge {
        span: Some(span(a, b)),
    })
}

pub(crate) fn span(a: &str, b: &str) -> Span {
    Span {
        a: space(a),
        b: space(b),
    }
}

pub(crate) fn act5(transforms: &[(&str, Terrain)], build_at: &str) -> Action {
    power(PowerUse::Spade(work(transforms, build_at)))
}

pub(crate) fn act6(transforms: &[(&str, Terrain)], build_at: &str) -> Action {
    power(PowerUse::TwoSpades(work(transforms, build_at)))
}

pub(crate) fn special(special_use: SpecialUse) -> Action {
    Action::TakeSpecialAction { special_use }
}

pub(crate) fn ride(id: &str) -> Action {
    special(SpecialUse::WitchesRide(space(id)))
}

pub(crate) fn priest(cult: Cult, slot: PriestSlot) -> Action {
    Action::SendPriest { cult, slot }
}

pub(crate) fn convert(kind: Conversion, times: u32) -> Action {
    Action::Convert {
        kind,
        times,
        sacrifice: 0,
    }
}

pub(crate) fn pass(card: BonusCard) -> Action {
    Action::PassTurn { card: Some(card) }
}

pub(crate) const LAST_PASS: Action = Action::PassTurn { card: None };

pub(crate) const ACCEPT: Action = Action::DecidePower { accept: true };

pub(crate) const REFUSE: Action = Action::DecidePower { accept: false };

pub(crate) fn favor_tile(tile: FavorTile) -> Action {
    Action::ChooseFavorTile { tile }
}

pub(crate) fn town_tile(tile: TownTile, key_cults: &[Cult]) -> Action {
    Action::ChooseTownTile {
        tile,
        key_cults: key_cults.iter().copied().collect(),
    }
}

pub(crate) fn river_town(river: &str) -> Action {
    Action::FoundRiverTown {
        river: space(river),
    }
}

pub(crate) fn cult_spades(transforms: &[(&str, Terrain)]) -> Action {
    Action::UseCultSpades {
        transforms: work(transforms, "").transforms,
    }
}
