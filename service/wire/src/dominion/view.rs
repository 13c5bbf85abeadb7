//! What one viewer may know of the table. `None` stays unset: hidden is not the same as empty.

use gamekeeper_rules::dominion::{Choice, Decision, PlayerView, Question, View};

use super::event::{counters_message, piles, results_message};
use super::{frame, ids, options, pb};
use crate::names::{Name, names, numbers};
use crate::seat_number;

names! {
    Decision => pb::Decision {
        ActionPhase, BuyPhase, ReactToAttack, CellarDiscard, ChancellorDecide, ChapelTrash,
        GainCard, RemodelTrash, MineTrash, LibraryDecide, MilitiaDiscard, BureaucratTopdeck,
        SpyDecide, ThiefTrash, ThiefGain, ThroneRoomChoose,
    }
}

pub(super) fn message(view: &View) -> pb::View {
    pb::View {
        options: Some(options::message(&view.options)),
        kingdom: numbers(&view.kingdom),
        phase: view.phase.number(),
        active_player: seat_number(view.active_player),
        turn_number: view.turn_number,
        counters: Some(counters_message(view.counters)),
        bought_this_turn: view.bought_this_turn,
        supply: piles(&view.supply),
        trash: ids::sorted(&view.trash),
        players: view.players.iter().map(player).collect(),
        stack: view.stack.iter().map(frame::message).collect(),
        question: view.question.as_ref().map(question),
        results: view
            .results
            .as_deref()
            .map_or_else(Vec::new, results_message),
    }
}

fn player(player: &PlayerView) -> pb::PlayerView {
    pb::PlayerView {
        seat: seat_number(player.seat),
        hand_count: u32::from(player.hand_count),
        hand: player.hand.as_ref().map(ids::sorted_list),
        draw_pile_empty: player.draw_pile_empty,
        draw_pile_count: player.draw_pile_count.map(u32::from),
        draw_pile: player.draw_pile.as_deref().map(ids::list),
        discard_empty: player.discard_empty,
        discard_top: player.discard_top.map(Name::number),
        discard_pile: player.discard_pile.as_ref().map(ids::sorted_list),
        in_play: numbers(&player.in_play),
        turns_taken: player.turns_taken,
    }
}

fn question(question: &Question) -> pb::Question {
    pb::Question {
        seat: seat_number(question.seat),
        decision: question.decision.number(),
        choice: question.choice.as_ref().map(choice),
    }
}

