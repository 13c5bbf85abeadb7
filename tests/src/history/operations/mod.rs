//! Calls that players make besides playing. To cover another method, write a function that calls it and checks its
//! response against others, and add its row to [`LOOKS`] or [`CHANGES`].

mod changes;
mod looks;
mod owner;
mod records;
mod words;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use prost::Message;
use rand::RngExt;
use tonic::Status;

pub(super) use self::looks::ask_facts;
use super::What;
use super::caller::Caller;
use super::desk::Desk;
use super::shared::Shared;

/// A function that calls a server and checks the response. A failed call is judged by the player.
type Operation = fn(Look) -> Pin<Box<dyn Future<Output = Result<(), Status>> + Send>>;

/// A row of the tables of operations.
struct Row {
    /// The service and the method that it calls.
    method: [&'static str; 2],
    operation: Operation,
}

macro_rules! rows {
    ($($service:ident $method:ident: $module:ident::$operation:ident;)*) => {
        &[$(Row {
            method: [stringify!($service), stringify!($method)],
            operation: |look| Box::pin($module::$operation(look)),
        }),*]
    };
}

/// Operations that do not change a game.
const LOOKS: &[Row] = rows! {
    GameService GetGame: looks::facts_alone;
    GameService GetGame: looks::table;
    GameService GetGame: looks::earlier_table;
    GameService ListLegalActions: looks::legal_actions;
    GameService ListEvents: records::events;
    GameService ExportGame: records::export;
    GameService BatchGetGames: owner::batch;
    GameService ListGames: owner::list;
    GameService EraseUser: owner::erase;
    GameService DeleteGame: owner::delete;
    GameService ForkGame: owner::fork;
    RulesetService ListRulesets: words::rulesets;
    RulesetService GetCatalogue: words::catalogue;
    RulesetService ListRules: words::rules;
    RulesetService GetRule: words::one_rule;
    SelfPlayService SelfPlay: words::self_play;
};

/// Operations that change a table beyond the rules.
const CHANGES: &[Row] = rows! {
    GameService UpdateGame: owner::label;
    GameService UpdateGame: owner::move_user;
    GameService Resign: changes::resign;
    GameService FillSeat: changes::fill_seat;
    GameService ClaimTimeout: changes::claim_timeout;
    GameService AddTime: changes::add_time;
    GameService PauseGame: changes::pause;
    GameService ResumeGame: changes::resume;
    GameService EndGame: changes::end;
    GameService TakeBack: changes::take_back;
    GameService TakeBack: changes::take_back_with_consent;
    GameService AnswerProposal: changes::answer_proposal;
};

/// Methods that are called elsewhere: players create games and act, tests of `importing` import what was played, watchers follow games, and the rotator issues and
/// revokes tokens.
#[cfg(test)]
const ELSEWHERE: &[[&str; 2]] = &[
    ["GameService", "CreateGame"],
    ["GameService", "ImportGame"],
    ["GameService", "ApplyAction"],
    ["GameService", "WatchGame"],
    ["GameService", "WatchGames"],
    ["AccessService", "IssueToken"],
    ["AccessService", "RevokeTokens"],
];

/// Ends a game for its owner, with as many attempts as that takes.
///
/// # Errors
/// If the game is gone or cannot be read.
pub(super) async fn end(look: &Look) -> Result<(), Status> {
    while changes::is_active(look).await? {
        changes::end_by_owner(look).await;
    }
    Ok(())
}

/// Runs a random operation. At a plain table, it is one that does not change the game. A failure comes with the name of
/// the method.
pub(super) async fn any(look: Look, is_plain: bool) -> Result<(), (String, Status)> {
    let changes = if is_plain { &[][..] } else { CHANGES };
    let index = crate::chance::rng().random_range(0..LOOKS.len() + changes.len());
    let row = LOOKS.iter().chain(changes).nth(index);
    let Row { method, operation } = row.expect("an operation");
    let result = operation(look).await;
    result.map_err(|status| (method.join("."), status))
}

/// The context of an operation: a server, and the game that is being played.
pub(super) struct Look {
    caller: Caller,
    desk: Desk,
    game: String,
    shared: Arc<Shared>,
    begun: Duration,
}

impl Look {
    pub(super) fn new(caller: &Caller, game: &str) -> Self {
        let shared = Arc::clone(&caller.shared);
        Self {
            caller: caller.clone(),
            desk: caller.desk(),
            game: game.to_owned(),
            begun: shared.recorder.now(),
            shared,
        }
    }

    /// Records the public facts of the game as they are now.
    fn saw_facts(&self, info: &v1::GameInfo) {
        self.saw(info.version);
        self.shared.facts(info);
        let number = |(key, value): (&String, &String)| Some((key.clone(), value.parse().ok()?));
        let labels: BTreeMap<String, u64> = info.labels.iter().filter_map(number).collect();
        let read_labels = What::SawLabels(labels);
        self.shared
            .recorder
            .note(&self.game, self.begun, read_labels);
    }

    /// Records that the game was seen at this version, which must not be older than any version known when the
    /// operation began.
    fn saw(&self, version: u64) {
        let read = What::Read(version);
        self.shared.recorder.note(&self.game, self.begun, read);
    }

    /// Checks that all callers get the same content for a version.
    fn same<M: Message + Default + Debug>(&self, what: &str, version: u64, message: &M) {
        self.shared.same(&self.game, (what, version), message);
    }

    /// Checks that all callers get the same content, for every game.
    fn constant<M: Message + Default + Debug>(&self, what: &str, message: &M) {
        self.shared.same("any game", (what, 0), message);
    }

    /// Records a flaw unless the condition holds.
    fn must(&self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.shared.broken(&self.game, what());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{CHANGES, ELSEWHERE, LOOKS};
    use crate::contract::methods;

    /// Every method of the contract takes part in every fault test: it has a row, or is called elsewhere.
    #[test]
    fn every_method_of_the_contract_is_called() {
        let rows = LOOKS.iter().chain(CHANGES).map(|row| row.method);
        let called: Vec<[&str; 2]> = rows.chain(ELSEWHERE.iter().copied()).collect();
        let called: BTreeSet<String> = called.iter().map(|name| name.join(".")).collect();
        let methods = methods().into_iter().filter_map(|method| {
            let (_, service) = method.service.rsplit_once('.')?;
            Some(format!("{service}.{}", method.name))
        });
        let methods: BTreeSet<String> = methods.collect();
        assert_eq!(called, methods);
    }
}
