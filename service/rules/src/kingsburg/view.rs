//! The **projection** of the table for one viewer, field by field (KIN-13).

mod bookkeeping;

use std::fmt;

use super::action::EnvoyUse;
use super::data::{Advisor, Building, Color, DieId, Enemy, EnemyYear, Goods, Phase, ROWS, Step};
use super::event::Outcome;
use super::options::Options;
use super::stage::Decision;
use super::state::{Battle, Envoy, State};
use crate::table::{Pending, PendingList, Seat, Viewer, ids};

pub use bookkeeping::{Bookkeeping, PointsView, StoneWallsView};

/// The table as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub options: Options,
    /// The year, 1 to 5.
    pub year: u8,
    pub phase: Phase,
    /// The step of a season or of winter. Is `None` in the phases between them (KIN-16.2).
    pub step: Option<Step>,
    /// The pending decisions.
    pub pending: PendingList,
    /// The details of the pending decision, if it has any.
    pub question: Option<Question>,
    /// The turn order.
    pub turn_order: Vec<Seat>,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
    pub envoy: EnvoyView,
    /// The groups on the court by advisor, then in order of placement; neutral ones included.
    pub court: Vec<GroupView>,
    /// The enemy of each year.
    pub enemies: Vec<EnemyView>,
    /// The seats that have seen this year's card, in seat order. Empty once it is revealed.
    pub peeked_by: Vec<Seat>,
    /// The battle of this winter, from the reveal to the end of winter.
    pub battle: Option<BattleView>,
    /// Previous battles, in order.
    pub history: Vec<BattleView>,
    /// The facts that only the operator sees.
    pub bookkeeping: Option<Bookkeeping>,
}

impl View {
    /// The player of this seat.
    pub fn player(&self, seat: Seat) -> Option<&PlayerView> {
        self.players.iter().find(|player| player.seat == seat)
    }
}

/// The details of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The advisor who helps.
    pub advisor: Option<Advisor>,
    /// The number of buildings that the seat may still build.
    pub build_actions_left: Option<u8>,
    /// The number of goods due.
    pub goods: Option<u8>,
}

/// The state of one player, all of it public (KIN-4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent facts that the rule document lists side by side (KIN-4)"
)]
pub struct PlayerView {
    pub seat: Seat,
    pub color: Color,
    /// Victory points; may be negative.
    pub vp: i16,
    pub goods: Goods,
    /// +2 tokens in hand.
    pub plus2: u8,
    /// Soldiers of this year.
    pub soldiers: u16,
    /// The number of buildings in each row; a row is built from column 1 on.
    pub rows: [u8; ROWS],
    /// The standing buildings, row by row.
    pub buildings: Vec<Building>,
    /// Whether the player holds the white die of the Aid from the King.
    pub aid_die: bool,
    /// This season's dice, by number.
    pub dice: Vec<DieView>,
    pub reroll_used: bool,
    pub market_used: bool,
    /// Whether the player has passed, or placed all own dice, this season.
    pub influence_done: bool,
    /// The number of buildings that the player may still build; 0 outside of BUILD.
    pub build_actions_left: u8,
}

/// A die and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DieView {
    /// The number of the die; 3 and 4 are white.
    pub die: DieId,
    /// The face, 1 to 6.
    pub value: u8,
    pub place: DiePlace,
}

impl fmt::Display for DieView {
    /// The face; `w4` for a white die.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let white = if self.die.is_white() { "w" } else { "" };
        write!(f, "{white}{}", self.value)
    }
}

/// The place of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiePlace {
    /// In its player's pool, to be placed.
    Pool,
    /// On an advisor.
    Court(Advisor),
    /// Set aside for this season.
    SetAside,
}

/// The King's Envoy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvoyView {
    /// The holder of the marker. Is `None` while it is on the board.
    pub holder: Option<Seat>,
    /// The purpose of the envoy this autumn.
    pub mode: EnvoyMode,
    /// The seat that declared this autumn.
    pub declarer: Option<Seat>,
    /// Whether the envoy was sent to an occupied advisor.
    pub spent: bool,
}

