//! The map as a grid of hexes. Two lines for each row: above the name of a space and the letter of its
//! terrain, below what stands there and whose it is. Colours repeat what the letters say.

use std::collections::BTreeMap;

use anstyle::{Ansi256Color, Color, Style};
use gamekeeper_proto::gamekeeper::terra_mystica::v1 as pb;

use super::names::Names;
use crate::output::{BOLD, DIM, styled, wrap};

/// Columns of half a hex.
const HALF: usize = 3;
/// Columns of a hex that are painted; the last one is the gap to its neighbour.
const PAINTED: usize = 2 * HALF - 1;
/// Lines of a row of hexes.
const LINES: usize = 2;

/// Columns of the whole map: 13 hexes side by side.
pub(super) const WIDTH: usize = 13 * 2 * HALF - 1;

/// The map with its legend, bridges and towns.
pub(super) fn map(view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let mut parts = if names.catalogue.hexes.is_empty() || width < WIDTH {
        vec![list(view, names, width)]
    } else {
        let mut canvas = Canvas::default();
        for hex in &names.catalogue.hexes {
            paint(&mut canvas, hex, view, names);
        }
        for bridge in &view.bridges {
            span(&mut canvas, bridge, &names.catalogue.hexes);
        }
        vec![canvas.to_string()]
    };
    parts.push(legend(names, width));
    parts.extend(bridges(view, names, width));
    parts.extend(towns(view, names, width));
    parts.join("\n")
}

/// The colours of a terrain.
pub(super) const fn colors(terrain: pb::Terrain) -> Style {
    let (ground, ink) = match terrain {
        pb::Terrain::Desert => (220, 16),
        pb::Terrain::Plains => (130, 231),
        pb::Terrain::Swamp => (235, 231),
        pb::Terrain::Lakes => (27, 231),
        pb::Terrain::Forest => (28, 231),
        pb::Terrain::Mountains => (247, 16),
        pb::Terrain::Wasteland => (160, 231),
        pb::Terrain::Unspecified => return Style::new(),
    };
    Style::new()
        .bg_color(Some(Color::Ansi256(Ansi256Color(ground))))
        .fg_color(Some(Color::Ansi256(Ansi256Color(ink))))
}

const WATER: Style = Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(39))));

fn paint(canvas: &mut Canvas, hex: &pb::HexInfo, view: &pb::View, names: &Names<'_>) {
    let (line, column) = corner(hex);
    let Some(space) = view.spaces.iter().find(|space| space.space == hex.id) else {
        let town = |town: &&pb::Town| town.river.as_deref() == Some(&*hex.id);
        let water = match view.towns.iter().find(town) {
            Some(town) => format!("*{:~<rest$}", town.seat, rest = PAINTED - 1),
            None => "~".repeat(PAINTED),
        };
        canvas.put(line, column, &format!("{:PAINTED$}", hex.id), DIM);
        canvas.put(line + 1, column, &water, WATER);
        return;
    };
    let style = colors(space.terrain());
    let above = format!("{:<4}{}", hex.id, names.letter(space.terrain));
    let below = format!("{:PAINTED$}", standing(space, view, names));
    canvas.put(line, column, &above, style);
    canvas.put(line + 1, column, &below, style.bold());
}

/// What stands on a space: `TH1*`, a trading house of seat 1 in a town.
fn standing(space: &pb::SpaceView, view: &pb::View, names: &Names<'_>) -> String {
    if space.owner == 0 {
        return String::new();
    }
    let in_town = view
        .towns
        .iter()
        .any(|town| town.spaces.contains(&space.space));
    let mark = if in_town { "*" } else { "" };
    format!("{}{}{mark}", names.code(space.structure), space.owner)
}

/// Where a hex begins on the canvas.
fn corner(hex: &pb::HexInfo) -> (usize, usize) {
    (hex.row as usize * LINES, hex.half_column as usize * HALF)
}

