//! The map as a grid of hexes. Two lines for each row: above, the name of a space and the letter of
//! its terrain; below, its structure and owner. Colors repeat what the letters say.

use std::collections::BTreeMap;

use anstyle::{Ansi256Color, Color, Style};

use crate::table::Names;
use crate::table::text::{BOLD, DIM, styled, wrap};
use crate::terra_mystica::data::{River, Structure, Terrain};
use crate::terra_mystica::view::{BridgeView, SpaceView, TownView, View};

/// Columns of half a hex.
const HALF: usize = 3;
/// Columns of a hex that are painted; the last one is the gap to its neighbor.
const PAINTED: usize = 2 * HALF - 1;
/// Lines of a row of hexes.
const LINES: usize = 2;

/// Columns of the whole map: 13 hexes side by side.
pub const WIDTH: usize = 13 * 2 * HALF - 1;

/// The map with its legend, bridges and towns.
pub fn map(view: &View, names: Names<'_>, columns: usize) -> String {
    let mut parts = if columns < WIDTH {
        vec![list(view, columns)]
    } else {
        let mut canvas = Canvas::default();
        for space in &view.spaces {
            paint_land(&mut canvas, space, view);
        }
        for river in River::all() {
            paint_river(&mut canvas, river, view);
        }
        for bridge in &view.bridges {
            span(&mut canvas, bridge);
        }
        vec![canvas.to_string()]
    };
    parts.push(legend(columns));
    parts.extend(bridges(view, names, columns));
    parts.extend(towns(view, names, columns));
    parts.join("\n")
}

/// The colors of a terrain.
pub const fn colors(terrain: Terrain) -> Style {
    let (ground, ink) = match terrain {
        Terrain::Desert => (220, 16),
        Terrain::Plains => (130, 231),
        Terrain::Swamp => (235, 231),
        Terrain::Lakes => (27, 231),
        Terrain::Forest => (28, 231),
        Terrain::Mountains => (247, 16),
        Terrain::Wasteland => (160, 231),
    };
    Style::new()
        .bg_color(Some(Color::Ansi256(Ansi256Color(ground))))
        .fg_color(Some(Color::Ansi256(Ansi256Color(ink))))
}

const WATER: Style = Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(39))));

/// The letter of a terrain on the map.
const fn letter(terrain: Terrain) -> char {
    match terrain {
        Terrain::Desert => 'D',
        Terrain::Plains => 'P',
        Terrain::Swamp => 'S',
        Terrain::Lakes => 'L',
        Terrain::Forest => 'F',
        Terrain::Mountains => 'M',
        Terrain::Wasteland => 'W',
    }
}

fn paint_land(canvas: &mut Canvas, space: &SpaceView, view: &View) {
    let (line, column) = corner(space.space.place());
    let style = colors(space.terrain);
    let above = format!("{:<4}{}", space.space.id(), letter(space.terrain));
    let below = format!("{:PAINTED$}", standing(space, view));
    canvas.put(line, column, &above, style);
    canvas.put(line + 1, column, &below, style.bold());
}

fn paint_river(canvas: &mut Canvas, river: River, view: &View) {
    let (line, column) = corner(river.place());
    let town = view.towns.iter().find(|town| town.river == Some(river));
    let water = match town {
        Some(town) => format!("*{:~<rest$}", town.seat.number(), rest = PAINTED - 1),
        None => "~".repeat(PAINTED),
    };
    canvas.put(line, column, &format!("{:PAINTED$}", river.id()), DIM);
    canvas.put(line + 1, column, &water, WATER);
}

/// The structure on a space: `TH1*`, a trading house of seat 1 in a town.
fn standing(space: &SpaceView, view: &View) -> String {
    let Some((structure, owner)) = space.structure.zip(space.owner) else {
        return String::new();
    };
    let in_town = view
        .towns
        .iter()
        .any(|town| town.spaces.contains(&space.space));
    let marker = if in_town { "*" } else { "" };
    format!("{}{}{marker}", structure.code(), owner.number())
}

/// The top left corner of a hex on the canvas.
fn corner((row, half_column): (u8, u8)) -> (usize, usize) {
    (usize::from(row) * LINES, usize::from(half_column) * HALF)
}

/// Draws a bridge where its two river hexes meet: straight down through a row, or diagonally from one row
/// to the next.
fn span(canvas: &mut Canvas, bridge: &BridgeView) {
    let (a, b) = (corner(bridge.a.place()), corner(bridge.b.place()));
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

/// The spaces as a list, if there is no room for the map: `E6 D TH1*`.
fn list(view: &View, columns: usize) -> String {
    let mut rows: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    for space in &view.spaces {
        let (id, letter) = (space.space.id(), letter(space.terrain));
        let word = format!("{id} {letter} {}", standing(space, view));
        let (row, _) = space.space.place();
        let words = rows.entry(row).or_default();
        words.push(word.trim_end().to_owned());
    }
    let lines: Vec<_> = rows
        .values()
        .map(|words| wrap(words, ", ", "  ", "    ", columns))
        .collect();
    lines.join("\n")
}

fn legend(columns: usize) -> String {
    let terrains = Terrain::ALL.map(|terrain| {
        let letter = styled(colors(terrain), letter(terrain));
        format!("{letter} {}", styled(DIM, terrain))
    });
    let structures = Structure::ALL.map(|structure| format!("{} {structure}", structure.code()));
    let marks = ["the digit: seat", "*: in a town", "| / \\: bridge"].map(String::from);
    let words = structures.into_iter().chain(marks);
    let words: Vec<_> = words.map(|word| styled(DIM, word)).collect();
    let terrains = wrap(&terrains, "  ", "", "", columns);
    format!("{terrains}\n{}", wrap(&words, "  ", "", "", columns))
}

fn bridges(view: &View, names: Names<'_>, columns: usize) -> Option<String> {
    let bridge = |bridge: &BridgeView| {
        let owner = names.of(bridge.seat);
        format!("{}-{} {owner}", bridge.a, bridge.b)
    };
    let words: Vec<_> = view.bridges.iter().map(bridge).collect();
    let heading = format!("{}  ", styled(BOLD, "Bridges"));
    (!words.is_empty()).then(|| wrap(&words, ", ", &heading, "  ", columns))
}

fn towns(view: &View, names: Names<'_>, columns: usize) -> Option<String> {
    let town = |town: &TownView| {
        let owner = names.of(town.seat);
        let tile = town.tile.map_or("no tile yet", |tile| tile.id());
        let spaces: Vec<_> = town.spaces.iter().map(|land| land.id()).collect();
        let over = town.river.map(|river| format!(" over {river}"));
        let over = over.unwrap_or_default();
        format!("{owner} {tile}: {}{over}", spaces.join(" "))
    };
    let words: Vec<_> = view.towns.iter().map(town).collect();
    let heading = format!("{}  ", styled(BOLD, "Towns"));
    (!words.is_empty()).then(|| wrap(&words, ";  ", &heading, "  ", columns))
}

/// Characters with their styles, line by line.
#[derive(Default)]
struct Canvas {
    lines: Vec<Vec<(char, Style)>>,
}

impl Canvas {
    /// Writes text over the existing text.
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
