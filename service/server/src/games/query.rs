//! Looking at a table, and asking what may be done.

use std::ops::ControlFlow;

use gamekeeper_proto::envelope::{
    GetCatalogueRequest, GetCatalogueResponse, GetGameRequest, GetGameResponse,
    ListLegalActionsRequest, ListLegalActionsResponse,
};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::ruleset::visit_legal;
use gamekeeper_rules::table::{Detail, Names, Seat, Viewer};
use gamekeeper_wire::{Malformed, Wire, pending};

use super::allowed::may_read;
use super::apply::subject;
use super::game::Game;
use super::page::{LARGEST_PAGE, Page, token};
use super::seated::{seat, seated};
use super::show::{Board, Show};
use super::{Games, parse_id};
use crate::auth::{Caller, Wish};
use crate::problem::Problem;
use crate::store::Version;

impl<W: Wire> Games<W> {
    /// The table as one viewer may see it, now or at an earlier version.
    ///
    /// # Errors
    /// When the caller may not, the request means nothing, there is no such version, or the store
    /// fails.
    pub async fn look(
        &self,
        caller: &Caller,
        call: GetGameRequest,
    ) -> Result<GetGameResponse<W::Messages>, Problem> {
        let id = parse_id(&call.game_id)?;
        let show = Show {
            viewer: viewer(caller, call.viewer.as_ref())?,
            view: true,
            board: Board::read(call.with_board)?,
            text: false,
        };
        let game = self.open_fresh(caller, id).await?;
        may_read(caller, &game, Wish::Look(show.viewer), "get_game")?;
        let seed_reveal = game.seed_reveal();
        if call.at_version == 0 || call.at_version == game.version {
            return Ok(seen(&game, show, seed_reveal));
        }
        if call.at_version > game.version {
            let (asked, current) = (call.at_version, game.version);
            return Err(Problem::NoSuchVersion { asked, current });
        }
        drop(game);
        let then = Box::pin(self.at_version(id, call.at_version)).await?;
        // At the end of a game everybody may see everything, but not before: an earlier version is
        // shown as it was shown then, unless all was asked for.
        Ok(seen(&then, show, seed_reveal))
    }

    /// What a seat may do now.
    ///
    /// # Errors
    /// When the caller may not, the request means nothing, or the store fails.
    pub async fn legal(
        &self,
        caller: &Caller,
        call: ListLegalActionsRequest,
    ) -> Result<ListLegalActionsResponse<W::Messages>, Problem> {
        let id = parse_id(&call.game_id)?;
        let seat = seat(call.seat, "seat")?;
        let detail = detail(call.detail, "detail")?;
        let page = Page::new(call.page_size, call.page_token);
        let limit = page.limit(LARGEST_PAGE)?;
        let list = format!("legal {id} {seat} {detail:?} {:?}", call.kinds);
        let place = page.start::<2>(&list)?;
        let game = self.open_fresh(caller, id).await?;
        seated(caller, &game, seat, "seat")?;
        may_read(
            caller,
            &game,
            Wish::Look(Viewer::Seat(seat)),
            "list_legal_actions",
        )?;
        let skip = skipped(place, game.version)?;
        let wanted = |action: &W::Action| {
            call.kinds.is_empty() || call.kinds.iter().any(|kind| kind == W::kind(action))
        };
        let mut legal = ListLegalActionsResponse {
            version: game.version,
            pending: pending(&W::pending(&game.state)),
            actions: Vec::new(),
            exhaustive: true,
            next_page_token: String::new(),
            texts: Vec::new(),
        };
        legal.exhaustive = W::is_exhaustive(&game.state, seat, detail);
        let in_words = call.with_text.then(|| in_words(&game, seat));
        let mut place = 0;
        let _end = visit_legal::<W>(&game.state, seat, detail, &mut |action| {
            if !wanted(&action) {
                return ControlFlow::Continue(());
            }
            if legal.actions.len() == limit {
                legal.next_page_token = token(&list, [game.version, place]);
                return ControlFlow::Break(());
            }
            if place >= skip {
                legal.actions.push(W::action_message(&action));
                legal
                    .texts
                    .extend(in_words.as_ref().map(|say| say(&action)));
            }
            place += 1;
            ControlFlow::Continue(())
        });
        Ok(legal)
    }

