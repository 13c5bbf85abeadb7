//! The **projection** of the table for one viewer, field by field: everything is public (TM-13.1).

use super::data::{
    BRIDGE_SITES, BonusCard, Faction, FavorTile, Land, PRIESTS, PowerAction, River, ScoringTile,
    SpecialAction, Structure, Terrain, TownTile,
};
use super::options::HouseRules;
use super::stage::{Decision, Phase, Stage};
use super::state::{Player, State, Takers};
use crate::table::{Pending, PendingList, Seat, Viewer};

/// The table as everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub rules: HouseRules,
    /// The round: 0 in set-up, then 1 to 6.
    pub round: u8,
    pub phase: Phase,
    /// The pending decisions.
    pub pending: PendingList,
    /// The start player of this round.
    pub first_player: Seat,
    /// The start player of the next round, once a player has passed.
    pub next_first_player: Option<Seat>,
    /// The turn order of this round.
    pub turn_order: Vec<Seat>,
    /// The seats that have passed, in order.
    pub passed_order: Vec<Seat>,
    /// The current turn, in phase II.
    pub turn: Option<TurnView>,
    /// Open offers of power; the first one is to be decided.
    pub power_offers: Vec<OfferView>,
    /// Open choices of the active player.
    pub follow_ups: Vec<FollowUp>,
    /// Spades of cult rewards to be used; the first seat decides.
    pub cult_spades: Vec<SpadesView>,
    /// The land hexes in reading order.
    pub spaces: Vec<SpaceView>,
    pub bridges: Vec<BridgeView>,
    /// The towns, oldest first.
    pub towns: Vec<TownView>,
    /// The priest spaces of fire, water, earth, air: the holders of the space of 3 and of those of 2.
    pub priests: [[Option<Seat>; 4]; 4],
    pub used_power_actions: Vec<PowerAction>,
    /// The scoring tiles of rounds 1 to 6.
    pub scoring_tiles: [ScoringTile; 6],
    pub unused_scoring_tiles: Vec<ScoringTile>,
    /// The bonus cards that nobody holds.
    pub bonus_pool: Vec<PoolView>,
    /// The bonus cards that are not in play.
    pub unused_bonus_cards: Vec<BonusCard>,
    /// Copies left of every favor tile.
    pub favor_pool: Vec<(FavorTile, u8)>,
    /// Copies left of every town tile in the box.
    pub town_pool: Vec<(TownTile, u8)>,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
}

/// The current turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnView {
    pub seat: Seat,
    pub main_action_done: bool,
    /// Main actions of a double turn still to be taken.
    pub extra_actions: u8,
    /// The spaces for a late dwelling.
    pub late_build: Vec<Land>,
    /// Whether a neighbor of the Cultists has accepted power, while others still decide.
    pub power_accepted: bool,
}

/// An offer of power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferView {
    pub seat: Seat,
    pub builder: Seat,
    pub space: Land,
    /// Power value of the neighboring structures.
    pub value: u8,
    /// Power that can be gained now; one VP less than this is paid for it.
    pub gainable: u8,
}

/// A choice that the active player owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowUp {
    /// This many favor tiles, one after another.
    FavorTiles(u8),
    /// This many town tiles, one after another.
    TownTiles(u8),
    CultStep,
    Ordination,
    StrongholdSpades,
}

/// Spades of a cult reward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpadesView {
    pub seat: Seat,
    pub spades: u8,
}

/// A land hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceView {
    pub space: Land,
    pub terrain: Terrain,
    pub owner: Option<Seat>,
    pub structure: Option<Structure>,
}

/// A bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeView {
    pub a: Land,
    pub b: Land,
    pub seat: Seat,
}

/// A town.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TownView {
    pub seat: Seat,
    /// The tile of the town, once it is chosen.
    pub tile: Option<TownTile>,
    pub spaces: Vec<Land>,
    pub river: Option<River>,
}

/// A bonus card of the pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolView {
    pub card: BonusCard,
    pub coins: u8,
}

/// One player. Goods are on the board, which exists once the faction is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    pub seat: Seat,
    /// The drawn color, while factions are being chosen for drawn colors.
    pub color: Option<Terrain>,
    /// The faction with its goods, once it is chosen.
    pub board: Option<BoardView>,
}

