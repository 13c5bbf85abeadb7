//! The writer of a drawing: typed elements in, SVG out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};

use enumset::EnumSet;

use super::letters::{Fitted, Measure};
use super::{Area, ColorScheme, Look, Paint, Point, Shape};
use crate::table::Component;

/// The size, weight, alignment and color of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Font {
    measure: Measure,
    anchor: Anchor,
    paint: Paint,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Font {
    /// Creates a font of this size whose text begins at its point. No text is smaller than 11. `stretch` is the width of
    /// its letters in relation to Helvetica's, in percent.
    const fn new(size: i32, stretch: i32) -> Self {
        let measure = Measure {
            size,
            bold: false,
            stretch,
        };
        let (anchor, paint) = (Anchor::Start, Paint::Ink);
        Self {
            measure,
            anchor,
            paint,
        }
    }

    /// Sets bold letters.
    pub const fn bold(mut self) -> Self {
        self.measure.bold = true;
        self
    }

    /// Sets the color of less important text.
    pub const fn faint(self) -> Self {
        self.paint(Paint::Faint)
    }

    /// Sets the color.
    pub const fn paint(self, paint: Paint) -> Self {
        Self { paint, ..self }
    }

    /// Centers the text on its point.
    pub const fn middle(self) -> Self {
        let anchor = Anchor::Middle;
        Self { anchor, ..self }
    }

    /// Ends the text at its point.
    pub const fn end(self) -> Self {
        let anchor = Anchor::End;
        Self { anchor, ..self }
    }

    /// The smallest size of letters.
    pub const LEAST: i32 = 11;

    /// Returns the size of the letters.
    pub const fn size(self) -> i32 {
        self.measure.size
    }

    /// Returns whether a text with values fits this many lines of this width, its letters set narrower if need be.
    pub fn fits(self, text: &str, (width, lines): (i32, usize)) -> bool {
        let measure = self.measure.unstretched();
        let mut words = text.split_whitespace();
        words.all(|word| measure.width(word) <= width)
            && measure.lines(text, width, usize::MAX).len() <= lines
    }

    /// Returns the width of a name, or of a text with values.
    pub fn width(self, text: &str) -> i32 {
        self.measure.width(text)
    }

    /// Returns the width of a label.
    pub fn label_width(self, label: &str) -> i32 {
        self.measure.unstretched().width(label)
    }

    /// Shrinks the font until the text fits the width, but not below this size.
    pub fn down_to(self, least: i32, text: &str, width: i32) -> Self {
        let mut font = self;
        while font.measure.size > least && font.width(text) > width {
            font.measure.size -= 1;
        }
        font
    }
}

/// The outline of a component: the area for clicks, and the line of the ring.
#[derive(Clone, Debug)]
pub enum Outline {
    /// A rectangle.
    Rect(Area),
    /// Rounded like a token.
    Disc(Area),
    /// A polygon with these corners.
    Polygon(Vec<Point>),
    /// No ring, for components that are clear without one.
    Quiet(Area),
}

impl Outline {
    /// Returns the box around the outline.
    fn area(&self) -> Area {
        match self {
            Self::Rect(area) | Self::Disc(area) | Self::Quiet(area) => *area,
            Self::Polygon(points) => Area::around_all(points),
        }
    }
}

/// A drawing in progress.
pub struct Canvas<'a> {
    /// The viewer, and how they want the drawing.
    pub look: &'a Look<'a>,
    pub(super) body: String,
    /// The rings, which are drawn above everything else.
    pub(super) rings: String,
    pub(super) paints: EnumSet<Paint>,
    /// The sizes of texts that occur.
    pub(super) sizes: BTreeSet<i32>,
    /// The radii of corners that occur.
    pub(super) radii: BTreeSet<i32>,
    /// The shapes that occur, by number and size.
    pub(super) stamps: BTreeMap<(u8, i32), Shape>,
    pub(super) tiles: BTreeMap<&'static str, String>,
}

