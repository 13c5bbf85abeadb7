//! The frame of every drawing: the band on top, panels, and the areas of the players.

use std::fmt::Display;

use super::{Area, Canvas, Font, Look, Outline, Paint, Point, Shape};
use crate::table::{Component, JoinAnd, Seat};

/// The contents of the band on top.
pub struct Heading<'a> {
    /// The name of the game.
    pub title: &'a str,
    /// The stage of the game: `Year 3 of 5, summer`.
    pub moment: &'a str,
    /// The name of one point, such as `VP`.
    pub unit: &'a str,
    /// Returns the color of a seat.
    pub paint: &'a dyn Fn(Seat) -> Paint,
}

/// The height of wide drawings.
const WIDE: i32 = 800;

/// Returns the complete drawing: the band on top, and below it the content that `wide` or `stacked` draws. `stacked`
/// is for narrower drawings, and returns their height.
pub fn framed(
    look: &Look<'_>,
    heading: &Heading<'_>,
    wide: impl FnOnce(&mut Canvas<'_>),
    stacked: impl FnOnce(&mut Canvas<'_>) -> i32,
) -> String {
    let mut canvas = Canvas::new(look);
    let prompt = canvas.heading(heading);
    canvas.begin_line();
    let height = if canvas.is_wide() {
        wide(&mut canvas);
        WIDE
    } else {
        stacked(&mut canvas)
    };
    let Heading { title, moment, .. } = heading;
    canvas.finish(height, &format!("{title}, {moment}. {prompt}"))
}

/// Areas below each other, as wide as the sheet. On a tablet, smaller ones are side by side.
pub struct Column {
    top: i32,
    width: i32,
    is_phone: bool,
}

impl Column {
    /// The space between two areas, and beside them.
    const GAP: i32 = 6;

    /// Begins a column below the band on top.
    pub fn new(canvas: &Canvas<'_>) -> Self {
        Self {
            top: canvas.heading_height() + Self::GAP,
            width: canvas.width() - 2 * Self::GAP,
            is_phone: canvas.is_phone(),
        }
    }

    /// Returns the next area, of this height.
    pub const fn next(&mut self, height: i32) -> Area {
        let area = Area::new(Self::GAP, self.top, self.width, height);
        self.top += height + Self::GAP;
        area
    }

    /// Returns the next two areas: below each other on a phone, otherwise side by side, as high as the higher one.
    pub fn two(&mut self, [first, second]: [i32; 2]) -> [Area; 2] {
        if self.is_phone {
            return [self.next(first), self.next(second)];
        }
        let both = self.next(first.max(second));
        [0, 1].map(|index| both.column(index, 2, Self::GAP))
    }

    /// Returns the next areas for this many players: of the first height if they are as broad as a phone, of the second
    /// if three are side by side.
    pub fn players(&mut self, count: usize, [broad, slim]: [i32; 2]) -> Vec<Area> {
        let (columns, height) = match count {
            _ if self.is_phone => (1, broad),
            3 | 5 => (3, slim),
            _ => (2, broad),
        };
        let rows = count.div_ceil(columns);
        let rows: Vec<Area> = (0..rows).map(|_| self.next(height)).collect();
        let areas = rows.into_iter().flat_map(|row| {
            let cells = (0..columns).map(move |index| row.column(index, columns, Self::GAP));
            cells.collect::<Vec<_>>()
        });
        areas.take(count).collect()
    }

    /// Returns the height of the sheet.
    pub const fn height(&self) -> i32 {
        self.top
    }
}

/// The facts in the header of a player's area, above the ruleset's own facts.
pub struct PlayerRow<'a> {
    /// The seat.
    pub seat: Seat,
    /// The color of the seat.
    pub paint: Paint,
    /// The current score. Is `None` if it is not known.
    pub points: Option<i32>,
    /// The name of one point, such as `VP`.
    pub unit: &'a str,
    /// Whether no seat has more points.
    pub leads: bool,
    /// A role: `Nomads`.
    pub role: &'a str,
    /// A state: `passed`.
    pub state: &'a str,
}

impl Canvas<'_> {
    /// Returns the height of the band on top.
    pub fn heading_height(&self) -> i32 {
        if self.is_wide() { 48 } else { 64 }
    }

    /// Draws the band on top: the open decision, and the stage of the game. Returns the sentence about the decision.
    pub fn heading(&mut self, heading: &Heading<'_>) -> String {
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
        if !self.is_wide() {
            let facts = format!("{} · {viewer}", heading.moment);
            self.stacked_heading(&prompt, &facts, ink);
            return prompt;
        }
        let facts = format!("{} · {} · {viewer}", heading.title, heading.moment);
        let (above, below) = (self.font(14).bold(), self.font(12));
        let has_last = !self.look.last.is_empty();
        let base = if has_last { 20 } else { 30 };
        let at = Point::new(1184, base);
        self.name(at, &facts, above.end().paint(ink), 560);
        let mut taken = above.width(&facts).min(560);
        if has_last {
            let last = format!("last: {}", self.look.last);
            taken = taken.max(below.width(&last).min(560));
            self.name(Point::new(1184, 38), last, below.end().paint(ink), 560);
        }
        let width = 1150 - taken;
        let font = self.font(22).bold().paint(ink).down_to(14, &prompt, width);
        self.question((16, 31), &prompt, font, width);
        prompt
    }

    /// Draws the two lines of the band of a narrower drawing: the open decision, and facts.
    fn stacked_heading(&mut self, prompt: &str, facts: &str, ink: Paint) {
        let width = self.width() - 24;
        let font = self.font(18).bold().paint(ink);
        self.question((12, 26), prompt, font.down_to(13, prompt, width), width);
        let font = self.font(13).paint(ink);
        self.name(Point::new(12, 54), facts, font, width);
    }

    /// Draws the open decision on a base line, in two lines around it if one is too short.
    fn question(&mut self, (x, y): (i32, i32), prompt: &str, font: Font, width: i32) {
        if font.width(prompt) <= width {
            self.name(Point::new(x, y), prompt, font, width);
        } else {
            _ = self.name_lines(Point::new(x, y - 7), prompt, font, (width, 2));
        }
    }

    /// Draws a panel with an optional title. Returns the area below the title.
    pub fn panel(&mut self, area: Area, title: &str) -> Area {
        self.begin_line();
        self.bordered(area, 6, (Paint::Panel, Some((Paint::Line, 1))));
        let inner = area.inset(8);
        if title.is_empty() {
            return inner;
        }
        let font = self.font(13).bold();
        let font = font.down_to(Font::LEAST, title, inner.w);
        self.name(Point::new(inner.x, inner.y + 11), title, font, inner.w);
        inner.cut_top(20).1
    }

    /// Draws the mark of a seat with its number.
    pub fn seat_marker(&mut self, seat: Seat, middle: Point, size: i32, paint: Paint) {
        self.shape(Shape::of_seat(seat), middle, size, paint);
        let font = self.font((size * 11 / 20).max(11)).bold().middle();
        let lower = if seat.number() == 4 { size / 7 } else { 0 };
        let at = middle.by(0, font.size() * 7 / 20 + lower);
        self.label(at, seat.number(), font.paint(paint.on()));
    }

    /// Draws the area of a player: mark, name, note, points. `draw` gets the area below them.
    pub fn player(&mut self, area: Area, row: &PlayerRow<'_>, draw: impl FnOnce(&mut Self, Area)) {
        let seat = row.seat;
        let name = self.look.names.who(seat).to_string();
        let (me, acts) = (self.look.is_me(seat), self.look.acts(seat));
        let points = row
            .points
            .map_or(String::new(), |points| format!(", {points} {}", row.unit));
        let title = format!("{name}{points}");
        self.part(
            Component::seat(seat),
            title,
            &Outline::Quiet(area),
            |canvas| {
                let edge = if acts {
                    (row.paint, 4)
                } else {
                    (Paint::Line, 1)
                };
                canvas.bordered(area, 8, (Paint::Panel, Some(edge)));
                canvas.player_heading(area, row, (&name, me));
            },
        );
        draw(self, area.inset(10).cut_top(30).1);
    }

    fn player_heading(&mut self, area: Area, row: &PlayerRow<'_>, (name, me): (&str, bool)) {
        let inner = area.inset(10);
        self.seat_marker(row.seat, inner.corner().by(12, 12), 26, row.paint);
        let mut right = inner.right();
        if let Some(points) = row.points {
            let unit = self.font(11).faint().end();
            self.label(Point::new(right, inner.y + 14), row.unit, unit);
            right -= unit.label_width(row.unit) + 4;
            let font = self.font(20).bold().end();
            self.label(Point::new(right, inner.y + 14), points, font);
            right -= font.label_width(&points.to_string()) + 4;
            if row.leads {
                let middle = Point::new(right - 8, inner.y + 7);
                self.shape(Shape::Star, middle, 16, Paint::Gold);
                right -= 20;
            }
        }
        let left = inner.x + 32;
        let you = if me { " (you)" } else { "" };
        let name = format!("{name}{you}");
        let font = self.font(15).bold().down_to(12, &name, right - left);
        let is_alone = row.role.is_empty() && row.state.is_empty();
        let base = if is_alone { 18 } else { 11 };
        self.name(Point::new(left, inner.y + base), name, font, right - left);
        self.role(row, Point::new(left, inner.y + 26), inner.right() - left);
    }

    /// Draws the role and the state of a player on a base line.
    fn role(&mut self, row: &PlayerRow<'_>, at: Point, width: i32) {
        let font = self.font(11).faint();
        let both = !row.role.is_empty() && !row.state.is_empty();
        let state = format!("{}{}", if both { "· " } else { "" }, row.state);
        let gap = if both { 3 } else { 0 };
        let room = width - gap - font.width(&state);
        self.name(at, row.role, font, room);
        let taken = font.width(row.role).min(room) + gap;
        self.text(at.by(taken, 0), state, font, width - taken);
    }

    /// Draws a sign and a number beside it. Returns the position for the next one.
    pub fn amount(
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
        at.x + size + 3 + font.label_width(&number) + 6
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
