//! The stage of a described table, which the open decision tells.

use super::{Judged, players, seated};
use crate::kingsburg::data::{Advisor, Phase};
use crate::kingsburg::event::Outcome;
use crate::kingsburg::stage::{Decision, Part, Stage};
use crate::kingsburg::state::{Battle, Envoy, Player, State};
use crate::kingsburg::view::{Bookkeeping, Question, View};
use crate::table::{PositionError, Seat, SeatSet};

/// Reads the stage, at which the seat owes the decision. The table has no stage yet.
///
/// # Rule KIN-5.11
pub(super) fn stage(state: &State, view: &View) -> Judged<Stage> {
    let open = match (&view.bookkeeping, view.pending.as_slice()) {
        (Some(kept), []) => &kept.open,
        (_, open) => open,
    };
    let [pending] = open else {
        let (path, found) = ("bookkeeping.open", open.len());
        return Err(PositionError::new("KIN-6.1", path, found, "one decision"));
    };
    let seat = pending.seat;
    seated("bookkeeping.open[0].seat", seat, state.seats())?;
    let question = view.question.unwrap_or_default();
    let decision = decision(pending.decision, question)?;
    in_phase(decision, view.phase)?;
    let turn_index = state.turn_index_of(seat);
    match decision {
        Decision::AidGood => aid_good(state, view, seat),
        Decision::EnvoyDeclaration => declares(state, seat),
        Decision::Reroll => Ok(Stage::Reroll { turn_index }),
        Decision::SetAside => Ok(Stage::SetAside { turn_index }),
        Decision::Influence => Ok(Stage::Influence { turn_index }),
        Decision::HelpChoice { advisor } => help(state, view, seat, advisor),
        Decision::Build { .. } => build(state, question, seat),
        Decision::TownHall => Ok(Stage::SeasonEnd { turn_index }),
        Decision::Recruit { .. } => Ok(Stage::Recruit { turn_index }),
        Decision::RewardGood => won(state, seat),
        Decision::LossGoods { .. } | Decision::LossBuilding => lost(state, seat, decision),
    }
}

/// Finds the decision of this name. Its numbers follow from the table.
fn decision(name: &str, question: Question) -> Judged<Decision> {
    let advisor = question.advisor.unwrap_or(Advisor::Jester);
    let all = [
        Decision::AidGood,
        Decision::EnvoyDeclaration,
        Decision::Reroll,
        Decision::SetAside,
        Decision::Influence,
        Decision::HelpChoice { advisor },
        Decision::Build { actions_left: 1 },
        Decision::TownHall,
        Decision::Recruit { goods: 1 },
        Decision::RewardGood,
        Decision::LossGoods { goods: 1 },
        Decision::LossBuilding,
    ];
    let found = all.into_iter().find(|decision| decision.id() == name);
    found.ok_or_else(|| refused(name, "a decision of this game"))
}

/// # Rule KIN-3.7
fn in_phase(decision: Decision, phase: Phase) -> Judged {
    let phases: &[Phase] = match decision {
        Decision::AidGood => &[Phase::KingsAid],
        Decision::EnvoyDeclaration => &[Phase::Autumn],
        Decision::Reroll
        | Decision::SetAside
        | Decision::Influence
        | Decision::HelpChoice { .. }
        | Decision::Build { .. }
        | Decision::TownHall => &[Phase::Spring, Phase::Summer, Phase::Autumn],
        Decision::Recruit { .. } => &[Phase::Recruit],
        Decision::RewardGood | Decision::LossGoods { .. } | Decision::LossBuilding => {
            &[Phase::Winter]
        }
    };
    PositionError::unless(phases.contains(&phase), || {
        let names: Vec<&str> = phases.iter().map(|phase| phase.id()).collect();
        let allowed = format!("{} for {}", names.join(", "), decision.id());
        PositionError::new("KIN-3.7", "phase", phase.id(), allowed)
    })
}

/// Reads which seats are tied, and checks that they were the poorest when the phase began: those before this one in turn
/// order have taken a good since then.
///
/// # Rule KIN-6.10, KIN-6.12
fn aid_good(state: &State, view: &View, seat: Seat) -> Judged<Stage> {
    let turn_index = state.turn_index_of(seat);
    let players = &state.players;
    let fewest = players.iter().map(|player| player.province.count()).min();
    let goods = players[seat].goods.total();
    let taken = |other: Seat| u16::from(state.turn_index_of(other) < turn_index);
    let poorest = |other: &Seat| {
        let player = &players[*other];
        Some(player.province.count()) == fewest && player.goods.total() == goods + taken(*other)
    };
    let given: &[Seat] = view.bookkeeping.as_ref().map_or(&[], |kept| &kept.aided);
    let tied: SeatSet = if given.is_empty() {
        players.seats().filter(poorest).collect()
    } else {
        players::seat_set("bookkeeping.aided", given, state.seats())?
    };
    let richer = |other: &Seat| {
        let player = &players[*other];
        Some(player.province.count()) != fewest || player.goods.total() > goods
    };
    let (mut poor, rich) = (
        tied.iter(),
        players.seats().filter(|other| !tied.contains(*other)),
    );
    let fits = tied.len() > 1
        && tied.contains(seat)
        && poor.all(|other| poorest(&other))
        && rich.clone().all(|other| richer(&other));
    PositionError::unless(fits, || {
        let found = super::numbers(&tied.iter().collect::<Vec<_>>());
        let allowed = "several who had the fewest buildings and then goods, this seat among them";
        PositionError::new("KIN-6.12", "bookkeeping.aided", found, allowed)
    })?;
    Ok(Stage::AidGood { turn_index, tied })
}

