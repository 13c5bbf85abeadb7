//! The estimates of bots agree with the rules, and with good sense.

use super::table::{D, S1, S2, SH, TE, TP, Table, build, convert, land, pass};
use gamekeeper_rules::bots::{BotMatch, Budget, Heuristics, Policy, legal};
use gamekeeper_rules::conformance::Audit as _;
use gamekeeper_rules::ruleset::{Ruleset as _, apply_in_place};
use gamekeeper_rules::table::{Chance, Seat, Seed};
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Conversion, Faction, ROUNDS, ScoringTile, Structure,
};
use gamekeeper_rules::terra_mystica::state::{Player, State};
use gamekeeper_rules::terra_mystica::{Action, TerraMystica};

/// A game of random players after this number of actions, at a table with any options.
fn random_game(seats: usize, seed: u64, actions: u64) -> State {
    let bout = BotMatch::<TerraMystica> {
        options: &TerraMystica::table(seats, seed),
        seed: Seed::from_number(seed),
        policies: &vec![Policy::Random; seats],
        max_actions: actions,
    };
    bout.play(Some(0)).0
}

/// Tables from all parts of random games, in which everybody has a faction.
fn tables() -> impl Iterator<Item = State> {
    let games = (2..=5).flat_map(|seats| (1..=4).map(move |seed| (seats, seed)));
    let tables = games.flat_map(|(seats, seed)| {
        let lengths = [30, 60, 90, 180, 320, 500];
        lengths.map(|actions| random_game(seats, seed, actions))
    });
    tables.filter(|state| state.choosing().is_none() && TerraMystica::ranking(state).is_none())
}

type Change = fn(&mut Player);

fn worth(state: &State, seat: Seat) -> i32 {
    TerraMystica::evaluate(state, seat)
}

fn appeal(table: &Table, action: &Action) -> i32 {
    let luck = Chance::from_seed(&Seed::from_number(1));
    TerraMystica::prior(&table.state, S1, action, &luck)
}

#[test]
fn a_game_that_is_over_is_worth_its_points() {
    for (seats, seed) in [(2, 1), (3, 2), (4, 3), (5, 4)] {
        let state = random_game(seats, seed, 100_000);
        let ranking = TerraMystica::ranking(&state).expect("the end");
        for standing in ranking.standings {
            let promise = TerraMystica::expected_value(&state, standing.seat);
            assert_eq!(promise, 10 * standing.score, "{seats} seats, {standing:?}");
        }
    }
}

/// More of anything is never worth less, and a point exactly ten.
#[test]
fn more_is_not_worth_less() {
    let changes: [(&str, Change); 7] = [
        ("a coin", |player| player.coins += 1),
        ("a worker", |player| player.workers += 1),
        ("a priest", |player| player.priests += 1),
        ("power from I to II", |player| {
            let moved = player.bowls[0].min(1);
            player.bowls[0] -= moved;
            player.bowls[1] += moved;
        }),
        ("power from II to III", |player| {
            let moved = player.bowls[1].min(1);
            player.bowls[1] -= moved;
            player.bowls[2] += moved;
        }),
        ("a key", |player| player.keys += 1),
        ("steps on cults", |player| {
            for steps in &mut player.cults {
                *steps = (*steps + 1).min(9.max(*steps));
            }
        }),
    ];
    let mut seen = 0;
    for state in tables() {
        for seat in Seat::all(state.seats()) {
            let before = worth(&state, seat);
            for (what, change) in changes {
                let mut more = state.clone();
                change(&mut more.players[seat]);
                let after = worth(&more, seat);
                assert!(after >= before, "{what}: {before}, then {after}");
            }
            let mut point = state.clone();
            point.players[seat].vp += 1;
            assert_eq!(worth(&point, seat) - before, 10);
            seen += 1;
        }
    }
    assert!(seen >= 100, "{seen} seats");
}

/// Any structure next to the others is worth having if it costs nothing.
#[test]
fn structures_are_worth_having() {
    for faction in Faction::ALL {
        let desert = faction.home() == Faction::Nomads.home();
        let other = if desert {
            Faction::Witches
        } else {
            Faction::Nomads
        };
        let table = Table::of(&[faction, other]).at(S1, D, &["E4", "E5"]);
        for structure in Structure::ALL {
            let built = table.clone().at(S1, structure, &["E6"]);
            let (without, with) = (worth(&table.state, S1), worth(&built.state, S1));
            assert!(
                with > without,
                "{faction} {structure}: {without}, then {with}"
            );
        }
    }
}

/// Four structures of power 7 are a town: a group is worth more the nearer it comes to that.
#[test]
fn groups_grow_into_towns() {
    let group = |structures: &[(Structure, &str)]| {
        let witches = Table::of(&[Faction::Witches, Faction::Nomads]);
        let table = structures
            .iter()
            .fold(witches, |table, &(structure, space)| {
                table.at(S1, structure, &[space])
            });
        worth(&table.state, S1)
    };
    let together = group(&[(TP, "E4"), (TP, "E5"), (D, "E6"), (D, "F3")]);
    let apart = group(&[(TP, "E4"), (TP, "I1"), (D, "A1"), (D, "A13")]);
    assert!(together > apart + 20, "{together} together, {apart} apart");
}

