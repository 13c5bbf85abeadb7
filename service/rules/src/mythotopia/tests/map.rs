//! The drawn map: it shows which lands border on each other and on which sea.

use gamekeeper_rules::conformance::drawings_after;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::mythotopia::data::{Border, MapLayout, Sea};

type Point = (i32, i32);

/// Returns twice the area of a triangle; its sign is the direction in which it turns.
fn turn(a: Point, b: Point, c: Point) -> i32 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// Returns whether two lines cross between their ends.
fn cross([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let apart = |one: i32, other: i32| one.signum() * other.signum() < 0;
    apart(turn(a, b, c), turn(a, b, d)) && apart(turn(c, d, a), turn(c, d, b))
}

fn borders(layout: MapLayout) -> Vec<[Point; 2]> {
    let rows = Border::all().map(Border::row);
    rows.map(|row| [row.a, row.b].map(|end| end.middle(layout)))
        .collect()
}

#[test]
fn no_border_crosses_another() {
    for layout in [MapLayout::Broad, MapLayout::Upright] {
        let borders = borders(layout);
        for (index, one) in borders.iter().enumerate() {
            for other in &borders[index + 1..] {
                assert!(!cross(*one, *other), "{layout:?}: {one:?} {other:?}");
            }
        }
    }
}

#[test]
fn no_border_is_between_an_inland_sea_and_its_coast() {
    for layout in [MapLayout::Broad, MapLayout::Upright] {
        for sea in [Sea::InlandSeaWest, Sea::InlandSeaEast] {
            for land in sea.coast() {
                let way = [sea.middle(layout), land.middle(layout)];
                let between = borders(layout).into_iter().find(|one| cross(way, *one));
                assert_eq!(between, None, "{layout:?}: {sea} and {land}");
            }
        }
    }
}

#[test]
fn no_province_and_no_sea_covers_another() {
    for drawing in drawings_after::<Mythotopia>(4, 1, 0).unwrap() {
        let mut places: Vec<(&str, [i32; 4])> = Vec::new();
        for part in drawing.split("data-component=\"").skip(1) {
            let (name, rest) = part.split_once("\" data-box=\"").unwrap();
            if !name.starts_with("province:") && !name.starts_with("sea:") {
                continue;
            }
            let (numbers, _) = rest.split_once('"').unwrap();
            let numbers: Vec<i32> = numbers.split(' ').map(|one| one.parse().unwrap()).collect();
            let place: [i32; 4] = numbers.try_into().unwrap();
            let [x, y, w, h] = place;
            for (other, [left, top, width, height]) in &places {
                let apart =
                    x >= left + width || *left >= x + w || y >= top + height || *top >= y + h;
                assert!(apart, "{name} and {other}");
            }
            places.push((name, place));
        }
        assert_eq!(places.len(), 44);
    }
}
