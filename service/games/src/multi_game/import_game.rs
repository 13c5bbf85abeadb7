//! Reads the messages of an **import**, whose header names the ruleset: the plan, then the record.
//!
//! The response is a stream of one message, which is what a client that sends a stream waits for. It starts at once, so
//! the deadline of other calls does not end a long import; imports have one of their own.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt, stream};
use gamekeeper_proto::gamekeeper::v1::{ImportGameResponse, ImportPlan};
use gamekeeper_proto::raw::ImportGameRequest;
use gamekeeper_proto::raw::export_game_response::Part as RecordPart;
use gamekeeper_proto::raw::import_game_request::Part;
use gamekeeper_wire::Malformed;
use gamekeeper_wire::record::RecordReader;
use tokio::time::{Instant, timeout_at};

use crate::admission::ConcurrencyPermit;
use crate::authz::{Caller, Role};
use crate::errors::ServiceError;
use crate::handlers::import_game::ImportRequest;
use crate::registry::Registry;
use crate::service::game_service::ResponseStream;
use crate::streams::limits::StreamLimits;
use crate::timing::yielder::Yielder;

/// The maximum size of a record, in bytes. One of a thousand versions has less than 1 MiB.
const MAX_RECORD_BYTES: usize = 16 << 20;

/// The time in which an import must be complete.
const DEADLINE: Duration = Duration::from_mins(5);

/// An import whose messages have not arrived yet.
struct PendingImport {
    registry: Arc<Registry>,
    caller: Caller,
    limits: StreamLimits,
    requests: ResponseStream<ImportGameRequest>,
    deadline: Instant,
    _share: ConcurrencyPermit,
}

impl Registry {
    /// Creates a game from a record, whose messages the client sends.
    ///
    /// # Errors
    /// If the caller may not import games, or there are too many imports. The stream ends with an error if a message is
    /// malformed or does not arrive in time, and with those of `GameService::import_game`.
    pub fn import_game(
        self: &Arc<Self>,
        caller: &Caller,
        requests: ResponseStream<ImportGameRequest>,
    ) -> Result<ResponseStream<ImportGameResponse>, ServiceError> {
        if caller.role != Role::Operator {
            caller.tenant("only tenants and operators can import games")?;
        }
        let shared = self.shared();
        let pending = PendingImport {
            registry: Arc::clone(self),
            caller: caller.clone(),
            limits: StreamLimits::new(shared, caller),
            requests,
            deadline: Instant::now() + DEADLINE,
            _share: shared.self_play_permits.try_acquire(caller.account)?,
        };
        Ok(Box::pin(stream::once(pending.run())))
    }
}

impl PendingImport {
    /// Reads all messages, and creates the game.
    async fn run(mut self) -> Result<ImportGameResponse, ServiceError> {
        let Some(Part::Plan(plan)) = self.next_part().await? else {
            return Err(Malformed::new("part", "must be the plan in the first message").into());
        };
        let tenant = tenant_of(&self.caller, &plan)?;
        let (mut reader, mut bytes, mut yielder) = (RecordReader::default(), 0, Yielder::new());
        let mut service = None;
        while let Some(part) = self.next_part().await? {
            bytes += part.encoded_len();
            if bytes > MAX_RECORD_BYTES {
                let text = format!("the record is larger than {MAX_RECORD_BYTES} bytes");
                return Err(ServiceError::TooLarge(text));
            }
            reader.push(record_part(part)?)?;
            if service.is_none() {
                let game = reader
                    .game()
                    .ok_or_else(|| Malformed::missing("header.game"))?;
                let named = self
                    .registry
                    .service_of(&game.ruleset, "header.game.ruleset")?;
                service = Some(Arc::clone(named));
            }
            yielder.yield_if_due().await;
        }
        let service = service.ok_or_else(|| Malformed::missing("header"))?;
        let import = ImportRequest {
            tenant,
            plan,
            record: reader.finish()?,
        };
        // Nobody else catches a panic of the rules in a stream, and a record may hold anything.
        let creating = AssertUnwindSafe(service.import_game(&self.caller, import)).catch_unwind();
        let creating = timeout_at(self.deadline, creating).map(|created| match created {
            Ok(Ok(created)) => created,
            Ok(Err(_)) => Err(ServiceError::Fault(String::from("the rules panic"))),
            Err(_) => Err(LATE),
        });
        self.limits.run_until_limit(0, creating).await
    }

    /// Waits for the next message. Returns `None` at the end of the stream.
    async fn next_part(&mut self) -> Result<Option<Part>, ServiceError> {
        let next = timeout_at(self.deadline, self.requests.next());
        let next = next.map(|next| next.map_or_else(|_| Err(LATE), Option::transpose));
        match self.limits.run_until_limit(0, next).await? {
            None => Ok(None),
            Some(ImportGameRequest { part: Some(part) }) => Ok(Some(part)),
            Some(ImportGameRequest { part: None }) => Err(Malformed::missing("part").into()),
        }
    }
}

const LATE: ServiceError = ServiceError::DeadlineExceeded("the import was not complete in time");

/// Returns the owner of the new game.
fn tenant_of(caller: &Caller, plan: &ImportPlan) -> Result<String, ServiceError> {
    if caller.role == Role::Operator {
        return match &*plan.tenant {
            "" => Err(Malformed::missing("plan.tenant").into()),
            tenant => Ok(tenant.to_owned()),
        };
    }
    let own = caller.tenant("only tenants and operators can import games")?;
    if plan.tenant.is_empty() || plan.tenant == own {
        return Ok(own.to_owned());
    }
    Err(ServiceError::PermissionDenied(
        "only operators import games for others",
    ))
}

/// Converts a message after the first to a part of a record.
fn record_part(part: Part) -> Result<RecordPart, Malformed> {
    match part {
        Part::Header(header) => Ok(RecordPart::Header(header)),
        Part::Version(version) => Ok(RecordPart::Version(version)),
        Part::End(end) => Ok(RecordPart::End(end)),
        Part::Plan(_) => Err(Malformed::new("plan", "is sent twice")),
    }
}
