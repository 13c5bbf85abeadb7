//! Actions as a person would say them at this table: dice by what they show, not by number.

use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;
use pb::action::Kind;

use super::face;
use super::names::{Names, good, goods};

/// The action in words; nothing where the general words are as good.
pub(in super::super) fn action(
    view: &pb::View,
    catalogue: &pb::Catalogue,
    action: &pb::Action,
) -> Option<String> {
    let names = Names::new(catalogue);
    let seat = view.question?.seat;
    let player = view.players.iter().find(|player| player.seat == seat)?;
    let die = |number: u32| {
        let mut dice = player.dice.iter();
        dice.find(|die| die.die == number).map(face)
    };
    Some(match action.kind.as_ref()? {
        Kind::RerollDie(it) => format!("roll the {} again (die {})", die(it.die)?, it.die),
        Kind::SetAsideDie(it) => format!("set the {} aside (die {})", die(it.die)?, it.die),
        Kind::Influence(it) => influence(&names, player, it)?,
        Kind::Build(it) => build(&names, it.building),
        Kind::RecruitSoldier(it) => {
            format!(
                "recruit a soldier for {}",
                goods(it.gold, it.wood, it.stone)
            )
        }
        Kind::PayLostGoods(it) => format!("lose {}", goods(it.gold, it.wood, it.stone)),
        Kind::LoseBuilding(it) => format!("lose the {}", names.building(it.building)),
        Kind::ChooseAidGood(it) => format!("take 1 {}", good(it.good())),
        Kind::ChooseRewardGood(it) => format!("take 1 {}", good(it.good())),
        Kind::ChooseHelpGood(it) => format!("take {}", good(it.good())),
        Kind::AlchemistExchange(it) => {
            format!("give 1 {} for one of each other kind", good(it.give()))
        }
        Kind::TownHallSellGood(it) => format!("sell 1 {} for 1 VP", good(it.good())),
        Kind::TownHallTakeToken(_) => String::from("take a +2 token"),
        Kind::DeclareEnvoy(_)
        | Kind::KeepRoll(_)
        | Kind::PassInfluence(_)
        | Kind::DeclineExchange(_)
        | Kind::PassBuild(_)
        | Kind::PassRecruit(_) => return None,
    })
}

/// `8 Treasurer: 3+5`; what helps follows the dice. Dice that show the same are told apart by
/// their numbers.
fn influence(
    names: &Names<'_>,
    player: &pb::PlayerView,
    placement: &pb::Influence,
) -> Option<String> {
    let dice: Vec<&pb::DieView> = placement
        .dice
        .iter()
        .map(|number| player.dice.iter().find(|die| die.die == *number))
        .collect::<Option<_>>()?;
    let told = |die: &&pb::DieView| {
        let twins = player
            .dice
            .iter()
            .filter(|other| other.place() == pb::DiePlace::Pool && face(other) == face(die));
        match twins.count() {
            0 | 1 => face(die),
            _ => format!("{}(die {})", face(die), die.die),
        }
    };
    let shown: Vec<String> = dice.iter().map(told).collect();
    let name = names.advisor(placement.advisor);
    let mut text = format!("{} {name}: {}", placement.advisor, shown.join("+"));
    match placement.plus2 {
        0 => {}
        1 => text.push_str(", +2 token"),
        tokens => text = format!("{text}, {tokens} +2 tokens"),
    }
    if placement.market_offset != 0 {
        text = format!("{text}, Market {:+}", placement.market_offset);
    }
    if placement.use_envoy {
        text.push_str(", with the envoy");
    }
    Some(text)
}

/// The price is the printed one: what the Crane saves is seen when it is paid.
fn build(names: &Names<'_>, building: i32) -> String {
    let name = names.building(building);
    let Some(info) = names.building_info(building) else {
        return format!("build the {name}");
    };
    let cost = info.cost.unwrap_or_default();
    let cost = goods(cost.gold, cost.wood, cost.stone);
    format!("build the {name}: {cost}, {} VP", info.vp)
}
