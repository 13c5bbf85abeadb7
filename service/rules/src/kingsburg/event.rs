//! Events, each with its sentence and with what only one seat knows of it (KIN-13.3).
//!
//! The enemies of later winters are revealed.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::action::EnvoyUse;
use super::data::{Advisor, Building, DiceSet, DieId, Enemy, Good, Goods, Phase, plus2_tokens};
use crate::table::{Count, JoinAnd, MAX_SEATS, Names, Seat, events, ids};

/// Seats in the order in which they act.
pub type TurnOrder = ArrayVec<Seat, MAX_SEATS>;

/// A die and the face it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownDie {
    pub die: DieId,
    /// The face, 1 to 6.
    pub value: u8,
}

ids! {
    /// The result of a battle for one player (KIN-6.103).
    Outcome {
        /// Stronger than the enemy, or as strong with the Stone Wall.
        Victory "victory",
        /// As strong as the enemy.
        Standoff "standoff" "stand-off",
        /// Weaker than the enemy.
        Defeat "defeat",
    }
}

events! {
    /// One event.
    Event, names {
        /// KIN-5.4.
        GameBegan { order: TurnOrder } =>
            "The first turn order is {}.", JoinAnd(order.iter().map(|seat| names.of(*seat)));
        PhaseBegan { year: u8, phase: Phase } => "Year {year}: {phase}.";
        /// KIN-6.11.
        AidDieGiven { seat: Seat } => "{} gets a white die for spring.", names.who(*seat);
        /// KIN-6.12.
        AidGoodChosen { seat: Seat, good: Good } =>
            "{} takes 1 {good} from the King.", names.who(*seat);
        /// KIN-6.20.
        EnvoyDeclared { seat: Seat, purpose: EnvoyUse } =>
            "{} {}.", names.who(*seat), match purpose {
                EnvoyUse::Advisor => "keeps the King's Envoy for an advisor",
                EnvoyUse::SecondBuilding => "uses the King's Envoy for a second building",
                EnvoyUse::Nothing => "sends the King's Envoy back",
            };
        /// Three dice that count together, and two that count alone (KIN-6.25).
        NeutralRolled { together: [u8; 3], alone: [u8; 2] } =>
            "The neutral dice show {} for the first roll, {} for the second.", JoinAnd(together), JoinAnd(alone);
        /// KIN-16.7.
        NeutralPlaced { advisor: Advisor, values: ArrayVec<u8, 3> } =>
            "Neutral dice block the {advisor}.";
        /// KIN-6.28.
        GuildIncome { seat: Seat } => "{} gets 1 gold from the Merchants' Guild.", names.who(*seat);
        /// KIN-6.30.
        DiceRolled { seat: Seat, dice: ArrayVec<ShownDie, { DieId::COUNT }> } =>
            "{} rolls {}.", names.who(*seat), JoinAnd(dice.iter().map(shown));
        /// KIN-6.33.
        DieRerolled { seat: Seat, die: DieId, before: u8, after: u8 } =>
            "{} re-rolls a {before} and gets a {after}.", names.who(*seat);
        /// KIN-6.33.
        RollKept { seat: Seat } => "{} keeps the roll.", names.who(*seat);
        /// The new turn order, and the total of each player's dice in the same order (KIN-6.35).
        OrderSet { order: TurnOrder, totals: ArrayVec<u8, MAX_SEATS> } =>
            "{}.", turns(order, totals, names);
        /// KIN-6.37.
        DieSetAside { seat: Seat, die: DieId, value: u8 } =>
            "{} sets a {value} aside.", names.who(*seat);
        /// The Market added -1, 0 or 1 (KIN-6.43).
        AdvisorInfluenced {
            seat: Seat, advisor: Advisor, dice: DiceSet, plus2: u8, market_offset: i8, use_envoy: bool,
        } =>
            "{} influences the {advisor}{}.", names.who(*seat), helped(*plus2, *market_offset, *use_envoy);
        /// KIN-6.45.
        InfluencePassed { seat: Seat } =>
            "{} places no more dice.", names.who(*seat);
        /// The fixed part of an advisor's help, a soldier from the Stable included (KIN-6.52, KIN-6.53).
        HelpGiven { seat: Seat, advisor: Advisor, goods: Goods, vp: u8, plus2: u8, soldiers: u8 } =>
            "{} gets {} from the {advisor}.", names.who(*seat), gains(*goods, *vp, *plus2, *soldiers);
        /// Only the seat itself sees the card (KIN-6.54).
        EnemyPeeked { seat: Seat, advisor: Advisor, year: u8, card: Option<Enemy> } secret(card of seat) reveals(true) =>
            "The {advisor} shows {} the enemy of year {year}{}.", names.of(*seat),
            card.map_or(String::new(), |card| format!(": {}", foe(card)));
        /// The chosen part of an advisor's help (KIN-6.51).
        HelpChosen { seat: Seat, advisor: Advisor, goods: Goods } =>
            "{} chooses {goods} from the {advisor}.", names.who(*seat);
        /// KIN-6.51.
        GoodExchanged { seat: Seat, gave: Good, gained: Goods } =>
            "{} exchanges 1 {gave} for {gained}.", names.who(*seat);
        ExchangeDeclined { seat: Seat } => "{} exchanges nothing.", names.who(*seat);
        /// KIN-6.56.
        CourtCleared => "All dice leave the court.";
        /// KIN-6.63.
        Built { seat: Seat, building: Building, paid: Goods, vp: u8 } =>
            "{} builds the {building} for {paid}{}.", names.who(*seat), match vp {
                0 => String::new(),
                _ => format!(" and gets {vp} VP"),
            };
        BuildPassed { seat: Seat } =>
            "{} builds nothing more.", names.who(*seat);
        /// KIN-7.5.
        InnToken { seat: Seat } => "{} gets a +2 token from the Inn.", names.who(*seat);
        /// KIN-7.20.
        EmbassyPoint { seat: Seat } => "{} gets 1 VP from the Embassy.", names.who(*seat);
        /// KIN-6.70.
        TownHallToken { seat: Seat } =>
            "{} takes a +2 token from the Town Hall.", names.who(*seat);
        /// KIN-6.70.
        TownHallSale { seat: Seat, good: Good } =>
            "{} sells 1 {good} to the Town Hall for 1 VP.", names.who(*seat);
        /// KIN-6.72.
        AidDieReturned { seat: Seat } => "{} returns the King's white die.", names.who(*seat);
        /// KIN-6.80.
        KingsRewardGiven { seat: Seat } => "{} gets 1 VP as the King's Reward.", names.who(*seat);
        /// KIN-6.85.
        EnvoyGiven { seat: Seat } => "{} gets the King's Envoy.", names.who(*seat);
        /// KIN-6.85.
        EnvoyNotGiven => "Nobody gets the King's Envoy.";
        /// KIN-6.72.
        EnvoyReturned { seat: Seat } => "{} returns the King's Envoy unused.", names.who(*seat);
        /// KIN-6.90.
        SoldierRecruited { seat: Seat, paid: Goods } =>
            "{} recruits a soldier for {paid}.", names.who(*seat);
        RecruitPassed { seat: Seat } =>
            "{} recruits no more soldiers.", names.who(*seat);
        /// KIN-6.100.
        EnemyRevealed { card: Enemy } reveals(true) => "The enemy arrives: {}.", foe(*card);
        /// Rolled by the first player (KIN-6.101).
        KingDieRolled { seat: Seat, value: u8 } =>
            "{} rolls the King's die, and everybody gets {}.", names.who(*seat), Count(*value, "soldier");
        /// KIN-6.102.
        StrengthCounted { seat: Seat, strength: i16, outcome: Outcome } =>
            "{} {} with strength {strength}.", names.who(*seat), match outcome {
                Outcome::Victory => "wins",
                Outcome::Standoff => "holds out",
                Outcome::Defeat => "is defeated",
            };
        /// The gains of a victory without a choice (KIN-6.104).
        EnemyRewarded { seat: Seat, goods: Goods, vp: u8 } =>
            "{} gains {} for the victory.", names.who(*seat), gains(*goods, *vp, 0, 0);
        RewardGoodChosen { seat: Seat, good: Good } =>
            "{} chooses 1 {good} for the victory.", names.who(*seat);
        /// KIN-7.16.
        FortressPoint { seat: Seat } => "{} gets 1 VP from the Fortress.", names.who(*seat);
        /// Goods that the card names (KIN-6.104).
        GoodsLost { seat: Seat, goods: Goods } => "{} loses {goods}.", names.who(*seat);
        /// Goods of the player's choice (KIN-6.104).
        AnyGoodsLost { seat: Seat, goods: Goods } =>
            "{} gives up {goods}.", names.who(*seat);
        /// KIN-6.105.
        BuildingLost { seat: Seat, building: Building, vp: u8 } =>
            "{} loses the {building}{}.", names.who(*seat), match vp {
                0 => String::new(),
                _ => format!(" and {vp} VP"),
            };
        /// KIN-6.104.
        PointsLost { seat: Seat, vp: u8 } => "{} loses {vp} VP.", names.who(*seat);
        /// KIN-6.107.
        StrongestPoint { seat: Seat } => "{} gets 1 VP for the greatest strength.", names.who(*seat);
        /// KIN-6.108.
        YearEnded { year: u8 } => "Year {year} ends, and all soldiers go home.";
        /// KIN-8.2.
        CathedralExchange { seat: Seat, goods: Goods, vp: u8 } =>
            "{} exchanges {goods} for {vp} VP in the Cathedral.", names.who(*seat);
        /// The dice of a placement and their faces (KIN-16.17).
        DicePlaced { seat: Seat, advisor: Advisor, dice: ArrayVec<ShownDie, { DieId::COUNT }> } =>
            "{} places {} on the {advisor}.", names.who(*seat), JoinAnd(dice.iter().map(|die| format!("a {}", shown(die))));
    }
}

