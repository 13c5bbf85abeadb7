//! Ranks, shared and broken by ties.

use gamekeeper_rules::table::{Ranking, Score, ScoreItem, Seat, Source, sources};

sources! {
    Count {
        Points "points" "Points",
        FewerTurns "fewer_turns" "Fewer turns",
    }
}

fn scores(rows: &[(i32, i32)]) -> impl Iterator<Item = Score<Count>> {
    let item = |source, points| ScoreItem { source, points };
    rows.iter()
        .enumerate()
        .map(move |(index, &(points, turns))| {
            (
                Seat::at(index),
                vec![item(Count::Points, points)],
                vec![item(Count::FewerTurns, -turns)],
            )
        })
}

fn ranks_of(ranking: &Ranking) -> Vec<(u8, u8)> {
    let standings = ranking.standings.iter();
    standings.map(|s| (s.seat.number(), s.rank)).collect()
}

fn ranks(rows: &[(i32, i32)]) -> Vec<(u8, u8)> {
    ranks_of(&Ranking::of(scores(rows)))
}

#[test]
fn equal_results_share_a_rank_and_the_next_is_skipped() {
    assert_eq!(
        ranks(&[(31, 10), (20, 9), (31, 10)]),
        [(1, 1), (3, 1), (2, 3)]
    );
}

#[test]
fn points_have_the_titles_of_their_sources() {
    let item = |source, points| ScoreItem { source, points };
    let score = |points| vec![item(Count::Points, points)];
    let ranking = Ranking::of([(Seat::FIRST, score(4), score(2))]);
    let [standing] = &ranking.standings[..] else {
        panic!("{ranking:?}");
    };
    let of = |items: &[ScoreItem]| items.iter().map(|item| item.source).collect::<Vec<_>>();
    assert_eq!(of(&standing.breakdown), [Count::Points.term()]);
    assert_eq!(of(&standing.tie_breaks), [Count::Points.term()]);
    let titles: Vec<_> = Count::all().map(|one| one.term().title).collect();
    assert_eq!(titles, ["Points", "Fewer turns"]);
}

#[test]
fn tie_breaks_decide_among_equal_scores() {
    assert_eq!(ranks(&[(30, 12), (30, 11)]), [(2, 1), (1, 2)]);
}

/// Scores keep their sign, and tie breaks their meaning.
#[test]
fn the_fewest_points_can_win() {
    let rows = [(53, 1), (-2, 9), (53, 1), (53, 0), (i32::MIN, 5)];
    let ranking = Ranking::fewest_first(scores(&rows));
    let ranked = [(5, 1), (2, 2), (4, 3), (1, 4), (3, 4)];
    assert_eq!(ranks_of(&ranking), ranked);
    let points: Vec<i32> = ranking.standings.iter().map(|s| s.score).collect();
    assert_eq!(points, [i32::MIN, -2, 53, 53, 53]);
}
