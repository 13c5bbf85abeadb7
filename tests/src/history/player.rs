//! A client that plays any pending decision on any server, and retries requests without an answer.

use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1::{
    ApplyActionRequest, Bot, ClockOptions, CreateGameRequest, GetGameRequest,
    ListLegalActionsRequest, ListLegalActionsResponse, Player as Seated, Table as Seen,
    TableOptions, TakeBackPolicy, TimeoutAction, TimeoutClaim,
};
use prost::Message;
use rand::seq::IndexedRandom;
use tonic::Status;

use super::caller::{Answered, Caller, Settled, pause};
use super::desk::{Desk, happens};
use super::operations::{self, Look};
use super::shared::{Current, Shared, Table, Verdict};
use super::{Outcome, TableChange, USERS, What};
use crate::dominion::{SEEN, choose, facts};

/// The number of versions whose requests may be resent. Servers remember 1,024 of them, and others play on meanwhile.
const RESENT: u64 = 800;

/// The percentage of turns in which an old request is resent.
const REPEATED: u32 = 10;
/// The percentage of turns with a call other than an action.
const LOOKS: u32 = 30;

pub(super) struct Player {
    caller: Caller,
    table: Arc<Table>,
    /// The number of requests made.
    requests: u32,
    /// The requests that were answered OK.
    past: Vec<(u64, ApplyActionRequest)>,
}

async fn create(mut desk: Desk, request: CreateGameRequest) -> Result<Answered, Status> {
    let ask = desk.ask_hastily(request);
    let mut answer = desk.games.create_game(ask).await?.into_inner();
    // Tokens may have been revoked by the time the creation is answered again, so they are not compared.
    answer.tokens = None;
    Ok(answered(answer.table.take(), &answer))
}

async fn apply(mut desk: Desk, request: ApplyActionRequest) -> Result<Answered, Status> {
    let ask = desk.ask_hastily(request);
    let mut answer = desk.games.apply_action(ask).await?.into_inner();
    Ok(answered(answer.table.take(), &answer))
}

/// Creates the answer from the table in a response and the rest of it.
fn answered(table: Option<Seen>, rest: &impl Message) -> Answered {
    let mut table = table.unwrap_or_default();
    let facts = table.game.take();
    // The rest is the encoded table followed by the encoded response without it.
    let rest = [table.encode_to_vec(), rest.encode_to_vec()].concat();
    Answered::of(facts, &rest)
}

/// Builds a player with this user, or without a user.
fn seated(user: &str, of_nobody: bool) -> Seated {
    let name = format!("the player {user}");
    let user = if of_nobody { "" } else { user };
    Seated {
        name,
        user: user.to_owned(),
        ..Seated::default()
    }
}

/// Builds the players of a table. At the table with automatic time-outs, the servers also play a seat.
fn players(table: u32) -> Vec<Seated> {
    let mut players = USERS.map(|user| seated(user, table == PLAIN));
    if table == AUTOMATIC
        && let [.., last] = &mut players
    {
        last.bot = Some(Bot {
            policy: String::from("random"),
            ..Bot::default()
        });
    }
    players.to_vec()
}

/// The number of the plain table: without users, labels and table options, as most games are.
const PLAIN: u32 = 2;

/// The number of the table at which the servers themselves notice that time has run out.
const AUTOMATIC: u32 = 1;

/// Builds table options with a short clock, so that seats time out repeatedly. At one table, take-backs need consent.
fn options(table: u32) -> TableOptions {
    let take_back = if table == 0 {
        TakeBackPolicy::UnseenOrAgreed
    } else {
        TakeBackPolicy::Agreed
    };
    let claim = if table == AUTOMATIC {
        TimeoutClaim::Automatic
    } else {
        TimeoutClaim::ByCall
    };
    TableOptions {
        clock: Some(ClockOptions {
            bank_seconds: 1,
            on_timeout: TimeoutAction::Fallback.into(),
            claim: claim.into(),
            ..ClockOptions::default()
        }),
        take_back: take_back.into(),
        pause_by_agreement: true,
        end_by_agreement: true,
    }
}

/// Ends the game at the table with automatic time-outs, which would continue after the players have stopped.
pub(super) async fn bring_to_rest(table: &Table, desks: Vec<Desk>, shared: &Arc<Shared>) {
    let Some(game) = table.current().game.filter(|_| table.number == AUTOMATIC) else {
        return;
    };
    let caller = Caller {
        name: String::from("the owner"),
        desks,
        shared: Arc::clone(shared),
    };
    while let Err(status) = operations::end(&Look::new(&caller, &game)).await {
        match shared.verdict(&status) {
            Verdict::Refused | Verdict::Unchanged | Verdict::Unknown => pause().await,
            Verdict::Missing => return,
            Verdict::Broken => {
                shared.broken(&game, format!("its end: {status:?}"));
                return;
            }
        }
    }
}

impl Player {
    pub(super) fn new(
        name: String,
        desks: Vec<Desk>,
        table: &Arc<Table>,
        shared: &Arc<Shared>,
    ) -> Player {
        Player {
            caller: Caller {
                name,
                desks,
                shared: Arc::clone(shared),
            },
            table: Arc::clone(table),
            requests: 0,
            past: Vec::new(),
        }
    }

