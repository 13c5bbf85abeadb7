//! Actions in words: dice by their faces, not by number.

use std::fmt::Display;

use super::action::{Action, EnvoyUse, Influence, Payment};
use super::data::{Advisor, Building, Choice, DieId, plus2_tokens};
use super::view::{DiePlace, DieView, PlayerView, View};
use crate::table::{JoinAnd, Names};

/// The action in the words of the seat that owes the decision.
pub fn action(view: &View, action: &Action, _names: Names<'_>) -> String {
    let actor = view
        .pending
        .first()
        .and_then(|pending| view.player(pending.seat));
    match action {
        Action::ChooseAidGood { good } | Action::ChooseRewardGood { good } => {
            format!("take 1 {}", named(good))
        }
        Action::DeclareEnvoy { purpose } => match purpose {
            Some(EnvoyUse::Advisor) => String::from("keep the King's Envoy for an advisor"),
            Some(EnvoyUse::SecondBuilding) => {
                String::from("use the King's Envoy for a second building")
            }
            Some(EnvoyUse::Nothing) => String::from("send the King's Envoy back"),
            None => String::from("use the King's Envoy for something unknown"),
        },
        Action::RerollDie { die } => format!("re-roll a {}", die_of(actor, *die)),
        Action::KeepRoll => String::from("keep the roll"),
        Action::SetAsideDie { die } => format!("set a {} aside", die_of(actor, *die)),
        Action::Influence(placement) => influence(actor, placement),
        Action::PassInfluence => String::from("place no more dice"),
        Action::ChooseHelpGood { good } => format!("take {} {}", helped(view), named(good)),
        Action::AlchemistExchange { give } => {
            format!("give 1 {} for 1 of each other kind", named(give))
        }
        Action::DeclineExchange => String::from("exchange nothing"),
        Action::Build { building } => build(actor, *building),
        Action::PassBuild => String::from("build nothing more"),
        Action::TownHallTakeToken => String::from("take a +2 token"),
        Action::TownHallSellGood { good } => format!("sell 1 {} for 1 VP", named(good)),
        Action::RecruitSoldier(paid) => format!("recruit a soldier for {}", goods(*paid)),
        Action::PassRecruit => String::from("recruit no more soldiers"),
        Action::PayLostGoods(paid) => format!("give up {}", goods(*paid)),
        Action::LoseBuilding { building } => format!("lose the {}", named(building)),
    }
}

/// The number of goods of one kind that the advisor in question gives (KIN-ADJ-07).
fn helped(view: &View) -> u8 {
    if let Some(advisor) = view.question.and_then(|question| question.advisor)
        && let Some(Choice::OneOf { amount, .. }) = advisor.help().choice
    {
        return amount;
    }
    1
}

/// A name, if the client named one.
fn named(name: &Option<impl Display>) -> String {
    name.as_ref()
        .map_or_else(|| String::from("unknown thing"), ToString::to_string)
}

fn goods(payment: Payment) -> String {
    let goods = payment.goods().map(|goods| goods.to_string());
    goods.unwrap_or_else(|| String::from("more goods than there are"))
}

fn find(actor: Option<&PlayerView>, number: u32) -> Option<&DieView> {
    let die = DieId::from_number(number)?;
    actor?.dice.iter().find(|view| view.die == die)
}

/// The face of a die; dice in the pool with equal faces also get their numbers.
fn die_of(actor: Option<&PlayerView>, number: u32) -> String {
    let shown = face(actor, number);
    let pool = actor.into_iter().flat_map(|player| &player.dice);
    let pool = pool.filter(|die| die.place == DiePlace::Pool);
    match pool.filter(|die| shows(die) == shown).count() {
        0 | 1 => shown,
        _ => format!("{shown} (die {number})"),
    }
}

/// The face of a die.
fn face(actor: Option<&PlayerView>, number: u32) -> String {
    let die = find(actor, number).map(shows);
    die.unwrap_or_else(|| String::from("unknown die"))
}

/// `5`, `white 5`.
fn shows(die: &DieView) -> String {
    let shown = die.to_string();
    match shown.strip_prefix('w') {
        Some(face) => format!("white {face}"),
        None => shown,
    }
}

/// `influence the Treasurer (8) with 3 and 5`; tokens, Market and envoy follow the dice.
fn influence(actor: Option<&PlayerView>, placement: &Influence) -> String {
    let mut with: Vec<String> = placement
        .dice
        .numbers()
        .map(|number| die_of(actor, number))
        .collect();
    if placement.plus2 > 0 {
        with.push(plus2_tokens(placement.plus2));
    }
    if placement.market_offset != 0 {
        with.push(format!("{:+} by the Market", placement.market_offset));
    }
    if placement.use_envoy {
        with.push(String::from("the King's Envoy"));
    }
    let number = placement.advisor;
    let advisor = named(&Advisor::from_number(number));
    let with = if with.is_empty() {
        String::from("nothing")
    } else {
        JoinAnd(&with).to_string()
    };
    format!("influence the {advisor} ({number}) with {with}")
}

/// `build the Inn ...` with the price that this player pays.
fn build(actor: Option<&PlayerView>, building: Option<Building>) -> String {
    match (actor, building) {
        (Some(player), Some(building)) => {
            let price = building.price(player.buildings.contains(&Building::Crane));
            match building.vp() {
                0 => format!("build the {building} for {price}"),
                vp => format!("build the {building} for {price} ({vp} VP)"),
            }
        }
        (_, building) => format!("build the {}", named(&building)),
    }
}