/// A faction board with everything on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardView {
    pub faction: Faction,
    pub vp: u16,
    pub coins: u16,
    pub workers: u16,
    /// Priests in hand.
    pub priests: u16,
    /// Priests in the supply.
    pub priest_supply: u16,
    /// Tokens in bowls I, II, III.
    pub power_bowls: [u8; 3],
    /// Positions on fire, water, earth, air.
    pub cults: [u8; 4],
    /// The level of the shipping track. Is `None` for factions without one.
    pub shipping: Option<u8>,
    pub terraforming_level: u8,
    /// The leap range. Is `None` for factions that do not leap.
    pub leap_range: Option<u8>,
    pub bonus_card: Option<BonusCard>,
    pub favor_tiles: Vec<FavorTile>,
    /// Keys not yet used.
    pub keys: u8,
    /// Bridges left.
    pub bridges_left: u8,
    /// Structures left, in the order of the board.
    pub structures_left: [u8; 5],
    /// Structures of the largest area, measured as in the final scoring.
    pub largest_area: u8,
    pub used_special: Vec<SpecialAction>,
    pub passed: bool,
}

impl View {
    /// The faction board of a seat, once there is one.
    pub fn board(&self, seat: Seat) -> Option<&BoardView> {
        let player = self.players.iter().find(|player| player.seat == seat)?;
        player.board.as_ref()
    }
}

/// The table as everybody may know it.
///
/// # Rule TM-13.1
pub fn view(state: &State, _viewer: Viewer) -> View {
    let acting = state.stage == Stage::Action;
    View {
        rules: state.rules,
        round: state.round,
        phase: phase(state),
        pending: Pending::all(state.pending(), Decision::id),
        first_player: state.turn_order[0],
        next_first_player: state.passed.first().copied(),
        turn_order: state.turn_order.to_vec(),
        passed_order: state.passed.to_vec(),
        turn: acting.then(|| turn(state)),
        power_offers: offers(state),
        follow_ups: follow_ups(state),
        cult_spades: cult_spades(state),
        spaces: Land::all().map(|land| space(state, land)).collect(),
        bridges: bridges(state),
        towns: towns(state),
        priests: state.priest_spaces,
        used_power_actions: state.used_power_actions.iter().collect(),
        scoring_tiles: state.scoring_tiles,
        unused_scoring_tiles: filtered(&ScoringTile::ALL, |tile| {
            state.rules.has_scoring_tile(*tile) && !state.scoring_tiles.contains(tile)
        }),
        bonus_pool: pool(state),
        unused_bonus_cards: filtered(&BonusCard::ALL, |&card| is_unused(state, card)),
        favor_pool: with_count(&FavorTile::ALL, |tile| state.favor_left(tile)),
        town_pool: with_count(
            &filtered(&TownTile::ALL, |&tile| state.rules.has_town_tile(tile)),
            |tile| state.town_tiles_left(tile),
        ),
        players: Seat::all(state.seats())
            .map(|seat| player(state, seat))
            .collect(),
    }
}

/// Removes the pending decisions from a view.
pub fn clear_pending(view: &mut View) {
    view.pending.clear();
    view.turn = None;
    view.power_offers.clear();
    view.follow_ups.clear();
    view.cult_spades.clear();
}

fn filtered<T: Copy>(all: &[T], keep: impl Fn(&T) -> bool) -> Vec<T> {
    all.iter().copied().filter(keep).collect()
}

fn with_count<T: Copy>(all: &[T], count: impl Fn(T) -> u8) -> Vec<(T, u8)> {
    all.iter().map(|&one| (one, count(one))).collect()
}

const fn phase(state: &State) -> Phase {
    match state.stage {
        Stage::ChooseFaction(_) | Stage::PlaceDwelling | Stage::ChooseBonusCard => Phase::Setup,
        Stage::Action => Phase::Action,
        Stage::Cult => Phase::Cult,
        Stage::Over => Phase::Over,
    }
}

