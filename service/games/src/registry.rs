//! The games of all rulesets, with their types erased, for calls that do not name a ruleset (**dynamic dispatch**).

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::table::Seat;
use gamekeeper_store::StoreError;
use gamekeeper_wire::{Malformed, Wire, ruleset_of};
use prost_types::Timestamp;
use uuid::Uuid;

use crate::heart::access::{Bot, Caller, Share, Wish};
use crate::heart::games::{Answers, Games};
use crate::heart::news::Message;
use crate::heart::problem::Problem;
use crate::heart::record::open_birth_head;
use crate::heart::requests::parse_id;
use crate::heart::shared::{Home, Shared};
use crate::streams::followed::{Changes, FollowedGame};
use crate::streams::marked::{Marked, MarkedGame};
use crate::verbs::check::Verdict;
use crate::verbs::due::Due;
use crate::verbs::erase::Erasure;
use crate::verbs::table_life::TableRequest;

/// Declares the trait [`ErasedGames`] and implements it for [`Games`], whose methods it forwards to.
macro_rules! erased {
    (
        $(async fn $name:ident($($given:ident: $type:ty),* $(,)?) -> $answer:ty;)*
        $(streamed fn $stream:ident($($sent:ident: $kind:ty),* $(,)?) -> $item:ty;)*
    ) => {
        /// The games of one ruleset, with its types erased. Each method forwards to that of [`Games`].
        #[async_trait]
        #[expect(missing_docs, reason = "the contract says what each method does")]
        pub trait ErasedGames: Send + Sync + 'static {
            fn ruleset(&self) -> pb::Ruleset;
            fn rulebook(&self) -> &Rulebook;
            fn catalogue(&self, known_revision: u32) -> raw::GetCatalogueResponse;
            async fn check(&self, id: Uuid) -> Result<Option<Verdict>, StoreError>;
            $(async fn $name(&self, caller: &Caller, $($given: $type),*) -> Result<$answer, Problem>;)*
            $(async fn $stream(self: Arc<Self>, caller: &Caller, $($sent: $kind),*) -> Result<$item, Problem>;)*
        }

        #[async_trait]
        impl<W: Wire> ErasedGames for Games<W> {
            fn ruleset(&self) -> pb::Ruleset {
                pb::Ruleset {
                    id: W::SHEET.id.to_owned(),
                    title: W::SHEET.title.to_owned(),
                    min_seats: u32::from(W::SHEET.min_seats),
                    max_seats: u32::from(W::SHEET.max_seats),
                    rules_revision: W::SHEET.revision,
                    catalogue_revision: W::CATALOGUE_REVISION,
                    options: self.options.clone(),
                }
            }

            fn rulebook(&self) -> &Rulebook {
                self.rulebook.get_or_init(|| Rulebook::read(W::RULES))
            }

            fn catalogue(&self, known_revision: u32) -> raw::GetCatalogueResponse {
                Self::catalogue(self, known_revision)
            }

            async fn check(&self, id: Uuid) -> Result<Option<Verdict>, StoreError> {
                Self::check(self, id).await
            }

            $(async fn $name(&self, caller: &Caller, $($given: $type),*) -> Result<$answer, Problem> {
                Self::$name(self, caller, $($given),*).await
            })*

            $(async fn $stream(self: Arc<Self>, caller: &Caller, $($sent: $kind),*) -> Result<$item, Problem> {
                Self::$stream(&self, caller, $($sent),*).await
            })*
        }
    };
}

erased! {
    async fn create(call: raw::CreateGameRequest) -> raw::CreateGameResponse;
    async fn apply(call: Box<raw::ApplyActionRequest>) -> Box<raw::ApplyActionResponse>;
    async fn look(call: pb::GetGameRequest) -> raw::GetGameResponse;
    async fn legal(call: pb::ListLegalActionsRequest) -> raw::ListLegalActionsResponse;
    async fn events(call: pb::ListEventsRequest) -> raw::ListEventsResponse;
    async fn info(id: Uuid) -> pb::GameInfo;
    async fn table(id: Uuid, asked: (Option<&pb::Viewer>, Option<&pb::Show>)) -> raw::Table;
    async fn update(id: Uuid, call: &pb::UpdateGameRequest) -> pb::GameInfo;
    async fn erase(id: Uuid, erasure: &Erasure) -> bool;
    async fn fork(id: Uuid, call: &pb::ForkGameRequest) -> pb::ForkGameResponse;
    async fn meet(id: Uuid) -> ();
    async fn delete(id: Uuid) -> ();
    async fn issue_token(
        id: Uuid, seat: Option<u32>, expire_time: Option<Timestamp>,
    ) -> (String, Option<u64>);
    async fn revoke_tokens(id: Uuid, seat: Option<u32>) -> ();
    async fn due(id: Uuid) -> Due;
    async fn give_back_all(id: Uuid) -> ();
    async fn end_late(id: Uuid) -> ();
    async fn decide(id: Uuid, turn: (Seat, Bot)) -> ();
    async fn change_table(id: Uuid, request: TableRequest, request_id: &str) -> pb::GameInfo;
    streamed fn watch(call: pb::WatchGameRequest) -> Answers<Message>;
    streamed fn export(call: pb::ExportGameRequest) -> Answers<raw::ExportGameResponse>;
    streamed fn self_play(
        plan: raw::SelfPlayPlan, asked: Answers<raw::SelfPlayRequest>, share: Share,
    ) -> Answers<raw::SelfPlayResponse>;
    streamed fn may(id: Uuid, wish: Wish) -> ();
    streamed fn follow(game: FollowedGame) -> Changes;
    streamed fn marked(game: MarkedGame) -> Marked;
}

