//! The table as a picture, as one viewer may see it.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::life;
use gamekeeper_rules::ruleset::{picture, reach};
use gamekeeper_rules::table::picture::{Ground, Look, Size};
use gamekeeper_rules::table::{Component, Happening, Names, Seat, Viewer};
use gamekeeper_wire::{Malformed, Wire};

use crate::heart::game::{EntryOf, Game};

/// The maximum number of steps through the list of legal actions, whose components are ringed in a picture. The bound
/// keeps a drawing from blocking its thread for long.
const REACH_STEPS: u32 = 1_024;

/// The style of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drawing {
    size: Size,
    ground: Ground,
}

impl Drawing {
    /// Decodes the field `show.drawing` of a request. Returns `None` if the field is not set.
    ///
    /// # Errors
    /// If the color scheme is unknown.
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

    /// Draws the table of this game. `played` is the entry that led to it, if available, for the line on what happened
    /// last.
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

/// Returns the sentence of the last event of an entry that the viewer may see.
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
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::table::Scene;
    use uuid::Uuid;

    use super::*;
    use crate::heart::show::Show;
    use crate::process::{Process, store};

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

    /// The sentence below a picture is the last one that the log has for this viewer.
    #[tokio::test]
    async fn the_last_event_is_that_of_the_log() {
        let process = Process::<Dominion>::over(&store());
        let game = process.create(2, pb::TableOptions::default()).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        process.act(&game).await;
        let entries = process.games.entries(id, 1, 1).await.unwrap();
        let played = Game::<Dominion>::read_entry(&entries[0]).unwrap();
        let game = process.games.at_version(id, 2).await.unwrap();
        let mut show = Show::facts(Viewer::Spectator);
        (show.events, show.text) = (true, true);
        let mut scene = Scene::default();
        let told = show.events::<Dominion>(played.story.told(), game.players(), &mut scene);
        let last = told.last().map(|event| event.text.clone());
        assert!(last.as_ref().is_some_and(|text| !text.is_empty()));
        assert_eq!(last_event(&game, Viewer::Spectator, &played), last);
    }
}
