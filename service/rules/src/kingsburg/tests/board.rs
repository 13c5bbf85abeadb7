//! Boards and words of one table: Ann has influenced the Treasurer; it is Bob's turn in the spring
//! of year 2.

use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::{Action, Influence, NamedDice, Payment};
use gamekeeper_rules::kingsburg::data::{
    Advisor, Building, Color, DieId, Enemy, Goods, Phase, Step,
};
use gamekeeper_rules::kingsburg::event::Outcome;
use gamekeeper_rules::kingsburg::options::Draft;
use gamekeeper_rules::kingsburg::stage::Decision;
use gamekeeper_rules::kingsburg::view::{
    BattleView, DiePlace, DieView, EnemyView, EnvoyMode, EnvoyView, FighterView, GroupView,
    PlayerView, View,
};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::text::plain;
use gamekeeper_rules::table::{Names, Pending, Seat};

const ANN: Seat = Seat::at(0);
const BOB: Seat = Seat::at(1);

fn names() -> [String; 2] {
    ["Ann", "Bob"].map(String::from)
}

fn player(
    seat: Seat,
    color: Color,
    buildings: &[Building],
    dice: [(DieId, u8, DiePlace); 3],
) -> PlayerView {
    PlayerView {
        seat,
        color,
        vp: 7,
        goods: Goods::new(1, 0, 2),
        plus2: 0,
        soldiers: 2,
        rows: [0; 5],
        buildings: buildings.to_vec(),
        aid_die: false,
        dice: dice
            .map(|(die, value, place)| DieView { die, value, place })
            .to_vec(),
        reroll_used: false,
        market_used: false,
        influence_done: true,
        build_actions_left: 0,
    }
}

fn players() -> Vec<PlayerView> {
    let on = DiePlace::Court(Advisor::Treasurer);
    let dice = [
        (DieId::Own0, 3, on),
        (DieId::Own1, 5, on),
        (DieId::Own2, 6, DiePlace::SetAside),
    ];
    let ann = player(ANN, Color::Red, &[Building::Statue], dice);
    let dice = [(DieId::Own0, 4), (DieId::Own1, 4), (DieId::Farms, 2)];
    let dice = dice.map(|(die, value)| (die, value, DiePlace::Pool));
    let bob = PlayerView {
        vp: -1,
        goods: Goods::NONE,
        plus2: 1,
        soldiers: 0,
        influence_done: false,
        ..player(BOB, Color::Blue, &[Building::Statue, Building::Inn], dice)
    };
    vec![ann, bob]
}

fn group(advisor: Advisor, owner: Option<Seat>, values: &[u8]) -> GroupView {
    GroupView {
        advisor,
        owner,
        dice: Vec::new(),
        values: values.to_vec(),
        plus2: 0,
        market_offset: 0,
        via_envoy: false,
        sequence: 1,
    }
}

fn view() -> View {
    let enemy = |year, card, revealed| EnemyView {
        year,
        min_strength: year + 1,
        max_strength: year + 3,
        card,
        revealed,
    };
    View {
        options: Kingsburg::options(&names(), &Draft::default()).unwrap(),
        year: 2,
        phase: Phase::Spring,
        step: Some(Step::Influence),
        pending: Pending::all([(BOB, Decision::Influence)], Decision::id),
        question: None,
        turn_order: vec![BOB, ANN],
        players: players(),
        envoy: EnvoyView {
            holder: None,
            mode: EnvoyMode::None,
            declarer: None,
            spent: false,
        },
        court: vec![
            group(Advisor::Treasurer, Some(ANN), &[3, 5]),
            group(Advisor::General, None, &[4, 4, 2]),
        ],
        enemies: vec![
            enemy(1, Some(Enemy::Y1Goblins3), true),
            enemy(2, Some(Enemy::Y2Orcs4), false),
            enemy(3, None, false),
        ],
        peeked_by: vec![BOB],
        battle: None,
        history: Vec::new(),
        bookkeeping: None,
    }
}

fn drawn(view: &View, columns: usize) -> String {
    plain(&Kingsburg::board(view, Names::new(&names()), columns))
}

#[test]
fn a_season_shows_court_and_dice() {
    insta::assert_snapshot!(drawn(&view(), 100));
}

#[test]
fn winter_shows_the_battle() {
    let mut view = view();
    view.phase = Phase::Winter;
    view.court.clear();
    view.peeked_by.clear();
    for player in &mut view.players {
        player.dice.clear();
    }
    let fighter = |(seat, strength, outcome)| FighterView {
        seat,
        strength,
        outcome,
    };
    let fighters = [(ANN, 4, Outcome::Standoff), (BOB, 5, Outcome::Victory)];
    view.battle = Some(BattleView {
        card: Enemy::Y2Orcs4,
        king_die: 2,
        fighters: fighters.map(fighter).to_vec(),
    });
    insta::assert_snapshot!(drawn(&view, 100));
}

/// KIN-6.63: some players pay less than the printed prices.
#[test]
fn the_crane_is_shown_with_the_prices() {
    let mut view = view();
    let expected_text = "1 gold less in columns 3 and 4 with the Crane: seat 2";
    for columns in [60, 100] {
        assert!(!drawn(&view, columns).contains("gold less"));
    }
    view.players[1].buildings.push(Building::Crane);
    for columns in [60, 100] {
        assert!(drawn(&view, columns).contains(expected_text));
    }
}

#[test]
fn in_a_terminal_of_120_columns_the_players_are_beside_the_court() {
    insta::assert_snapshot!(drawn(&view(), 120));
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for columns in [60, 80, 120] {
        for line in drawn(&view(), columns).lines() {
            assert!(line.chars().count() <= columns, "{columns}: {line}");
        }
    }
}

#[track_caller]
fn check_words(action: Action, words: &str) {
    let said = Kingsburg::action_text(&view(), &action, Names::NONE);
    assert_eq!(said, words);
}

#[test]
fn placements_name_advisor_and_faces() {
    let placement = Influence {
        advisor: 8,
        dice: NamedDice::from_numbers([0, 1]),
        plus2: 0,
        market_offset: 0,
        use_envoy: false,
    };
    check_words(
        Action::Influence(placement),
        "influence the Treasurer (8) with 4 (die 0) and 4 (die 1)",
    );
    let everything = Influence {
        advisor: 7,
        dice: NamedDice::from_numbers([0, 4]),
        plus2: 1,
        market_offset: -1,
        use_envoy: true,
    };
    check_words(
        Action::Influence(everything),
        "influence the Astronomer (7) with 4 (die 0), white 2, a +2 token, -1 by the Market and the King's Envoy",
    );
}

#[test]
fn other_actions_are_said_in_full() {
    let building = Some(Building::GuardTower);
    let words = "build the Guard Tower for 1 gold and 1 stone (1 VP)";
    check_words(Action::Build { building }, words);
    let (gold, wood, stone) = (1, 1, 0);
    let paid = Payment { gold, wood, stone };
    let words = "recruit a soldier for 1 gold and 1 wood";
    check_words(Action::RecruitSoldier(paid), words);
    check_words(Action::SetAsideDie { die: 4 }, "set a white 2 aside");
    check_words(Action::PassBuild, "build nothing more");
}
