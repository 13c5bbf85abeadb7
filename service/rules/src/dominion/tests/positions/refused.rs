//! Descriptions that are refused, each with the rule that it breaks and the field that breaks it.

use super::described::{Described, TestDescription as _, kingdom_with, militia_frame, second};
use crate::table::*;
use gamekeeper_rules::dominion::Destination;
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::data::KingdomSet::{
    BigMoney, FirstGame, Interaction, VillageSquare,
};
use gamekeeper_rules::dominion::{Dominion, EffectFrame, Gain, Phase, View};
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Seat, Seed, Viewer};

/// The set-up of First Game for three, in which seat 1 begins.
fn set_up() -> Described {
    let mut described = Described::new(3, FirstGame.cards());
    described.options.first_player = Some(P1);
    let created = create::<Dominion>(&described.options, Chance::from_seed(&Seed::from_number(3)));
    described.view = Dominion::view(&created.state, Viewer::Operator);
    described
}

#[test]
fn cards_are_where_they_can_be() {
    set_up().table();
    let refused = |rule, path, change: fn(&mut View)| set_up().with(change).breaks(rule, path);
    refused("DOM-15.1", "players", |view| drop(view.players.pop()));
    refused("DOM-15.1", "active_player", |view| view.active_player = P4);
    refused("DOM-15.1", "bookkeeping.players", |view| {
        view.bookkeeping.as_mut().unwrap().players.truncate(2);
    });
    refused("DOM-8.5", "phase", |view| view.phase = Phase::Over);
    refused("DOM-11.6", "players[1].in_play", |view| {
        view.players[1].in_play = cards("copper");
    });
    refused("DOM-15.2", "supply", |view| view.supply.truncate(16));
    refused("DOM-15.2", "supply[0].card", |view| view.supply.swap(0, 1));
    refused("DOM-11.1", "supply[4].count", |view| {
        view.supply[4].count += 1;
    });
    refused("DOM-11.1", "players", |view| {
        view.trash = many("13 province");
    });
    refused("DOM-11.1", "players", |view| view.trash = many("witch"));
    refused("DOM-11.15", "players[2].discard_top", |view| {
        view.players[2].discard_top = Some(Card::Gold);
    });
    refused("DOM-11.15", "players[2].discard_top", |view| {
        view.players[2].discard_pile = Some(many("gold"));
    });
    refused("DOM-11.15", "bookkeeping.players[1].hand", |view| {
        view.bookkeeping.as_mut().unwrap().players[1].hand = many("moat");
    });
    refused("DOM-11.15", "bookkeeping.players[1].draw_pile", |view| {
        view.bookkeeping.as_mut().unwrap().players[1].draw_pile = 6;
    });
    refused("DOM-11.15", "bookkeeping.players[1].discard_pile", |view| {
        view.bookkeeping.as_mut().unwrap().players[1].discard_pile = many("copper");
    });
}

#[test]
fn turns_and_phases_fit_the_table() {
    let refused = |rule, path, change: fn(&mut View)| set_up().with(change).breaks(rule, path);
    refused("DOM-15.5", "players[0].turns_taken", |view| {
        view.players[0].turns_taken = 0;
    });
    refused("DOM-15.5", "players[0].turns_taken", |view| {
        view.players[0].turns_taken = u32::MAX;
    });
    refused("DOM-15.5", "players[2].turns_taken", |view| {
        view.players[2].turns_taken = 1;
    });
    refused("DOM-15.5", "players[2].turns_taken", |view| {
        view.active_player = P3;
    });
    refused("DOM-15.6", "players[0].in_play[0]", |view| {
        (view.players[0].in_play, view.supply) = (cards("estate"), Vec::new());
    });
    refused("DOM-15.7", "counters.actions", |view| {
        view.counters.actions = 2;
    });
    refused("DOM-15.7", "counters.buys", |view| {
        view.counters.buys = u16::MAX;
    });
    refused("DOM-15.7", "counters.buys", |view| {
        view.counters.buys = 0;
    });
    refused("DOM-15.7", "counters.coins", |view| {
        view.counters.coins = 1;
    });
    refused("DOM-15.7", "bought_this_turn", |view| {
        view.bought_this_turn = true;
    });
    refused("DOM-11.5", "players[0].hand", |view| {
        view.phase = Phase::Action;
    });
    refused("DOM-15.9", "stack", |view| {
        view.stack.push(EffectFrame::Cellar);
    });
    refused("DOM-15.8", "supply", |view| {
        (view.trash, view.supply) = (many("12 province"), Vec::new());
    });
}

