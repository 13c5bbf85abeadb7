//! The parts of a described table, compared with each other (KIN-5.11, KIN-5.12).

use super::{Judged, winters};
use crate::kingsburg::action::EnvoyUse;
use crate::kingsburg::data::{Building, DiceSet, DieId, Phase};
use crate::kingsburg::stage::{Decision, Stage};
use crate::kingsburg::state::{Envoy, Player, State};
use crate::table::{PositionError, Seat};

/// The part of a season in which a table is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    /// Before the roll, or after the help of the advisors.
    NoDice,
    Reroll,
    SetAside,
    Influence,
    Help,
}

const fn moment(stage: Stage) -> Moment {
    match stage {
        Stage::Reroll { .. } | Stage::Order => Moment::Reroll,
        Stage::SetAside { .. } => Moment::SetAside,
        Stage::Influence { .. } => Moment::Influence,
        Stage::Help { .. } => Moment::Help,
        Stage::KingsAid
        | Stage::AidGood { .. }
        | Stage::EnvoyDeclaration
        | Stage::Roll
        | Stage::Build { .. }
        | Stage::SeasonEnd { .. }
        | Stage::KingsReward
        | Stage::KingsEnvoy
        | Stage::Recruit { .. }
        | Stage::Reveal
        | Stage::Resolve { .. }
        | Stage::Strongest
        | Stage::Over => Moment::NoDice,
    }
}

/// Compares the parts of the table, in the order of the contract.
pub(super) fn fit(state: &State) -> Judged {
    let moment = moment(state.stage);
    if moment > Moment::Reroll {
        order_follows_dice(state)?;
    }
    for (seat, player) in state.players.entries() {
        let path = format!("players[{}]", seat.index());
        dice_fit(state, moment, seat, &path)?;
        flags_fit(state, moment, seat, &path)?;
        let soldiers = if is_new_year(state, moment) {
            0..=0
        } else {
            0..=u16::MAX
        };
        PositionError::within(
            "KIN-INV-11",
            format!("{path}.soldiers"),
            player.soldiers,
            soldiers,
        )?;
    }
    asked_seat_may_answer(state)?;
    aid_and_envoy_have_their_time(state, moment)?;
    court_has_its_time(state, moment)?;
    let may_have_peeked = !is_new_year(state, moment) && state.phase != Phase::Winter;
    PositionError::unless(state.peeked_by.is_empty() || may_have_peeked, || {
        let seats: Vec<Seat> = state.peeked_by.iter().collect();
        let allowed = "nobody before the first help of the year and after the reveal";
        PositionError::new("KIN-6.54", "peeked_by", super::numbers(&seats), allowed)
    })?;
    winters::fit(state)
}

/// Returns whether no advisor has helped this year.
fn is_new_year(state: &State, moment: Moment) -> bool {
    let before_help = [Moment::Reroll, Moment::SetAside, Moment::Influence].contains(&moment);
    state.phase == Phase::KingsAid || state.phase == Phase::Spring && before_help
}

/// # Rule KIN-6.35
fn order_follows_dice(state: &State) -> Judged {
    let totals: Vec<u8> = state
        .order
        .iter()
        .map(|&seat| state.players[seat].dice.total())
        .collect();
    PositionError::unless(totals.is_sorted(), || {
        let found = format!("totals {totals:?}");
        PositionError::new("KIN-6.35", "turn_order", found, "lower totals first")
    })
}

/// Checks that exactly the dice of the season are rolled, and that two players have set theirs aside in turn.
///
/// # Rule KIN-INV-4, KIN-INV-7, KIN-6.37
fn dice_fit(state: &State, moment: Moment, seat: Seat, path: &str) -> Judged {
    let player = &state.players[seat];
    let aid = state.aid_die == Some(seat) && state.phase == Phase::Spring;
    let expected = DieId::ALL.into_iter().filter(|die| match die {
        DieId::Own0 | DieId::Own1 | DieId::Own2 => moment > Moment::NoDice,
        DieId::KingsAid => moment > Moment::NoDice && aid,
        DieId::Farms => moment > Moment::NoDice && player.has(Building::Farms),
    });
    let expected: DiceSet = expected.collect();
    PositionError::unless(player.dice.rolled() == expected, || {
        let (found, allowed) = (die_numbers(player.dice.rolled()), die_numbers(expected));
        PositionError::new("KIN-INV-7", format!("{path}.dice"), found, allowed)
    })?;
    let asked = state.is_two_player() && state.options.two_player_set_aside;
    let aside = if let Stage::SetAside { turn_index } = state.stage {
        state.turn_index_of(seat) < turn_index
    } else {
        moment > Moment::SetAside
    };
    let (found, due) = (player.dice.set_aside.len(), usize::from(asked && aside));
    PositionError::unless(found == due, || {
        let found = format!("{found} set aside");
        PositionError::new(
            "KIN-6.37",
            format!("{path}.dice"),
            found,
            format!("{due} set aside"),
        )
    })
}

fn die_numbers(dice: DiceSet) -> String {
    let numbers: Vec<u8> = dice.iter().map(DieId::number).collect();
    format!("the dice {numbers:?}")
}

