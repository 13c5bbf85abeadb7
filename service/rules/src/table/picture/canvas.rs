//! The writer of a drawing: typed elements in, SVG out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};

use enumset::EnumSet;

use super::letters::Measure;
use super::{Area, ColorScheme, Look, Paint, Point, Shape, Size};
use crate::table::Component;

/// The widths of drawings.
const WIDE: i32 = 1200;
const PHONE: i32 = 390;

/// The size, weight, alignment and color of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Font {
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
    /// Creates a font of this size whose text begins at its point. No text is smaller than 11.
    pub(crate) const fn new(size: i32) -> Self {
        let measure = Measure { size, bold: false };
        let (anchor, paint) = (Anchor::Start, Paint::Ink);
        Self {
            measure,
            anchor,
            paint,
        }
    }

    pub(crate) const fn bold(mut self) -> Self {
        self.measure.bold = true;
        self
    }

    pub(crate) const fn faint(self) -> Self {
        self.paint(Paint::Faint)
    }

    pub(crate) const fn paint(self, paint: Paint) -> Self {
        Self { paint, ..self }
    }

    /// Centers the text on its point.
    pub(crate) const fn middle(self) -> Self {
        let anchor = Anchor::Middle;
        Self { anchor, ..self }
    }

    /// Ends the text at its point.
    pub(crate) const fn end(self) -> Self {
        let anchor = Anchor::End;
        Self { anchor, ..self }
    }

    pub(crate) const fn size(self) -> i32 {
        self.measure.size
    }

    /// Returns the width of a text.
    pub(crate) fn width(self, text: &str) -> i32 {
        self.measure.width(text)
    }

    /// Shrinks the font until the text fits the width, but not below this size.
    pub(crate) fn down_to(self, least: i32, text: &str, width: i32) -> Self {
        let mut font = self;
        while font.measure.size > least && font.width(text) > width {
            font.measure.size -= 1;
        }
        font
    }
}

/// The outline of a component: the area for clicks, and the line of the ring.
#[derive(Clone, Debug)]
pub(crate) enum Outline {
    Rect(Area),
    /// Rounded like a token.
    Disc(Area),
    Polygon(Vec<Point>),
    /// No ring, for components that are clear without one.
    None,
}

/// A drawing in progress.
pub(crate) struct Canvas<'a> {
    pub(crate) look: &'a Look<'a>,
    body: String,
    /// The rings, which are drawn above everything else.
    rings: String,
    paints: EnumSet<Paint>,
    /// The sizes of texts that occur.
    sizes: BTreeSet<i32>,
    /// The shapes that occur, by number and size.
    stamps: BTreeMap<(u8, i32), Shape>,
    tiles: BTreeMap<&'static str, String>,
}

impl<'a> Canvas<'a> {
    pub(crate) fn new(look: &'a Look<'a>) -> Self {
        Self {
            look,
            body: String::with_capacity(40_000),
            rings: String::new(),
            paints: EnumSet::only(Paint::Paper) | Paint::Ink | Paint::Halo,
            sizes: BTreeSet::new(),
            stamps: BTreeMap::new(),
            tiles: BTreeMap::new(),
        }
    }

    /// Returns the width of the drawing.
    pub(crate) const fn width(&self) -> i32 {
        match self.look.size {
            Size::Wide => WIDE,
            Size::Phone => PHONE,
        }
    }

    pub(crate) fn is_phone(&self) -> bool {
        self.look.is_phone()
    }

    fn write(&mut self, text: impl Display) {
        // Writing to a string does not fail.
        let _written = write!(self.body, "{text}");
    }

    fn fill(&mut self, paint: Paint) -> u8 {
        self.paints.insert(paint);
        paint.class()
    }

    /// Draws a component: everything that `draw` draws belongs to it. Rings it if a legal action of the viewer touches
    /// it.
    pub(crate) fn part(
        &mut self,
        component: Component,
        title: impl Display,
        outline: &Outline,
        draw: impl FnOnce(&mut Self),
    ) {
        let reached = self.look.is_interactive(component);
        let class = if reached { r#" class="can""# } else { "" };
        self.write(format_args!(
            "\n<g data-component=\"{component}\"{class}><title>{}</title>",
            Escaped(&title.to_string())
        ));
        draw(self);
        self.write("</g>");
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
            Outline::None => return,
        };
        let _written = write!(
            self.rings,
            r#"<{shape} class="halo"/><{shape} class="ring"/>"#
        );
    }