#[test]
fn a_random_kingdom_has_ten_kinds_in_order() {
    let mut described = set_up();
    described.options.kingdom = gamekeeper_rules::dominion::Kingdom::Random;
    described.table();
    let refused = |path, change: fn(&mut View)| {
        described.clone().with(change).breaks("DOM-15.2", path);
    };
    refused("kingdom", |view| view.kingdom.truncate(9));
    refused("kingdom[1]", |view| view.kingdom[1] = view.kingdom[0]);
    refused("kingdom[0]", |view| view.kingdom[0] = Card::Gold);
}

/// Smithy took the only action; with Village there are two.
#[test]
fn counters_follow_from_the_cards_in_play() {
    let described = |in_play, actions, buys, coins| {
        let described = Described::new(2, VillageSquare.cards())
            .in_play(in_play)
            .hand(P1, "smithy");
        described.counters(actions, buys, coins)
    };
    described("smithy", 1, 1, 0).breaks("DOM-15.7", "counters.actions");
    described("2 smithy", 0, 1, 0).breaks("DOM-15.7", "players[0].in_play");
    described("village, smithy", 1, 1, 0).table();
    described("festival", 2, 2, 2).table();
    described("festival", 2, 1, 2).breaks("DOM-15.7", "counters.buys");
    described("festival", 2, 2, 1).breaks("DOM-15.7", "counters.coins");
    described("festival", 2, 2, 3).breaks("DOM-15.7", "counters.coins");
    // Throne Room plays Festival twice.
    described("throne_room, festival", 4, 3, 4).table();
    described("throne_room, festival", 5, 3, 4).breaks("DOM-15.7", "counters.actions");
    described("throne_room, village, copper", 4, 1, 0).breaks("DOM-15.6", "players[0].in_play[2]");
    described("smithy", 0, 1, 0).breaks("DOM-11.5", "counters.actions");
    let bought = described("festival", 2, 1, 0).buy_phase().bought();
    bought.breaks("DOM-15.7", "bought_this_turn");
    bought.clone().discard_pile(P1, "copper").table();
    bought
        .discard_pile(P1, "gold")
        .breaks("DOM-15.7", "players[0].discard_top");
}

#[test]
fn plays_and_choices_to_come_have_given_nothing() {
    let asks = |in_play: &str, stack: Vec<EffectFrame>, actions, coins| {
        Described::new(2, kingdom_with(Interaction, Card::ThroneRoom))
            .in_play(in_play)
            .hand(P1, "2 festival")
            .hand(P2, "moat, 4 copper")
            .counters(actions, 1, coins)
            .stack(stack)
    };
    let (actions, coins) = ("counters.actions", "counters.coins");
    let reactions = |card| EffectFrame::Reactions {
        card,
        queue: [P2].into_iter().collect(),
        immune: [].into_iter().collect(),
    };
    let spied = |actions| asks("spy", vec![reactions(Card::Spy)], actions, 0);
    spied(0).table();
    spied(1).breaks("DOM-15.7", actions);
    let attacked = |coins| asks("militia", vec![reactions(Card::Militia)], 0, coins);
    attacked(0).table();
    attacked(2).breaks("DOM-15.7", coins);
    let again = vec![second("militia"), militia_frame(&[P2], &[])];
    let attacked = |coins| asks("throne_room, militia", again.clone(), 0, coins);
    attacked(2).table();
    attacked(4).breaks("DOM-15.7", coins);
    let chooses = |actions| {
        let stack = vec![EffectFrame::ThroneChoose];
        asks("throne_room, festival", stack, actions, 0)
    };
    chooses(1).table();
    chooses(4).breaks("DOM-15.7", actions);
}