/// The face of a die; white ones are marked.
fn shown(&ShownDie { die, value }: &ShownDie) -> String {
    let white = if die.is_white() { "white " } else { "" };
    format!("{white}{value}")
}

/// An enemy with its strength.
fn foe(enemy: Enemy) -> String {
    format!("{enemy} with strength {}", enemy.card().strength)
}

/// ` with a +2 token, -1 by the Market and the King's Envoy`. Empty without any of them.
fn helped(plus2: u8, market_offset: i8, use_envoy: bool) -> String {
    let help = [
        (plus2 > 0).then(|| plus2_tokens(plus2)),
        (market_offset != 0).then(|| format!("{market_offset:+} by the Market")),
        use_envoy.then(|| String::from("the King's Envoy")),
    ];
    let help: Vec<String> = help.into_iter().flatten().collect();
    if help.is_empty() {
        return String::new();
    }
    format!(" with {}", JoinAnd(&help))
}

/// `Ben (6) goes before Ann (13)`, `Ben (6) goes first, then Ann (8) and Cy (13)`.
fn turns(order: &[Seat], totals: &[u8], names: Names<'_>) -> String {
    let Some((first, others)) = order.split_first() else {
        return String::from("Nobody rolls");
    };
    let mut totals = totals.iter();
    let mut total = || totals.next().copied().unwrap_or_default();
    let first = format!("{} ({})", names.who(*first), total());
    let others = others
        .iter()
        .map(|seat| format!("{} ({})", names.of(*seat), total()));
    let others: Vec<String> = others.collect();
    let joint = if others.len() == 1 {
        "before"
    } else {
        "first, then"
    };
    format!("{first} goes {joint} {}", JoinAnd(&others))
}

/// A player's gains, in one phrase.
fn gains(goods: Goods, vp: u8, plus2: u8, soldiers: u8) -> String {
    let gained = [
        (!goods.is_none()).then(|| goods.to_string()),
        (vp > 0).then(|| format!("{vp} VP")),
        (plus2 > 0).then(|| plus2_tokens(plus2)),
        (soldiers > 0).then(|| Count(soldiers, "soldier").to_string()),
    ];
    let gained: Vec<String> = gained.into_iter().flatten().collect();
    JoinAnd(gained).to_string()
}
