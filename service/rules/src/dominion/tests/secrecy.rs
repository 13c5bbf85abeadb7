//! DOM-13: the knowledge of each viewer.

use super::table::*;
use gamekeeper_rules::dominion::data::KingdomSet::{BigMoney, FirstGame, Interaction};
use gamekeeper_rules::dominion::{Choice, Dominion, EffectFrame, Event, View};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{GameEvent, Names, Seat, Viewer};

fn seen(table: &Table, viewer: Seat) -> View {
    Dominion::view(&table.state, Viewer::Seat(viewer))
}

/// The sentences of all events that this viewer gets.
fn visible_sentences(table: &Table, viewer: Viewer) -> Vec<String> {
    let events = table.history.iter();
    events
        .filter_map(|event| Dominion::event_view(event, viewer))
        .map(|event| event.sentence(Names::NONE))
        .collect()
}

#[test]
fn dom_13_1_own_hand_and_own_count_only() {
    let table = table(FirstGame)
        .hand(P1, "2 copper")
        .hand(P2, "3 estate")
        .draw_pile(P1, "gold")
        .discard_pile(P2, "curse, silver");
    let view = seen(&table, P1);
    let (own, other) = (&view.players[0], &view.players[1]);
    assert_eq!(
        (own.hand, own.draw_pile_count),
        (Some(many("2 copper")), Some(1))
    );
    assert_eq!((own.draw_pile.as_ref(), own.discard_pile), (None, None));
    assert_eq!((other.hand, other.hand_count), (None, 3));
    assert_eq!((other.draw_pile_count, other.draw_pile_empty), (None, true));
    assert_eq!(
        (other.discard_top, other.discard_empty),
        (Some(card("silver")), false)
    );
    assert_eq!(other.discard_pile, None);
}

#[test]
fn dom_13_2_spectators_see_no_hands() {
    let table = table(FirstGame).hand(P1, "smithy").draw_pile(P1, "gold");
    let view = Dominion::view(&table.state, Viewer::Spectator);
    for player in &view.players {
        assert_eq!((player.hand, player.draw_pile_count), (None, None));
        assert_eq!(
            (player.draw_pile.as_ref(), player.discard_pile),
            (None, None)
        );
    }
    assert_eq!(view.question, None);
}

#[test]
fn the_operator_sees_everything() {
    let table = table(FirstGame)
        .draw_pile(P2, "gold, estate")
        .discard_pile(P2, "copper, curse");
    let view = Dominion::view(&table.state, Viewer::Operator);
    assert_eq!(view.players[1].draw_pile, Some(cards("gold, estate")));
    assert_eq!(view.players[1].discard_pile, Some(many("copper, curse")));
}

#[test]
fn dom_13_3_choices_from_the_hand_are_for_the_actor() {
    let mut table = table(FirstGame)
        .hand(P1, "militia")
        .hand(P2, "3 copper, 2 estate");
    table.play(P1, play("militia"));
    let choice = |viewer| seen(&table, viewer).question?.choice;
    let two_of_the_hand = Choice {
        cards: many("3 copper, 2 estate"),
        min: 2,
        max: 2,
    };
    assert_eq!((choice(P2), choice(P1)), (Some(two_of_the_hand), None));
}

/// An action may be played, and need not be.
#[test]
fn dom_13_3_actions_in_hand_are_a_choice_of_one_or_none() {
    let table = table(FirstGame).hand(P1, "militia, 2 copper");
    let question = seen(&table, P1).question.unwrap();
    let choice = question.choice.unwrap();
    assert_eq!(
        (choice.cards, choice.min, choice.max),
        (many("militia"), 0, 1)
    );
}

#[test]
fn dom_13_3_choices_from_open_cards_are_public() {
    let mut table = table(Interaction)
        .hand(P1, "thief")
        .draw_pile(P2, "gold, copper");
    table.play(P1, play("thief"));
    for viewer in [P1, P2] {
        let question = seen(&table, viewer).question.unwrap();
        assert_eq!(
            question.choice.map(|choice| choice.cards),
            Some(many("copper, gold"))
        );
    }
}

