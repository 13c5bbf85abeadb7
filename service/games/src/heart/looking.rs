//! The viewer of a request, and the permission that the request needs.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::{Malformed, Wire};

use crate::heart::access::{Caller, Wish};
use crate::heart::game::Game;
use crate::heart::problem::Problem;
use crate::heart::seats::seat;
use crate::heart::show::Show;

/// Returns the permission that a request to view a game needs. Everybody who may know of the game may see the public
/// facts, as any viewer.
pub(crate) fn wish(named: Option<&pb::Viewer>, show: Show) -> Wish {
    if named.is_none() && !show.is_of_viewer() {
        return Wish::Info;
    }
    Wish::Look(show.viewer)
}

/// Returns the user whose seat is the viewer because the request names none. Returns `None` if the caller is not a
/// user.
pub(crate) fn seated<'a>(caller: &'a Caller, asked: Option<&pb::Viewer>) -> Option<&'a str> {
    let kind = asked.map_or(0, |asked| asked.kind);
    caller
        .user()
        .filter(|_| kind == i32::from(pb::ViewerKind::Unspecified))
}

/// Replaces the viewer by the user's first seat, if a user calls and the request names no viewer.
pub(crate) fn from_seat<W: Wire>(
    caller: &Caller,
    asked: Option<&pb::Viewer>,
    game: &Game<W>,
    show: Show,
) -> Show {
    let user = seated(caller, asked);
    let seat = user.and_then(|user| game.access.tags().seats_of(user).next());
    let viewer = seat.map_or(show.viewer, Viewer::Seat);
    Show { viewer, ..show }
}

/// Returns the viewer that a request names, or the default one of the caller. For a user without a named viewer,
/// [`from_seat`] chooses the seat later.
///
/// # Errors
/// If the kind is unknown, no table has such a seat number, or a seat is named with another kind of viewer.
pub(crate) fn viewer(caller: &Caller, asked: Option<&pb::Viewer>) -> Result<Viewer, Problem> {
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
        pb::ViewerKind::Unspecified => Ok(caller.seat().map_or(Viewer::Spectator, Viewer::Seat)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_names_no_viewer_and_asks_for_public_facts_looks_as_nobody() {
        let facts = Show::facts(Viewer::Spectator);
        let view = Show {
            view: true,
            ..facts
        };
        let spectator = pb::Viewer {
            kind: pb::ViewerKind::Spectator.into(),
            seat: 0,
        };
        let looks = Wish::Look(Viewer::Spectator);
        assert_eq!(wish(None, facts), Wish::Info);
        assert_eq!(wish(None, view), looks);
        assert_eq!(wish(Some(&spectator), facts), looks);
        assert_eq!(wish(Some(&spectator), view), looks);
    }
}
