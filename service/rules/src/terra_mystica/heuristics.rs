//! The **evaluation function** of bots: points, and the points that goods, income, structures, tracks and tiles can
//! still become in the rounds that are left. Values are hundredths of a point; the bots get tenths.

pub mod ahead;
pub mod appeal;
pub mod cults;
pub mod figures;
pub mod goods;
pub mod land;
pub mod structures;
pub mod tiles;

use super::TerraMystica;
use super::action::Action;
use super::data::ROUNDS;
use super::stage::Stage;
use super::state::{Player, State};
use crate::bots::{Effort, Heuristics};
use crate::table::{Chance, Seat};

const POINT: i32 = 100;
/// Hundredths of a point in a tenth.
const TENTH: i32 = 10;

impl Heuristics for TerraMystica {
    /// The further decisions of the seat itself in this round.
    const HORIZON: u32 = 12;

    /// The favorite alone, which `greedy` plays; another one at first sight; and two others with two further decisions.
    /// Factions are always compared by whole games.
    const LEVELS: [Effort; 3] = [
        Effort::of(1, Self::WIDTH, 0),
        Effort::of(2, Self::WIDTH, 0),
        Effort::of(3, Self::WIDTH, 2),
    ];

    const WIDTH: usize = 24;

    /// All actions but conversions and sacrifices, which lead to nothing by themselves.
    const PLAYOUT_KINDS: &'static [&'static str] = &[
        "choose_faction",
        "place_dwelling",
        "choose_bonus_card",
        "transform_and_build",
        "build_dwelling",
        "advance_shipping",
        "advance_terraforming",
        "upgrade_structure",
        "send_priest",
        "take_power_action",
        "take_special_action",
        "build_engineer_bridge",
        "pass_turn",
        "found_river_town",
        "end_turn",
        "decide_power",
        "choose_favor_tile",
        "choose_town_tile",
        "choose_cult_step",
        "ordain_priests",
        "use_stronghold_spades",
        "use_cult_spades",
    ];

    fn players(state: &State) -> usize {
        state.seats()
    }

    fn evaluate(state: &State, seat: Seat) -> i32 {
        judge(state, seat) / TENTH
    }

    fn greedy_score(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
        Self::prior(state, seat, action, luck)
    }

    fn prior(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
        appeal::appeal(state, seat, action, luck)
    }

    fn lookahead_value(
        state: &State,
        seat: Seat,
        action: &Action,
        horizon: u32,
        luck: &Chance,
    ) -> Option<i32> {
        Some(ahead::foresee(state, seat, action, horizon, luck))
    }
}

/// The expected final score of a seat, without parts that no action can change.
fn judge(state: &State, seat: Seat) -> i32 {
    if let Some(choosing) = state.choosing() {
        let chosen = choosing.chosen[seat];
        return chosen.map_or(0, figures::rating);
    }
    let outlook = EvalContext::of(state, seat);
    let points = POINT * i32::from(outlook.player.vp);
    if state.stage == Stage::Over {
        return points;
    }
    points
        + outlook.goods_value()
        + outlook.income()
        + outlook.structures()
        + outlook.land()
        + outlook.sites()
        + outlook.towns()
        + outlook.cults()
        + outlook.cult_rewards()
        + outlook.tracks()
        + outlook.favors()
        + outlook.card()
        + outlook.bridges()
        + outlook.pending()
}

/// A table from the point of view of one seat, with the time that is left.
struct EvalContext<'s> {
    state: &'s State,
    seat: Seat,
    player: &'s Player,
    /// The number of rounds after this one.
    left: i32,
    /// Whether the seat still acts in this round.
    active: bool,
}

impl<'s> EvalContext<'s> {
    fn of(state: &'s State, seat: Seat) -> Self {
        let round = i32::from(state.round.max(1));
        Self {
            state,
            seat,
            player: &state.players[seat],
            left: i32::from(ROUNDS) - round,
            active: state.stage != Stage::Cult && !state.has_passed(seat),
        }
    }

    /// The number of rounds in which the seat still acts, after its next pass or its last one.
    fn rounds(&self) -> i32 {
        self.left + i32::from(self.active)
    }

    /// Returns whether the seat can still build anything.
    fn builds(&self) -> bool {
        self.rounds() > 0
    }
}

/// The expected VP of a rank in the final scoring: each rival is ahead with a chance that follows from the distance and
/// from the steps that may still be made.
///
/// # Rule TM-8.2
/// A seat with nothing is not ranked; tied players share.
fn foretold(value: i32, rivals: impl Iterator<Item = i32>, spread: i32, vp: [u16; 3]) -> i32 {
    if value == 0 {
        return 0;
    }
    let ahead: i32 = rivals
        .filter(|&rival| rival > 0)
        .map(|rival| ((rival - value + spread) * 100 / (2 * spread)).clamp(0, 100))
        .sum();
    let rank = |rank: i32| {
        let rank = usize::try_from(rank).unwrap_or(usize::MAX);
        vp.get(rank).map_or(0, |&vp| i32::from(vp))
    };
    let (ranks, part) = (ahead / 100, ahead % 100);
    rank(ranks) * (100 - part) + rank(ranks + 1) * part
}