#[test]
fn open_effects_belong_to_cards_in_play() {
    let asks = |in_play: &str, stack: Vec<EffectFrame>| {
        Described::new(2, VillageSquare.cards())
            .in_play(in_play)
            .hand(P1, "2 smithy")
            .counters(0, 1, 0)
            .stack(stack)
    };
    let (remodel, choose) = (EffectFrame::RemodelTrash, EffectFrame::ThroneChoose);
    let resolve = EffectFrame::Resolve {
        card: Card::Smithy,
        immune: [].into_iter().collect(),
    };
    let rule = "DOM-15.9";
    asks("remodel", vec![remodel.clone()]).table();
    asks("smithy", vec![remodel.clone()]).breaks(rule, "stack[0].remodel_trash");
    asks("smithy", vec![resolve]).breaks(rule, "stack[0].resolve");
    asks("throne_room, smithy", vec![second("smithy")]).breaks(rule, "stack[0].throne_second");
    asks(
        "2 throne_room, smithy",
        vec![second("smithy"), choose.clone()],
    )
    .breaks(rule, "stack[1].throne_choose");
    asks(
        "throne_room, remodel",
        vec![second("remodel"), remodel.clone()],
    )
    .table();
    asks("throne_room", vec![second("remodel"), remodel.clone()])
        .breaks(rule, "stack[0].throne_second");
    asks("remodel", vec![second("remodel"), remodel.clone()])
        .breaks(rule, "stack[0].throne_second");
    asks(
        "throne_room, remodel",
        vec![remodel.clone(), remodel.clone()],
    )
    .breaks(rule, "stack[0].remodel_trash");
    let two = vec![second("remodel"), second("throne_room"), choose.clone()];
    asks("3 throne_room, remodel", two).breaks(rule, "stack[1].throne_second");
    // One Throne Room cannot choose itself.
    asks("throne_room", vec![second("throne_room"), choose.clone()])
        .breaks(rule, "stack[0].throne_second");
    asks("2 throne_room", vec![second("throne_room"), choose.clone()]).table();
    asks("remodel", vec![remodel])
        .buy_phase()
        .breaks(rule, "stack");
}

#[test]
fn open_effects_have_something_to_ask() {
    let asks = |in_play: &str, frame: EffectFrame| {
        let described = Described::new(2, BigMoney.cards()).in_play(in_play);
        described.counters(0, 1, 0).stack(vec![frame])
    };
    let rule = "DOM-6.21";
    asks("chapel", EffectFrame::Chapel).breaks(rule, "players[0].hand");
    asks("mine", EffectFrame::MineTrash)
        .hand(P1, "estate")
        .breaks(rule, "players[0].hand");
    asks("throne_room", EffectFrame::ThroneChoose)
        .hand(P1, "gold")
        .breaks(rule, "players[0].hand");
    let mut chancellor = asks("chancellor", EffectFrame::Chancellor);
    chancellor.view.counters.coins = 2;
    chancellor.breaks(rule, "players[0].draw_pile");
    let gain = |max_cost| {
        EffectFrame::Gain(Gain {
            max_cost,
            treasure_only: false,
            destination: Destination::DiscardPile,
        })
    };
    asks("chapel", gain(5)).breaks("DOM-15.9", "stack[0].gain");
    asks("throne_room", gain(5)).trash("feast").table();
    asks("throne_room", gain(6))
        .trash("feast")
        .breaks("DOM-15.9", "stack[0].gain");
}

