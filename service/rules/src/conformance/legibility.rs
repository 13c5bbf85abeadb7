//! Texts of drawings that people can read: values are never cut, letters are at least 11 high, nothing covers them or
//! each other, and colors have contrast.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::audit::Audit;
use super::drawings::Game;
use super::random_game::RandomGame;
use crate::table::picture::{Area, Measure, Paint, Point, Size, Theme};
use crate::table::{Fault, Viewer};

/// The smallest size of letters.
const LEAST: i32 = 11;

/// The contrast of small letters by WCAG 2 AA, in hundredths; that of large ones, and their least size.
const CONTRAST: u32 = 450;
const LARGE_CONTRAST: u32 = 300;
const LARGE: i32 = 18;

/// Letters may touch by this much: their boxes are larger than they are.
const TOUCH: i32 = 2;

/// The maximum number of faults that are listed.
const LISTED: usize = 60;

/// Plays random games of these numbers of seats, each with these seeds. After every action whose number is a multiple of
/// `every`, and at the end, draws the table in all sizes, for each seat that must act, for spectators and for the
/// operator, and reads all texts. `stretch` is the width of letters in relation to Helvetica's, in percent.
///
/// # Errors
/// All texts that cannot be read.
pub fn drawings_can_be_read<R: Audit>(
    seats: RangeInclusive<usize>,
    seeds: RangeInclusive<u64>,
    every: usize,
    stretch: u32,
) -> Result<(), Fault> {
    let mut theme = Theme::new();
    let is_set = theme.set_letters(stretch).is_ok();
    Fault::unless(is_set, "drawings_can_be_read", || {
        format!("letters of {stretch} percent")
    })?;
    let mut faults = BTreeSet::new();
    for seats in seats {
        for seed in seeds.clone() {
            let walk = RandomGame::start(&R::table(seats, seed), seed);
            let mut game = Game::<R>::of(seats, seed, walk);
            game.theme = theme.clone();
            read_game(&mut game, every, &mut faults)?;
        }
    }
    let count = faults.len();
    Fault::unless(faults.is_empty(), "drawings_can_be_read", || {
        let listed: Vec<String> = faults.into_iter().take(LISTED).collect();
        format!("{count} texts:\n{}", listed.join("\n"))
    })
}

/// Plays a game, and notes the texts of its drawings that cannot be read.
fn read_game<R: Audit>(
    game: &mut Game<R>,
    every: usize,
    faults: &mut BTreeSet<String>,
) -> Result<(), Fault> {
    loop {
        let decision = game.walk.next_decision()?;
        if game.walk.is_due(every) || decision.is_none() {
            let state = &game.walk.now.state;
            let pending = R::pending(state);
            let deciding = pending.iter().map(|pending| Viewer::Seat(pending.seat));
            for viewer in deciding.chain([Viewer::Spectator, Viewer::Operator]) {
                for size in Size::ALL {
                    let drawing = game.drawn(state, (viewer, size), "");
                    let found = Sheet::read(&drawing, game.theme.letters()).faults();
                    faults.extend(found.into_iter().map(|fault| format!("{size:?}: {fault}")));
                }
            }
        }
        let Some(decision) = decision else {
            return Ok(());
        };
        game.walk.take_action(&decision)?;
    }
}

/// A text of a drawing.
struct Text<'a> {
    letters: &'a str,
    /// From the top of capital letters to the base line.
    area: Area,
    size: i32,
    /// Whether it ends in an ellipsis although it is no name.
    is_cut: bool,
    paint: Paint,
    /// The number of solids that were drawn before it.
    above: usize,
}

/// A filled form of a drawing.
struct Solid {
    area: Area,
    is_round: bool,
    paint: Paint,
}

impl Solid {
    fn covers(&self, Point { x, y }: Point) -> bool {
        let Area { w, h, .. } = self.area;
        let middle = self.area.middle();
        let (dx, dy) = ((x - middle.x).abs(), (y - middle.y).abs());
        if self.is_round {
            4 * (dx * dx + dy * dy) < w * h
        } else {
            2 * dx < w && 2 * dy < h
        }
    }
}

/// Everything that is drawn, but for shapes in definitions, and rings.
struct Sheet<'a> {
    texts: Vec<Text<'a>>,
    solids: Vec<Solid>,
    /// The width of tiles.
    tile: i32,
    /// The width of letters in relation to Helvetica's, in percent.
    stretch: i32,
}

