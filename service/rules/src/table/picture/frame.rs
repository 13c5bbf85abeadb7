//! The frame of every drawing: the band on top, panels, and the areas of the players.

use std::fmt::Display;

use super::{Area, Canvas, Font, Look, Outline, Paint, Point, Shape};
use crate::table::{Component, JoinAnd, Seat};

/// The contents of the band on top.
pub(crate) struct Heading<'a> {
    /// The name of the game.
    pub(crate) title: &'a str,
    /// The stage of the game: `Year 3 of 5, summer`.
    pub(crate) moment: &'a str,
    /// The name of one point, such as `VP`.
    pub(crate) unit: &'a str,
    /// Returns the color of a seat.
    pub(crate) paint: &'a dyn Fn(Seat) -> Paint,
}

/// The height of wide drawings.
const WIDE: i32 = 800;

/// Returns the complete drawing: the band on top, and below it the content that `wide` or `phone` draws. `phone`
/// returns the height.
pub(crate) fn framed(
    look: &Look<'_>,
    heading: &Heading<'_>,
    wide: impl FnOnce(&mut Canvas<'_>),
    phone: impl FnOnce(&mut Canvas<'_>) -> i32,
) -> String {
    let mut canvas = Canvas::new(look);
    let prompt = canvas.heading(heading);
    let height = if canvas.is_phone() {
        phone(&mut canvas)
    } else {
        wide(&mut canvas);
        WIDE
    };
    let Heading { title, moment, .. } = heading;
    canvas.finish(height, &format!("{title}, {moment}. {prompt}"))
}

/// A column of areas below each other, as wide as the sheet of a phone.
pub(crate) struct Column {
    top: i32,
}

impl Column {
    /// The space between two areas.
    const GAP: i32 = 6;

    /// Begins a column below the band on top.
    pub(crate) fn new(canvas: &Canvas<'_>) -> Self {
        Self::below(canvas.heading_height())
    }

    /// Begins a column below this line.
    pub(crate) const fn below(top: i32) -> Self {
        Self {
            top: top + Self::GAP,
        }
    }

    /// Returns the next area, of this height.
    pub(crate) const fn next(&mut self, height: i32) -> Area {
        let area = Area::new(6, self.top, 378, height);
        self.top += height + Self::GAP;
        area
    }

    /// Returns the height of the sheet.
    pub(crate) const fn height(&self) -> i32 {
        self.top
    }
}

/// The facts in the header of a player's area, above the ruleset's own facts.
pub(crate) struct PlayerRow<'a> {
    pub(crate) seat: Seat,
    pub(crate) paint: Paint,
    /// The current score. Is `None` if it is not known.
    pub(crate) points: Option<i32>,
    pub(crate) unit: &'a str,
    /// Whether no seat has more points.
    pub(crate) leads: bool,
    /// A role or state: `Nomads`, `passed`.
    pub(crate) note: &'a str,
}

impl Canvas<'_> {
    /// Returns the height of the band on top.
    pub(crate) fn heading_height(&self) -> i32 {
        if self.is_phone() { 64 } else { 48 }
    }

    /// Draws the band on top: the open decision, and the stage of the game. Returns the sentence about the decision.
    pub(crate) fn heading(&mut self, heading: &Heading<'_>) -> String {
        let prompt = prompt(self.look, heading.unit);
        let paint = match (self.look.pending, first_of(self.look)) {
            ([only], _) => (heading.paint)(only.seat),
            ([], Some(winner)) => (heading.paint)(winner),
            _ => Paint::Accent,
        };
        let height = self.heading_height();
        let band = Area::new(0, 0, self.width(), height);
        self.rect(band, 0, paint);
        let viewer = match self.look.viewer {
            crate::table::Viewer::Seat(seat) => format!("you are {}", self.look.names.of(seat)),
            crate::table::Viewer::Spectator => String::from("as spectators see it"),
            crate::table::Viewer::Operator => String::from("with everything hidden"),
        };
        let ink = paint.on();
        if self.is_phone() {
            let font = Font::new(18).bold().paint(ink);
            let font = font.down_to(13, &prompt, 366);
            self.text(Point::new(12, 26), &prompt, font, 366);
            let facts = format!("{} · {viewer}", heading.moment);
            let font = Font::new(13).paint(ink);
            self.text(Point::new(12, 50), facts, font, 366);
            return prompt;
        }
        let facts = format!("{} · {} · {viewer}", heading.title, heading.moment);
        let (above, below) = (Font::new(14).bold(), Font::new(12));
        let has_last = !self.look.last.is_empty();
        let base = if has_last { 20 } else { 30 };
        let at = Point::new(1184, base);
        self.text(at, &facts, above.end().paint(ink), 560);
        if has_last {
            let last = format!("last: {}", self.look.last);
            self.text(Point::new(1184, 38), last, below.end().paint(ink), 560);
        }
        let width = 1150 - above.width(&facts).min(560);
        let font = Font::new(22).bold().paint(ink).down_to(14, &prompt, width);
        self.text(Point::new(16, 31), &prompt, font, width);
        prompt
    }

    /// Draws a panel with an optional title. Returns the area below the title.
    pub(crate) fn panel(&mut self, area: Area, title: &str) -> Area {
        self.bordered(area, 6, (Paint::Panel, Some((Paint::Line, 1))));
        let inner = area.inset(8);
        if title.is_empty() {
            return inner;
        }
        let font = Font::new(13).bold();
        self.text(Point::new(inner.x, inner.y + 11), title, font, inner.w);
        inner.cut_top(20).1
    }

    /// Draws the mark of a seat with its number.
    pub(crate) fn seat_marker(&mut self, seat: Seat, middle: Point, size: i32, paint: Paint) {
        self.shape(Shape::of_seat(seat), middle, size, paint);
        let font = Font::new((size * 11 / 20).max(11)).bold().middle();
        let lower = if seat.number() == 4 { size / 7 } else { 0 };
        let at = middle.by(0, font.size() * 7 / 20 + lower);
        self.label(at, seat.number(), font.paint(paint.on()));
    }

    /// Draws the area of a player: mark, name, note, points. `draw` gets the area below them.
    pub(crate) fn player(
        &mut self,
        area: Area,
        row: &PlayerRow<'_>,
        draw: impl FnOnce(&mut Self, Area),
    ) {
        let seat = row.seat;
        let name = self.look.names.who(seat).to_string();
        let (me, acts) = (self.look.is_me(seat), self.look.acts(seat));
        let points = row
            .points
            .map_or(String::new(), |points| format!(", {points} {}", row.unit));
        let title = format!("{name}{points}");
        self.part(Component::seat(seat), title, &Outline::None, |canvas| {
            let edge = if acts {
                (row.paint, 4)
            } else {
                (Paint::Line, 1)
            };
            canvas.bordered(area, 8, (Paint::Panel, Some(edge)));
            canvas.player_heading(area, row, (&name, me));
        });
        draw(self, area.inset(10).cut_top(30).1);
    }

    fn player_heading(&mut self, area: Area, row: &PlayerRow<'_>, (name, me): (&str, bool)) {
        let inner = area.inset(10);
        self.seat_marker(row.seat, inner.corner().by(12, 12), 26, row.paint);
        let mut right = inner.right();
        if let Some(points) = row.points {
            let unit = Font::new(12).faint().end();
            self.label(Point::new(right, inner.y + 20), row.unit, unit);
            right -= unit.width(row.unit) + 5;
            let font = Font::new(24).bold().end();
            self.label(Point::new(right, inner.y + 20), points, font);
            right -= font.width(&points.to_string()) + 6;
            if row.leads {
                self.shape(
                    Shape::Star,
                    Point::new(right - 8, inner.y + 11),
                    18,
                    Paint::Gold,
                );
                right -= 22;
            }
        }
        let left = inner.x + 32;
        let you = if me { " (you)" } else { "" };
        let name = format!("{name}{you}");
        let font = Font::new(15).bold().down_to(12, &name, right - left);
        let base = if row.note.is_empty() { 17 } else { 10 };
        self.text(Point::new(left, inner.y + base), name, font, right - left);
        let note = Font::new(11).faint();
        self.text(Point::new(left, inner.y + 24), row.note, note, right - left);
    }

    /// Draws a sign and a number beside it. Returns the position for the next one.
    pub(crate) fn amount(
        &mut self,
        at: Point,
        (shape, paint): (Shape, Paint),
        number: impl Display,
        font: Font,
    ) -> i32 {
        let size = font.size() + 4;
        self.shape(shape, at.by(size / 2, 0), size, paint);
        let number = number.to_string();
        self.label(at.by(size + 3, font.size() * 7 / 20), &number, font);
        at.x + size + 3 + font.width(&number) + 6
    }
}