impl<'a> Canvas<'a> {
    /// Begins an empty drawing.
    pub fn new(look: &'a Look<'a>) -> Self {
        Self {
            look,
            body: String::with_capacity(40_000),
            rings: String::new(),
            paints: Paint::Paper | Paint::Ink | Paint::Halo | Paint::Dark | Paint::Bright,
            sizes: BTreeSet::new(),
            radii: BTreeSet::new(),
            stamps: BTreeMap::new(),
            tiles: BTreeMap::new(),
        }
    }

    /// Creates a font of this size, as wide as the theme's, whose text begins at its point. No text is smaller than 11.
    pub fn font(&self, size: i32) -> Font {
        let stretch = self.look.theme.letters();
        Font::new(size, i32::try_from(stretch).unwrap_or(100))
    }

    /// Returns the width of the drawing.
    pub fn width(&self) -> i32 {
        self.look.size.width().into()
    }

    /// Returns whether the drawing is for a phone.
    pub fn is_phone(&self) -> bool {
        self.look.is_phone()
    }

    /// Returns whether the drawing is for a wide screen.
    pub fn is_wide(&self) -> bool {
        self.look.is_wide()
    }

    fn write(&mut self, text: impl Display) {
        // Writing to a string does not fail.
        let _written = write!(self.body, "{text}");
    }

    /// Begins a line of the file.
    pub(super) fn begin_line(&mut self) {
        if !self.body.ends_with('\n') {
            self.body.push('\n');
        }
    }

    fn fill(&mut self, paint: Paint) -> u8 {
        self.paints.insert(paint);
        paint.class()
    }

