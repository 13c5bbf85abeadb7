//! `ApplyAction`: **validates** an action of a seat by the rules and appends it to the log.

mod preview;

use gamekeeper_proto::EncodedMessage;
use gamekeeper_proto::raw::{ApplyActionRequest, ApplyActionResponse};
use gamekeeper_rules::table::{Seat, TextContext, Viewer};
use gamekeeper_store::Version;
use gamekeeper_wire::Wire;
use prost::Message;

use crate::aggregate::game::{EntryOf, Game};
use crate::aggregate::idempotency::IdempotencyKey;
use crate::authz::{Caller, Permission};
use crate::commit::append::PreparedEntry;
use crate::commit::mutation::{AppendCommand, NewCommand};
use crate::errors::ServiceError;
use crate::log::RequestFingerprint;
use crate::rendering::entry_view::render_entry;
use crate::rendering::projection::Projection;
use crate::requests::ids::{check_request_id, parse_id};
use crate::requests::ruleset_message::{decode_action, extract_action};
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;
use crate::service::seats::{ensure_seat_exists, parse_seat};

/// A decoded request to act.
pub(crate) struct ApplyActionCommand<W: Wire> {
    seat: Seat,
    action: W::Action,
    /// The action, still encoded, for error messages that name its fields.
    encoded_action: EncodedMessage,
    expected_version: Version,
    fingerprint: RequestFingerprint,
    show: Projection,
    validate_only: bool,
}

impl<W: Wire> GameService<W> {
    /// Validates an action and, if it is legal, plays it. The call is idempotent: requests with the same id and body
    /// are played once and get the same response.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, the version is stale, the rules refuse the action, or
    /// the store fails.
    pub async fn apply_action(
        &self,
        caller: &Caller,
        call: Box<ApplyActionRequest>,
    ) -> Result<Box<ApplyActionResponse>, ServiceError> {
        let id = parse_id(&call.game_id)?;
        // Boxed: an action may be large, and futures that hold it are moved.
        let command = match ApplyActionCommand::<W>::decode(*call).map(Box::new) {
            Ok(command) => command,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        let mut result = self.mutate(caller, id, &AppendCommand(&*command)).await;
        if let Err(ServiceError::RefusedByRules(refusal)) = &mut result {
            self.metrics.refused(refusal.code);
            refusal.locate_unknown_name::<W>(&command.encoded_action, "action");
        }
        result
    }
}

impl<W: Wire> NewCommand<W> for ApplyActionCommand<W> {
    type Response = Box<ApplyActionResponse>;

    fn idempotency_key(&self, _caller: &Caller, _game: &Game<W>) -> IdempotencyKey {
        IdempotencyKey {
            actor: Some(self.seat),
            fingerprint: self.fingerprint,
        }
    }

    fn show(&self) -> Projection {
        self.show.clone()
    }

    fn expected_version(&self) -> Version {
        self.expected_version
    }

    fn validate_only(&self) -> bool {
        self.validate_only
    }

    fn authorize(&self, caller: &Caller, game: &Game<W>) -> Result<(), ServiceError> {
        ensure_seat_exists(caller, game, self.seat, "seat")?;
        caller.authorize(game.access_target(), Permission::Act(self.seat))
    }

    async fn prepare(
        &self,
        service: &GameService<W>,
        _caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<Box<PreparedEntry<W>>>, ServiceError> {
        let action = (self.seat, &self.action);
        service
            .prepare_action(game, action, self.fingerprint)
            .map(Some)
    }

    fn response(
        &self,
        caller: &Caller,
        game: &Game<W>,
        entry: Option<(&EntryOf<W>, TextContext)>,
    ) -> Result<Box<ApplyActionResponse>, ServiceError> {
        let Some((appended, mut scene)) = entry else {
            let action = (self.seat, &self.action);
            let info = game.info_for(caller);
            return preview::preview::<W>(game, info, action, &self.show).map(Box::new);
        };
        let show = &self.show;
        let entry = show.events.then(|| {
            let end_event = show.end_event(game);
            let render_context = (show, game.players(), &mut scene);
            render_entry::<W>(
                game.version,
                appended,
                &game.genesis,
                render_context,
                end_event,
            )
        });
        Ok(Box::new(ApplyActionResponse {
            table: Some(show.table_after_entry(game, game.info_for(caller), Some(appended))),
            entry: entry.transpose()?,
            ..ApplyActionResponse::default()
        }))
    }
}

/// Returns the bytes that two requests must have in common to count as the same request, whichever builds receive them.
fn fingerprint_body<W: Wire>(seat: Seat, action: &W::Action, expected: Version) -> Vec<u8> {
    let mut body = vec![seat.number()];
    body.extend_from_slice(&expected.to_be_bytes());
    W::encoded_action(action).encode_raw(&mut body);
    body
}

impl<W: Wire> ApplyActionCommand<W> {
    fn decode(call: ApplyActionRequest) -> Result<Self, ServiceError> {
        check_request_id(&call.request_id)?;
        let seat = parse_seat(call.seat, "seat")?;
        let encoded_action = extract_action::<W>(call.action, "action")?;
        let action = decode_action::<W>(&encoded_action, "action")?;
        // Requests without an id are never compared with others.
        let body = if call.request_id.is_empty() {
            Vec::new()
        } else {
            fingerprint_body::<W>(seat, &action, call.expected_version)
        };
        Ok(Self {
            seat,
            action,
            encoded_action,
            expected_version: call.expected_version,
            fingerprint: RequestFingerprint::new(&call.request_id, &body),
            show: Projection::from_request(Viewer::Seat(seat), call.show.as_ref())?,
            validate_only: call.validate_only,
        })
    }
}
