//! Hidden information (KIN-13): enemy cards not yet revealed.

use super::table::*;
use gamekeeper_rules::kingsburg::data::{Advisor, Enemy, Phase};
use gamekeeper_rules::kingsburg::event::Event;
use gamekeeper_rules::kingsburg::{Kingsburg, View};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{GameEvent, Names, Viewer};

fn view(table: &Table, viewer: Viewer) -> View {
    Kingsburg::view(&table.state, viewer)
}

fn visible_enemies(table: &Table, viewer: Viewer) -> Vec<Option<Enemy>> {
    let enemies = view(table, viewer).enemies;
    enemies.iter().map(|enemy| enemy.card).collect()
}

/// KIN-13.1: past enemies, and the current one after peeking; only the backs of the others.
#[test]
fn a_viewer_knows_the_past_and_what_they_have_peeked_at() {
    let mut table = Table::of(2)
        .enemy(Enemy::Y1Goblins3)
        .luck(&[("king_die", None, &[6])])
        .begin(Phase::Winter);
    table.state.peeked_by.insert(EVA);
    let deck = table.state.deck.map(Some);
    let spectator = visible_enemies(&table, Viewer::Spectator);
    assert_eq!(spectator, [deck[0], None, None, None, None]);
    assert_eq!(visible_enemies(&table, Viewer::Seat(ANNA)), spectator);
    let eva = visible_enemies(&table, Viewer::Seat(EVA));
    assert_eq!(eva, [deck[0], deck[1], None, None, None]);
    assert_eq!(visible_enemies(&table, Viewer::Operator), deck);
    let revealed: Vec<bool> = view(&table, Viewer::Seat(EVA))
        .enemies
        .iter()
        .map(|enemy| enemy.revealed)
        .collect();
    assert_eq!(revealed, [true, false, false, false, false]);
    let back = view(&table, Viewer::Spectator).enemies[4];
    assert_eq!((back.year, back.min_strength, back.max_strength), (5, 7, 9));
}

/// During winter this year's card is public (KIN-6.100).
#[test]
fn the_enemy_is_public_from_the_reveal_on() {
    let table = Table::of(2)
        .enemy(Enemy::Y4Orcs7)
        .soldiers(EVA, 9)
        .begin(Phase::Winter);
    assert_eq!(table.asked(), Some((EVA, "reward_good")));
    assert_eq!(
        visible_enemies(&table, Viewer::Spectator)[3],
        None,
        "years 1 to 3 were never played here"
    );
    let history = view(&table, Viewer::Spectator);
    assert_eq!(history.battle.unwrap().card, Enemy::Y4Orcs7);
}

/// KIN-13.3: a peek is public, the card is not.
#[test]
fn others_learn_that_somebody_peeked_not_at_what() {
    let peek = |card| Event::EnemyPeeked {
        seat: EVA,
        advisor: Advisor::General,
        year: 2,
        card,
    };
    let event = peek(Some(Enemy::Y2Orcs4));
    let seen = |viewer| Kingsburg::event_view(&event, viewer).unwrap();
    assert_eq!(seen(Viewer::Seat(EVA)), event);
    assert_eq!(seen(Viewer::Operator), event);
    assert_eq!(seen(Viewer::Seat(ANNA)), peek(None));
    assert_eq!(seen(Viewer::Spectator), peek(None));
    assert_eq!(
        seen(Viewer::Spectator).sentence(Names::NONE),
        "The General shows seat 1 the enemy of year 2."
    );
    assert_eq!(
        event.sentence(Names::NONE),
        "The General shows seat 1 the enemy of year 2: Orcs with strength 4."
    );
}
