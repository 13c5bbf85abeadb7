use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, PendingDecision, Player};
use pb::Card;

use super::*;

fn info() -> GameInfo {
    let player = |seat, name: &str| Player {
        seat,
        name: name.to_owned(),
    };
    GameInfo {
        game_id: "0199aaaa-0000-7000-8000-000000000001".to_owned(),
        ruleset: "dominion".to_owned(),
        version: 37,
        status: GameStatus::Active.into(),
        players: vec![player(1, "Ann"), player(2, "Bob")],
        pending: vec![PendingDecision {
            seat: 2,
            decision: "militia_discard".to_owned(),
        }],
        ..GameInfo::default()
    }
}

fn catalogue() -> pb::Catalogue {
    let sheet = |card: Card, name: &str, cost, kind: pb::CardType| pb::CardInfo {
        card: card.into(),
        name: name.to_owned(),
        cost,
        types: vec![kind.into()],
        ..pb::CardInfo::default()
    };
    let cards = vec![
        sheet(Card::Copper, "Copper", 0, pb::CardType::Treasure),
        sheet(Card::Silver, "Silver", 3, pb::CardType::Treasure),
        sheet(Card::Gold, "Gold", 6, pb::CardType::Treasure),
        sheet(Card::Estate, "Estate", 2, pb::CardType::Victory),
        sheet(Card::Duchy, "Duchy", 5, pb::CardType::Victory),
        sheet(Card::Province, "Province", 8, pb::CardType::Victory),
        sheet(Card::Curse, "Curse", 0, pb::CardType::Curse),
        sheet(Card::CouncilRoom, "Council Room", 5, pb::CardType::Action),
        sheet(Card::Militia, "Militia", 4, pb::CardType::Attack),
        sheet(Card::Moat, "Moat", 2, pb::CardType::Reaction),
        sheet(Card::Village, "Village", 3, pb::CardType::Action),
    ];
    pb::Catalogue {
        revision: 1,
        cards,
        kingdom_sets: Vec::new(),
    }
}

fn list(cards: &[Card]) -> Vec<i32> {
    cards.iter().map(|card| i32::from(*card)).collect()
}

fn supply() -> Vec<pb::Pile> {
    let piles = [
        (Card::Copper, 46),
        (Card::Silver, 38),
        (Card::Gold, 30),
        (Card::Estate, 8),
        (Card::Duchy, 8),
        (Card::Province, 7),
        (Card::Curse, 0),
        (Card::CouncilRoom, 10),
        (Card::Militia, 9),
        (Card::Moat, 10),
        (Card::Village, 9),
    ];
    let pile = |(card, count): (Card, u32)| pb::Pile {
        card: card.into(),
        count,
    };
    piles.map(pile).to_vec()
}

fn players(hand: &[i32]) -> Vec<pb::PlayerView> {
    let ann = pb::PlayerView {
        seat: 1,
        hand_count: 4,
        discard_top: Some(Card::Copper.into()),
        in_play: list(&[Card::Village, Card::Militia]),
        turns_taken: 5,
        ..pb::PlayerView::default()
    };
    let bob = pb::PlayerView {
        seat: 2,
        hand_count: 5,
        hand: Some(pb::CardList {
            cards: hand.to_vec(),
        }),
        draw_pile_count: Some(0),
        draw_pile_empty: true,
        discard_empty: true,
        turns_taken: 4,
        ..pb::PlayerView::default()
    };
    vec![ann, bob]
}

/// Ann has played a Village and a Militia; Bob, whose view this is, has to discard.
fn view() -> pb::View {
    let hand = list(&[
        Card::Copper,
        Card::Copper,
        Card::Copper,
        Card::Estate,
        Card::Province,
    ]);
    let militia = pb::MilitiaFrame {
        queue: vec![2],
        immune: vec![],
    };
    pb::View {
        kingdom: list(&[Card::CouncilRoom, Card::Militia, Card::Moat, Card::Village]),
        phase: pb::Phase::Action.into(),
        active_player: 1,
        turn_number: 9,
        counters: Some(pb::Counters {
            actions: 1,
            buys: 1,
            coins: 2,
        }),
        supply: supply(),
        trash: list(&[Card::Copper, Card::Copper, Card::Estate]),
        players: players(&hand),
        stack: vec![pb::Frame {
            kind: Some(pb::frame::Kind::Militia(militia)),
        }],
        question: Some(pb::Question {
            seat: 2,
            decision: pb::Decision::MilitiaDiscard.into(),
            choice: Some(pb::Choice {
                cards: hand,
                least: 2,
                most: 2,
            }),
        }),
        ..pb::View::default()
    }
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn a_seat_sees_its_own_hand() {
    insta::assert_snapshot!(plain(&table(&info(), &view(), &catalogue(), 80)));
}

#[test]
fn the_end_shows_what_everybody_owned() {
    let mut view = view();
    view.phase = pb::Phase::GameOver.into();
    view.stack.clear();
    view.question = None;
    view.results = vec![pb::SeatResult {
        seat: 2,
        rank: 1,
        points: 7,
        turns: 4,
        cards: vec![
            pb::Pile {
                card: Card::Copper.into(),
                count: 7,
            },
            pb::Pile {
                card: Card::Province.into(),
                count: 1,
            },
        ],
    }];
    insta::assert_snapshot!(plain(&table(&info(), &view, &catalogue(), 80)));
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for width in [60, 80, 120] {
        let text = plain(&table(&info(), &view(), &catalogue(), width));
        for line in text.lines() {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn without_a_catalogue_the_contract_names_the_cards() {
    let text = plain(&table(&info(), &view(), &pb::Catalogue::default(), 80));
    assert!(text.contains("Council Room"), "{text}");
}
