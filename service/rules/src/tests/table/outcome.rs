//! Results as sentences.

use gamekeeper_rules::table::{Names, Ranking, ScoreItem, Seat, sources};

sources! {
    Count {
        Points "points" "Points",
        Goods "goods" "Goods",
        Buildings "buildings" "Buildings",
        FewerTurns "fewer_turns" "Fewer turns",
    }
}

const NAMES: [&str; 4] = ["Ann", "Ben", "Cy", "Dora"];

fn item(source: Count, points: i32) -> ScoreItem<Count> {
    ScoreItem { source, points }
}

fn ranking(rows: &[(i32, &[ScoreItem<Count>])]) -> Ranking {
    let rows = rows.iter().enumerate();
    Ranking::of(rows.map(|(index, (points, ties))| {
        let breakdown = vec![item(Count::Points, *points)];
        (Seat::at(index), breakdown, ties.to_vec())
    }))
}

fn outcome(ranking: &Ranking) -> String {
    let names = NAMES.map(String::from);
    ranking.outcome(Names::new(&names), "point")
}

#[test]
fn winners_come_first() {
    assert_eq!(
        outcome(&ranking(&[(20, &[]), (30, &[])])),
        "Ben wins with 30 points, ahead of Ann with 20 points."
    );
    assert_eq!(
        outcome(&ranking(&[(1, &[]), (3, &[]), (-1, &[])])),
        "Ben wins with 3 points, ahead of Ann with 1 point and Cy with -1 points."
    );
    let anonymous = ranking(&[(1, &[]), (0, &[])]).outcome(Names::NONE, "victory point");
    assert_eq!(
        anonymous,
        "Seat 1 wins with 1 victory point, ahead of seat 2 with 0 victory points."
    );
}

#[test]
fn the_fewest_points_win_with_their_sign() {
    let scores = [17, 9, 53].into_iter().enumerate();
    let scores = scores.map(|(index, points)| {
        let breakdown = vec![item(Count::Points, points)];
        (Seat::at(index), breakdown, Vec::new())
    });
    assert_eq!(
        outcome(&Ranking::fewest_first(scores)),
        "Ben wins with 9 points, ahead of Ann with 17 points and Cy with 53 points."
    );
}

#[test]
fn equal_players_win_together() {
    assert_eq!(
        outcome(&ranking(&[(30, &[]), (30, &[]), (9, &[])])),
        "Ann and Ben win with 30 points each, ahead of Cy with 9 points."
    );
    assert_eq!(
        outcome(&ranking(&[(30, &[]), (30, &[])])),
        "Ann and Ben win with 30 points each."
    );
}

#[test]
fn a_tie_break_is_named_where_it_decided() {
    let goods = |goods, buildings| [item(Count::Goods, goods), item(Count::Buildings, buildings)];
    assert_eq!(
        outcome(&ranking(&[
            (30, &goods(3, 1)),
            (30, &goods(2, 9)),
            (30, &goods(2, 8)),
            (29, &goods(9, 9)),
        ])),
        "Ann wins with 30 points, ahead of Ben with 30 points (tie broken by more goods: 3 to 2), \
         Cy with 30 points (tie broken by more buildings: 9 to 8) and Dora with 29 points."
    );
    assert_eq!(
        outcome(&ranking(&[
            (7, &[item(Count::FewerTurns, -13)]),
            (7, &[item(Count::FewerTurns, -12)])
        ])),
        "Ben wins with 7 points, ahead of Ann with 7 points (tie broken by fewer turns: 12 to 13)."
    );
}

#[test]
fn no_points_are_claimed_where_none_were_counted() {
    let mut ranking = ranking(&[(20, &[]), (30, &[]), (5, &[])]);
    for (standing, rank) in ranking.standings.iter_mut().zip(1..) {
        standing.rank = rank;
        standing.left = standing.seat != Seat::at(1);
    }
    assert_eq!(
        outcome(&ranking),
        "Ben wins with 30 points; Ann and Cy left the game."
    );
    for standing in &mut ranking.standings {
        standing.breakdown.clear();
    }
    assert_eq!(outcome(&ranking), "Ben wins; Ann and Cy left the game.");
    for standing in &mut ranking.standings {
        standing.left = true;
    }
    assert_eq!(outcome(&ranking), "Ben, Ann and Cy left the game.");
}