fn turn(state: &State) -> TurnView {
    TurnView {
        seat: state.turn.seat,
        main_action_done: state.turn.main_action_done,
        extra_actions: state.turn.extra_actions,
        late_build: state.turn.late_build.iter().collect(),
        power_accepted: state.turn.takers == Takers::Somebody,
    }
}

fn offers(state: &State) -> Vec<OfferView> {
    let offers = state.turn.offers.iter();
    offers
        .map(|offer| OfferView {
            seat: offer.seat,
            builder: state.turn.seat,
            space: offer.land,
            value: offer.value,
            gainable: state.gainable(offer.seat, offer.value),
        })
        .collect()
}

fn follow_ups(state: &State) -> Vec<FollowUp> {
    let open = state.turn.follow_ups;
    let towns = state.open_towns();
    [
        (open.favor_tiles > 0, FollowUp::FavorTiles(open.favor_tiles)),
        (towns > 0, FollowUp::TownTiles(towns)),
        (open.cult_step, FollowUp::CultStep),
        (open.ordination, FollowUp::Ordination),
        (open.stronghold_spades, FollowUp::StrongholdSpades),
    ]
    .into_iter()
    .filter_map(|(open, follow_up)| open.then_some(follow_up))
    .collect()
}

fn cult_spades(state: &State) -> Vec<SpadesView> {
    let queue = state.cult_spades.iter();
    queue
        .map(|queued| SpadesView {
            seat: queued.seat,
            spades: queued.spades,
        })
        .collect()
}

fn space(state: &State, land: Land) -> SpaceView {
    let piece = state.board.piece(land);
    SpaceView {
        space: land,
        terrain: state.board.terrain(land),
        owner: piece.map(|piece| piece.seat),
        structure: piece.map(|piece| piece.structure),
    }
}

fn bridges(state: &State) -> Vec<BridgeView> {
    let bridges = state.board.bridges();
    bridges
        .map(|(site, seat)| BridgeView {
            a: BRIDGE_SITES[site].a,
            b: BRIDGE_SITES[site].b,
            seat,
        })
        .collect()
}

fn towns(state: &State) -> Vec<TownView> {
    let towns = state.towns.iter();
    towns
        .map(|town| TownView {
            seat: town.seat,
            tile: town.tile,
            spaces: town.lands.iter().collect(),
            river: town.river,
        })
        .collect()
}

fn pool(state: &State) -> Vec<PoolView> {
    let pool = state.pool.iter();
    pool.map(|pooled| PoolView {
        card: pooled.card,
        coins: pooled.coins,
    })
    .collect()
}

fn is_unused(state: &State, card: BonusCard) -> bool {
    let is_owned = state.players.iter().any(|player| player.card == Some(card));
    state.rules.has_card(card) && !is_owned && state.place_in_pool(card).is_none()
}

fn player(state: &State, seat: Seat) -> PlayerView {
    let choosing = state.choosing();
    let color = choosing.and_then(|choosing| choosing.colors.get(seat.index()).copied());
    let board = match choosing {
        Some(choosing) => {
            choosing.chosen[seat].map(|faction| board(state, seat, &Player::new(faction)))
        }
        None => Some(board(state, seat, &state.players[seat])),
    };
    PlayerView { seat, color, board }
}

fn board(state: &State, seat: Seat, player: &Player) -> BoardView {
    let seated = state.players.has(seat);
    let on_cults = state.priests_on_cults(seat);
    BoardView {
        faction: player.faction,
        vp: player.vp,
        coins: player.coins,
        workers: player.workers,
        priests: player.priests,
        priest_supply: PRIESTS - player.priests - on_cults,
        power_bowls: player.bowls,
        cults: player.cults,
        shipping: player.sheet().shipping.map(|_| player.shipping),
        terraforming_level: player.terraforming,
        leap_range: if seated {
            state.leap_range(seat)
        } else {
            player.faction.first_leap()
        },
        bonus_card: player.card,
        favor_tiles: player.favors.iter().collect(),
        keys: player.keys,
        bridges_left: state.board.bridges_left(seat),
        structures_left: Structure::ALL.map(|structure| state.board.left(seat, structure)),
        largest_area: if seated { state.largest_area(seat) } else { 0 },
        used_special: player.used.iter().collect(),
        passed: state.has_passed(seat),
    }
}
