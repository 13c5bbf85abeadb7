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
use super::mirror::{Mirror, mirror};
use super::tally::Tally;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::session::Session;

/// Maximum number of moves in one message, which keeps it far below a server's limit for requests.
const MOVES: usize = 2_000;

/// Plays all games of a plan.
pub(super) async fn play(session: &Session, plan: &Plan) -> Result<Tally, Failure> {
    let (asks, asked) = mpsc::unbounded_channel();
    let asked = UnboundedReceiverStream::new(asked);
    let answers = session.connection.converse(asked, session.token()).await?;
    let mut line = Line {
        plan,
        asks,
        answers,
        mirrors: HashMap::new(),
        tally: Tally::default(),
        progress: Progress::new("games", plan.args.games),
    };
    line.send(Step::Plan(first(plan)));
    line.run().await?;
    Ok(line.tally)
}

/// Builds the first message of the stream: the plan of the games to play.
fn first(plan: &Plan) -> SelfPlayPlan {
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
        start: SelfPlayStart::from(plan.args.start).into(),
        ..SelfPlayPlan::default()
    }
}

struct Line<'a> {
    plan: &'a Plan,
    asks: mpsc::UnboundedSender<SelfPlayRequest>,
    answers: Streaming<SelfPlayResponse>,
    /// Local copies of the games, by number.
    mirrors: HashMap<u64, Box<dyn Mirror + 'a>>,
    tally: Tally,
    progress: Progress,
}

impl Line<'_> {
    fn send(&self, step: Step) {
        // If the send fails, the stream has ended; the next response says why.
        let _ended = self.asks.send(SelfPlayRequest { step: Some(step) });
    }

    /// Answers every message until the server ends the stream.
    async fn run(&mut self) -> Result<(), Failure> {
        while let Some(answer) = self.answers.message().await? {
            for result in answer.results {
                self.mirrors.remove(&result.game);
                self.tally.add(&result.standings, result.version);
                self.progress.advance(1);
            }
            // Answer each observation with a move.
            for batch in answer.observations.chunks(MOVES) {
                let moves = batch.iter().map(|seen| self.choose(seen));
                let moves = moves.collect::<Result<_, _>>()?;
                self.send(Step::Moves(SelfPlayMoves { moves }));
            }
        }
        if self.tally.games < self.plan.args.games {
            return Err(tonic::Status::unavailable("the server ended the stream").into());
        }
        Ok(())
    }

    fn choose(&mut self, seen: &SelfPlayObservation) -> Result<SelfPlayMove, Failure> {
        if let Some(refusal) = &seen.refusal {
            let text = &refusal.message;
            return Err(Failure::Contract(format!("a listed action: {text}")));
        }
        let mirror = match self.mirrors.entry(seen.game) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(mirror(self.plan, seen.game)?),
        };
        let index = mirror.decide(seen.seat)?;
        Ok(SelfPlayMove {
            slot: seen.slot,
            version: seen.version,
            choice: Some(Choice::Index(u32::try_from(index).unwrap_or(u32::MAX))),
        })
    }
}
