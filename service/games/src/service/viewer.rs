//! The viewer of a request, and the permission that the request needs.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::{Malformed, Wire};

use crate::aggregate::game::Game;
use crate::authz::{Caller, Permission};
use crate::errors::ServiceError;
use crate::rendering::projection::Projection;
use crate::service::seats::parse_seat;

/// Returns the permission that a request to view a game needs. Everybody who may know of the game may see the public
/// facts, as any viewer.
pub(crate) fn required_permission(requested: Option<&pb::Viewer>, show: &Projection) -> Permission {
    if requested.is_none() && !show.depends_on_viewer() {
        return Permission::ReadInfo;
    }
    Permission::View(show.viewer)
}

/// Returns the user whose seat is the viewer because the request names none. Returns `None` if the caller is not a
/// user.
pub(crate) fn implicit_user<'a>(
    caller: &'a Caller,
    requested: Option<&pb::Viewer>,
) -> Option<&'a str> {
    let kind = requested.map_or(0, |requested| requested.kind);
    caller
        .user()
        .filter(|_| kind == i32::from(pb::ViewerKind::Unspecified))
}

/// Replaces the viewer by the user's first seat, if a user calls and the request names no viewer. In place: every call
/// would pay for a copy in its future.
pub(crate) fn resolve_implicit_seat<W: Wire>(
    caller: &Caller,
    requested: Option<&pb::Viewer>,
    game: &Game<W>,
    show: &mut Projection,
) {
    let user = implicit_user(caller, requested);
    let seat = user.and_then(|user| game.metadata.tags().seats_of(user).next());
    if let Some(seat) = seat {
        show.viewer = Viewer::Seat(seat);
    }
}

/// Returns the viewer that a request names, or the default one of the caller. For a user without a named viewer,
/// [`resolve_implicit_seat`] chooses the seat later.
///
/// # Errors
/// If the kind is unknown, no table has such a seat number, or a seat is named with another kind of viewer.
pub(crate) fn resolve_viewer(
    caller: &Caller,
    requested: Option<&pb::Viewer>,
) -> Result<Viewer, ServiceError> {
    let requested = requested.copied().unwrap_or_default();
    let kind = pb::ViewerKind::try_from(requested.kind)
        .map_err(|_| Malformed::new("viewer.kind", "is unknown"))?;
    if requested.seat != 0 && kind != pb::ViewerKind::Seat {
        return Err(Malformed::new("viewer.seat", "is only for VIEWER_KIND_SEAT").into());
    }
    match kind {
        pb::ViewerKind::Seat => parse_seat(requested.seat, "viewer.seat").map(Viewer::Seat),
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
        let facts = Projection::public_only(Viewer::Spectator);
        let view = Projection {
            view: true,
            ..facts.clone()
        };
        let spectator = pb::Viewer {
            kind: pb::ViewerKind::Spectator.into(),
            seat: 0,
        };
        let looks = Permission::View(Viewer::Spectator);
        assert_eq!(required_permission(None, &facts), Permission::ReadInfo);
        assert_eq!(required_permission(None, &view), looks);
        assert_eq!(required_permission(Some(&spectator), &facts), looks);
        assert_eq!(required_permission(Some(&spectator), &view), looks);
    }
}