/// An exchange of the seats does not change the worth of the table for a faction.
#[test]
fn seats_are_alike() {
    let table = |factions: [Faction; 2], [witches, nomads]: [Seat; 2]| {
        Table::of(&factions)
            .at(witches, D, &["E4", "D5"])
            .at(witches, TE, &["E5"])
            .at(nomads, TP, &["E6", "E7"])
            .at(nomads, SH, &["E8"])
            .goods(witches, 3, 7, 1)
            .goods(nomads, 2, 9, 0)
            .cults(witches, [1, 5, 0, 4])
            .cults(nomads, [1, 0, 3, 6])
            .card(witches, BonusCard::Bon3)
            .card(nomads, BonusCard::Bon5)
            .turn(witches)
            .state
            .clone()
    };
    let usual = table([Faction::Witches, Faction::Nomads], [S1, S2]);
    let exchanged = table([Faction::Nomads, Faction::Witches], [S2, S1]);
    assert_eq!(worth(&usual, S1), worth(&exchanged, S2));
    assert_eq!(worth(&usual, S2), worth(&exchanged, S1));
}

/// Coins that are left over when a seat has passed for the last time are a third of a point each (TM-8.4).
#[test]
fn nothing_is_bought_after_the_last_pass() {
    let passed = |coins| {
        let mut table = Table::of(&[Faction::Witches, Faction::Nomads])
            .round(ROUNDS, ScoringTile::Score2)
            .goods(S1, 0, coins, 0)
            .bowls(S1, [5, 0, 0])
            .turn(S2);
        table.state.passed.push(S1);
        worth(&table.state, S1)
    };
    assert_eq!(passed(3) - passed(0), 10);
    assert_eq!(passed(30) - passed(0), 100);
}

/// A conversion is tried for the actions that it pays for, never for its own sake.
#[test]
fn conversions_pay_for_something() {
    let witches = |coins| {
        Table::of(&[Faction::Witches, Faction::Nomads])
            .at(S1, D, &["E4"])
            .terrain("E5", Faction::Witches.home())
            .goods(S1, 0, coins, 1)
            .bowls(S1, [12, 0, 0])
    };
    let to_worker = convert(Conversion::PriestToWorker, 1);
    // A dwelling costs a worker and 2 coins.
    let (rich, poor) = (witches(2), witches(0));
    let built = rich.clone().play(S1, &to_worker).play(S1, &build("E5"));
    assert_eq!(appeal(&rich, &to_worker) / 10, worth(&built.state, S1));
    assert!(appeal(&poor, &to_worker) < appeal(&poor, &pass(BonusCard::Bon4)));
}

/// Every table and every action gets a value, even with extreme amounts of goods.
#[test]
fn everything_can_be_weighed() {
    let luck = Chance::from_seed(&Seed::from_number(1));
    for mut state in tables() {
        assert!(TerraMystica::enrich(&mut state));
        for seat in Seat::all(state.seats()) {
            assert!(worth(&state, seat).abs() < 10_000);
        }
        if let Some((seat, _)) = state.pending() {
            let actions = legal::<TerraMystica>(&state, seat);
            let appeals = actions.iter();
            let appeals = appeals.map(|action| TerraMystica::prior(&state, seat, action, &luck));
            assert!(appeals.max().is_some_and(|best| best > 0));
        }
    }
}

/// Neighbors and the largest area count: the place of a structure matters.
#[test]
fn places_differ() {
    let table = Table::of(&[Faction::Witches, Faction::Nomads])
        .at(S1, D, &["E4"])
        .at(S2, D, &["E6"]);
    let near = table.clone().at(S1, D, &["E5"]);
    let far = table.at(S1, D, &["A1"]);
    assert!(near.state.board.direct(land("E5")).contains(land("E6")));
    assert!(worth(&near.state, S1) > worth(&far.state, S1));
}

/// A look ahead adds the further actions of the seat in the round. With nothing left to spend that is the pass with the
/// best card; a quarter of the value is the immediate gain of the action.
#[test]
fn a_look_ahead_ends_with_a_pass() {
    let before = Table::of(&[Faction::Witches, Faction::Nomads])
        .at(S1, D, &["E4"])
        .terrain("E5", Faction::Witches.home())
        .goods(S1, 1, 2, 0)
        .bowls(S1, [12, 0, 0]);
    let then = before.clone().play(S1, &build("E5")).turn(S1);
    let next = legal::<TerraMystica>(&then.state, S1);
    let pass = next.iter().map(|action| appeal(&then, action)).max();
    let pass = pass.expect("a pass");
    let luck = Chance::from_seed(&Seed::from_number(1));
    let foreseen = TerraMystica::lookahead_value(
        &before.state,
        S1,
        &build("E5"),
        TerraMystica::HORIZON,
        &luck,
    );
    assert_eq!(
        foreseen,
        Some((3 * pass + appeal(&before, &build("E5"))) / 4)
    );
    assert_ne!(pass, appeal(&before, &build("E5")));
}

