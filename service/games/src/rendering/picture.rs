//! The table as a picture, as one viewer may see it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::ruleset::{interactive_components, picture};
use gamekeeper_rules::table::picture::{ColorScheme, Look, Size, Theme, ThemeFault};
use gamekeeper_rules::table::{Component, GameEvent, Names, Seat, Viewer};
use gamekeeper_rules::table_life;
use gamekeeper_wire::{Malformed, Wire};

use crate::aggregate::game::{EntryOf, Game};
use crate::raster;

/// The maximum number of steps through the list of legal actions, whose components are ringed in a picture. The bound
/// keeps a drawing from blocking its thread for long.
const HIGHLIGHT_STEPS: u32 = 1_024;

/// The style of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PictureStyle {
    size: Size,
    color_scheme: ColorScheme,
    /// Colors and measures that replace the usual ones. Is `None` if none do.
    theme: Option<Arc<Theme>>,
    /// Whether watches send changes.
    pub(crate) changes: bool,
    /// Whether the picture is wanted as PNG.
    pub(crate) raster: bool,
}

impl PictureStyle {
    /// Decodes the field `show.drawing` of a request. Returns `None` if the field is not set.
    ///
    /// # Errors
    /// If the color scheme is unknown, no drawing has this width, or the theme has an unknown color or a value out of
    /// range.
    pub(crate) fn from_request(
        style: Option<&pb::DrawingStyle>,
    ) -> Result<Option<Self>, Malformed> {
        let Some(style) = style else {
            return Ok(None);
        };
        let color_scheme = match pb::ColorScheme::try_from(style.color_scheme) {
            // Who paints pictures knows no custom properties.
            Ok(pb::ColorScheme::Unspecified) if style.raster => ColorScheme::Light,
            Ok(pb::ColorScheme::Unspecified) => ColorScheme::Either,
            Ok(pb::ColorScheme::Light) => ColorScheme::Light,
            Ok(pb::ColorScheme::Dark) => ColorScheme::Dark,
            Err(_) => return Err(Malformed::new("show.drawing.color_scheme", "is unknown")),
        };
        let size = match style.width {
            0 => Some(Size::Wide),
            width => Size::of_width(width),
        };
        let unknown = || Malformed::new("show.drawing.width", "is neither 390, 800 nor 1200");
        let size = size.ok_or_else(unknown)?;
        let theme = style.theme.as_deref().map(read_theme).transpose();
        let theme = theme.map_err(|fault| fault.with_prefix("show.drawing.theme"))?;
        Ok(Some(Self {
            size,
            color_scheme,
            theme: theme.map(Arc::new),
            changes: style.changes,
            raster: style.raster,
        }))
    }

    /// Returns the names by which the picture calls the players: empty where its font cannot write them.
    pub(crate) fn called<'a>(&self, players: &'a [String]) -> Cow<'a, [String]> {
        let is_written = |name: &String| !self.raster || raster::can_write(name);
        if players.iter().all(is_written) {
            return players.into();
        }
        let written = players.iter().map(|name| {
            let kept = is_written(name).then(|| name.clone());
            kept.unwrap_or_default()
        });
        written.collect()
    }

    /// Draws the table of this game, with the players called by these names. `last_entry` is the entry that led to it, if available, for the line on what
    /// happened last.
    pub(crate) fn draw<W: Wire>(
        &self,
        game: &Game<W>,
        (view, viewer, names): (&W::View, Viewer, Names<'_>),
        last_entry: Option<&EntryOf<W>>,
    ) -> String {
        let pending = game.pending();
        let has_decision = |seat: Seat| pending.iter().any(|decision| decision.seat == seat);
        let highlighted = match viewer {
            Viewer::Seat(seat) if has_decision(seat) => {
                interactive_components::<W>(&game.state, view, seat, HIGHLIGHT_STEPS)
            }
            Viewer::Seat(_) | Viewer::Spectator | Viewer::Operator => BTreeSet::<Component>::new(),
        };
        let ranking = table_life::ranking::<W>(&game.state, game.table_life.as_deref());
        let last_sentence =
            last_entry.and_then(|entry| last_visible_event(game, (viewer, names), entry));
        let scene_style = Look {
            viewer,
            names,
            size: self.size,
            color_scheme: self.color_scheme,
            theme: self.theme.as_deref().unwrap_or(Theme::PLAIN),
            pending: &pending,
            decisions: W::DECISIONS,
            ranking: ranking.as_ref(),
            interactive: &highlighted,
            last: last_sentence.as_deref().unwrap_or_default(),
        };
        picture::<W>(view, &scene_style)
    }
}

/// Decodes a theme.
///
/// # Errors
/// If a color is unknown or no color, or a measure is out of range.
fn read_theme(sent: &pb::DrawingTheme) -> Result<Theme, Malformed> {
    let pb::DrawingTheme {
        colors,
        corners_percent,
        font_width_percent,
    } = sent;
    let mut theme = Theme::new();
    for (name, color) in colors {
        let set = theme.set_color(name, color);
        set.map_err(|fault| match fault {
            // What the request says is not repeated: it may be long.
            ThemeFault::UnknownColor => {
                Malformed::new("colors", "has a name that is no color of drawings")
            }
            fault @ (ThemeFault::NoColor | ThemeFault::Corners | ThemeFault::Letters) => {
                Malformed::new(format!("colors.{name}"), fault.to_string())
            }
        })?;
    }
    if let Some(percent) = *corners_percent {
        let set = theme.set_corners(percent);
        set.map_err(|fault| Malformed::new("corners_percent", fault.to_string()))?;
    }
    if *font_width_percent != 0 {
        let set = theme.set_letters(*font_width_percent);
        set.map_err(|fault| Malformed::new("font_width_percent", fault.to_string()))?;
    }
    Ok(theme)
}

