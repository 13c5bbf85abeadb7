//! The engine decides exactly where there is one legal action (KIN-6.2): at thousands of tables of random games, for
//! every player.

use super::table::*;
use gamekeeper_rules::conformance::{Audit, random_game};
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::Action;
use gamekeeper_rules::kingsburg::data::{Building, Enemy, Phase};
use gamekeeper_rules::kingsburg::stage::{Part, Stage};
use gamekeeper_rules::kingsburg::state::{Battle, State};
use gamekeeper_rules::ruleset::legal_actions;
use gamekeeper_rules::table::{Detail, PerSeat, Seat, SeatSet};

/// Asks a player for the decision of this stage. Either they have a choice and are asked, or the engine takes the only
/// legal action. Returns whether the engine did.
fn decides_alone(state: &State, phase: Phase, stage: Stage, seat: Seat) -> bool {
    let mut state = state.clone();
    state.phase = phase;
    state.stage = stage;
    if !matches!(stage, Stage::Influence { .. }) {
        // The dice have left the court; a next season may roll again.
        state.neutral.clear();
        state.groups.clear();
    }
    let legal = legal_actions::<Kingsburg>(&state, seat, Detail::Moves);
    let table = Table::of_state(state).resume();
    let first = table.log.automatic.first();
    let first = first.map(|first| (first.seat, first.action, first.first_event.is_some()));
    if let [action] = &legal[..] {
        assert_eq!(first, Some((seat, *action, true)), "{stage:?}");
        return true;
    }
    assert_eq!(first, None, "{stage:?}, {legal:?}");
    assert_eq!(
        table.asked().map(|pending| pending.0),
        Some(seat),
        "{stage:?}"
    );
    assert_eq!(table.state.stage, stage);
    false
}

/// Asks every player of this table for every decision, and counts those that the engine made.
fn put_all_questions(state: &State, counts: &mut [u32; 6]) {
    let mut count = |kind: usize, alone| counts[kind] += u32::from(alone);
    for (place, &seat) in (0..).zip(&state.order) {
        let player = &state.players[seat];
        let season = Phase::Summer;
        let rolled = !player.dice.rolled().is_empty();
        if rolled && !player.influence_done {
            let stage = Stage::Influence { turn_index: place };
            count(0, decides_alone(state, state.phase, stage, seat));
        }
        let stage = Stage::Build {
            turn_index: place,
            actions_left: 1,
        };
        count(1, decides_alone(state, season, stage, seat));
        if player.has(Building::TownHall) {
            let stage = Stage::SeasonEnd { turn_index: place };
            count(2, decides_alone(state, season, stage, seat));
        }
        let stage = Stage::Recruit { turn_index: place };
        count(3, decides_alone(state, Phase::Recruit, stage, seat));
        let mut winter = state.clone();
        winter.year = 2;
        winter.deck[1] = Enemy::Y2Orcs4;
        winter.battle = Some(Battle {
            enemy: Enemy::Y2Orcs4,
            king_die: 1,
            strength: PerSeat::new(state.seats(), |_| 4),
            stone_walls: SeatSet::EMPTY,
        });
        let resolve = |part| Stage::Resolve {
            turn_index: place,
            part,
        };
        for goods in 1..=4 {
            if player.goods.total() >= u16::from(goods) {
                let stage = resolve(Part::AnyGoods { goods });
                count(4, decides_alone(&winter, Phase::Winter, stage, seat));
            }
        }
        if player.province.count() > 0 {
            let stage = resolve(Part::Building);
            count(5, decides_alone(&winter, Phase::Winter, stage, seat));
        }
    }
}

#[test]
fn the_engine_decides_exactly_where_there_is_no_choice() {
    let mut counts = [0; 6];
    for seats in 2..=5 {
        for seed in 0..4 {
            let options = Kingsburg::table(seats, seed);
            let played = random_game::<Kingsburg>(&options, seed, |now| {
                if now.state.pending().is_some() {
                    put_all_questions(&now.state, &mut counts);
                }
            });
            assert_eq!(played, Ok(()));
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// KIN-16.13: the engine's actions are noted after the player's action, in order.
#[test]
fn automatic_actions_are_noted_in_order() {
    let mut table = Table::of(3).goods(EVA, (0, 1, 0)).build();
    table.play(EVA, build(Building::Barricade));
    let taken: Vec<(Seat, Action)> = table
        .log
        .automatic
        .iter()
        .map(|taken| (taken.seat, taken.action))
        .collect();
    assert_eq!(
        taken,
        [(ANNA, Action::PassBuild), (DAVID, Action::PassBuild)]
    );
}