/// The rulesets of this process, with the games of each.
pub struct Registry {
    shared: Arc<Shared>,
    games: BTreeMap<String, Arc<dyn ErasedGames>>,
}

impl Registry {
    /// Creates a registry without rulesets.
    #[must_use]
    pub fn none(shared: Arc<Shared>) -> Self {
        let games = BTreeMap::new();
        Self { shared, games }
    }

    /// Creates a registry with all rulesets of Gamekeeper, and with examples if the settings enable them.
    #[must_use]
    pub fn all(shared: Arc<Shared>) -> Self {
        let none = Self::none(shared);
        macro_rules! with_all {
            ($($module:ident: $Ruleset:ident),* $(,)?) => {
                none$(.with_offered::<gamekeeper_rules::$module::$Ruleset>())*
            };
        }
        gamekeeper_wire::for_each_ruleset!(with_all)
    }

    fn with_offered<W: Wire>(self) -> Self {
        if W::IS_EXAMPLE && !self.shared.settings.serve_examples {
            return self;
        }
        self.with::<W>()
    }

    /// Adds a ruleset.
    #[must_use]
    pub fn with<W: Wire>(mut self) -> Self {
        let games = Games::<W>::new(Arc::clone(&self.shared));
        self.games.insert(W::SHEET.id.to_owned(), Arc::new(games));
        self
    }

    /// Returns the games of the ruleset of a request for a new game: the one that it names, or the one of its options.
    ///
    /// # Errors
    /// If the request names neither, or this server has no such ruleset.
    pub fn games_for(
        &self,
        call: &raw::CreateGameRequest,
    ) -> Result<&Arc<dyn ErasedGames>, Problem> {
        match call
            .options
            .as_ref()
            .and_then(|options| options.ruleset.as_ref())
        {
            Some(options) if call.ruleset.is_empty() => {
                self.games_named(ruleset_of(options), "options")
            }
            Some(_) | None => self.games_named(&call.ruleset, "ruleset"),
        }
    }

    /// Returns the descriptions of all rulesets, ordered by id.
    #[must_use]
    pub fn rulesets(&self) -> Vec<pb::Ruleset> {
        self.games.values().map(|games| games.ruleset()).collect()
    }

    /// Returns the games by the ids of their rulesets.
    pub(crate) fn by_ruleset(&self) -> &BTreeMap<String, Arc<dyn ErasedGames>> {
        &self.games
    }

    /// Returns the games of the ruleset that a game belongs to, and the decoded id. For a game that this process has
    /// met, the store is not read.
    ///
    /// # Errors
    /// If there is no such game, the caller must not know that there is, or the store fails.
    pub async fn games_of(
        &self,
        caller: &Caller,
        game_id: &str,
    ) -> Result<(Arc<dyn ErasedGames>, Uuid), Problem> {
        let id = parse_id(game_id)?;
        let home = match self.shared.homes.get(&id) {
            Some(home) => home,
            None => match self.find_home(id).await {
                Ok(home) => home,
                Err(problem) => return Err(self.shared.problem_for(caller, id, problem).await),
            },
        };
        if !home.is_known_to(caller, id) {
            return Err(Problem::no_such_game(id));
        }
        let games = Arc::clone(self.games_served(&home.ruleset)?);
        if caller.user().is_some() {
            games.meet(caller, id).await?;
        }
        Ok((games, id))
    }

    /// Returns the games of the ruleset of a stored game.
    ///
    /// # Errors
    /// If this server does not serve the ruleset.
    pub(crate) fn games_served(&self, ruleset: &str) -> Result<&Arc<dyn ErasedGames>, Problem> {
        let games = self.games.get(ruleset);
        games.ok_or_else(|| Problem::RulesetNotServed {
            ruleset: ruleset.to_owned(),
        })
    }

    /// Returns the games of the ruleset that this field names.
    ///
    /// # Errors
    /// If this server has no such ruleset.
    pub fn games_named(
        &self,
        ruleset: &str,
        field: &str,
    ) -> Result<&Arc<dyn ErasedGames>, Problem> {
        let games = self.games.get(ruleset);
        games.ok_or_else(|| unknown_ruleset(field))
    }

    async fn find_home(&self, id: Uuid) -> Result<Home, Problem> {
        let entries = self.shared.store.log(id, 0, 1).await?.unwrap_or_default();
        let first = entries.first().ok_or_else(|| Problem::no_such_game(id))?;
        let head = open_birth_head(&first.bytes)?;
        let home = Home {
            ruleset: head.ruleset.into(),
            tenant: head.tenant.into(),
            first_game: head.first_game.unwrap_or(id),
        };
        self.shared.note_home(id, home.clone());
        Ok(home)
    }

    /// Returns the ruleset, tenant and first game that a game belongs to.
    ///
    /// # Errors
    /// If there is no such game, or the store fails.
    pub async fn home_of(&self, id: Uuid) -> Result<Home, Problem> {
        match self.shared.homes.get(&id) {
            Some(home) => Ok(home),
            None => self.find_home(id).await,
        }
    }

    /// Returns the context that the games of all rulesets share.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

pub(crate) fn unknown_ruleset(field: &str) -> Problem {
    Malformed::new(field, "is not the id of a ruleset on this server").into()
}
