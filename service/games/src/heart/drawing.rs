//! The table as a picture, as one viewer may see it.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::life;
use gamekeeper_rules::ruleset::{picture, reach};
use gamekeeper_rules::table::picture::{Ground, Look, Size};
use gamekeeper_rules::table::{Component, Happening, Names, Seat, Viewer};
use gamekeeper_wire::{Malformed, Wire};

use crate::heart::game::{EntryOf, Game};

/// A drawing rings what legal actions touch. It looks at the list of actions for this many steps, so that it never holds its
/// thread for long.
const REACH_STEPS: u32 = 1_024;

/// How a picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drawing {
    size: Size,
    ground: Ground,
}

impl Drawing {
    /// Reads the field `show.drawing` of a request. `None`: no drawing.
    ///
    /// # Errors
    /// For an unknown color scheme.
    pub(crate) fn read(style: Option<pb::DrawingStyle>) -> Result<Option<Self>, Malformed> {
        let Some(style) = style else {
            return Ok(None);
        };
        let ground = match pb::ColorScheme::try_from(style.color_scheme) {
            Ok(pb::ColorScheme::Unspecified) => Ground::Either,
            Ok(pb::ColorScheme::Light) => Ground::Light,
            Ok(pb::ColorScheme::Dark) => Ground::Dark,
            Err(_) => return Err(Malformed::new("show.drawing.color_scheme", "is unknown")),
        };
        let size = if style.narrow {
            Size::Phone
        } else {
            Size::Wide
        };
        Ok(Some(Self { size, ground }))
    }

    /// The table of this game. `played` is the entry that led to it, where it is at hand.
    pub(crate) fn draw<W: Wire>(
        self,
        game: &Game<W>,
        (view, viewer): (&W::View, Viewer),
        played: Option<&EntryOf<W>>,
    ) -> String {
        let pending = game.pending();
        let acts = |seat: Seat| pending.iter().any(|owed| owed.seat == seat);
        let reach = match viewer {
            Viewer::Seat(seat) if acts(seat) => reach::<W>(&game.state, view, seat, REACH_STEPS),
            Viewer::Seat(_) | Viewer::Spectator | Viewer::Operator => BTreeSet::<Component>::new(),
        };
        let ranking = life::ranking::<W>(&game.state, game.life.as_deref());
        let last = played.and_then(|played| last_event(game, viewer, played));
        let look = Look {
            viewer,
            names: Names::new(game.players()),
            size: self.size,
            ground: self.ground,
            pending: &pending,
            decisions: W::DECISIONS,
            ranking: ranking.as_ref(),
            reach: &reach,
            last: last.as_deref().unwrap_or_default(),
        };
        picture::<W>(view, &look)
    }
}

/// The last thing that happened, as the viewer may know it.
fn last_event<W: Wire>(game: &Game<W>, viewer: Viewer, played: &EntryOf<W>) -> Option<String> {
    let scene = W::scene(&game.state).unwrap_or_default();
    let names = Names::new(game.players()).in_scene(&scene);
    let mut told: Vec<_> = played.story.told().collect();
    while let Some((event, _)) = told.pop() {
        if let Some(seen) = W::event_view(event, viewer) {
            return Some(seen.sentence(names));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_color_schemes_are_refused() {
        let read = |color_scheme| {
            let narrow = true;
            Drawing::read(Some(pb::DrawingStyle {
                narrow,
                color_scheme,
            }))
        };
        assert_eq!(Drawing::read(None).unwrap(), None);
        let size = Size::Phone;
        for (asked, ground) in [(0, Ground::Either), (1, Ground::Light), (2, Ground::Dark)] {
            assert_eq!(read(asked).unwrap(), Some(Drawing { size, ground }));
        }
        assert_eq!(read(3).unwrap_err().field, "show.drawing.color_scheme");
    }
}