/// Returns the only seat of the first rank.
fn first_of(look: &Look<'_>) -> Option<Seat> {
    let mut first = look.ranking?.standings.iter().filter(|one| one.rank == 1);
    let winner = first.next()?;
    first.next().is_none().then_some(winner.seat)
}

/// Returns a sentence about the seats that must decide, or about the winners.
fn prompt(look: &Look<'_>, unit: &str) -> String {
    let names = |seats: &mut dyn Iterator<Item = Seat>| {
        let names: Vec<_> = seats.map(|seat| look.names.who(seat)).collect();
        JoinAnd(&names).to_string()
    };
    match look.pending {
        [] => {
            let standings = look.ranking.map_or(&[][..], |ranking| &ranking.standings);
            let mut first = standings.iter().filter(|one| one.rank == 1);
            let Some(winner) = first.clone().next() else {
                return String::from("The game is over");
            };
            let won = match first.clone().count() {
                1 => "wins",
                _ => "win together",
            };
            let winners = names(&mut first.by_ref().map(|one| one.seat));
            // A game that ended for a reason beside the rules has no scores.
            match winner.breakdown[..] {
                [] => format!("{winners} {won}"),
                [..] => format!("{winners} {won} with {} {unit}", winner.score),
            }
        }
        several => {
            if let Some(mine) = several.iter().find(|pending| look.is_me(pending.seat)) {
                let words = look.words(mine.decision);
                let question = words.map_or("your turn", |words| words.question);
                return format!("You: {question}");
            }
            let first = several
                .first()
                .and_then(|pending| look.words(pending.decision));
            let title = first.map_or("decide", |words| words.title);
            let who = names(&mut several.iter().map(|pending| pending.seat));
            format!("{who}: {}", lower(title))
        }
    }
}

/// Returns a title for the middle of a sentence; names keep their capital letters.
fn lower(title: &str) -> String {
    let mut letters = title.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}
