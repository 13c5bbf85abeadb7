//! Games through the self-play stream of a server.

use std::collections::HashMap;

use gamekeeper_proto::gamekeeper::v1::SelfPlayResult;
use prost_reflect::{DynamicMessage, MessageDescriptor, Value};
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::Streaming;

use super::tally::Tally;
use super::{MOST_ACTIONS, Plan, list};
use crate::contract::{field_message, method};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::progress::Progress;
use crate::session::Session;

/// Moves in one message: it stays far below the largest request of a server.
const MOVES: usize = 2_000;

/// Plays all games.
pub(super) async fn play(session: &Session, plan: &Plan) -> Result<Tally, Failure> {
    let method = method(&plan.service, "SelfPlay")?;
    let (asks, asked) = mpsc::unbounded_channel();
    let asked = UnboundedReceiverStream::new(asked);
    let answers = session
        .connection
        .converse(&method, asked, session.token())
        .await?;
    let mut line = Line {
        plan,
        request: method.input(),
        asks,
        answers,
        choices: HashMap::new(),
        tally: Tally::default(),
        progress: Progress::new("games", plan.args.games),
    };
    line.send(
        "plan",
        first(plan, &field_message(&method.input(), "plan")?)?,
    )?;
    line.run().await?;
    Ok(line.tally)
}

/// What to play.
fn first(plan: &Plan, kind: &MessageDescriptor) -> Result<DynamicMessage, Failure> {
    let show = DynamicMessage::new(field_message(kind, "show")?)
        .with("actions", plan.looks())?
        .with("action_count", true)?;
    let most = u32::try_from(MOST_ACTIONS).unwrap_or(u32::MAX);
    let side_by_side = u64::from(plan.args.batch).min(plan.args.games);
    let message = DynamicMessage::new(kind.clone())
        .with("seats", plan.args.seats)?
        .with("games", u32::try_from(side_by_side).unwrap_or(u32::MAX))?
        .with("total_games", plan.args.games)?
        .with("seed", Value::Bytes(plan.master().to_vec().into()))?
        .with("show", show)?
        .with("most_actions", most)?
        .with("most_versions", plan.args.until_version)?;
    match &plan.options {
        Some(options) => message.with("options", options.clone()),
        None => Ok(message),
    }
}

struct Line<'a> {
    plan: &'a Plan,
    request: MessageDescriptor,
    asks: mpsc::UnboundedSender<DynamicMessage>,
    answers: Streaming<DynamicMessage>,
    /// By game.
    choices: HashMap<u64, StdRng>,
    tally: Tally,
    progress: Progress,
}

impl Line<'_> {
    fn send(&self, step: &str, message: DynamicMessage) -> Result<(), Failure> {
        let request = DynamicMessage::new(self.request.clone()).with(step, message)?;
        // Why the stream has ended is said by the answers.
        let _ended = self.asks.send(request);
        Ok(())
    }

    /// Answers every message until the server ends the stream.
    async fn run(&mut self) -> Result<(), Failure> {
        while let Some(answer) = self.answers.message().await? {
            for result in answer.typed_list::<SelfPlayResult>("results")? {
                self.choices.remove(&result.game);
                self.tally.add(&result.standings, result.version);
                self.progress.advance(1);
            }
            self.answer(&answer.children("observations"))?;
        }
        if self.tally.games < self.plan.args.games {
            return Err(tonic::Status::unavailable("the server ended the stream").into());
        }
        Ok(())
    }

    /// The moves for what was observed.
    fn answer(&mut self, observations: &[DynamicMessage]) -> Result<(), Failure> {
        let kind = field_message(&self.request, "moves")?;
        let one = field_message(&kind, "moves")?;
        for batch in observations.chunks(MOVES) {
            let moves = batch.iter().map(|seen| self.choose(seen, &one));
            let moves = list(moves.collect::<Result<_, _>>()?);
            self.send(
                "moves",
                DynamicMessage::new(kind.clone()).with("moves", moves)?,
            )?;
        }
        Ok(())
    }

    fn choose(
        &mut self,
        seen: &DynamicMessage,
        kind: &MessageDescriptor,
    ) -> Result<DynamicMessage, Failure> {
        if let Some(refusal) = seen.child("refusal") {
            let text = refusal.text("message");
            return Err(Failure::Contract(format!("a listed action: {text}")));
        }
        let (game, seat) = (seen.number("game"), small(seen.number("seat")));
        let rng = self
            .choices
            .entry(game)
            .or_insert_with(|| self.plan.choices(game));
        let policy = self.plan.policy(seat);
        let index = if policy.looks() {
            policy.choose(&self.plan.worths, &seen.children("actions"), rng)
        } else {
            (0..usize::try_from(seen.number("action_count")).unwrap_or(0)).choose(rng)
        };
        let index = index.ok_or_else(|| {
            Failure::Contract(format!("seat {seat} owes a decision and may do nothing"))
        })?;
        DynamicMessage::new(kind.clone())
            .with("slot", small(seen.number("slot")))?
            .with("version", seen.number("version"))?
            .with("index", u32::try_from(index).unwrap_or(u32::MAX))
    }
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