/// A seat that has passed has no further actions: an answer to an offer is worth its immediate gain.
#[test]
fn nothing_follows_a_pass() {
    let luck = Chance::from_seed(&Seed::from_number(1));
    let mut seen = 0;
    for state in tables() {
        let Some((seat, _)) = state.pending() else {
            continue;
        };
        for action in legal::<TerraMystica>(&state, seat) {
            let passes = matches!(action, Action::PassTurn { .. });
            if passes || state.has_passed(seat) {
                let foreseen = TerraMystica::lookahead_value(&state, seat, &action, 12, &luck);
                let at_once = TerraMystica::prior(&state, seat, &action, &luck);
                assert_eq!(foreseen, Some(at_once), "{action:?}");
                seen += usize::from(passes);
            }
        }
    }
    assert!(seen >= 20, "{seen} passes");
}

/// A faction is worth its rating and what comes of it: 30 % of the lead at the end of a game in which all play by what
/// actions are worth at first sight.
#[test]
fn a_faction_is_compared_by_whole_games() {
    let luck = Chance::from_seed(&Seed::from_number(1));
    for seats in 2..=5 {
        let state = random_game(seats, 1, 0);
        for action in legal::<TerraMystica>(&state, S1) {
            let rating = TerraMystica::prior(&state, S1, &action, &luck);
            let foreseen = TerraMystica::lookahead_value(&state, S1, &action, 0, &luck);
            let lead = lead_at_the_end(&state, &action, &luck);
            assert_eq!(
                foreseen,
                Some((30 * lead + 70 * rating) / 100),
                "{action:?}"
            );
        }
    }
}

/// The lead of the first seat in hundredths of a point, when everybody has played the action with the most appeal after
/// this one.
fn lead_at_the_end(state: &State, action: &Action, luck: &Chance) -> i32 {
    let (mut state, mut luck) = (state.clone(), luck.clone());
    apply_in_place::<TerraMystica>(&mut state, &mut luck, S1, action).unwrap();
    while let Some((seat, _)) = state.pending() {
        let considered = |action: &Action| !matches!(action, Action::Convert { .. });
        let actions = legal::<TerraMystica>(&state, seat)
            .into_iter()
            .filter(considered);
        let best = actions
            .rev()
            .max_by_key(|action| TerraMystica::prior(&state, seat, action, &luck));
        apply_in_place::<TerraMystica>(&mut state, &mut luck, seat, &best.unwrap()).unwrap();
    }
    let others = S1.others(state.seats());
    let best = others.map(|other| state.players[other].vp).max().unwrap();
    100 * (i32::from(state.players[S1].vp) - i32::from(best))
}

/// `search` neither converts nor sacrifices for nothing.
#[test]
fn search_does_nothing_in_vain() {
    let luck = Chance::from_seed(&Seed::from_number(1));
    let mut seen = 0;
    for state in tables() {
        let Some((seat, _)) = state.pending() else {
            continue;
        };
        let looks = |action: &Action| TerraMystica::prior(&state, seat, action, &luck);
        let choice = Policy::Search.choose::<TerraMystica>(
            seat,
            &mut |_| state.clone(),
            Budget::untimed(None),
            &mut luck.clone(),
        );
        let choice = choice.expect("a choice");
        let all = legal::<TerraMystica>(&state, seat);
        if all.iter().any(|action| looks(action) > i32::MIN) {
            assert!(looks(&choice) > i32::MIN, "{choice:?}");
            seen += usize::from(all.iter().any(|action| looks(action) == i32::MIN));
        }
    }
    assert!(seen >= 20, "{seen} tables with something vain to do");
}

#[test]
fn a_look_ahead_scores_more() {
    let (mut search, mut greedy) = (0, 0);
    for seed in 1..=8 {
        let mut policies = [Policy::Greedy; 2];
        let at = Seat::at(usize::from(seed % 2 == 0));
        policies[at.index()] = Policy::Search;
        let bout = BotMatch::<TerraMystica> {
            options: &TerraMystica::table(2, seed),
            seed: Seed::from_number(seed),
            policies: &policies,
            max_actions: 10_000,
        };
        let (state, _) = bout.play(None);
        for standing in TerraMystica::ranking(&state).expect("the end").standings {
            let sum = if standing.seat == at {
                &mut search
            } else {
                &mut greedy
            };
            *sum += standing.score;
        }
    }
    assert!(search > greedy, "{search} points, {greedy} without");
}