/// Returns whether two texts share more than their edges.
fn overlap(one: Area, other: Area) -> bool {
    let width = one.right().min(other.right()) - one.x.max(other.x);
    let height = one.bottom().min(other.bottom()) - one.y.max(other.y);
    width > TOUCH && height > TOUCH
}

/// Returns points of the middle line of a text.
fn points(area: Area) -> impl Iterator<Item = Point> {
    let y = area.middle().y;
    let inner = area.x + TOUCH..area.right() - TOUCH;
    inner.step_by(3).map(move |x| Point::new(x, y))
}

impl<'a> Sheet<'a> {
    fn read(drawing: &'a str, stretch: u32) -> Self {
        let (definitions, body) = drawing.split_once("</defs>").unwrap_or_default();
        let mut sheet = Self {
            texts: Vec::new(),
            solids: Vec::new(),
            tile: width_of_tiles(definitions),
            stretch: i32::try_from(stretch).unwrap_or(100),
        };
        let body = body.split(r#"<g pointer-events="none">"#).next();
        let mut is_faded = false;
        for tag in body.unwrap_or_default().split('<').skip(1) {
            let (tag, letters) = tag.split_once('>').unwrap_or((tag, ""));
            match tag.split(' ').next().unwrap_or_default() {
                "g" => is_faded |= tag.contains("opacity"),
                "/g" => is_faded = false,
                "text" if !is_faded => sheet.text(tag, letters),
                kind @ ("rect" | "circle" | "use") if !is_faded => sheet.solid(kind, tag),
                _ => {}
            }
        }
        sheet
    }

    fn text(&mut self, tag: &str, letters: &'a str) {
        let classes: Vec<&str> = attribute(tag, "class").split(' ').collect();
        let size = classes.first().and_then(|class| class.strip_prefix('t'));
        let size = size.and_then(|size| size.parse().ok()).unwrap_or(0);
        let bold = classes.contains(&"b");
        let stretch = self.stretch;
        let measure = Measure {
            size,
            bold,
            stretch,
        };
        let width = match number(tag, "textLength") {
            0 => measure.width(&unescaped(letters)),
            length => length,
        };
        let shift = match () {
            () if classes.contains(&"m") => width / 2,
            () if classes.contains(&"e") => width,
            () => 0,
        };
        let (x, y) = (number(tag, "x"), number(tag, "y"));
        let height = size * 72 / 100;
        self.texts.push(Text {
            letters,
            area: Area::new(x - shift, y - height, width, height),
            size,
            is_cut: letters.ends_with('…') && !classes.contains(&"cut"),
            paint: paint(tag),
            above: self.solids.len(),
        });
    }

    /// Lists the faults of all texts.
    fn faults(&self) -> Vec<String> {
        let edge = self.solids.first().map(|paper| paper.area);
        let edge = edge.unwrap_or(Area::new(0, 0, 0, 0));
        let mut faults = Vec::new();
        for (index, text) in self.texts.iter().enumerate() {
            let Text {
                letters,
                area,
                size,
                ..
            } = text;
            let is_inside = area.x >= edge.x
                && area.y >= edge.y
                && area.right() <= edge.right()
                && area.bottom() <= edge.bottom();
            let facts = [
                (text.is_cut, "is cut"),
                (*size < LEAST, "is too small"),
                (!is_inside, "leaves the sheet"),
                (self.is_covered(text), "is covered"),
            ];
            let found = facts.into_iter().filter(|(is_so, _)| *is_so);
            faults.extend(found.map(|(_, what)| format!("{letters:?} at {area} {what}")));
            let others = self.texts.iter().skip(index + 1);
            let others = others.filter(|other| overlap(*area, other.area));
            faults.extend(
                others.map(|other| format!("{letters:?} at {area} overlaps {:?}", other.letters)),
            );
            faults.extend(self.pale(text));
        }
        faults
    }

    /// Returns whether something that is drawn later hides a part of a text.
    fn is_covered(&self, text: &Text<'_>) -> bool {
        let mut later = self.solids.iter().skip(text.above);
        later.any(|solid| points(text.area).any(|at| solid.covers(at)))
    }

    fn solid(&mut self, kind: &str, tag: &str) {
        let (area, is_round) = match kind {
            "rect" => (
                Area::new(
                    number(tag, "x"),
                    number(tag, "y"),
                    number(tag, "width"),
                    number(tag, "height"),
                ),
                false,
            ),
            "circle" => {
                let middle = Point::new(number(tag, "cx"), number(tag, "cy"));
                (Area::around(middle, 2 * number(tag, "r")), true)
            }
            _ => {
                let corner = Point::new(number(tag, "x"), number(tag, "y"));
                let name = attribute(tag, "href").trim_start_matches('#');
                let size = name.rsplit_once('-');
                match size.and_then(|(_, size)| size.parse::<i32>().ok()) {
                    // Most shapes fill less than their square.
                    Some(size) => {
                        let whole = Area::new(corner.x, corner.y, size, size);
                        (whole.inset(size / 8), true)
                    }
                    // A tile, whose place is its middle.
                    None => (Area::around(corner, self.tile), true),
                }
            }
        };
        let paint = paint(tag);
        self.solids.push(Solid {
            area,
            is_round,
            paint,
        });
    }

    /// Returns the fault of a text whose color is too much like what is below its middle, on light or on dark ground.
    fn pale(&self, text: &Text<'_>) -> Option<String> {
        let below = self.solids.iter().take(text.above).rev();
        let mut below = below.filter(|solid| solid.covers(text.area.middle()));
        let ground = below.next()?.paint;
        let least = if text.size >= LARGE {
            LARGE_CONTRAST
        } else {
            CONTRAST
        };
        let ink = text.paint;
        let is = contrast(ink.light(), ground.light()).min(contrast(ink.dark(), ground.dark()));
        let Text { letters, area, .. } = text;
        (is < least)
            .then(|| format!("{letters:?} at {area}: {ink:?} on {ground:?} has a contrast of {is}"))
    }
}

/// Returns the width of the tiles that are defined; 0 if there are none.
fn width_of_tiles(definitions: &str) -> i32 {
    let points = definitions.rsplit_once(r#"<polygon points=""#);
    let points = points.and_then(|(_, rest)| rest.split('"').next());
    let left = |point: &str| point.split(',').next()?.parse::<i32>().ok();
    let lefts = points.unwrap_or_default().split(' ').filter_map(left);
    2 * lefts.max().unwrap_or(0)
}

/// Returns the contrast of two colors by WCAG 2, in hundredths.
fn contrast(one: &str, other: &str) -> u32 {
    let (one, other) = (luminance(one), luminance(other));
    let (light, dark) = (one.max(other), one.min(other));
    100 * (light + 5_000) / (dark + 5_000)
}

/// Returns the relative luminance of a color such as `#c8a951`, in hundred thousandths.
fn luminance(color: &str) -> u32 {
    /// The linear values of every sixteenth step of a channel.
    const LINEAR: [u32; 17] = [
        0, 518, 1444, 2956, 5126, 8022, 11697, 16203, 21586, 27889, 35153, 43415, 52712, 63076,
        74540, 87137, 100_000,
    ];
    let channel = |from: usize| {
        let digits = color.get(from..from + 2).unwrap_or("0");
        let value = u32::from_str_radix(digits, 16).unwrap_or(0);
        let step = usize::try_from(value / 16).unwrap_or(0);
        let [low, high] = [step, step + 1].map(|at| LINEAR.get(at).copied().unwrap_or(100_000));
        low + (high - low) * (value % 16) / 16
    };
    (2_126 * channel(1) + 7_152 * channel(3) + 722 * channel(5)) / 10_000
}

/// Returns the fill of an element.
fn paint(tag: &str) -> Paint {
    let mut classes = attribute(tag, "class").split(' ');
    let number = classes.find_map(|class| class.strip_prefix('f')?.parse().ok());
    number.and_then(Paint::of_class).unwrap_or(Paint::Ink)
}

fn number(tag: &str, name: &str) -> i32 {
    attribute(tag, name).parse().unwrap_or(0)
}

fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
    let rest = tag.split_once(&format!(" {name}=\""));
    rest.and_then(|(_, rest)| rest.split('"').next())
        .unwrap_or_default()
}

fn unescaped(letters: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&amp;", "&"),
    ];
    let mut text = letters.to_owned();
    for (entity, letter) in entities {
        text = text.replace(entity, letter);
    }
    text
}
