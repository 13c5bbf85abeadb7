//! The estimates of bots for workers in buildings.

use super::table::*;
use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::caylus::data::Resource::{self, Cloth, Food, Gold, Stone, Wood};
use gamekeeper_rules::caylus::data::Tile;

/// Returns the increase of the worth of the table by a worker of Blue in this building of Red, which the provost lets
/// work.
fn gain(table: &Table, tile: Tile) -> i32 {
    let mut table = table.clone();
    table.built(7, tile, RED);
    table.officials(8, 12);
    let before = Caylus::evaluate(&table.state, BLUE);
    table.worker(7, BLUE);
    Caylus::evaluate(&table.state, BLUE) - before
}

#[test]
fn the_architect_is_for_those_with_a_residence() {
    let with_residence_of = |owner| {
        let mut table = Table::of(2);
        table.has(
            BLUE,
            9,
            &[Food, Wood, Stone, Cloth, Gold].map(|kind| (6, kind)),
        );
        table.built(9, Tile::Residence, owner);
        table
    };
    let other = gain(&with_residence_of(RED), Tile::Architect);
    let own = gain(&with_residence_of(BLUE), Tile::Architect);
    assert!(own > other, "{own} {other}");
    let mut poor = with_residence_of(BLUE);
    poor.has(BLUE, 9, &[]);
    assert_eq!(gain(&poor, Tile::Architect), other);
    let mut no_residence = with_residence_of(RED);
    no_residence.built(10, Tile::Church, BLUE);
    assert_eq!(gain(&no_residence, Tile::Architect), other);
}

#[test]
fn the_lawyer_is_for_those_with_a_denier_and_a_cloth() {
    let with = |deniers, cubes: &[(u16, Resource)]| {
        let mut table = Table::of(2);
        table.has(BLUE, deniers, cubes);
        gain(&table, Tile::Lawyer)
    };
    let cloth = [(1, Cloth)];
    let nothing = with(0, &[]);
    assert_eq!(
        (with(1, &[]), with(0, &cloth), with(1, &[(1, Wood)])),
        (nothing, nothing, nothing)
    );
    assert!(with(1, &cloth) > nothing);
    assert_eq!(with(1, &cloth), with(4, &[(3, Cloth)]));
}
