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
        supply: Some(pb::Supply {
            roads: 8,
            castles: 9,
            mercenaries: 1,
        }),
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
fn a_token_that_is_due_names_its_sources() {
    let token = pb::Token {
        card: pb::PointCard::DefenderOfTheRealm.into(),
        value: 1,
        slot: None,
    };
    let award = pb::Award {
        seat: 2,
        token: Some(token),
        sources: vec![pb::TokenSource::Card.into(), pb::TokenSource::Bank.into()],
    };
    let mut view = view();
    view.awards.push(award);
    if let Some(turn) = &mut view.turn {
        turn.road_move_used = true;
        turn.converters_used.push(pb::Converter::GoldMine.into());
    }
    let text = plain(&table(&info(), &view, 80));
    let due = "Tokens due  Bob: Defender of the Realm 1 from card or bank";
    assert!(text.contains(due), "{text}");
    assert!(
        text.contains("armies moved by road, Gold Mine used"),
        "{text}"
    );
}

#[test]
fn the_set_up_has_no_turn() {
    let mut view = pb::View {
        phase: pb::Phase::SetupDiscard.into(),
        provinces_to_discard: 2,
        turn: None,
        ..view()
    };
    view.players[1].has_chosen = true;
    let text = plain(&table(&info(), &view, 80));
    assert!(text.contains("everybody gives away 2 provinces"), "{text}");
    assert!(text.contains("2 Bob (blue, has chosen)"), "{text}");
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

fn card_play(card: Card) -> pb::SymbolPlay {
    pb::SymbolPlay {
        card: card.into(),
        ..pb::SymbolPlay::default()
    }
}

fn said(kind: pb::action::Kind) -> Option<String> {
    action(&info(), &pb::Action { kind: Some(kind) })
}

#[test]
fn invasions_name_their_cards() {
    use pb::invade::{Origin, Route};
    let by_land = pb::Invade {
        target: Province::Blore.into(),
        origin: Some(Origin::Site(pb::SiteOrigin {
            card: Card::ProvincePalmain.into(),
            province: Province::Palmain.into(),
        })),
        route: Some(Route::Land(pb::LandRoute {})),
        armies: vec![
            card_play(Card::StartRedArmy1),
            card_play(Card::ProvinceScombroid),
        ],
        food: vec![pb::SymbolPlay {
            via: Some(pb::Converter::Farming.into()),
            water_mill: Some(Card::ImprovementWaterMill.into()),
            ..card_play(Card::StartRedShip1)
        }],
        transport: Vec::new(),
    };
    let by_sea = pb::Invade {
        target: Province::Ambsace.into(),
        route: Some(Route::Sea(pb::SeaRoute {
            areas: vec![pb::Sea::SerpentSea.into(), pb::Sea::BeastSea.into()],
        })),
        transport: vec![Card::StartRedShip1.into(), Card::ImprovementShip.into()],
        ..by_land.clone()
    };
    let told = [by_land, by_sea].map(|it| said(pb::action::Kind::Invade(it)).unwrap());
    assert_eq!(
        told[0],
        "invade Blore from Palmain: site Palmain; armies Army, Scombroid; \
         food Ship by Farming with Water Mill"
    );
    assert!(
        told[1].starts_with("invade Ambsace from Palmain over Serpent Sea and Beast Sea: "),
        "{}",
        told[1]
    );
    assert!(told[1].contains("transport 2 Ship"), "{}", told[1]);
}

#[test]
fn other_actions_are_said_shortly() {
    use pb::action::Kind;
    let marauders = Kind::UseMarauders(pb::UseMarauders {
        card: Card::ImprovementMarauders.into(),
        province: Province::Mome.into(),
        owner: 2,
    });
    let road = Kind::BuildRoad(pb::BuildRoad {
        build_card: Card::StartRedBuild1.into(),
        site_card: Card::ProvinceMome.into(),
        a: Province::Mome.into(),
        b: Province::Talion.into(),
        stone: vec![
            card_play(Card::ProvinceFadge),
            card_play(Card::StartRedBuild2),
        ],
        inn_gold: Vec::new(),
    });
    let buy = Kind::BuyUnits(pb::BuyUnits {
        armies: 1,
        ships: 2,
        gold: vec![card_play(Card::ProvinceRemise)],
    });
    let march = Kind::MoveArmiesByRoad(pb::MoveArmiesByRoad {
        moves: vec![pb::RoadMove {
            from: Province::Mome.into(),
            to: Province::Talion.into(),
            count: 3,
        }],
    });
    for (kind, words) in [
        (marauders, "send an army of Bob home from Mome"),
        (
            road,
            "build a road from Mome to Talion: by Build; site Mome; stone Fadge, Build",
        ),
        (buy, "buy 1 army and 2 ships: gold Remise"),
        (march, "move 3 armies from Mome to Talion by road"),
    ] {
        assert_eq!(said(kind).as_deref(), Some(words));
    }
    assert_eq!(said(Kind::Pass(pb::Pass {})), None);
}