/// # Rule KIN-6.20
fn declares(state: &State, seat: Seat) -> Judged<Stage> {
    PositionError::unless(state.envoy == Envoy::Undeclared(seat), || {
        let found = format!("{:?}", state.envoy);
        PositionError::new(
            "KIN-6.20",
            "envoy",
            found,
            format!("undeclared, held by {seat}"),
        )
    })?;
    Ok(Stage::EnvoyDeclaration)
}

/// Reads which group at the advisor is helped: the first of the seat, unless the bookkeeping says that one was helped.
///
/// # Rule KIN-6.50, KIN-6.51
fn help(state: &State, view: &View, seat: Seat, advisor: Advisor) -> Judged<Stage> {
    let helped = view
        .bookkeeping
        .as_ref()
        .map_or(0, |kept: &Bookkeeping| kept.helped);
    let is_of_seat = |served: &u8| {
        let group = state.group_to_serve(advisor, *served);
        group.is_some_and(|group| group.owner == seat)
    };
    let served = (helped..2).find(is_of_seat);
    let served = served.filter(|&served| helped == 0 || served == helped);
    match served.filter(|_| advisor.help().choice.is_some()) {
        Some(served) => Ok(Stage::Help { advisor, served }),
        None => {
            let allowed = "an advisor with a choice whom the seat has influenced";
            Err(PositionError::new(
                "KIN-6.51",
                "question.advisor",
                advisor.id(),
                allowed,
            ))
        }
    }
}

/// Reads the number of buildings that the seat may still build; left out, those of a seat that has built nothing.
///
/// # Rule KIN-6.60
fn build(state: &State, question: Question, seat: Seat) -> Judged<Stage> {
    let most = state.envoy.build_actions(seat);
    let actions_left = question.build_actions_left.unwrap_or(most);
    PositionError::within(
        "KIN-6.60",
        "question.build_actions_left",
        actions_left,
        1..=most,
    )?;
    Ok(Stage::Build {
        turn_index: state.turn_index_of(seat),
        actions_left,
    })
}

/// # Rule KIN-6.104
fn won(state: &State, seat: Seat) -> Judged<Stage> {
    let battle = battle(state)?;
    let asks = battle.enemy.card().reward.any_goods > 0;
    PositionError::unless(asks && battle.outcome(seat) == Outcome::Victory, || {
        refused(
            Decision::RewardGood.id(),
            "a decision that the outcome brings",
        )
    })?;
    Ok(Stage::Resolve {
        turn_index: state.turn_index_of(seat),
        part: Part::RewardGood,
    })
}

/// # Rule KIN-6.104, KIN-6.105
fn lost(state: &State, seat: Seat, decision: Decision) -> Judged<Stage> {
    let battle = battle(state)?;
    let (loss, player): (_, &Player) = (battle.enemy.card().loss, &state.players[seat]);
    let goods = u16::from(loss.any_goods).min(player.goods.total());
    let goods = u8::try_from(goods).unwrap_or(loss.any_goods);
    let (part, due) = if decision == Decision::LossBuilding {
        (Part::Building, loss.buildings.min(player.province.count()))
    } else {
        (Part::AnyGoods { goods }, goods)
    };
    PositionError::unless(due > 0 && battle.outcome(seat) == Outcome::Defeat, || {
        refused(decision.id(), "a decision that the outcome brings")
    })?;
    Ok(Stage::Resolve {
        turn_index: state.turn_index_of(seat),
        part,
    })
}

/// # Rule KIN-16.15
fn battle(state: &State) -> Judged<&Battle> {
    let missing = || {
        PositionError::new(
            "KIN-16.15",
            "battle",
            "nothing",
            "the battle of this winter",
        )
    };
    state.battle.as_ref().ok_or_else(missing)
}

fn refused(decision: &str, allowed: &str) -> PositionError {
    PositionError::new(
        "KIN-5.11",
        "bookkeeping.open[0].decision",
        decision,
        allowed,
    )
}
