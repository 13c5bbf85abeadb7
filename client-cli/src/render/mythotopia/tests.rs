use gamekeeper_proto::gamekeeper::v1::{GameStatus, Player};
use pb::{Card, Province};

use super::*;

fn info() -> GameInfo {
    let player = |seat, name: &str| Player {
        seat,
        name: name.to_owned(),
    };
    GameInfo {
        ruleset: "mythotopia".to_owned(),
        version: 12,
        status: GameStatus::Active.into(),
        players: vec![player(1, "Ann"), player(2, "Bob")],
        ..GameInfo::default()
    }
}

fn place_of(province: Province, controller: Option<u32>) -> pb::ProvinceView {
    pb::ProvinceView {
        province: province.into(),
        controller,
        ..pb::ProvinceView::default()
    }
}

fn provinces() -> Vec<pb::ProvinceView> {
    let force = |seat, armies, mercenaries| pb::Force {
        seat,
        armies,
        mercenaries,
    };
    vec![
        pb::ProvinceView {
            dragon: true,
            forces: vec![force(1, 3, 1)],
            ..place_of(Province::Blore, None)
        },
        pb::ProvinceView {
            building: Some(pb::Building::City.into()),
            castle: true,
            forces: vec![force(1, 2, 0)],
            ..place_of(Province::Mome, Some(2))
        },
        place_of(Province::Palmain, Some(1)),
        place_of(Province::Welkin, None),
    ]
}

fn players() -> Vec<pb::PlayerView> {
    let cards = [
        Card::StartRedBuild1,
        Card::StartRedBuild2,
        Card::ProvincePalmain,
    ];
    let hand = cards.map(i32::from).to_vec();
    let ann = pb::PlayerView {
        seat: 1,
        colour: pb::Colour::Red.into(),
        hand_count: 3,
        hand_limit: 5,
        deck_count: 7,
        hand: Some(pb::CardList { cards: hand }),
        reserve: vec![Card::ImprovementWaterMill.into()],
        reserve_limit: 2,
        stock: Some(pb::Pieces {
            towns: 13,
            cities: 4,
            armies: 2,
            ships: 2,
        }),
        pool: Some(pb::Pieces {
            armies: 6,
            ships: 3,
            ..pb::Pieces::default()
        }),
        points: 14,
        ..pb::PlayerView::default()
    };
    let bob = pb::PlayerView {
        seat: 2,
        colour: pb::Colour::Blue.into(),
        hand: None,
        reserve: Vec::new(),
        ..ann.clone()
    };
    vec![ann, bob]
}

fn view() -> pb::View {
    let strength = |seat, strength| pb::Strength { seat, strength };
    let war = |province: Province, strengths| pb::War {
        province: province.into(),
        strengths,
    };
    let token = pb::Token {
        card: pb::PointCard::City.into(),
        value: 2,
        slot: None,
    };
    pb::View {
        phase: pb::Phase::Turn.into(),
        turn: Some(pb::Turn {
            active_player: 1,
            actions_done: 1,
            drafted: true,
            ..pb::Turn::default()
        }),
        provinces: provinces(),
        wars: vec![
            war(Province::Blore, vec![strength(0, 8), strength(1, 4)]),
            war(Province::Mome, vec![strength(2, 2), strength(1, 2)]),
        ],
        seas: vec![
            pb::SeaView {
                sea: pb::Sea::SerpentSea.into(),
                ships: vec![1, 0],
            },
            pb::SeaView {
                sea: pb::Sea::BeastSea.into(),
                ships: vec![0, 0],
            },
        ],
        roads: vec![pb::Border {
            a: Province::Mome.into(),
            b: Province::Talion.into(),
        }],
        point_cards: vec![pb::PointCardView {
            card: pb::PointCard::City.into(),
            tokens: vec![pb::TokenStack {
                token: Some(token),
                count: 5,
            }],
        }],
        improvement_display: vec![
            pb::Improvement::Hero.into(),
            pb::Improvement::ReserveArmy.into(),
        ],
        players: players(),
        ..pb::View::default()
    }
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn a_seat_sees_the_board_and_its_own_hand() {
    insta::assert_snapshot!(plain(&table(&info(), &view(), 80)));
}

#[test]
fn wars_show_the_strengths_of_now() {
    let text = plain(&table(&info(), &view(), 80));
    assert!(text.contains("Blore: neutral 8 : Ann 4"), "{text}");
    assert!(text.contains("Mome (city, castle, Ann 2)"), "{text}");
    assert!(text.contains("2 Build, Palmain"), "{text}");
}

#[test]
fn the_set_up_has_no_turn() {
    let view = pb::View {
        phase: pb::Phase::SetupDiscard.into(),
        provinces_to_discard: 2,
        turn: None,
        ..view()
    };
    let text = plain(&table(&info(), &view, 80));
    assert!(text.contains("everybody gives away 2 provinces"), "{text}");
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for width in [80, 120] {
        let text = plain(&table(&info(), &view(), width));
        for line in text.lines() {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}
