//! TM-3.2, TM-3.3: the map and its neighborhoods.

use super::table::land;
use gamekeeper_rules::terra_mystica::data::{
    BRIDGE_SITES, HEXES, Hex, Land, MAX_LEAP, MAX_SHIPPING, River, Space, Terrain, direct,
    hex_distance, lands_at_river, river_distance, rivers_at, site_between, within_leap,
    within_shipping,
};

#[test]
fn counts_of_hexes() {
    let of = |terrain| {
        HEXES
            .iter()
            .filter(|&&hex| hex == Hex::Land(terrain))
            .count()
    };
    assert!(Terrain::ALL.iter().all(|&terrain| of(terrain) == 11));
    assert_eq!(HEXES.iter().filter(|&&hex| hex == Hex::River).count(), 36);
    assert_eq!(
        Land::all()
            .filter(|land| land.printed() == Terrain::Desert)
            .count(),
        11
    );
    let rows: Vec<usize> = (0..9)
        .map(|row| Land::all().filter(|land| land.place().0 == row).count())
        .collect();
    assert_eq!(rows, [13, 6, 5, 8, 11, 7, 7, 8, 12]);
}

#[test]
fn ids_are_row_letters_and_running_numbers() {
    let mut numbers = [0; 9];
    for land in Land::all() {
        let row = usize::from(land.place().0);
        numbers[row] += 1;
        assert_eq!(
            land.id(),
            format!("{}{}", char::from(b"ABCDEFGHI"[row]), numbers[row])
        );
        assert_eq!(Land::by_id(land.id()), Some(land));
    }
    for (number, river) in River::all().enumerate() {
        assert_eq!(river.id(), format!("r{number}"));
        assert_eq!(Space::by_id(river.id()), Space::River(river));
    }
    assert_eq!(Space::by_id("A14"), Space::Unknown);
    assert_eq!(Space::by_id(""), Space::Unknown);
}

#[test]
fn neighbors_are_symmetric_and_counted() {
    let ids = |id: &str| direct(land(id)).iter().map(Land::id).collect::<Vec<_>>();
    assert_eq!(ids("A1"), ["A2", "B1"]);
    assert_eq!(ids("D5"), ["C3", "D4", "E7", "E8"]);
    assert_eq!(ids("E7"), ["D4", "D5", "E6", "E8", "F4"]);
    let mut pairs = 0;
    for one in Land::all() {
        for other in Land::all() {
            let near = direct(one).contains(other);
            assert_eq!(near, direct(other).contains(one));
            assert_eq!(near, hex_distance(one, other) == 1);
            assert_eq!(hex_distance(one, other), hex_distance(other, one));
            pairs += u32::from(near);
        }
    }
    assert_eq!(pairs, 2 * LAND_EDGES);
}

/// Edges between two land hexes, counted in the data file.
const LAND_EDGES: u32 = 130;

/// Pairs of lands at a river distance of exactly 1 to 6, counted in the data file by search.
const BY_SHIPPING: [usize; 7] = [130, 85, 104, 102, 99, 111, 105];

/// Pairs of lands at a hex distance of exactly 1 to 5.
const BY_LEAP: [usize; 6] = [0, 130, 210, 272, 337, 336];

#[test]
fn shipping_is_symmetric_and_counted() {
    let mut counts = [0; MAX_SHIPPING + 1];
    for one in Land::all() {
        for other in Land::all().filter(|&other| one < other) {
            let distance = river_distance(one, other);
            assert_eq!(distance, river_distance(other, one));
            if let Some(distance) = distance {
                counts[distance] += 1;
            }
        }
        assert!(!within_shipping(one, 6).contains(one));
    }
    assert_eq!(counts, BY_SHIPPING);
    assert_eq!(river_distance(land("C3"), land("E8")), Some(2));
    assert_eq!(river_distance(land("E8"), land("D6")), Some(1));
    assert_eq!(river_distance(land("D1"), land("D2")), Some(0));
}

#[test]
fn leaps_are_symmetric_and_counted() {
    let mut counts = [0; MAX_LEAP + 1];
    for one in Land::all() {
        for other in Land::all().filter(|&other| one < other) {
            let distance = usize::from(hex_distance(one, other));
            for (range, count) in (0..).zip(&mut counts) {
                let within = within_leap(one, range).contains(other);
                assert_eq!(within, within_leap(other, range).contains(one));
                assert_eq!(within, distance <= usize::from(range));
                *count += usize::from(distance == usize::from(range));
            }
        }
    }
    assert_eq!(counts, BY_LEAP);
    assert_eq!(hex_distance(land("F3"), land("D5")), 3);
}

/// A bridge crosses the edge of two river hexes: its ends are the two lands that touch both.
#[test]
fn bridge_sites_follow_from_the_map() {
    let mut sites = Vec::new();
    for one in River::all() {
        for other in River::all().filter(|&other| one < other) {
            let ((row, x), (row_2, x_2)) = (one.place(), other.place());
            let (rows, halves) = (row.abs_diff(row_2), x.abs_diff(x_2));
            if rows + halves.saturating_sub(rows) / 2 != 1 {
                continue;
            }
            let both = lands_at_river(one).and(lands_at_river(other));
            if let [a, b] = both.iter().collect::<Vec<_>>()[..] {
                sites.push((a, b));
            }
        }
    }
    sites.sort_unstable();
    let mut table: Vec<(Land, Land)> = BRIDGE_SITES
        .iter()
        .map(|site| (site.a.min(site.b), site.a.max(site.b)))
        .collect();
    table.sort_unstable();
    assert_eq!(sites, table);
    assert_eq!(table.len(), 29);
    assert_eq!(site_between(land("C5"), land("A11")), Some(0));
    assert_eq!(site_between(land("D5"), land("C3")), None);
    assert_eq!(rivers_at(land("D6")).count_ones(), 5);
}
