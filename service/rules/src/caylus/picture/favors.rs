//! The favor table: four lines of five columns, with the markers of the players.

use super::times;
use crate::caylus::components;
use crate::caylus::data::{Column, FavorLine, MAX_MARKER};
use crate::caylus::view::View;
use crate::table::picture::{Area, Canvas, Outline, Paint, Point};

pub(super) fn favors(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let title = format!("Favors: columns 1 to {} are open", view.columns_available);
    let inner = canvas.panel(area, &title);
    for (index, line) in FavorLine::ALL.into_iter().enumerate() {
        let row = inner.row(index, FavorLine::COUNT, 3);
        let (name, cells) = row.cut_left(76);
        let font = canvas.font(12).bold();
        canvas.name(name.corner().by(0, 14), line.name(), font, 74);
        for column in 1..=MAX_MARKER {
            let cell = cells.column(usize::from(column) - 1, MAX_MARKER.into(), 3);
            self::column(canvas, view, (line, column), cell);
        }
        markers(canvas, view, line, (name, cells));
    }
}

/// The effect of a column, in few words.
fn brief(column: Column) -> String {
    match column {
        Column::Nothing => String::from("–"),
        Column::Vp(vp) => format!("{vp} VP"),
        Column::Deniers(deniers) => format!("{deniers} d"),
        Column::OneOf(kinds) => {
            let kinds = kinds.iter().map(|kind| super::cube(*kind).1);
            format!("1 {}", kinds.collect::<Vec<_>>().join("/"))
        }
        Column::Exchange => String::from("1 → 2"),
        Column::Craft(kind, _) => kind.to_string(),
        Column::Transform => String::from("resid."),
        Column::Prestige => String::from("prestige"),
    }
}

fn column(canvas: &mut Canvas<'_>, view: &View, (line, column): (FavorLine, u8), area: Area) {
    let title = format!("{line}, column {column}: {}", line.column(column));
    let component = components::favor(line, column);
    canvas.part(component, title, &Outline::Rect(area), |canvas| {
        let open = column <= view.columns_available;
        let fill = if open {
            Paint::SoftYellow
        } else {
            Paint::Empty
        };
        canvas.rect(area, 4, fill);
        let ink = if open { Paint::Ink } else { Paint::Faint };
        let font = canvas.font(11).middle().paint(ink);
        let at = Point::new(area.middle().x, area.y + 12);
        canvas.text(at, brief(line.column(column)), font, area.w);
    });
}

/// Draws the markers of all players: below the effects of their columns, or below the name of the line if they are in
/// front of the table.
fn markers(canvas: &mut Canvas<'_>, view: &View, line: FavorLine, (name, cells): (Area, Area)) {
    for column in 0..=MAX_MARKER {
        let there = view.players.iter().filter(|player| {
            let at = player.favor_markers.get(line.index());
            at == Some(&column)
        });
        let (left, step) = match column.checked_sub(1) {
            Some(before) => (cells.column(before.into(), MAX_MARKER.into(), 3).x, 10),
            None => (name.x, 15),
        };
        for (index, player) in there.enumerate() {
            let seat = player.seat;
            let at = Point::new(left + 8 + times(index, step), name.bottom() - 8);
            let title = format!("{line} marker of {}", canvas.look.names.of(seat));
            let outline = Outline::Disc(Area::around(at, 20));
            canvas.part(components::marker(seat, line), title, &outline, |canvas| {
                canvas.seat_marker(seat, at, 16, Paint::of_seat(seat));
            });
        }
    }
}