    /// Draws a component: everything that `draw` draws belongs to it. Rings it if a legal action of the viewer touches
    /// it.
    pub fn part(
        &mut self,
        component: Component,
        title: impl Display,
        outline: &Outline,
        draw: impl FnOnce(&mut Self),
    ) {
        let reached = self.look.is_interactive(component);
        let class = if reached { r#" class="can""# } else { "" };
        self.begin_line();
        self.write(format_args!(
            "<g data-component=\"{component}\" data-box=\"{}\"{class}><title>{}</title>",
            outline.area(),
            Escaped(&title.to_string())
        ));
        draw(self);
        self.write("</g>\n");
        if reached {
            self.ring(outline);
        }
    }

    /// Draws a dashed ring around a component that can be chosen, readable on every color.
    fn ring(&mut self, outline: &Outline) {
        let shape = match outline {
            Outline::Rect(area) => {
                let Area { x, y, w, h } = *area;
                format!(r#"rect x="{x}" y="{y}" width="{w}" height="{h}" rx="6""#)
            }
            Outline::Disc(area) => {
                let Point { x, y } = area.middle();
                format!(r#"circle cx="{x}" cy="{y}" r="{}""#, area.w / 2)
            }
            Outline::Polygon(points) => format!(r#"polygon points="{}""#, List(points)),
            Outline::Quiet(_) => return,
        };
        let _written = write!(
            self.rings,
            "\n<{shape} class=\"halo\"/><{shape} class=\"ring\"/>"
        );
    }

    /// Draws a pale group that is no component.
    pub fn faded(&mut self, draw: impl FnOnce(&mut Self)) {
        self.write(r#"<g opacity=".45">"#);
        draw(self);
        self.write("</g>");
    }

    /// Draws a rectangle with round corners.
    pub fn rect(&mut self, area: Area, round: i32, fill: Paint) {
        self.bordered(area, round, (fill, None));
    }

    /// Draws a rectangle with round corners, with an optional line of this color and width around it.
    pub fn bordered(
        &mut self,
        area: Area,
        round: i32,
        (fill, line): (Paint, Option<(Paint, i32)>),
    ) {
        let Area { x, y, w, h } = area;
        let fill = self.fill(fill);
        let (round, class) = self.round(round);
        let line = self.stroke(line);
        self.write(format_args!(
            r#"<rect x="{x}" y="{y}" width="{w}" height="{h}"{round} class="f{fill}{class}{line}/>"#
        ));
    }

    /// Returns the attribute for round corners, and their class if themes can change them.
    fn round(&mut self, radius: i32) -> (String, String) {
        if radius == 0 {
            return (String::new(), String::new());
        }
        let class = if self.look.color_scheme == ColorScheme::Either {
            self.radii.insert(radius);
            format!(" r{radius}")
        } else {
            String::new()
        };
        let percent = self.look.theme.corners().unwrap_or(100);
        let radius = radius * i32::try_from(percent).unwrap_or(100) / 100;
        (format!(r#" rx="{radius}""#), class)
    }

    /// Returns the end of a class attribute and the width of a line.
    fn stroke(&mut self, line: Option<(Paint, i32)>) -> String {
        match line {
            Some((paint, 1)) => format!(r#" s{}""#, self.fill(paint)),
            Some((paint, width)) => {
                format!(r#" s{}" stroke-width="{width}""#, self.fill(paint))
            }
            None => String::from("\""),
        }
    }

    /// Draws a line through points.
    pub fn polyline(&mut self, points: &[Point], (paint, width): (Paint, i32)) {
        let line = self.stroke(Some((paint, width)));
        self.write(format_args!(
            r#"<polyline points="{}" class="l{line}/>"#,
            List(points)
        ));
    }

    /// Draws many separate lines of one kind, dashed if `dashes` gives the pattern as SVG does.
    pub fn ways(
        &mut self,
        ways: &[[Point; 2]],
        (paint, width): (Paint, i32),
        dashes: Option<&str>,
    ) {
        let line = self.stroke(Some((paint, width)));
        let dashes = dashes.map_or(String::new(), |dashes| {
            format!(r#" stroke-dasharray="{dashes}""#)
        });
        self.write(r#"<path d=""#);
        for [from, to] in ways {
            self.write(format_args!("M{} {}L{} {}", from.x, from.y, to.x, to.y));
        }
        self.write(format_args!(r#""{dashes} class="l{line}/>"#));
    }

    /// Draws a circle with an optional line.
    pub fn disc(
        &mut self,
        middle: Point,
        radius: i32,
        (fill, line): (Paint, Option<(Paint, i32)>),
    ) {
        let Point { x, y } = middle;
        let (fill, line) = (self.fill(fill), self.stroke(line));
        self.write(format_args!(
            r#"<circle cx="{x}" cy="{y}" r="{radius}" class="f{fill}{line}/>"#
        ));
    }

    /// Draws a shape in a square of this size around a point, filled, with a dark edge.
    pub fn shape(&mut self, shape: Shape, middle: Point, size: i32, fill: Paint) {
        self.edged(shape, middle, size, (fill, Paint::Dark));
    }

    /// Draws a shape in a square of this size around a point, filled, with an edge of this color.
    pub fn edged(&mut self, shape: Shape, middle: Point, size: i32, (fill, edge): (Paint, Paint)) {
        let edge = if edge == Paint::Dark {
            String::new()
        } else {
            format!(" s{}", self.fill(edge))
        };
        self.stamp(shape, (middle, size), (fill, &edge));
    }

    /// Draws a die that shows this face.
    pub fn die(&mut self, face: u8, middle: Point, size: i32, fill: Paint) {
        let pips = if fill.on() == Paint::Bright {
            " pips"
        } else {
            ""
        };
        self.stamp(Shape::die(face), (middle, size), (fill, pips));
    }

    /// Draws a shape of a size. Its definition is written once, and each use refers to it. Edges are dark unless they
    /// specify a color.
    fn stamp(&mut self, shape: Shape, (middle, size): (Point, i32), (fill, more): (Paint, &str)) {
        self.stamps.insert((shape.number(), size), shape);
        let (number, fill) = (shape.number(), self.fill(fill));
        let Area { x, y, .. } = Area::around(middle, size);
        self.write(format_args!(
            r##"<use href="#gk{number}-{size}" x="{x}" y="{y}" class="f{fill}{more}"/>"##
        ));
    }

    /// Draws a polygon that is used often, such as a hex: `points` are relative to its middle.
    pub fn tile(
        &mut self,
        name: &'static str,
        (middle, points): (Point, &[Point]),
        (fill, line): (Paint, Paint),
    ) {
        let outline = || format!(r#"<polygon points="{}"/>"#, List(points));
        self.tiles.entry(name).or_insert_with(outline);
        let Point { x, y } = middle;
        let (fill, line) = (self.fill(fill), self.fill(line));
        self.write(format_args!(
            r##"<use href="#gk-{name}" x="{x}" y="{y}" class="f{fill} s{line}"/>"##
        ));
    }

    /// Draws a name, or a sentence that is elsewhere as a whole, on a base line, cut if it is wider than this.
    pub fn name(&mut self, at: Point, name: impl Display, font: Font, width: i32) {
        let name = name.to_string();
        let cut = font.measure.cut(&name, width);
        let class = if cut == name { "" } else { " cut" };
        self.letters(at, &cut, font, class);
    }

    /// Draws a text with values, which must fit this width, on a base line: in letters as small as 11 if need be.
    pub fn text(&mut self, at: Point, text: impl Display, font: Font, width: i32) {
        let text = text.to_string();
        let font = font.down_to(Font::LEAST, &text, width);
        let fitted = font.measure.fitted(&text, width);
        self.fitted(at, &fitted, font);
    }

    /// Draws a text that fits its width.
    fn fitted(&mut self, at: Point, Fitted { text, length }: &Fitted, font: Font) {
        self.narrowed(at, (text, *length), font, "");
    }

    /// Draws text that needs no limit, such as a number. Its place has the width of Helvetica, so letters of wider fonts are
    /// set narrower.
    pub fn label(&mut self, at: Point, text: impl Display, font: Font) {
        let text = text.to_string();
        let width = font.label_width(&text);
        self.fitted(at, &font.measure.fitted(&text, width), font);
    }

    fn letters(&mut self, at: Point, text: &str, font: Font, more: &str) {
        self.narrowed(at, (text, None), font, more);
    }

    /// Draws text, set narrower to a length if one is given.
    fn narrowed(
        &mut self,
        Point { x, y }: Point,
        (text, length): (&str, Option<i32>),
        font: Font,
        more: &str,
    ) {
        if text.is_empty() {
            return;
        }
        let fill = self.fill(font.paint);
        let size = font.measure.size;
        self.sizes.insert(size);
        let bold = if font.measure.bold { " b" } else { "" };
        let anchor = match font.anchor {
            Anchor::Start => "",
            Anchor::Middle => " m",
            Anchor::End => " e",
        };
        let length = length.map_or(String::new(), |length| {
            format!(r#" textLength="{length}" lengthAdjust="spacingAndGlyphs""#)
        });
        self.write(format_args!(
            r#"<text x="{x}" y="{y}"{length} class="t{size}{bold}{anchor} f{fill}{more}">{}</text>"#,
            Escaped(text)
        ));
    }

    /// Draws text with values, which must fit this many lines, the first one on this base line. Returns the base line
    /// after it.
    pub fn lines(
        &mut self,
        mut at: Point,
        text: &str,
        font: Font,
        (width, most): (i32, usize),
    ) -> i32 {
        for line in font.measure.fitted_lines(text, width, most) {
            self.fitted(at, &line, font);
            at = at.by(0, font.size() + 2);
        }
        at.y
    }

    /// Draws a name, or a sentence that is elsewhere as a whole, in at most this many lines, the first one on this base
    /// line. What has no room is cut. Returns the base line after it.
    pub fn name_lines(
        &mut self,
        mut at: Point,
        name: &str,
        font: Font,
        (width, most): (i32, usize),
    ) -> i32 {
        for line in font.measure.lines(name, width, most) {
            let class = if line.ends_with('…') { " cut" } else { "" };
            self.letters(at, &line, font, class);
            at = at.by(0, font.size() + 2);
        }
        at.y
    }
}

/// A list of points in SVG syntax.
pub(super) struct List<'a>(pub(super) &'a [Point]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, Point { x, y }) in self.0.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{x},{y}")?;
        }
        Ok(())
    }
}

/// Text escaped for XML. Control characters, which XML does not allow, are left out.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
                letter => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