    pub(super) async fn play(mut self) {
        while !self.caller.shared.is_over() {
            let current = self.table.current();
            let Some(game) = current.game.clone() else {
                self.begin(current.round).await;
                continue;
            };
            match self.turn(&game).await {
                Ok(Turn::Over) => self.table.end(current.round),
                Ok(Turn::Taken) => {}
                Err(status) => self.failed(&current, &game, ("a turn", &status)).await,
            }
            if happens(LOOKS) {
                let look = Look::new(&self.caller, &game);
                let is_plain = self.table.number == PLAIN;
                if let Err((method, status)) = operations::any(look, is_plain).await {
                    self.failed(&current, &game, (&method, &status)).await;
                }
            }
            if happens(REPEATED) {
                self.repeat(&game).await;
            }
        }
    }

    /// Handles a failed call about the game of a round.
    async fn failed(&self, current: &Current, game: &str, (what, status): (&str, &Status)) {
        match self.caller.shared.verdict(status) {
            Verdict::Broken => {
                let text = format!("{what}: {status:?}");
                self.caller.shared.broken(game, text);
            }
            Verdict::Missing => self.table.end(current.round),
            Verdict::Refused | Verdict::Unchanged | Verdict::Unknown => {}
        }
        pause().await;
    }

    /// Creates the game of a round. All players send the same request, which must create a single game.
    async fn begin(&mut self, round: u32) {
        let (run, number) = (self.caller.shared.run, self.table.number);
        let is_plain = number == PLAIN;
        let request = CreateGameRequest {
            ruleset: String::from("dominion"),
            players: players(number),
            show: Some(SEEN),
            table: (!is_plain).then(|| options(number)),
            request_id: format!("{run:016x} table {number} round {round}"),
            ..Default::default()
        };
        let id = request.request_id.clone();
        let send = |desk| create(desk, request.clone());
        if let Some(answer) = self.caller.settle("", &id, send).await {
            self.table.begin(round, &answer.game);
        }
    }

    /// Reads the game, and plays a pending decision.
    async fn turn(&mut self, game: &str) -> Result<Turn, Status> {
        let begun = self.caller.shared.recorder.now();
        let ask = GetGameRequest {
            game_id: game.to_owned(),
            ..Default::default()
        };
        let mut desk = self.caller.desk();
        let ask = desk.ask_hastily(ask);
        let response = desk.games.get_game(ask).await?.into_inner();
        let info = facts(response.table);
        let read = What::Read(info.version);
        self.caller.shared.recorder.note(game, begun, read);
        let Some(seat) = info.pending.first().map(|pending| pending.seat) else {
            return Ok(Turn::Over);
        };
        let begun = self.caller.shared.recorder.now();
        let ask = ListLegalActionsRequest {
            game_id: game.to_owned(),
            seat,
            ..Default::default()
        };
        let mut desk = self.caller.desk();
        let ask = desk.ask_hastily(ask);
        let legal = desk.games.list_legal_actions(ask).await?.into_inner();
        let read = What::Read(legal.version);
        self.caller.shared.recorder.note(game, begun, read);
        if self.caller.shared.is_quiet() {
            pause().await;
        } else if !legal.actions.is_empty() {
            self.act(game, seat, &legal).await;
        }
        Ok(Turn::Taken)
    }

    async fn act(&mut self, game: &str, seat: u32, legal: &ListLegalActionsResponse) {
        self.requests += 1;
        let request = ApplyActionRequest {
            game_id: game.to_owned(),
            seat,
            action: Some(choose(&legal.actions)),
            expected_version: if happens(50) { legal.version } else { 0 },
            request_id: format!(
                "{:016x} {} {}",
                self.caller.shared.run, self.caller.name, self.requests
            ),
            show: Some(SEEN),
            ..Default::default()
        };
        let id = request.request_id.clone();
        let send = |desk| apply(desk, request.clone());
        let wish = (id.as_str(), TableChange::Acted(seat));
        if let Some(answered) = self.caller.wish(game, wish, send).await {
            self.past.push((answered.version(), request));
        }
    }

    /// Resends an old request of this game.
    async fn repeat(&self, game: &str) {
        let mut desk = self.caller.desk();
        let ask = desk.ask(operations::ask_facts(game));
        let Ok(now) = desk.games.get_game(ask).await else {
            return;
        };
        let newest = facts(now.into_inner().table).version;
        let recent = self.past.iter().filter(|(version, request)| {
            request.game_id == game && newest < version.saturating_add(RESENT)
        });
        let recent: Vec<_> = recent.map(|(_, request)| request).collect();
        let Some(&request) = recent.choose(&mut crate::chance::rng()) else {
            return;
        };
        let request = request.clone();
        let begun = self.caller.shared.recorder.now();
        let id = request.request_id.clone();
        let answer = apply(self.caller.desk(), request).await;
        match self.caller.settled(game, &id, begun, answer) {
            Settled::No => self.caller.note(game, &id, begun, Outcome::Refused),
            Settled::Open => self.caller.note(game, &id, begun, Outcome::Unknown),
            Settled::Done(_) | Settled::Unchanged => {}
        }
    }
}

enum Turn {
    Taken,
    /// The game is over.
    Over,
}