    /// Draws a pale group that is no component.
    pub(crate) fn faded(&mut self, draw: impl FnOnce(&mut Self)) {
        self.write(r#"<g opacity=".45">"#);
        draw(self);
        self.write("</g>");
    }

    /// Draws a rectangle with round corners.
    pub(crate) fn rect(&mut self, area: Area, round: i32, fill: Paint) {
        self.bordered(area, round, (fill, None));
    }

    /// Draws a rectangle with round corners, with an optional line of this color and width around it.
    pub(crate) fn bordered(
        &mut self,
        area: Area,
        round: i32,
        (fill, line): (Paint, Option<(Paint, i32)>),
    ) {
        let Area { x, y, w, h } = area;
        let fill = self.fill(fill);
        let round = if round > 0 {
            format!(r#" rx="{round}""#)
        } else {
            String::new()
        };
        let line = self.stroke(line);
        self.write(format_args!(
            r#"<rect x="{x}" y="{y}" width="{w}" height="{h}"{round} class="f{fill}{line}/>"#
        ));
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
    pub(crate) fn polyline(&mut self, points: &[Point], (paint, width): (Paint, i32)) {
        let line = self.stroke(Some((paint, width)));
        self.write(format_args!(
            r#"<polyline points="{}" class="l{line}/>"#,
            List(points)
        ));
    }

    /// Draws many separate lines of one kind, dashed if `dashes` gives the pattern as SVG does.
    pub(crate) fn ways(
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
    pub(crate) fn disc(
        &mut self,
        middle: Point,
        radius: i32,
        fill: Paint,
        line: Option<(Paint, i32)>,
    ) {
        let Point { x, y } = middle;
        let (fill, line) = (self.fill(fill), self.stroke(line));
        self.write(format_args!(
            r#"<circle cx="{x}" cy="{y}" r="{radius}" class="f{fill}{line}/>"#
        ));
    }

    /// Draws a shape in a square of this size around a point, filled, with a dark edge.
    pub(crate) fn shape(&mut self, shape: Shape, middle: Point, size: i32, fill: Paint) {
        self.edged(shape, middle, size, (fill, Paint::Dark));
    }

    /// Draws a shape in a square of this size around a point, filled, with an edge of this color.
    pub(crate) fn edged(
        &mut self,
        shape: Shape,
        middle: Point,
        size: i32,
        (fill, edge): (Paint, Paint),
    ) {
        let edge = if edge == Paint::Dark {
            String::new()
        } else {
            format!(" s{}", self.fill(edge))
        };
        self.stamp(shape, (middle, size), (fill, &edge), "");
    }

    /// Draws a die that shows this face.
    pub(crate) fn die(&mut self, face: u8, middle: Point, size: i32, fill: Paint) {
        let pips = if fill.on() == Paint::Bright {
            r##" color="#fff""##
        } else {
            ""
        };
        self.stamp(Shape::die(face), (middle, size), (fill, ""), pips);
    }

    /// Draws a shape of a size. Its definition is written once, and each use refers to it. Edges are dark unless they
    /// specify a color.
    fn stamp(
        &mut self,
        shape: Shape,
        (middle, size): (Point, i32),
        (fill, edge): (Paint, &str),
        more: &str,
    ) {
        self.stamps.insert((shape.number(), size), shape);
        let (number, fill) = (shape.number(), self.fill(fill));
        let Area { x, y, .. } = Area::around(middle, size);
        self.write(format_args!(
            r##"<use href="#gk{number}-{size}" x="{x}" y="{y}" class="f{fill}{edge}"{more}/>"##
        ));
    }

    /// Draws a polygon that is used often, such as a hex: `points` are relative to its middle.
    pub(crate) fn tile(
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

    /// Draws text on a base line, cut if it is wider than this.
    pub(crate) fn text(&mut self, at: Point, text: impl Display, font: Font, width: i32) {
        let text = text.to_string();
        let text = font.measure.cut(&text, width);
        self.letters(at, &text, font);
    }

    /// Draws text that needs no limit, such as a number.
    pub(crate) fn label(&mut self, at: Point, text: impl Display, font: Font) {
        self.letters(at, &text.to_string(), font);
    }

    fn letters(&mut self, Point { x, y }: Point, text: &str, font: Font) {
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
        self.write(format_args!(
            r#"<text x="{x}" y="{y}" class="t{size}{bold}{anchor} f{fill}">{}</text>"#,
            Escaped(text)
        ));
    }

    /// Draws text in at most this many lines, the first one on this base line. Returns the base line after it.
    pub(crate) fn lines(
        &mut self,
        at: Point,
        text: &str,
        font: Font,
        (width, most): (i32, usize),
    ) -> i32 {
        let step = font.size() + 2;
        let mut y = at.y;
        for line in font.measure.lines(text, width, most) {
            self.letters(Point::new(at.x, y), &line, font);
            y += step;
        }
        y
    }

    /// Completes the drawing with its height and its title, a sentence about the table.
    pub(crate) fn finish(self, height: i32, title: &str) -> String {
        let width = self.width();
        let root = match self.look.color_scheme {
            ColorScheme::Either => "gk",
            ColorScheme::Light => "gk-light",
            ColorScheme::Dark => "gk-dark",
        };
        let mut svg = String::with_capacity(self.body.len() + self.rings.len() + 8_000);
        svg.push_str(r#"<svg xmlns="http://www.w3.org/2000/svg" "#);
        let _written = write!(
            svg,
            r#"viewBox="0 0 {width} {height}" width="{width}" height="{height}" class="{root}" role="group"><title>{}</title>"#,
            Escaped(title)
        );
        svg.push_str(&self.style(root));
        svg.push_str("<defs>");
        svg.push_str(&self.definitions());
        let _written = write!(
            svg,
            r#"</defs><rect width="{width}" height="{height}" class="f{}"/>"#,
            Paint::Paper.class()
        );
        svg.push_str(&self.body);
        let _written = write!(svg, r#"<g pointer-events="none">{}</g></svg>"#, self.rings);
        svg
    }

    /// Returns the definitions of shapes and tiles, each once. Sizes are thousandths of the square of 24 units.
    fn definitions(&self) -> String {
        let mut all = String::new();
        for (&(number, size), shape) in &self.stamps {
            let scale = size * 1_000 / 24;
            let (whole, part) = (scale / 1_000, scale % 1_000);
            let _written = write!(
                all,
                r#"<g id="gk{number}-{size}" transform="scale({whole}.{part:03})">{}</g>"#,
                shape.content()
            );
        }
        for (name, outline) in &self.tiles {
            let _written = write!(all, r#"<g id="gk-{name}">{outline}</g>"#);
        }
        all
    }

    /// Returns the style sheet. Every rule begins with the class of the drawing, so that a page can embed it without
    /// conflicts.
    fn style(&self, root: &str) -> String {
        let mut style = format!(
            "<style>.{root}{{color:#16181d;font-family:Helvetica,Arial,'Liberation Sans',sans-serif}}\
             .{root} .b{{font-weight:700}}.{root} .m{{text-anchor:middle}}.{root} .e{{text-anchor:end}}\
             .{root} .l{{fill:none;stroke-linecap:round;stroke-linejoin:round}}\
             .{root} .can{{cursor:pointer}}\
             .{root} .halo{{fill:none;stroke-width:4}}\
             .{root} .ring{{fill:none;stroke-width:2;stroke-dasharray:6 4}}\
             .{root} use{{stroke:#16181d;stroke-width:1.5}}"
        );
        for size in &self.sizes {
            let _written = write!(style, ".{root} .t{size}{{font-size:{size}px}}");
        }
        for paint in self.paints {
            style.push_str(&paint.rules(root, self.look.color_scheme));
        }
        style.push_str(&ring_rules(root, self.look.color_scheme));
        if self.look.color_scheme == ColorScheme::Either {
            style.push_str("@media(prefers-color-scheme:dark){");
            for paint in self.paints {
                style.push_str(&paint.dark_rules(root));
            }
            style.push_str(&ring_rules(root, ColorScheme::Dark));
            style.push('}');
        }
        style.push_str("</style>");
        style
    }
}

/// Returns the rules of rings: the dashed line is dark on light ground, and light on dark ground, each with an edge of
/// the opposite color.
fn ring_rules(root: &str, color_scheme: ColorScheme) -> String {
    let (ring, halo) = match color_scheme {
        ColorScheme::Either | ColorScheme::Light => ("#16181d", "#ffffff"),
        ColorScheme::Dark => ("#ffffff", "#000000"),
    };
    format!(".{root} .ring{{stroke:{ring}}}.{root} .halo{{stroke:{halo}}}")
}

/// A list of points in SVG syntax.
struct List<'a>(&'a [Point]);

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
struct Escaped<'a>(&'a str);

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