    /// The components of the game, unless the caller has them.
    #[must_use]
    pub fn catalogue(&self, call: GetCatalogueRequest) -> GetCatalogueResponse<W::Messages> {
        let revision = W::CATALOGUE_REVISION;
        GetCatalogueResponse {
            catalogue: (call.known_revision != revision).then(W::catalogue),
            revision,
        }
    }

    /// The public facts of a game.
    ///
    /// # Errors
    /// When the caller may not, or the store fails.
    pub async fn info(&self, caller: &Caller, id: uuid::Uuid) -> Result<pb::GameInfo, Problem> {
        let game = self.open_fresh(caller, id).await?;
        caller.may(subject(&game), Wish::Info)?;
        Ok(game.info())
    }
}

/// How the seat itself says what it may do.
fn in_words<W: Wire>(game: &Game<W>, seat: Seat) -> impl Fn(&W::Action) -> String {
    let view = W::view(&game.state, Viewer::Seat(seat));
    let names = Names::new(&game.birth.players);
    move |action| W::action_text(&view, action, names)
}

fn seen<W: Wire>(
    game: &Game<W>,
    show: Show,
    seed_reveal: Option<pb::SeedReveal>,
) -> GetGameResponse<W::Messages> {
    let (view, board) = show.table(game);
    GetGameResponse {
        game: Some(game.info()),
        view,
        seed_reveal,
        board,
    }
}

/// How finely a request wants legal actions listed.
///
/// # Errors
/// For a detail that does not exist.
pub(super) fn detail(asked: i32, field: &str) -> Result<Detail, Malformed> {
    match pb::ListDetail::try_from(asked) {
        Ok(pb::ListDetail::Unspecified | pb::ListDetail::Moves) => Ok(Detail::Moves),
        Ok(pb::ListDetail::AllPayments) => Ok(Detail::AllPayments),
        Err(_) => Err(Malformed::new(field, "is unknown")),
    }
}

/// How many actions came on earlier pages of a list of this version.
fn skipped(place: Option<[u64; 2]>, current: Version) -> Result<u64, Problem> {
    match place {
        None => Ok(0),
        Some([version, skip]) if version == current => Ok(skip),
        Some([expected, _]) => Err(Problem::StaleVersion { expected, current }),
    }
}

/// The viewer that a request names.
///
/// # Errors
/// For a kind that does not exist, and for a seat where none belongs.
pub(super) fn viewer(caller: &Caller, asked: Option<&pb::Viewer>) -> Result<Viewer, Problem> {
    let asked = asked.copied().unwrap_or_default();
    let kind = pb::ViewerKind::try_from(asked.kind)
        .map_err(|_| Malformed::new("viewer.kind", "is unknown"))?;
    if asked.seat != 0 && kind != pb::ViewerKind::Seat {
        return Err(Malformed::new("viewer.seat", "is only for VIEWER_KIND_SEAT").into());
    }
    match kind {
        pb::ViewerKind::Seat => seat(asked.seat, "viewer.seat").map(Viewer::Seat),
        pb::ViewerKind::Spectator => Ok(Viewer::Spectator),
        pb::ViewerKind::Operator => Ok(Viewer::Operator),
        pb::ViewerKind::Unspecified => match caller {
            Caller::Seat { seat, .. } => Ok(Viewer::Seat(*seat)),
            Caller::Open | Caller::Tenant(_) | Caller::Spectator { .. } | Caller::Operator => {
                Ok(Viewer::Spectator)
            }
        },
    }
}