/// Draws a bridge where its two river hexes meet: straight down through a row, or aslant from one row
/// to the next.
fn span(canvas: &mut Canvas, bridge: &pb::Bridge, hexes: &[pb::HexInfo]) {
    let place = |id: &str| hexes.iter().find(|hex| hex.id == id).map(corner);
    let (Some(a), Some(b)) = (place(&bridge.a), place(&bridge.b)) else {
        return;
    };
    let ((top, from), (bottom, to)) = (a.min(b), a.max(b));
    if from == to {
        for line in top + LINES..bottom {
            canvas.put(line, from + HALF - 1, "|", BOLD);
        }
    } else if from < to {
        canvas.put(top + 1, from + 2 * HALF - 1, "\\", BOLD);
        canvas.put(bottom, to - 1, "\\", BOLD);
    } else {
        canvas.put(top + 1, from - 1, "/", BOLD);
        canvas.put(bottom, to + 2 * HALF - 1, "/", BOLD);
    }
}

/// The spaces without their places, where the map cannot be drawn: `E6 D TH1*`.
fn list(view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for space in &view.spaces {
        let row = space.space.get(..1).unwrap_or_default();
        let letter = names.letter(space.terrain);
        let word = format!("{} {letter} {}", space.space, standing(space, view, names));
        rows.entry(row)
            .or_default()
            .push(word.trim_end().to_owned());
    }
    let lines: Vec<_> = rows
        .values()
        .map(|words| wrap(words, ", ", "  ", "    ", width))
        .collect();
    lines.join("\n")
}

fn legend(names: &Names<'_>, width: usize) -> String {
    let terrains = names.catalogue.terrains.iter().map(|info| {
        let letter = names.letter(info.terrain);
        format!(
            "{} {}",
            styled(colors(info.terrain()), letter),
            styled(DIM, &info.name)
        )
    });
    let structures = names.catalogue.structures.iter().map(|info| {
        let code = names.code(info.structure);
        styled(DIM, format_args!("{code} {}", info.name))
    });
    let marks = ["the digit: seat", "*: in a town", "| / \\: bridge"].map(|mark| styled(DIM, mark));
    let terrains = wrap(&terrains.collect::<Vec<_>>(), "  ", "", "", width);
    let words: Vec<_> = structures.chain(marks).collect();
    format!("{terrains}\n{}", wrap(&words, "  ", "", "", width))
}

fn bridges(view: &pb::View, names: &Names<'_>, width: usize) -> Option<String> {
    let bridge = |bridge: &pb::Bridge| {
        let owner = names.player(bridge.seat);
        format!("{}-{} {owner}", bridge.a, bridge.b)
    };
    let words: Vec<_> = view.bridges.iter().map(bridge).collect();
    let heading = format!("{}  ", styled(BOLD, "Bridges"));
    (!words.is_empty()).then(|| wrap(&words, ", ", &heading, "  ", width))
}

fn towns(view: &pb::View, names: &Names<'_>, width: usize) -> Option<String> {
    let town = |town: &pb::Town| {
        let owner = names.player(town.seat);
        let tile = if town.tile() == pb::TownTile::Unspecified {
            String::from("no tile yet")
        } else {
            names.town(town.tile).id
        };
        let river = town.river.as_deref();
        let over = river.map_or_else(String::new, |river| format!(" over {river}"));
        format!("{owner} {tile}: {}{over}", town.spaces.join(" "))
    };
    let words: Vec<_> = view.towns.iter().map(town).collect();
    let heading = format!("{}  ", styled(BOLD, "Towns"));
    (!words.is_empty()).then(|| wrap(&words, ";  ", &heading, "  ", width))
}

/// Characters with their styles, line by line.
#[derive(Default)]
struct Canvas {
    lines: Vec<Vec<(char, Style)>>,
}

impl Canvas {
    /// Writes text over what is there.
    fn put(&mut self, line: usize, column: usize, text: &str, style: Style) {
        if self.lines.len() <= line {
            self.lines.resize(line + 1, Vec::new());
        }
        let cells = &mut self.lines[line];
        let end = column + text.chars().count();
        if cells.len() < end {
            cells.resize(end, (' ', Style::new()));
        }
        for (cell, letter) in cells[column..].iter_mut().zip(text.chars()) {
            *cell = (letter, style);
        }
    }
}

impl std::fmt::Display for Canvas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, cells) in self.lines.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            for run in cells.chunk_by(|one, next| one.1 == next.1) {
                let text: String = run.iter().map(|cell| cell.0).collect();
                write!(f, "{}", styled(run[0].1, text))?;
            }
        }
        Ok(())
    }
}
