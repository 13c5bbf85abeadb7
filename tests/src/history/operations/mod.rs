//! What players ask beside playing. To let them use one more method, write a function that calls it and
//! holds its answer against others, and add its row to [`ALL`].

mod looks;
mod records;
mod words;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use rand::seq::IndexedRandom;
use tonic::Status;

use super::What;
use super::desk::Desk;
use super::load::Shared;

/// Asks something on a server, and checks what is answered. A failed call is judged by the player.
type Operation = fn(Look) -> Pin<Box<dyn Future<Output = Result<(), Status>> + Send>>;

/// All of them, each as often.
const ALL: &[Operation] = &[
    |look| Box::pin(looks::info(look)),
    |look| Box::pin(looks::table(look)),
    |look| Box::pin(looks::packed_table(look)),
    |look| Box::pin(looks::earlier_table(look)),
    |look| Box::pin(looks::packed_legal_actions(look)),
    |look| Box::pin(records::events(look)),
    |look| Box::pin(records::packed_events(look)),
    |look| Box::pin(records::export(look)),
    |look| Box::pin(records::packed_export(look)),
    |look| Box::pin(words::rulesets(look)),
    |look| Box::pin(words::rules(look)),
    |look| Box::pin(words::one_rule(look)),
    |look| Box::pin(words::catalogue(look)),
    |look| Box::pin(words::packed_catalogue(look)),
    |look| Box::pin(words::self_play(look)),
];

/// Does any one of them.
pub(super) async fn any(look: Look) -> Result<(), Status> {
    let operation = ALL.choose(&mut rand::rng()).expect("an operation");
    operation(look).await
}

/// A server, and the game that is being played.
pub(super) struct Look {
    desk: Desk,
    game: String,
    shared: Arc<Shared>,
    begun: Duration,
}

impl Look {
    pub(super) fn new(desk: Desk, game: &str, shared: &Arc<Shared>) -> Self {
        Self {
            desk,
            game: game.to_owned(),
            begun: shared.recorder.now(),
            shared: Arc::clone(shared),
        }
    }

    /// The game was seen at this version, which is not older than any that was known when the look began.
    fn saw(&self, version: u64) {
        let read = What::Read(version);
        self.shared.recorder.note(&self.game, self.begun, read);
    }

    /// At a version all callers get this.
    fn same(&self, what: &str, version: u64, told: &impl Message) {
        self.shared.same(&self.game, (what, version), told);
    }

    /// All callers get this, whatever the game.
    fn constant(&self, what: &str, told: &impl Message) {
        self.shared.same("any game", (what, 0), told);
    }

    /// The answer must be true.
    fn must(&self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.shared.broken(&self.game, what());
        }
    }
}
