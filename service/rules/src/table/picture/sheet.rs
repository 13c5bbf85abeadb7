//! The frame of an SVG: title, style sheet and definitions around what was drawn. Each part that can change alone is on
//! a line of its own, so that a change of a drawing is a few lines.

use std::fmt::Write;

use super::canvas::Escaped;
use super::{Canvas, ColorScheme, Paint};

/// The meaning of the marks of a drawing, for people who do not see them.
const LEGEND: &str = "A dashed ring: you can choose it. A star: nobody has more points. Yellow with a blue edge: now. \
                      A thick edge in the color of a player: this player must decide.";

impl Canvas<'_> {
    /// Completes the drawing with its height and its title, a sentence about the table.
    pub fn finish(self, height: i32, title: &str) -> String {
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
            r#"viewBox="0 0 {width} {height}" width="{width}" height="{height}" class="{root}" role="group"><title>{}</title><desc>{LEGEND}</desc>"#,
            Escaped(title)
        );
        svg.push('\n');
        svg.push_str(&self.style(root));
        svg.push_str("\n<defs>");
        svg.push_str(&self.definitions());
        svg.push_str("</defs>\n");
        let _written = write!(
            svg,
            r#"<rect width="{width}" height="{height}" class="f{}"/>"#,
            Paint::Paper.class()
        );
        svg.push_str(&self.body);
        let rings = &self.rings;
        let _written = write!(svg, "\n<g pointer-events=\"none\">{rings}\n</g></svg>");
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
                "\n<g id=\"gk{number}-{size}\" transform=\"scale({whole}.{part:03})\">{}</g>",
                shape.content()
            );
        }
        for (name, outline) in &self.tiles {
            let _written = write!(all, "\n<g id=\"gk-{name}\">{outline}</g>");
        }
        all
    }

    /// Returns the style sheet. Every rule begins with the class of the drawing, so that a page can embed it without
    /// conflicts. If the reader's preference decides, every color is a custom property that a page can set.
    fn style(&self, root: &str) -> String {
        let (scheme, theme) = (self.look.color_scheme, self.look.theme);
        let is_open = scheme == ColorScheme::Either;
        let [ink, halo, dark, bright] = [Paint::Ink, Paint::Halo, Paint::Dark, Paint::Bright]
            .map(|paint| paint.value(scheme, theme.color(paint)));
        let fonts = "Helvetica,Arial,'Liberation Sans',sans-serif";
        let fonts = if is_open {
            format!("var(--gk-font,{fonts})")
        } else {
            fonts.to_owned()
        };
        let mut style = format!(
            "<style>.{root}{{color:{dark};font-family:{fonts}}}\
             .{root} .b{{font-weight:700}}.{root} .m{{text-anchor:middle}}.{root} .e{{text-anchor:end}}\
             .{root} .l{{fill:none;stroke-linecap:round;stroke-linejoin:round}}\
             .{root} .can{{cursor:pointer}}.{root} .pips{{color:{bright}}}\
             .{root} .halo{{fill:none;stroke:{halo};stroke-width:4}}\
             .{root} .ring{{fill:none;stroke:{ink};stroke-width:2;stroke-dasharray:6 4}}\
             .{root} use{{stroke:{dark};stroke-width:1.5}}"
        );
        for size in &self.sizes {
            let _written = write!(style, "\n.{root} .t{size}{{font-size:{size}px}}");
        }
        let corners = match theme.corners() {
            None => String::from("1"),
            Some(percent) => format!("{}.{:02}", percent / 100, percent % 100),
        };
        for radius in &self.radii {
            let radius = format!(".r{radius}{{rx:calc({radius}px*var(--gk-corners,{corners}))}}");
            let _written = write!(style, "\n.{root} {radius}");
        }
        for paint in self.paints {
            let (class, value) = (paint.class(), paint.value(scheme, theme.color(paint)));
            let _written = write!(
                style,
                "\n.{root} .f{class}{{fill:{value}}}.{root} .s{class}{{stroke:{value}}}"
            );
        }
        if is_open {
            style.push_str(&self.properties(root));
        }
        style.push_str("</style>");
        style
    }

    /// Returns the rules that give each color its value on light and on dark ground, unless the page has set it.
    fn properties(&self, root: &str) -> String {
        let theme = self.look.theme;
        let light = self.paints.iter().map(|paint| {
            let themed = theme.color(paint);
            paint.property(themed.as_deref().unwrap_or(paint.light()))
        });
        // A color of the theme holds on light and on dark ground.
        let dark = self.paints.iter();
        let dark =
            dark.filter(|&paint| paint.light() != paint.dark() && theme.color(paint).is_none());
        let dark = dark.map(|paint| paint.property(paint.dark()));
        format!(
            "\n.{root}{{{}}}\n@media(prefers-color-scheme:dark){{.{root}{{{}}}}}",
            light.collect::<String>(),
            dark.collect::<String>()
        )
    }
}
