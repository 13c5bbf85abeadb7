//! Games through the self-play stream of a server, many at a time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use gamekeeper_proto::gamekeeper::v1::SelfPlayStart;
use gamekeeper_proto::raw::self_play_move::Choice;
use gamekeeper_proto::raw::self_play_request::Step;
use gamekeeper_proto::raw::{
    SelfPlayMove, SelfPlayMoves, SelfPlayObservation, SelfPlayPlan, SelfPlayRequest,
    SelfPlayResponse,
};
use gamekeeper_rules::bots::MAX_ACTIONS;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::Streaming;

use super::Plan;
use super::local_replica::{Replica, Replicas, replicas};
use super::tally::Tally;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::session::Session;

/// Maximum number of moves in one message, which keeps it far below a server's limit for requests.
const MAX_MOVES_PER_MESSAGE: usize = 2_000;

/// Plays all games of a plan.
pub(super) async fn play(session: &Session, plan: &Plan) -> Result<Tally, Failure> {
    let (request_sender, request_receiver) = mpsc::unbounded_channel();
    let requests = UnboundedReceiverStream::new(request_receiver);
    let responses = session
        .connection
        .bidi_stream(requests, session.token())
        .await?;
    let makers = &*replicas(plan)?;
    let mut stream = SelfPlayStream {
        plan,
        makers,
        request_sender,
        responses,
        replicas: HashMap::new(),
        tally: Tally::default(),
        progress: Progress::new("games", plan.args.games),
    };
    stream.send(Step::Plan(plan_message(plan)));
    stream.run().await?;
    Ok(stream.tally)
}

/// Builds the first message of the stream: the plan of the games to play.
fn plan_message(plan: &Plan) -> SelfPlayPlan {
    let side_by_side = u64::from(plan.args.batch).min(plan.args.games);
    SelfPlayPlan {
        ruleset: plan.args.ruleset.clone(),
        seats: plan.args.seats,
        options: plan.options.clone(),
        games: u32::try_from(side_by_side).unwrap_or(u32::MAX),
        total_games: plan.args.games,
        seed: plan.master().to_vec(),
        max_actions: u32::try_from(MAX_ACTIONS).unwrap_or(u32::MAX),
        max_versions: plan.args.until_version,
        start: match plan.from.is_empty() {
            true => SelfPlayStart::from(plan.args.start).into(),
            false => SelfPlayStart::Position.into(),
        },
        positions: plan.from.clone(),
        ..SelfPlayPlan::default()
    }
}

struct SelfPlayStream<'a> {
    plan: &'a Plan,
    makers: &'a dyn Replicas,
    request_sender: mpsc::UnboundedSender<SelfPlayRequest>,
    responses: Streaming<SelfPlayResponse>,
    /// Local copies of the games, by number.
    replicas: HashMap<u64, Box<dyn Replica + 'a>>,
    tally: Tally,
    progress: Progress,
}

impl SelfPlayStream<'_> {
    fn send(&self, step: Step) {
        // If the send fails, the stream has ended; the next response says why.
        let _ended = self
            .request_sender
            .send(SelfPlayRequest { step: Some(step) });
    }

    /// Answers every message until the server ends the stream.
    async fn run(&mut self) -> Result<(), Failure> {
        while let Some(response) = self.responses.message().await? {
            for result in response.results {
                self.replicas.remove(&result.game);
                self.tally.add(&result.standings, result.version);
                self.progress.advance(1);
            }
            // Answer each observation with a move.
            for batch in response.observations.chunks(MAX_MOVES_PER_MESSAGE) {
                let moves = batch.iter().map(|observation| self.choose(observation));
                let moves = moves.collect::<Result<_, _>>()?;
                self.send(Step::Moves(SelfPlayMoves { moves }));
            }
        }
        if self.tally.games < self.plan.args.games {
            return Err(tonic::Status::unavailable("the server ended the stream").into());
        }
        Ok(())
    }

    fn choose(&mut self, observation: &SelfPlayObservation) -> Result<SelfPlayMove, Failure> {
        if let Some(refusal) = &observation.refusal {
            let text = &refusal.message;
            return Err(Failure::Contract(format!("a listed action: {text}")));
        }
        let replica = match self.replicas.entry(observation.game) {
            Entry::Occupied(existing) => existing.into_mut(),
            Entry::Vacant(vacant) => vacant.insert(self.makers.replica(observation.game)?),
        };
        let index = replica.decide(observation.seat)?;
        Ok(SelfPlayMove {
            slot: observation.slot,
            version: observation.version,
            choice: Some(Choice::Index(u32::try_from(index).unwrap_or(u32::MAX))),
        })
    }
}
