//! **Dry runs**: the table after an action, as far as the acting seat can know it beforehand.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, PreviewWithheld};
use gamekeeper_proto::raw::ApplyActionResponse;
use gamekeeper_rules::table::Seat;
use gamekeeper_rules::table_life::{self, Uncertainty};
use gamekeeper_wire::Wire;

use crate::aggregate::game::Game;
use crate::commit::append::PreparedEntry;
use crate::errors::ServiceError;
use crate::log::{ActionEntry, EntryKind, RequestFingerprint};
use crate::rendering::entry_view::render_entry;
use crate::rendering::projection::Projection;

/// Builds the response to an action that was only validated: the public facts before it, with the requested parts as
/// they would be after it, or the reason why nobody can know them.
///
/// # Errors
/// If the entry of the action cannot be read, which is a fault of this build.
pub(super) fn preview<W: Wire>(
    game: &Game<W>,
    info: GameInfo,
    (seat, action): (Seat, &W::Action),
    show: &Projection,
) -> Result<ApplyActionResponse, ServiceError> {
    let public_only = Projection::public_only(show.viewer);
    if !show.depends_on_viewer() {
        return Ok(ApplyActionResponse {
            table: Some(public_only.table(game, info)),
            ..ApplyActionResponse::default()
        });
    }
    let stamp = game.next_stamp(game.time_ms);
    let foreseen = match table_life::preview::<W>(game.table(), seat, action, stamp) {
        Ok(foreseen) => foreseen,
        Err(uncertainty) => {
            return Ok(ApplyActionResponse {
                table: Some(public_only.table(game, info)),
                preview_withheld: withheld(uncertainty).into(),
                ..ApplyActionResponse::default()
            });
        }
    };
    let kind = EntryKind::Action(ActionEntry {
        seat,
        action: action.clone(),
    });
    let fingerprint = RequestFingerprint::new("", &[]);
    let prepared = PreparedEntry::new(game, kind, foreseen, fingerprint, game.time_ms);
    let (after, entry) = prepared.append_to_copy(game);
    let mut scene = show.scene(game);
    let rendered = show.events.then(|| {
        let render_context = (show, game.players(), &mut scene);
        let end_event = show.end_event(&after);
        render_entry::<W>(
            after.version,
            &entry,
            &game.genesis,
            render_context,
            end_event,
        )
    });
    let mut rendered = rendered.transpose()?;
    if let Some(rendered) = &mut rendered {
        rendered.play_time = None;
    }
    Ok(ApplyActionResponse {
        table: Some(show.table_after_entry(&after, info, Some(&entry))),
        entry: rendered,
        ..ApplyActionResponse::default()
    })
}

const fn withheld(uncertainty: Uncertainty) -> PreviewWithheld {
    match uncertainty {
        Uncertainty::Luck => PreviewWithheld::Luck,
        Uncertainty::Hidden => PreviewWithheld::Hidden,
        Uncertainty::Answers => PreviewWithheld::Answers,
    }
}