/// Only the player knows the card; kept it stays secret, set aside it is public.
#[test]
fn dom_13_4_the_card_that_library_drew() {
    let mut table = table(Interaction)
        .hand(P1, "library, 5 copper")
        .draw_pile(P1, "moat, village, estate");
    table.play(P1, play("library"));
    let drawn = |viewer| match seen(&table, viewer).stack.last() {
        Some(EffectFrame::Library { drawn, .. }) => *drawn,
        other => panic!("{other:?}"),
    };
    assert_eq!((drawn(P1), drawn(P2)), (Some(card("moat")), None));
    table.play(P1, keep()).play(P1, set_aside());
    let others = visible_sentences(&table, Viewer::Seat(P2));
    assert_eq!(
        others[1..],
        [
            "Seat 1 draws 1 card.",
            "Seat 1 sets a Village aside.",
            "Seat 1 draws 1 card.",
            "Seat 1 discards a Village.",
            "Seat 1 moves on to the Buy phase.",
        ]
    );
    assert_eq!(
        visible_sentences(&table, Viewer::Seat(P1))[1],
        "Seat 1 draws a Moat."
    );
}

/// A revealed hand is in the log; the view hides it again.
#[test]
fn dom_13_6_a_revealed_hand_is_masked_again() {
    let mut table = table(BigMoney).hand(P1, "bureaucrat").hand(P2, "2 copper");
    table.play(P1, play("bureaucrat"));
    let others = visible_sentences(&table, Viewer::Spectator);
    assert!(others.contains(&String::from("Seat 2 reveals 2 Coppers from hand.")));
    assert_eq!(seen(&table, P1).players[1].hand, None);
}

#[test]
fn dom_13_7_discards_show_their_number_and_the_top() {
    let mut table = table(FirstGame).hand(P1, "cellar, copper, estate, 2 curse");
    table
        .play(P1, play("cellar"))
        .play(P1, cellar("curse, copper, estate"));
    let discarded = |event: &&Event| matches!(event, Event::HandDiscarded { .. });
    let event = table.history.iter().find(discarded).unwrap();
    let hidden = Event::HandDiscarded {
        seat: P1,
        count: 3,
        discard_top: Some(card("estate")),
        cards: None,
    };
    assert_eq!(Dominion::event_view(event, Viewer::Seat(P2)), Some(hidden));
    assert_eq!(
        Dominion::event_view(event, Viewer::Seat(P1)).as_ref(),
        Some(event)
    );
}

#[test]
fn dom_13_7_chancellor_hides_the_number_of_cards() {
    let mut table = table(BigMoney)
        .hand(P1, "chancellor")
        .draw_pile(P1, "gold, estate");
    table.play(P1, play("chancellor")).play(P1, turn_over());
    let decided = |event: &&Event| matches!(event, Event::ChancellorDecided { .. });
    let event = table.history.iter().find(decided).unwrap();
    let count = |viewer| match Dominion::event_view(event, viewer) {
        Some(Event::ChancellorDecided { count, .. }) => count,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (count(Viewer::Seat(P1)), count(Viewer::Seat(P2))),
        (Some(2), None)
    );
}

/// Declining reveals nothing; showing a Moat is public.
#[test]
fn dom_13_7_reactions() {
    let react = |action| {
        let mut table = table(FirstGame).hand(P1, "militia").hand(P2, "moat");
        table.play(P1, play("militia")).play(P2, action);
        let reaction_sentence = |viewer| {
            visible_sentences(&table, viewer)
                .into_iter()
                .find(|text| text.contains("show"))
        };
        (
            reaction_sentence(Viewer::Seat(P1)),
            reaction_sentence(Viewer::Seat(P2)),
        )
    };
    let shown = String::from("Seat 2 shows a Moat and is not affected.");
    assert_eq!(react(reveal("moat")), (Some(shown.clone()), Some(shown)));
    let own = String::from("Seat 2 shows no Reaction.");
    assert_eq!(react(decline()), (None, Some(own)));
}

#[test]
fn dom_13_10_the_list_goes_to_the_actor_only() {
    let table = table(FirstGame).hand(P1, "smithy, copper");
    assert_eq!(table.legal_of(P1), [play("smithy"), end_action_phase()]);
    assert_eq!(table.legal_of(P2), []);
}
