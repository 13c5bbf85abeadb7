use super::*;
use crate::contract::check_kinds;

fn play(card: u16) -> SymbolPlay {
    SymbolPlay {
        card: Card::nth(usize::from(card)),
        symbol: Some(Symbol::Gold),
        via: Some(None),
        merchant: Some(Card::nth(75)),
        water_mill: None,
    }
}

fn invasion_by(origin: Origin, route: Option<Route>) -> Action {
    Action::Invade(Invasion {
        target: Some(Province::Blore),
        origin,
        route,
        armies: vec![play(2)],
        food: Vec::new(),
        transport: vec![Card::nth(4), None],
    })
}

/// One action of each kind, in the order of the contract.
#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each action"
)]
fn samples() -> Vec<Action> {
    let (card, province) = (Card::nth(7), Some(Province::Mome));
    let (cards, gold) = (vec![card, None], vec![play(1), play(2)]);
    let site = Origin::Site { card, province };
    vec![
        Action::SetupDiscardProvinces {
            cards: cards.clone(),
        },
        Action::SetupPlaceCitadel { province },
        invasion_by(site, Some(Route::Land)),
        invasion_by(
            site,
            Some(Route::Sea {
                areas: vec![Some(Sea::BeastSea), None],
            }),
        ),
        invasion_by(Origin::Portal { card }, None),
        Action::PlaceArmies {
            province,
            armies: gold.clone(),
            food: gold.clone(),
        },
        Action::RemoveArmies {
            province,
            armies: 3,
            mercenaries: 1,
        },
        Action::PlaceShips {
            sea: None,
            ships: gold.clone(),
        },
        Action::RemoveShips {
            sea: Some(Sea::InlandSeaEast),
            count: 2,
        },
        Action::EndWar {
            province,
            hero: None,
        },
        Action::EndWar {
            province,
            hero: Some(None),
        },
        Action::BuyUnits {
            armies: 2,
            ships: 1,
            gold: gold.clone(),
        },
        Action::DraftCard {
            card,
            gold: gold.clone(),
        },
        Action::ReserveCards {
            cards: cards.clone(),
        },
        Action::DiscardCards {
            cards: cards.clone(),
        },
        Action::RemoveCards {
            cards: cards.clone(),
        },
        Action::BuildCity {
            build_card: card,
            site_card: None,
            province,
            stone: gold.clone(),
            guild_gold: gold.clone(),
        },
        Action::BuildCastle {
            build_card: None,
            site_card: card,
            province,
            stone: gold.clone(),
        },
        Action::BuildRoad {
            build_card: card,
            site_card: card,
            a: province,
            b: None,
            stone: gold.clone(),
            inn_gold: Vec::new(),
        },
        Action::UseAlchemist { card, from: 2 },
        Action::UseDiplomat {
            card,
            province,
            gold: gold.clone(),
        },
        Action::Patronage { gold: gold.clone() },
        Action::Pass,
        Action::EndGame,
        Action::MoveArmiesByRoad {
            moves: vec![RoadMove {
                from: province,
                to: None,
                count: 4,
            }],
        },
        Action::WarehouseStore { card },
        Action::UseCounsellor {
            card,
            hand: cards.clone(),
            reserve: cards,
        },
        Action::UseMarauders {
            card,
            province,
            owner: Seat::new(2),
        },
        Action::UseMercenary {
            card,
            gold: gold.clone(),
            province,
            count: 2,
        },
        Action::UseMilitia { card },
        Action::UseMystic {
            card,
            gold,
            take: None,
        },
        Action::UsePhilosopher { card },
        Action::UseProvidence { card },
        Action::EndTurn,
        Action::ChooseTokenSource {
            source: Some(TokenSource::None),
        },
        Action::ChoosePhilosopherCard { card },
    ]
}

#[test]
fn every_kind_comes_back_from_its_message() {
    let messages: Vec<_> = samples().iter().map(message).collect();
    check_kinds("gamekeeper.mythotopia.v1", "Action", &messages);
    for (sample, message) in samples().into_iter().zip(messages) {
        assert_eq!(action(message), Ok(sample));
    }
}

#[test]
fn what_means_nothing_is_malformed_and_what_names_nothing_is_not() {
    let field = |kind| action(pb::Action { kind }).unwrap_err().field;
    assert_eq!(field(None), "action.kind");
    assert_eq!(
        field(Some(Kind::Invade(pb::Invade::default()))),
        "action.invade.origin"
    );
    let nobody = Kind::UseMarauders(pb::UseMarauders {
        owner: 9,
        ..Default::default()
    });
    let expected = Action::UseMarauders {
        card: None,
        province: None,
        owner: None,
    };
    assert_eq!(action(pb::Action { kind: Some(nobody) }), Ok(expected));
    let many = Kind::RemoveShips(pb::RemoveShips {
        sea: 1,
        count: u32::MAX,
    });
    let expected = Action::RemoveShips {
        sea: Some(Sea::SerpentSea),
        count: u16::MAX,
    };
    assert_eq!(action(pb::Action { kind: Some(many) }), Ok(expected));
}
