//! `ApplyAction`: **validates** an action of a seat by the rules and appends it to the log.

use gamekeeper_proto::Opaque;
use gamekeeper_proto::raw::{ApplyActionRequest, ApplyActionResponse};
use gamekeeper_rules::table::{Scene, Seat, Viewer};
use gamekeeper_store::Version;
use gamekeeper_wire::Wire;
use prost::Message;

use crate::heart::access::{Caller, Wish};
use crate::heart::append::Judged;
use crate::heart::changing::{Adding, NewEntry};
use crate::heart::game::{EntryOf, Game};
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::own::{own_action, sent_action};
use crate::heart::preview;
use crate::heart::problem::Problem;
use crate::heart::recent::Request;
use crate::heart::record::RequestMark;
use crate::heart::requests::{check_request_id, parse_id};
use crate::heart::seats::{check_seat, seat};
use crate::heart::show::Show;
use crate::heart::telling::logged_version;

/// A decoded request to act.
pub(crate) struct Attempt<W: Wire> {
    seat: Seat,
    action: W::Action,
    /// The action, still encoded, for error messages that name its fields.
    sent: Opaque,
    expected: Version,
    mark: RequestMark,
    show: Show,
    validate_only: bool,
}

impl<W: Wire> Games<W> {
    /// Validates an action and, if it is legal, plays it. The call is idempotent: requests with the same id and body
    /// are played once and get the same response.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, the version is stale, the rules refuse the action, or
    /// the store fails.
    pub async fn apply(
        &self,
        caller: &Caller,
        call: Box<ApplyActionRequest>,
    ) -> Result<Box<ApplyActionResponse>, Problem> {
        let id = parse_id(&call.game_id)?;
        // Boxed: an action may be large, and futures that hold it are moved.
        let attempt = match Attempt::<W>::read(*call).map(Box::new) {
            Ok(attempt) => attempt,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        let mut applied = self.change(caller, id, &Adding(&*attempt)).await;
        if let Err(Problem::Refused(refused)) = &mut applied {
            self.metrics.refused(refused.code);
            refused.locate::<W>(&attempt.sent);
        }
        applied
    }
}

impl<W: Wire> NewEntry<W> for Attempt<W> {
    type Answer = Box<ApplyActionResponse>;

    fn request(&self, _caller: &Caller, _game: &Game<W>) -> Request {
        Request {
            by: Some(self.seat),
            mark: self.mark,
        }
    }

    fn show(&self) -> Show {
        self.show
    }

    fn expected(&self) -> Version {
        self.expected
    }

    fn validate_only(&self) -> bool {
        self.validate_only
    }

    fn may(&self, caller: &Caller, game: &Game<W>) -> Result<(), Problem> {
        check_seat(caller, game, self.seat, "seat")?;
        caller.may(game.subject(), Wish::Act(self.seat))
    }

    async fn judge(
        &self,
        games: &Games<W>,
        _caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<Box<Judged<W>>>, Problem> {
        let action = (self.seat, &self.action);
        games.judge_action(game, action, self.mark).map(Some)
    }

    fn answer(
        &self,
        caller: &Caller,
        game: &Game<W>,
        entry: Option<(&EntryOf<W>, Scene)>,
    ) -> Result<Box<ApplyActionResponse>, Problem> {
        let Some((played, mut scene)) = entry else {
            let facts = Show::facts(self.show.viewer);
            let mut answer = Box::new(ApplyActionResponse {
                table: Some(facts.table(game, game.info_for(caller))),
                entry: None,
            });
            preview::add(&mut answer, game, (self.seat, &self.action), self.show);
            return Ok(answer);
        };
        let show = self.show;
        let entry = show.events.then(|| {
            let ended = show.ended(game);
            let told = (show, game.players(), &mut scene);
            logged_version::<W>(game.version, played, &game.birth, told, ended)
        });
        Ok(Box::new(ApplyActionResponse {
            table: Some(show.table_after(game, game.info_for(caller), Some(played))),
            entry: entry.transpose()?,
        }))
    }
}

/// Returns the bytes that two requests must have in common to count as the same request, whichever builds receive them.
fn body_of<W: Wire>(seat: Seat, action: &W::Action, expected: Version) -> Vec<u8> {
    let mut body = vec![seat.number()];
    body.extend_from_slice(&expected.to_be_bytes());
    W::encoded_action(action).encode_raw(&mut body);
    body
}

impl<W: Wire> Attempt<W> {
    fn read(call: ApplyActionRequest) -> Result<Self, Problem> {
        check_request_id(&call.request_id)?;
        let seat = seat(call.seat, "seat")?;
        let sent = sent_action::<W>(call.action, "action")?;
        let action = own_action::<W>(&sent, "action")?;
        // Requests without an id are never compared with others.
        let body = if call.request_id.is_empty() {
            Vec::new()
        } else {
            body_of::<W>(seat, &action, call.expected_version)
        };
        Ok(Self {
            seat,
            action,
            sent,
            expected: call.expected_version,
            mark: RequestMark::new(&call.request_id, &body),
            show: Show::read(Viewer::Seat(seat), call.show.as_ref())?,
            validate_only: call.validate_only,
        })
    }
}
