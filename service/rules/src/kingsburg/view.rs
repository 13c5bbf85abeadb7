//! What one viewer may know, written field by field (KIN-13).

use super::action::EnvoyUse;
use super::data::{Advisor, Color, DieId, Enemy, Goods, Phase, ROWS, Step};
use super::event::Outcome;
use super::options::Options;
use super::score;
use super::stage::Decision;
use super::state::{Battle, Envoy, State};
use crate::table::{Seat, Viewer};

/// The table as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The options of the game.
    pub options: Options,
    /// The year, 1 to 5.
    pub year: u8,
    /// The phase of the year.
    pub phase: Phase,
    /// The step of a season or of winter; none in the phases between them (KIN-16.2).
    pub step: Option<Step>,
    /// The decision awaited; none when the game is over.
    pub pending: Option<PendingView>,
    /// Who acts first, second, ...
    pub turn_order: Vec<Seat>,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
    /// The King's Envoy.
    pub envoy: EnvoyView,
    /// The groups on the court by advisor, then as placed; neutral ones included.
    pub court: Vec<GroupView>,
    /// The enemy of each year.
    pub enemies: Vec<EnemyView>,
    /// Who has seen this year's card, in seat order. Empty once it is revealed.
    pub peeked_by: Vec<Seat>,
    /// The battle of this winter, from the reveal to the end of winter.
    pub battle: Option<BattleView>,
    /// The battles before, in order.
    pub history: Vec<BattleView>,
    /// One result for each seat, best rank first. Empty until the game is over.
    pub results: Vec<SeatResult>,
}

/// Who owes which decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingView {
    /// Who must act.
    pub seat: Seat,
    /// What about.
    pub decision: Decision,
}

/// One player. Everything about players is public (KIN-4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent facts that the rule document lists side by side (KIN-4)"
)]
pub struct PlayerView {
    /// His seat.
    pub seat: Seat,
    /// His colour.
    pub color: Color,
    /// Victory points; may be negative.
    pub vp: i16,
    /// Goods.
    pub goods: Goods,
    /// +2 tokens in hand.
    pub plus2: u8,
    /// Soldiers of this year.
    pub soldiers: u16,
    /// The number of buildings in each row; a row is built from column 1 on.
    pub rows: [u8; ROWS],
    /// Does he hold the white die of the Aid from the King?
    pub aid_die: bool,
    /// This season's dice, by number.
    pub dice: Vec<DieView>,
    /// Was a die rolled again this season?
    pub reroll_used: bool,
    /// Was the Market used this season?
    pub market_used: bool,
    /// Has he passed, or placed his own dice, this season?
    pub influence_done: bool,
    /// During BUILD: how many buildings he may still build.
    pub build_actions_left: u8,
}

/// A die and where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DieView {
    /// The die; 3 and 4 are white.
    pub die: DieId,
    /// The face, 1 to 6.
    pub value: u8,
    /// Where it lies.
    pub place: DiePlace,
}

/// Where a die lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiePlace {
    /// Before its player, to be placed.
    Pool,
    /// On an advisor.
    Court(Advisor),
    /// Set aside for this season.
    SetAside,
}

/// The King's Envoy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvoyView {
    /// Who has the marker; none: it is on the board.
    pub holder: Option<Seat>,
    /// What it is for this autumn.
    pub mode: EnvoyMode,
    /// Who declared this autumn.
    pub declarer: Option<Seat>,
    /// Was it sent to an occupied advisor?
    pub spent: bool,
}

/// What the envoy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvoyMode {
    /// Nothing.
    None,
    /// Given, not yet declared.
    Undeclared,
    /// An occupied advisor.
    Advisor,
    /// A second building.
    SecondBuilding,
}

impl EnvoyMode {
    /// All modes.
    pub const ALL: [Self; 4] = [
        Self::None,
        Self::Undeclared,
        Self::Advisor,
        Self::SecondBuilding,
    ];
}

/// A group of dice on an advisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupView {
    /// The advisor.
    pub advisor: Advisor,
    /// Whose dice; none: neutral.
    pub owner: Option<Seat>,
    /// The dice by number; neutral dice have none (KIN-16.7).
    pub dice: Vec<DieId>,
    /// What the dice show, in the same order.
    pub values: Vec<u8>,
    /// +2 tokens that lie with them.
    pub plus2: u8,
    /// What the Market added: -1, 0 or 1.
    pub market_offset: i8,
    /// Did the envoy open the occupied advisor?
    pub via_envoy: bool,
    /// Counts the groups of the season, neutral ones first, from 1 (KIN-16.15).
    pub sequence: u8,
}

/// The enemy of one year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnemyView {
    /// The year, 1 to 5.
    pub year: u8,
    /// The least strength it can have (KIN-3.6).
    pub least: u8,
    /// The greatest strength it can have.
    pub greatest: u8,
    /// The card, if the viewer knows it.
    pub card: Option<Enemy>,
    /// Is the card public?
    pub revealed: bool,
}

/// A battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BattleView {
    /// The enemy.
    pub card: Enemy,
    /// The King's die.
    pub king_die: u8,
    /// Strength and outcome of each seat.
    pub fighters: Vec<FighterView>,
}

/// One player in a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FighterView {
    /// Who.
    pub seat: Seat,
    /// How strong.
    pub strength: i16,
    /// What came of it.
    pub outcome: Outcome,
}

/// The result of one seat (KIN-16.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatResult {
    /// Whose.
    pub seat: Seat,
    /// The rank, from 1; shared ranks skip: 1, 1, 3.
    pub rank: u8,
    /// Victory points.
    pub vp: i16,
    /// Goods left.
    pub goods: u16,
    /// Buildings.
    pub buildings: u8,
}