/// Compares what a player has used this season. Between seasons these facts carry no meaning.
///
/// # Rule KIN-16.6
fn flags_fit(state: &State, moment: Moment, seat: Seat, path: &str) -> Judged {
    if moment == Moment::NoDice {
        return Ok(());
    }
    let player = &state.players[seat];
    let mut groups = state.groups.iter().filter(|group| group.owner == seat);
    let market = groups.any(|group| group.market_offset != 0);
    let is_flag = |rule, field: &str, found: bool, may: &[bool]| {
        PositionError::unless(may.contains(&found), || {
            PositionError::new(rule, format!("{path}.{field}"), found, (!found).to_string())
        })
    };
    is_flag("KIN-6.43", "market_used", player.market_used, &[market])?;
    let waits = matches!(
        state.stage,
        Stage::Reroll { turn_index } if state.turn_index_of(seat) >= turn_index
    );
    let rerolled = !waits && player.has(Building::Statue);
    is_flag(
        "KIN-6.33",
        "reroll_used",
        player.reroll_used,
        &[false, rerolled],
    )?;
    let has_own_die = !player.dice.pool().is_disjoint(DieId::OWN);
    let done: &[bool] = match moment {
        Moment::NoDice | Moment::Reroll | Moment::SetAside => &[false],
        Moment::Influence if has_own_die => &[false, true],
        Moment::Influence | Moment::Help => &[true],
    };
    is_flag("KIN-6.40", "influence_done", player.influence_done, done)
}

/// Checks that the seat that owes the decision can owe it.
///
/// # Rule KIN-5.11
fn asked_seat_may_answer(state: &State) -> Judged {
    let refused = |rule, found| {
        PositionError::new(
            rule,
            "bookkeeping.open[0]",
            found,
            "a decision that the seat can owe",
        )
    };
    let Some((seat, decision)) = state.pending() else {
        return Err(refused("KIN-6.1", String::from("nobody")));
    };
    let player: &Player = &state.players[seat];
    let may_reroll = player.has(Building::Statue) && player.dice.all_equal();
    let sets_aside = state.is_two_player() && state.options.two_player_set_aside;
    let town_hall = player.has(Building::TownHall);
    let (rule, fits) = match decision {
        Decision::Reroll => ("KIN-6.33", may_reroll),
        Decision::SetAside => ("KIN-6.37", sets_aside),
        Decision::Influence => ("KIN-6.40", !player.influence_done),
        Decision::TownHall => ("KIN-6.70", town_hall),
        // What these need, the stage has shown.
        Decision::AidGood
        | Decision::EnvoyDeclaration
        | Decision::HelpChoice { .. }
        | Decision::Build { .. }
        | Decision::Recruit { .. }
        | Decision::RewardGood
        | Decision::LossGoods { .. }
        | Decision::LossBuilding => return Ok(()),
    };
    PositionError::unless(fits, || {
        refused(rule, format!("{} of {seat}", decision.id()))
    })
}

/// # Rule KIN-INV-8, KIN-16.1
fn aid_and_envoy_have_their_time(state: &State, moment: Moment) -> Judged {
    if let Some(seat) = state.aid_die {
        let path = format!("players[{}].aid_die", seat.index());
        PositionError::unless(state.phase == Phase::Spring, || {
            PositionError::new("KIN-INV-8", path, true, "true in spring only")
        })?;
    }
    let sent = state.groups.iter().find(|group| group.via_envoy);
    let (declares, is_autumn) = (
        state.stage == Stage::EnvoyDeclaration,
        state.phase == Phase::Autumn,
    );
    let (fits, allowed) = match state.envoy {
        Envoy::OnBoard => (sent.is_none(), "advisor, and spent"),
        Envoy::Undeclared(_) => (declares, "undeclared only while its purpose is asked"),
        Envoy::Declared { by, purpose, spent } => (
            is_autumn
                && !declares
                && match (moment, spent && purpose == EnvoyUse::Advisor) {
                    (Moment::NoDice, _) => true,
                    (_, true) => sent.is_some_and(|group| group.owner == by),
                    (_, false) => sent.is_none(),
                },
            "declared in autumn, and spent if a group came by it",
        ),
    };
    PositionError::unless(fits, || {
        PositionError::new("KIN-16.1", "envoy", format!("{:?}", state.envoy), allowed)
    })
}

/// # Rule KIN-INV-4, KIN-6.25
fn court_has_its_time(state: &State, moment: Moment) -> Judged {
    let may_have_groups = moment >= Moment::Influence;
    PositionError::unless(state.groups.is_empty() || may_have_groups, || {
        let found = format!("{} groups", state.groups.len());
        PositionError::new("KIN-INV-4", "court", found, "no groups of players now")
    })?;
    let blocked = state.is_two_player() && moment > Moment::NoDice;
    PositionError::unless(state.neutral.is_empty() != blocked, || {
        let found = format!("{} neutral groups", state.neutral.len());
        let allowed = if blocked { "1 to 3" } else { "none now" };
        PositionError::new("KIN-6.25", "court", found, allowed)
    })
}
