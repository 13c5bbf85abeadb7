//! Who looks, and at what.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::Malformed;

use crate::heart::access::{Caller, Role, Wish};
use crate::heart::problem::Problem;
use crate::heart::seats::seat;
use crate::heart::show::Show;

/// What a request to look wants. The public facts are for everybody who may know of the game, whoever they look as.
pub(crate) fn wish(named: Option<&pb::Viewer>, show: Show) -> Wish {
    if named.is_none() && !show.is_of_viewer() {
        return Wish::Info;
    }
    Wish::Look(show.viewer)
}

/// The viewer that a request names.
///
/// # Errors
/// For an unknown kind, for a seat number that no table has, and for a seat with another kind of viewer.
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
        pb::ViewerKind::Unspecified => match &caller.role {
            Role::Seat { seat, .. } => Ok(Viewer::Seat(*seat)),
            Role::Open | Role::Tenant(_) | Role::Spectator { .. } | Role::Operator => {
                Ok(Viewer::Spectator)
            }
        },
    }
}