fn choice(choice: &Choice) -> pb::Choice {
    pb::Choice {
        cards: ids::sorted(&choice.cards),
        least: u32::from(choice.least),
        most: u32::from(choice.most),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::{
        Card, Cards, Counters, Frame, Kingdom, KingdomSet, Options, Phase, Pile, SeatResult,
    };
    use gamekeeper_rules::table::Seat;

    use super::*;
    use crate::names::tests::check_names;

    fn cards(cards: &[Card]) -> Cards {
        cards.iter().copied().collect()
    }

    fn seen_player() -> PlayerView {
        PlayerView {
            seat: Seat::at(0),
            hand_count: 2,
            hand: Some(cards(&[Card::Moat, Card::Copper])),
            draw_pile_empty: false,
            draw_pile_count: Some(2),
            draw_pile: Some(vec![Card::Estate, Card::Copper]),
            discard_empty: false,
            discard_top: Some(Card::Silver),
            discard_pile: Some(cards(&[Card::Silver, Card::Copper])),
            in_play: vec![Card::Village, Card::Copper],
            turns_taken: 4,
        }
    }

    fn hidden_player() -> PlayerView {
        PlayerView {
            seat: Seat::at(1),
            hand: None,
            draw_pile_count: None,
            draw_pile: None,
            discard_empty: true,
            discard_top: None,
            discard_pile: None,
            in_play: vec![],
            ..seen_player()
        }
    }

    fn view() -> View {
        View {
            options: Options {
                seats: 2,
                kingdom: Kingdom::Set(KingdomSet::VillageSquare),
                first_player: None,
                strict_secrecy: true,
            },
            kingdom: KingdomSet::VillageSquare.cards(),
            phase: Phase::Action,
            active_player: Seat::at(1),
            turn_number: 8,
            counters: Counters {
                actions: 1,
                buys: 2,
                coins: 3,
            },
            bought_this_turn: true,
            supply: vec![Pile {
                card: Card::Province,
                count: 0,
            }],
            trash: cards(&[Card::Feast, Card::Copper]),
            players: vec![seen_player(), hidden_player()],
            stack: vec![Frame::ThroneChoose, Frame::Chapel],
            question: Some(Question {
                seat: Seat::at(1),
                decision: Decision::ChapelTrash,
                choice: Some(Choice {
                    cards: cards(&[Card::Copper]),
                    least: 0,
                    most: 4,
                }),
            }),
            results: None,
        }
    }

    #[test]
    fn decisions_keep_their_order_and_their_names() {
        check_names(&Decision::ALL);
        for decision in Decision::ALL {
            let on_the_wire = pb::Decision::try_from(decision.number())
                .unwrap()
                .as_str_name();
            assert_eq!(
                on_the_wire,
                format!("DECISION_{}", decision.name().to_uppercase())
            );
        }
    }

    #[test]
    fn the_table_field_by_field() {
        let view = view();
        let message = message(&view);
        assert_eq!(message.options, Some(options::message(&view.options)));
        assert_eq!(message.kingdom, numbers(&view.kingdom));
        assert_eq!(message.phase(), pb::Phase::Action);
        assert_eq!((message.active_player, message.turn_number), (2, 8));
        let counters = pb::Counters {
            actions: 1,
            buys: 2,
            coins: 3,
        };
        assert_eq!(message.counters, Some(counters));
        assert!(message.bought_this_turn);
        let empty_pile = pb::Pile {
            card: pb::Card::Province as i32,
            count: 0,
        };
        assert_eq!(message.supply, [empty_pile]);
        assert_eq!(message.trash, numbers(&[Card::Copper, Card::Feast]));
        assert_eq!(
            message.stack,
            [Frame::ThroneChoose, Frame::Chapel].map(|it| frame::message(&it))
        );
        assert_eq!(message.results, []);
    }

    #[test]
    fn players_field_by_field() {
        let list = |cards: &[Card]| Some(ids::list(cards));
        let seen = pb::PlayerView {
            seat: 1,
            hand_count: 2,
            hand: list(&[Card::Copper, Card::Moat]),
            draw_pile_empty: false,
            draw_pile_count: Some(2),
            draw_pile: list(&[Card::Estate, Card::Copper]),
            discard_empty: false,
            discard_top: Some(pb::Card::Silver as i32),
            discard_pile: list(&[Card::Copper, Card::Silver]),
            in_play: numbers(&[Card::Village, Card::Copper]),
            turns_taken: 4,
        };
        let hidden = pb::PlayerView {
            seat: 2,
            hand: None,
            draw_pile_count: None,
            draw_pile: None,
            discard_empty: true,
            discard_top: None,
            discard_pile: None,
            in_play: vec![],
            ..seen.clone()
        };
        assert_eq!(message(&view()).players, [seen, hidden]);
    }

    #[test]
    fn an_empty_hand_is_not_a_hidden_hand() {
        let empty = PlayerView {
            hand: Some(Cards::none()),
            ..hidden_player()
        };
        assert_eq!(player(&empty).hand, Some(pb::CardList::default()));
        assert_eq!(player(&hidden_player()).hand, None);
    }

    #[test]
    fn a_question_may_hide_its_cards() {
        let choice = pb::Choice {
            cards: numbers(&[Card::Copper]),
            least: 0,
            most: 4,
        };
        let decision = pb::Decision::ChapelTrash as i32;
        let open = pb::Question {
            seat: 2,
            decision,
            choice: Some(choice),
        };
        let mut view = view();
        assert_eq!(message(&view).question.as_ref(), Some(&open));
        if let Some(question) = &mut view.question {
            question.choice = None;
        }
        let hidden = pb::Question {
            choice: None,
            ..open
        };
        assert_eq!(message(&view).question, Some(hidden));
        view.question = None;
        assert_eq!(message(&view).question, None);
    }

    #[test]
    fn results_are_shown_at_the_end() {
        let result = SeatResult {
            seat: Seat::at(0),
            rank: 1,
            points: 30,
            turns: 4,
            cards: vec![],
        };
        let view = View {
            results: Some(vec![result.clone()]),
            ..view()
        };
        assert_eq!(message(&view).results, results_message(&[result]));
    }
}
