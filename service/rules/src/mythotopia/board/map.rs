//! The provinces, their borders and the seas.

use crate::mythotopia::data::{Border, BorderKind, DRAGON_STRENGTH, Province, ProvinceSet};
use crate::mythotopia::stage::Building;
use crate::mythotopia::view::{ProvinceView, SeaView, View};
use crate::table::text::{BOLD, DIM, styled, wrap};
use crate::table::{Names, Seat};

/// The provinces of a player, or the neutral ones.
pub(crate) fn held(view: &View, names: Names<'_>, by: Option<Seat>) -> Vec<String> {
    let places = view.provinces.iter();
    let held = places.filter(|place| place.controller == by);
    held.map(|held| place(held, names)).collect()
}

/// A province with what stands and lives there: `Mome (city, castle, Ann 3)`.
fn place(place: &ProvinceView, names: Names<'_>) -> String {
    let mut notes = Vec::new();
    match place.building {
        Some(Building::City) => notes.push("city".to_owned()),
        Some(Building::Citadel) => notes.push("citadel".to_owned()),
        Some(Building::Town) | None => {}
    }
    for (there, word) in [
        (place.castle, "castle"),
        (place.dragon, "dragon"),
        (place.runestone, "runestone"),
    ] {
        if there {
            notes.push(word.to_owned());
        }
    }
    for force in &place.forces {
        let hired = match force.mercenaries {
            0 => String::new(),
            number => format!("+{number}"),
        };
        notes.push(format!("{} {}{hired}", names.of(force.seat), force.armies));
    }
    if notes.is_empty() {
        place.province.to_string()
    } else {
        format!("{} ({})", place.province, notes.join(", "))
    }
}

pub(crate) fn neutral(view: &View, names: Names<'_>, columns: usize) -> String {
    let words = held(view, names, None);
    format!("\n{}", section("Neutral", &words, columns))
}

/// What lies around the provinces of the player whose turn it is.
pub(crate) fn borders(view: &View, names: Names<'_>, columns: usize) -> Option<String> {
    let seat = active(view)?;
    let around = view.provinces.iter();
    let own: ProvinceSet = around
        .filter(|place| place.controller == Some(seat))
        .map(|place| place.province)
        .collect();
    let heading = format!("Borders of {}", names.of(seat));
    let mut lines = vec![styled(BOLD, heading) + &styled(DIM, "  (neutral with strength)")];
    for province in own.iter() {
        let mut words: Vec<String> = province
            .neighbors()
            .iter()
            .map(|other| neighbor(view, names, province, other))
            .collect();
        words.extend(province.row().seas.iter().map(|sea| sea.to_string()));
        let first = format!("  {province}: ");
        lines.push(wrap(&words, ", ", &first, "    ", columns));
    }
    (lines.len() > 1).then(|| lines.join("\n"))
}

/// `Quean (hills, Bob)`: what lies on the border, and whose the neighbor is.
fn neighbor(view: &View, names: Names<'_>, from: Province, to: Province) -> String {
    let mut notes = Vec::new();
    if let Some(border) = Border::between(from, to) {
        match border.row().kind {
            BorderKind::Normal => {}
            kind @ (BorderKind::Hills | BorderKind::Mountains) => notes.push(kind.to_string()),
        }
        if view.roads.contains(&border) {
            notes.push("road".to_owned());
        }
    }
    if let Some(place) = view.provinces.iter().find(|place| place.province == to) {
        let dragon = if place.dragon { DRAGON_STRENGTH } else { 0 };
        notes.push(match place.controller {
            Some(seat) => names.of(seat).to_string(),
            None => (to.row().strength + dragon).to_string(),
        });
    }
    format!("{to} ({})", notes.join(", "))
}

pub(crate) fn seas(view: &View, names: Names<'_>) -> String {
    let sea = |sea: &SeaView| {
        let fleets = sea
            .ships
            .iter()
            .enumerate()
            .filter(|(_, ships)| **ships > 0);
        let fleets = fleets.map(|(place, ships)| format!("{} {ships}", names.of(Seat::at(place))));
        let fleets: Vec<String> = fleets.collect();
        let who = if fleets.is_empty() {
            styled(DIM, "no ships")
        } else {
            fleets.join(", ")
        };
        format!("  {}: {who}", sea.sea)
    };
    let lines: Vec<String> = view.seas.iter().map(sea).collect();
    let mut text = format!("{}\n{}", styled(BOLD, "Seas"), lines.join("\n"));
    if !view.roads.is_empty() {
        let roads: Vec<String> = view.roads.iter().map(ToString::to_string).collect();
        text += &format!("\n{}  {}", styled(BOLD, "Roads"), roads.join(", "));
    }
    text
}

/// A heading and words behind it, wrapped.
pub(crate) fn section(heading: &str, words: &[String], columns: usize) -> String {
    let heading = format!("{}  ", styled(BOLD, heading));
    wrap(words, ", ", &heading, "  ", columns)
}

/// Does somebody act, and who?
fn active(view: &View) -> Option<Seat> {
    let turn = view.turn.as_ref().filter(|_| view.winner.is_none());
    turn.map(|turn| turn.active_player)
}