#[test]
fn library_asks_about_an_action_card() {
    let asks = |hand: &str, draw_pile: &str, drawn, set_aside: &str| {
        Described::new(2, Interaction.cards())
            .in_play("library")
            .hand(P1, hand)
            .draw_pile(P1, draw_pile)
            .counters(0, 1, 0)
            .stack(vec![EffectFrame::Library {
                drawn,
                set_aside: cards(set_aside),
            }])
    };
    let rule = "DOM-7.11";
    asks("6 copper", "spy, copper", Some(Card::Spy), "moat").table();
    asks("7 copper", "spy", None, "").breaks(rule, "players[0].hand_count");
    asks("copper", "copper", None, "").breaks(rule, "stack[0].library.drawn");
    asks("copper", "", None, "").breaks(rule, "players[0].draw_pile[0]");
    asks("copper", "moat", Some(Card::Spy), "").breaks(rule, "players[0].draw_pile[0]");
    asks("copper", "moat", None, "spy, gold").breaks(rule, "stack[0].library.set_aside[1]");
    let mut strict = asks("copper", "copper", None, "");
    strict.options.strict_secrecy = true;
    strict.table();
}

#[test]
fn open_attacks_go_clockwise() {
    let asks = |queue: &[Seat], immune: &[Seat]| {
        let described = Described::new(4, FirstGame.cards())
            .in_play("militia")
            .counters(0, 1, 2);
        let hands = [P2, P3, P4].into_iter();
        hands
            .fold(described, |described, seat| {
                described.hand(seat, "moat, 4 copper")
            })
            .stack(vec![militia_frame(queue, immune)])
    };
    let (rule, queue, immune) = (
        "DOM-15.11",
        "stack[0].militia.queue",
        "stack[0].militia.immune",
    );
    asks(&[P4], &[P2, P3]).table();
    asks(&[P2, P3, P4], &[]).table();
    asks(&[], &[]).breaks(rule, queue);
    asks(&[P3], &[]).breaks(rule, queue);
    asks(&[P4, P3], &[]).breaks(rule, queue);
    asks(&[P1], &[]).breaks(rule, queue);
    asks(&[P4], &[P4]).breaks(rule, queue);
    asks(&[P4], &[P3, P2]).breaks(rule, immune);
    asks(&[P4], &[P1]).breaks(rule, immune);
    asks(&[P4], &[P2]).hand(P2, "5 copper").breaks(rule, immune);
    asks(&[P4], &[P2])
        .knows(P2, "copper", 0)
        .breaks(rule, immune);
    asks(&[P4], &[])
        .hand(P4, "3 copper")
        .breaks("DOM-6.21", "stack[0].militia.queue[0]");
}

#[test]
fn thieves_hold_what_they_have_trashed() {
    let asks = |revealed: &str, trashed: &str| {
        Described::new(3, Interaction.cards())
            .in_play("thief")
            .counters(0, 1, 0)
            .trash("gold")
            .stack(vec![EffectFrame::Thief {
                queue: [P3].into_iter().collect(),
                immune: [].into_iter().collect(),
                revealed: cards(revealed).into_iter().collect(),
                trashed: cards(trashed).into_iter().collect(),
            }])
    };
    let (rule, revealed, trashed) = (
        "DOM-15.11",
        "stack[0].thief.revealed",
        "stack[0].thief.trashed",
    );
    asks("copper, silver", "gold").table();
    asks("copper, copper", "").breaks(rule, revealed);
    asks("copper, estate", "").breaks(rule, revealed);
    asks("copper", "").breaks(rule, revealed);
    asks("copper, silver", "silver").breaks(rule, trashed);
    asks("copper, silver", "gold, gold").breaks(rule, trashed);
    let gains = |trashed: &str| {
        asks("copper, silver", "")
            .trash("gold, estate")
            .stack(vec![EffectFrame::ThiefGain {
                trashed: cards(trashed).into_iter().collect(),
            }])
    };
    gains("gold").table();
    gains("").breaks(rule, "stack[0].thief_gain.trashed");
    gains("estate").breaks(rule, "stack[0].thief_gain.trashed");
}
