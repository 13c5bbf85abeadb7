//! The rules, one file per theme. In each file: `enter` does the automatic part of a stage and
//! stops where a player must decide; `candidates` lists what he may do, `check` judges what he
//! does, `perform` carries it out and moves on.

pub(super) mod build;
pub(super) mod envoy;
pub(super) mod help;
pub(super) mod influence;
pub(super) mod kings_aid;
pub(super) mod kings_reward;
pub(super) mod losses;
pub(super) mod recruit;
pub(super) mod roll;
pub(super) mod season_end;
pub(super) mod two_players;
pub(super) mod winter;
pub(super) mod year;

use super::Log;
use super::action::{EnvoyUse, Payment};
use super::data::{Building, DieId, Good, Goods};
use super::pending::Decision;
use super::refusal::Refusal;
use super::state::State;
use crate::table::{Chance, Seat};

/// What was allowed, with prices worked out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    ChooseAidGood(Good),
    DeclareEnvoy(EnvoyUse),
    Reroll(DieId),
    KeepRoll,
    SetAside(DieId),
    Place(influence::Placement),
    PassInfluence,
    TakeHelp(Goods),
    Exchange(Good),
    DeclineExchange,
    Build { building: Building, price: Goods },
    PassBuild,
    TakeToken,
    SellGood(Good),
    Recruit(Goods),
    PassRecruit,
    TakeReward(Good),
    LoseGoods(Goods),
    LoseBuilding(Building),
}

/// The judgement of an action; nothing if the action answers another question.
pub(super) type Answer = Option<Result<Deed, Refusal>>;

/// Who decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decided {
    /// The player.
    Asked,
    /// The engine, because there was no choice (KIN-6.2).
    Auto,
}

impl Decided {
    /// As events say it.
    const fn is_auto(self) -> bool {
        match self {
            Self::Asked => false,
            Self::Auto => true,
        }
    }
}

/// Carries out what was allowed and moves on; the stages that follow are the caller's.
pub(super) fn perform(
    state: &mut State,
    seat: Seat,
    deed: Deed,
    chance: &mut Chance,
    journal: &mut Log,
) {
    let asked = Decided::Asked;
    match deed {
        Deed::ChooseAidGood(good) => kings_aid::perform(state, seat, good, journal),
        Deed::DeclareEnvoy(purpose) => envoy::perform(state, seat, purpose, journal),
        Deed::Reroll(die) => roll::perform_reroll(state, seat, die, chance, journal),
        Deed::KeepRoll => roll::perform_keep(state, seat, journal),
        Deed::SetAside(die) => two_players::perform_set_aside(state, seat, die, journal),
        Deed::Place(placement) => influence::perform(state, seat, placement, journal),
        Deed::PassInfluence => influence::perform_pass(state, seat, asked, journal),
        Deed::TakeHelp(goods) => help::perform_choice(state, seat, goods, journal),
        Deed::Exchange(give) => help::perform_exchange(state, seat, give, journal),
        Deed::DeclineExchange => help::perform_decline(state, seat, journal),
        Deed::Build { building, price } => build::perform(state, seat, building, price, journal),
        Deed::PassBuild => build::perform_pass(state, seat, asked, journal),
        Deed::TakeToken => season_end::perform_token(state, seat, asked, journal),
        Deed::SellGood(good) => season_end::perform_sale(state, seat, good, journal),
        Deed::Recruit(paid) => recruit::perform(state, seat, paid, journal),
        Deed::PassRecruit => recruit::perform_pass(state, seat, asked, journal),
        Deed::TakeReward(good) => winter::perform_reward(state, seat, good, journal),
        Deed::LoseGoods(goods) => losses::perform_goods(state, seat, goods, asked, journal),
        Deed::LoseBuilding(building) => {
            losses::perform_building(state, seat, building, asked, journal);
        }
    }
}

/// A kind of goods that exists.
///
/// # Rule KIN-16.9
fn known(good: Option<Good>) -> Result<Good, Refusal> {
    good.ok_or(Refusal::InvalidGood)
}

/// A kind of goods of which the player has at least one.
fn owned(state: &State, seat: Seat, good: Option<Good>, asked: Decision) -> Result<Good, Refusal> {
    let good = known(good)?;
    if state.players[seat].goods.amount(good) == 0 {
        return Err(Refusal::GoodNotOwned {
            good,
            decision: asked,
        });
    }
    Ok(good)
}

/// Goods that the player has, exactly as many as are due.
///
/// # Rule KIN-6.90, KIN-6.104
fn payment(owned: Goods, payment: Payment, due: u8, decision: Decision) -> Result<Goods, Refusal> {
    let paid = payment.total();
    if paid != u64::from(due) {
        return Err(Refusal::InvalidPayment {
            paid,
            due,
            decision,
        });
    }
    let goods = pieces(payment);
    if owned.covers(goods) {
        Ok(goods)
    } else {
        Err(Refusal::CannotAfford { owned, decision })
    }
}

/// The goods of a payment of at most a few pieces.
fn pieces(payment: Payment) -> Goods {
    let pieces = |amount: u32| u8::try_from(amount).unwrap_or(u8::MAX);
    Goods::new(
        pieces(payment.gold),
        pieces(payment.wood),
        pieces(payment.stone),
    )
}

/// Every way to pay so many of these goods, more gold first, then more wood.
fn payments(owned: Goods, due: u8) -> impl Iterator<Item = Payment> {
    let golds = (0..=owned.gold.min(due)).rev();
    golds.flat_map(move |gold| {
        let rest = due - gold;
        let woods = (rest.saturating_sub(owned.stone)..=owned.wood.min(rest)).rev();
        woods.map(move |wood| Payment {
            gold: u32::from(gold),
            wood: u32::from(wood),
            stone: u32::from(rest - wood),
        })
    })
}