/// Returns the sentence of the last event of an entry that the viewer may see.
fn last_visible_event<W: Wire>(
    game: &Game<W>,
    (viewer, names): (Viewer, Names<'_>),
    entry: &EntryOf<W>,
) -> Option<String> {
    let scene = W::text_context(&game.state).unwrap_or_default();
    let names = names.in_context(&scene);
    let mut events: Vec<_> = entry.record.events_with_forced().collect();
    while let Some((event, _)) = events.pop() {
        if let Some(visible_event) = W::event_view(event, viewer) {
            return Some(visible_event.sentence(names));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::table::TextContext;
    use uuid::Uuid;

    use super::*;
    use crate::rendering::projection::Projection;
    use crate::test_server::{TestServer, store};

    #[test]
    fn unknown_styles_are_refused() {
        let read = |width, color_scheme| {
            PictureStyle::from_request(Some(&pb::DrawingStyle {
                width,
                color_scheme,
                ..pb::DrawingStyle::default()
            }))
        };
        assert_eq!(PictureStyle::from_request(None).unwrap(), None);
        let sizes = [
            (0, Size::Wide),
            (390, Size::Phone),
            (800, Size::Tablet),
            (1200, Size::Wide),
        ];
        let schemes = [
            (0, ColorScheme::Either),
            (1, ColorScheme::Light),
            (2, ColorScheme::Dark),
        ];
        for ((width, size), (scheme, color_scheme)) in
            sizes.into_iter().zip(schemes.into_iter().cycle())
        {
            assert_eq!(
                read(width, scheme).unwrap(),
                Some(PictureStyle {
                    size,
                    color_scheme,
                    theme: None,
                    changes: false,
                    raster: false,
                })
            );
        }
        assert_eq!(read(0, 3).unwrap_err().field, "show.drawing.color_scheme");
        assert_eq!(read(768, 0).unwrap_err().field, "show.drawing.width");
    }

    #[test]
    fn themes_have_known_colors_and_bounds() {
        let read = |colors: &[(&str, &str)], corners_percent, font_width_percent| {
            let colors = colors.iter();
            let theme = pb::DrawingTheme {
                colors: colors
                    .map(|&(name, color)| (name.into(), color.into()))
                    .collect(),
                corners_percent,
                font_width_percent,
            };
            PictureStyle::from_request(Some(&pb::DrawingStyle {
                theme: Some(Box::new(theme)),
                ..pb::DrawingStyle::default()
            }))
        };
        let style = read(
            &[("paper", "#101820"), ("soft-red", "#ABCDEF")],
            Some(0),
            110,
        );
        let mut theme = Theme::new();
        theme.set_color("paper", "#101820").unwrap();
        theme.set_color("soft-red", "#abcdef").unwrap();
        theme.set_corners(0).unwrap();
        theme.set_letters(110).unwrap();
        assert_eq!(style.unwrap().unwrap().theme.as_deref(), Some(&theme));
        let field = |read: Result<_, Malformed>| read.unwrap_err().field;
        let long = "x".repeat(100_000);
        for name in ["papyrus", "", "--gk-paper", &long] {
            let field = field(read(&[(name, "#101820")], None, 0));
            assert_eq!(field, "show.drawing.theme.colors");
        }
        for color in ["red", "", "#fff", "#10182g", "#101820;}", "101820 ", &long] {
            let field = field(read(&[("paper", color)], None, 0));
            assert_eq!(field, "show.drawing.theme.colors.paper");
        }
        let corners = field(read(&[], Some(301), 0));
        assert_eq!(corners, "show.drawing.theme.corners_percent");
        for width in [99, 126] {
            let width = field(read(&[], None, width));
            assert_eq!(width, "show.drawing.theme.font_width_percent");
        }
    }

    /// The sentence below a picture is the last one that the log has for this viewer.
    #[tokio::test]
    async fn the_last_event_is_that_of_the_log() {
        let process = TestServer::<Dominion>::new(&store());
        let game = process.create(2, pb::TableOptions::default()).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        process.play_first_legal(&game).await;
        let entries = process.games.entries(id, 1, 1).await.unwrap();
        let played = Game::<Dominion>::read_entry(&entries[0]).unwrap();
        let game = process.games.at_version(id, 2).await.unwrap();
        let mut show = Projection::public_only(Viewer::Spectator);
        (show.events, show.text) = (true, true);
        let mut scene = TextContext::default();
        let visible = show.events::<Dominion>(
            played.record.events_with_forced(),
            game.players(),
            &mut scene,
        );
        let last = visible.last().map(|event| event.text.clone());
        assert!(last.as_ref().is_some_and(|text| !text.is_empty()));
        let seen = (Viewer::Spectator, Names::new(game.players()));
        assert_eq!(last_visible_event(&game, seen, &played), last);
    }
}