ids! {
    /// The purpose of the envoy.
    EnvoyMode {
        None "none",
        /// Given, not yet declared.
        Undeclared "undeclared",
        Advisor "advisor",
        SecondBuilding "second_building",
    }
}

/// A group of dice on an advisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupView {
    pub advisor: Advisor,
    /// The owner of the dice. Is `None` for neutral dice.
    pub owner: Option<Seat>,
    /// The dice by number; neutral dice have none (KIN-16.7).
    pub dice: Vec<DieId>,
    /// The faces of the dice, in the same order.
    pub values: Vec<u8>,
    /// +2 tokens used with the dice.
    pub plus2: u8,
    /// The offset by the Market: -1, 0 or 1.
    pub market_offset: i8,
    /// Whether the envoy opened the occupied advisor.
    pub via_envoy: bool,
    /// The number of the group in its season, from 1, neutral ones first (KIN-16.15).
    pub sequence: u8,
}

/// The enemy of one year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnemyView {
    /// The year, 1 to 5.
    pub year: u8,
    /// The minimum strength (KIN-3.6).
    pub min_strength: u8,
    /// The maximum strength.
    pub max_strength: u8,
    /// The card, if the viewer knows it.
    pub card: Option<Enemy>,
    /// Whether the card is public.
    pub revealed: bool,
}

/// A battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BattleView {
    pub card: Enemy,
    pub king_die: u8,
    pub fighters: Vec<FighterView>,
}

/// One player in a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FighterView {
    pub seat: Seat,
    pub strength: i16,
    pub outcome: Outcome,
}

/// The table as this viewer may know it.
///
/// # Rule KIN-13.1, KIN-13.2
pub fn view(state: &State, viewer: Viewer) -> View {
    View {
        options: state.options.clone(),
        year: state.year,
        phase: state.phase,
        step: state.step(),
        pending: Pending::all(state.pending(), Decision::id),
        question: state.pending().and_then(|(_, decision)| question(decision)),
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
        bookkeeping: (viewer == Viewer::Operator).then(|| bookkeeping::bookkeeping(state)),
    }
}

/// Removes the pending decisions from a view.
pub fn clear_pending(view: &mut View) {
    view.pending.clear();
    view.question = None;
}

/// The details of a decision.
///
/// # Rule KIN-16.15
fn question(decision: Decision) -> Option<Question> {
    let mut question = Question::default();
    match decision {
        Decision::HelpChoice { advisor } => question.advisor = Some(advisor),
        Decision::Build { actions_left } => question.build_actions_left = Some(actions_left),
        Decision::Recruit { goods } | Decision::LossGoods { goods } => question.goods = Some(goods),
        Decision::AidGood
        | Decision::EnvoyDeclaration
        | Decision::Reroll
        | Decision::SetAside
        | Decision::Influence
        | Decision::TownHall
        | Decision::RewardGood
        | Decision::LossBuilding => return None,
    }
    Some(question)
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
        buildings: player.province.standing().collect(),
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

/// Lists revealed cards, and this year's for viewers who have peeked; only the backs of the others.
fn enemies(state: &State, viewer: Viewer) -> Vec<EnemyView> {
    let known_now = match viewer {
        Viewer::Seat(seat) => state.peeked_by.contains(seat),
        Viewer::Spectator => false,
        Viewer::Operator => true,
    };
    let backs = Enemy::backs().iter().zip(&state.deck).enumerate();
    let view = |(index, (back, &card)): (usize, (&EnemyYear, &Enemy))| {
        let revealed = index < state.revealed();
        let peeked = known_now && back.year == state.year;
        let operator = viewer == Viewer::Operator;
        EnemyView {
            year: back.year,
            min_strength: back.min_strength,
            max_strength: back.max_strength,
            card: (revealed || peeked || operator).then_some(card),
            revealed,
        }
    };
    backs.map(view).collect()
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