/// The table as this viewer may know it.
///
/// # Rule KIN-13.1, KIN-13.2
pub(crate) fn view(state: &State, viewer: Viewer) -> View {
    let pending = state.asked();
    View {
        options: state.options.clone(),
        year: state.year,
        phase: state.phase,
        step: state.step(),
        pending: pending.map(|(seat, decision)| PendingView { seat, decision }),
        turn_order: state.order.to_vec(),
        players: state
            .players
            .seats()
            .map(|seat| player(state, seat))
            .collect(),
        envoy: envoy(state.envoy),
        court: court(state),
        enemies: enemies(state, viewer),
        peeked_by: state.peeked_by.iter().collect(),
        battle: state.battle.as_ref().map(battle),
        history: state.history.iter().map(battle).collect(),
        results: results(state),
    }
}

fn player(state: &State, seat: Seat) -> PlayerView {
    let player = &state.players[seat];
    PlayerView {
        seat,
        color: state.options.colors[seat],
        vp: player.vp(),
        goods: player.goods,
        plus2: player.plus2,
        soldiers: player.soldiers,
        rows: player.province.rows,
        aid_die: state.aid_die == Some(seat),
        dice: dice(state, seat),
        reroll_used: player.reroll_used,
        market_used: player.market_used,
        influence_done: player.influence_done,
        build_actions_left: state.build_actions_left(seat),
    }
}

fn dice(state: &State, seat: Seat) -> Vec<DieView> {
    let dice = &state.players[seat].dice;
    let place = |die| {
        let group = state.groups.iter();
        let mut group = group.filter(|group| group.owner == seat && group.dice.contains(die));
        if dice.set_aside.contains(die) {
            DiePlace::SetAside
        } else {
            group
                .next()
                .map_or(DiePlace::Pool, |group| DiePlace::Court(group.advisor))
        }
    };
    let view = |die| DieView {
        die,
        value: dice.face(die),
        place: place(die),
    };
    dice.rolled().iter().map(view).collect()
}

fn envoy(envoy: Envoy) -> EnvoyView {
    let (mode, declarer, spent) = match envoy {
        Envoy::OnBoard => (EnvoyMode::None, None, false),
        Envoy::Undeclared(_) => (EnvoyMode::Undeclared, None, false),
        Envoy::Declared { by, purpose, spent } => {
            let mode = match purpose {
                EnvoyUse::Advisor => EnvoyMode::Advisor,
                EnvoyUse::SecondBuilding => EnvoyMode::SecondBuilding,
                EnvoyUse::Nothing => EnvoyMode::None,
            };
            (mode, Some(by), spent)
        }
    };
    EnvoyView {
        holder: envoy.holder(),
        mode,
        declarer,
        spent,
    }
}

fn court(state: &State) -> Vec<GroupView> {
    let neutral = state.neutral.iter().map(|group| GroupView {
        advisor: group.advisor,
        owner: None,
        dice: Vec::new(),
        values: group.values.to_vec(),
        plus2: 0,
        market_offset: 0,
        via_envoy: false,
        sequence: 0,
    });
    let players = state.groups.iter().map(|group| {
        let dice = &state.players[group.owner].dice;
        GroupView {
            advisor: group.advisor,
            owner: Some(group.owner),
            dice: group.dice.iter().collect(),
            values: group.dice.iter().map(|die| dice.face(die)).collect(),
            plus2: group.plus2,
            market_offset: group.market_offset,
            via_envoy: group.via_envoy,
            sequence: 0,
        }
    });
    let groups = (1..).zip(neutral.chain(players));
    let mut groups: Vec<GroupView> = groups
        .map(|(sequence, group)| GroupView { sequence, ..group })
        .collect();
    groups.sort_by_key(|group| group.advisor);
    groups
}

/// Revealed cards, and this year's for who has peeked; of the others only the back.
fn enemies(state: &State, viewer: Viewer) -> Vec<EnemyView> {
    let known_now = match viewer {
        Viewer::Seat(seat) => state.peeked_by.contains(seat),
        Viewer::Spectator => false,
        Viewer::Operator => true,
    };
    let backs = Enemy::backs().iter().zip(&state.deck).enumerate();
    let view = |(index, (back, &card)): (usize, (&super::data::EnemyYear, &Enemy))| {
        let revealed = index < state.revealed();
        let peeked = known_now && back.year == state.year;
        let operator = viewer == Viewer::Operator;
        EnemyView {
            year: back.year,
            least: back.least,
            greatest: back.greatest,
            card: (revealed || peeked || operator).then_some(card),
            revealed,
        }
    };
    backs.map(view).collect()
}

fn results(state: &State) -> Vec<SeatResult> {
    let standings = score::ranking(state)
        .into_iter()
        .flat_map(|ranking| ranking.standings);
    standings
        .map(|standing| {
            let player = &state.players[standing.seat];
            SeatResult {
                seat: standing.seat,
                rank: standing.rank,
                vp: player.vp(),
                goods: player.goods.total(),
                buildings: player.province.count(),
            }
        })
        .collect()
}

fn battle(battle: &Battle) -> BattleView {
    let fighter = |(seat, &strength)| FighterView {
        seat,
        strength,
        outcome: battle.outcome(seat),
    };
    BattleView {
        card: battle.enemy,
        king_die: battle.king_die,
        fighters: battle.strength.entries().map(fighter).collect(),
    }
}
