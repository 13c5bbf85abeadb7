//! The games of all rulesets, with their types erased, for calls that do not name a ruleset (**dynamic dispatch**).

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use gamekeeper_policies::{LearnedPolicy, PolicyLibrary};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::bots::Policy;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::table::Seat;
use gamekeeper_store::StoreError;
use gamekeeper_wire::{Malformed, Wire, ruleset_of, starts};
use prost_types::Timestamp;
use uuid::Uuid;

use crate::admission::ConcurrencyPermit;
use crate::authz::{Caller, Permission};
use crate::broadcast::update::Message;
use crate::context::app_context::{AppContext, GameLocation};
use crate::errors::ServiceError;
use crate::handlers::check_game::ReplayReport;
use crate::handlers::erase_user::Erasure;
use crate::handlers::import_game::ImportRequest;
use crate::handlers::system_commands::DueWork;
use crate::handlers::table_commands::TableRequest;
use crate::log::decode_genesis_head;
use crate::metadata::Bot;
use crate::requests::ids::parse_id;
use crate::service::game_service::{GameService, ResponseStream};
use crate::streams::feed_game::{FeedGameRequest, FeedGameUpdates};
use crate::streams::watched_game::{VersionChanges, WatchedGame};

/// Lists the policies that bots can have in a ruleset: those of the rules, then learned ones.
fn policies<W: Wire>(learned: &PolicyLibrary) -> Vec<pb::PolicyInfo> {
    let info = |policy: Policy| pb::PolicyInfo {
        id: policy.id().to_owned(),
        description: policy.about().to_owned(),
        level: policy.level().is_some(),
        ..pb::PolicyInfo::default()
    };
    let learned_info = |policy: &LearnedPolicy| pb::PolicyInfo {
        id: policy.id().to_owned(),
        description: policy.description().to_owned(),
        level: false,
        seats: u32::try_from(policy.space().seats()).unwrap_or(0),
        hash: policy.hash().to_owned(),
    };
    let learned = learned.of_ruleset(W::INFO.id).map(learned_info);
    let policies = W::policies().into_iter().map(info);
    policies.chain(learned).collect()
}

/// Declares the trait [`DynGameService`] and implements it for [`GameService`], whose methods it forwards to.
macro_rules! dyn_game_service {
    (
        $(async fn $name:ident($($given:ident: $type:ty),* $(,)?) -> $answer:ty;)*
        $(streamed fn $stream:ident($($sent:ident: $kind:ty),* $(,)?) -> $item:ty;)*
    ) => {
        /// The games of one ruleset, with its types erased. Each method forwards to that of [`GameService`].
        #[async_trait]
        #[expect(missing_docs, reason = "the contract says what each method does")]
        pub trait DynGameService: Send + Sync + 'static {
            fn ruleset(&self) -> pb::Ruleset;
            fn rulebook(&self) -> &Rulebook;
            fn get_catalogue(&self, known_revision: u32) -> raw::GetCatalogueResponse;
            async fn check_game(&self, id: Uuid) -> Result<Option<ReplayReport>, StoreError>;
            $(async fn $name(&self, caller: &Caller, $($given: $type),*) -> Result<$answer, ServiceError>;)*
            $(async fn $stream(self: Arc<Self>, caller: &Caller, $($sent: $kind),*) -> Result<$item, ServiceError>;)*
        }

        #[async_trait]
        impl<W: Wire> DynGameService for GameService<W> {
            fn ruleset(&self) -> pb::Ruleset {
                pb::Ruleset {
                    id: W::INFO.id.to_owned(),
                    title: W::INFO.title.to_owned(),
                    min_seats: u32::from(W::INFO.min_seats),
                    max_seats: u32::from(W::INFO.max_seats),
                    rules_revision: W::INFO.revision,
                    catalogue_revision: W::CATALOGUE_REVISION,
                    options: self.options.clone(),
                    policies: policies::<W>(&self.context.settings.policies),
                    fewest_win: W::INFO.fewest_win,
                    starts: starts::<W>().into_iter().map(Into::into).collect(),
                }
            }

            fn rulebook(&self) -> &Rulebook {
                Self::rulebook(self)
            }

            fn get_catalogue(&self, known_revision: u32) -> raw::GetCatalogueResponse {
                Self::get_catalogue(self, known_revision)
            }

            async fn check_game(&self, id: Uuid) -> Result<Option<ReplayReport>, StoreError> {
                Self::check_game(self, id).await
            }

            $(async fn $name(&self, caller: &Caller, $($given: $type),*) -> Result<$answer, ServiceError> {
                Self::$name(self, caller, $($given),*).await
            })*

            $(async fn $stream(self: Arc<Self>, caller: &Caller, $($sent: $kind),*) -> Result<$item, ServiceError> {
                Self::$stream(&self, caller, $($sent),*).await
            })*
        }
    };
}

dyn_game_service! {
    async fn create_game(call: raw::CreateGameRequest) -> raw::CreateGameResponse;
    async fn apply_action(call: Box<raw::ApplyActionRequest>) -> Box<raw::ApplyActionResponse>;
    async fn get_game(call: pb::GetGameRequest) -> raw::GetGameResponse;
    async fn list_legal_actions(call: pb::ListLegalActionsRequest) -> raw::ListLegalActionsResponse;
    async fn list_events(call: pb::ListEventsRequest) -> raw::ListEventsResponse;
    async fn info(id: Uuid) -> pb::GameInfo;
    async fn table(id: Uuid, request: (Option<&pb::Viewer>, Option<&pb::Show>)) -> raw::Table;
    async fn update_game(id: Uuid, call: &pb::UpdateGameRequest) -> pb::GameInfo;
    async fn erase_user(id: Uuid, erasure: &Erasure) -> bool;
    async fn fork_game(id: Uuid, call: &pb::ForkGameRequest) -> pb::ForkGameResponse;
    async fn import_game(import: ImportRequest) -> pb::ImportGameResponse;
    async fn ensure_visible(id: Uuid) -> ();
    async fn delete_game(id: Uuid) -> ();
    async fn issue_token(
        id: Uuid, seat: Option<u32>, expire_time: Option<Timestamp>,
    ) -> (String, Option<u64>);
    async fn revoke_tokens(id: Uuid, seat: Option<u32>) -> ();
    async fn due_work(id: Uuid) -> DueWork;
    async fn credit_outages(id: Uuid) -> ();
    async fn time_out_overdue(id: Uuid) -> ();
    async fn play_bot_turn(id: Uuid, turn: (Seat, Bot)) -> ();
    async fn apply_table_command(id: Uuid, request: TableRequest, request_id: &str) -> pb::GameInfo;
    streamed fn watch_game(call: pb::WatchGameRequest) -> ResponseStream<Message>;
    streamed fn export_game(call: pb::ExportGameRequest) -> ResponseStream<raw::ExportGameResponse>;
    streamed fn self_play(
        plan: raw::SelfPlayPlan, requests: ResponseStream<raw::SelfPlayRequest>, share: ConcurrencyPermit,
    ) -> ResponseStream<raw::SelfPlayResponse>;
    streamed fn authorize(id: Uuid, permission: Permission) -> ();
    streamed fn follow_game(game: WatchedGame) -> VersionChanges;
    streamed fn feed_game_updates(game: FeedGameRequest) -> FeedGameUpdates;
}

/// The rulesets of this process, with the games of each.
pub struct Registry {
    shared: Arc<AppContext>,
    services: BTreeMap<String, Arc<dyn DynGameService>>,
}

impl Registry {
    /// Creates a registry without rulesets.
    #[must_use]
    pub fn empty(shared: Arc<AppContext>) -> Self {
        let services = BTreeMap::new();
        Self { shared, services }
    }

    /// Creates a registry with all rulesets of Gamekeeper, and with examples if the settings enable them.
    #[must_use]
    pub fn all(shared: Arc<AppContext>) -> Self {
        let none = Self::empty(shared);
        macro_rules! with_all {
            ($($module:ident: $Ruleset:ident),* $(,)?) => {
                none$(.with_if_offered::<gamekeeper_rules::$module::$Ruleset>())*
            };
        }
        gamekeeper_wire::for_each_ruleset!(with_all)
    }

    fn with_if_offered<W: Wire>(self) -> Self {
        if W::IS_EXAMPLE && !self.shared.settings.serve_examples {
            return self;
        }
        self.with_ruleset::<W>()
    }

    /// Adds a ruleset.
    #[must_use]
    pub fn with_ruleset<W: Wire>(mut self) -> Self {
        let service = GameService::<W>::new(Arc::clone(&self.shared));
        self.services
            .insert(W::INFO.id.to_owned(), Arc::new(service));
        self
    }

    /// Returns the games of the ruleset of a request for a new game: the one that it names, or the one of its options.
    ///
    /// # Errors
    /// If the request names neither, or this server has no such ruleset.
    pub fn service_for_create(
        &self,
        call: &raw::CreateGameRequest,
    ) -> Result<&Arc<dyn DynGameService>, ServiceError> {
        match call
            .options
            .as_ref()
            .and_then(|options| options.ruleset.as_ref())
        {
            Some(options) if call.ruleset.is_empty() => {
                self.service_of(ruleset_of(options), "options")
            }
            Some(_) | None => self.service_of(&call.ruleset, "ruleset"),
        }
    }

    /// Returns the descriptions of all rulesets, ordered by id.
    #[must_use]
    pub fn rulesets(&self) -> Vec<pb::Ruleset> {
        self.services
            .values()
            .map(|service| service.ruleset())
            .collect()
    }

    /// Returns the games by the ids of their rulesets.
    pub(crate) fn services(&self) -> &BTreeMap<String, Arc<dyn DynGameService>> {
        &self.services
    }

    /// Returns the games of the ruleset that a game belongs to, and the decoded id. For a game that this process has
    /// met, the store is not read.
    ///
    /// # Errors
    /// If there is no such game, the caller must not know that there is, or the store fails.
    pub async fn resolve_game(
        &self,
        caller: &Caller,
        game_id: &str,
    ) -> Result<(Arc<dyn DynGameService>, Uuid), ServiceError> {
        let id = parse_id(game_id)?;
        let location = match self.shared.location_cache.get(&id) {
            Some(location) => location,
            None => match self.locate_in_store(id).await {
                Ok(location) => location,
                Err(problem) => return Err(self.shared.mask_error(caller, id, problem).await),
            },
        };
        if !location.may_be_visible_to(caller, id) {
            return Err(ServiceError::no_such_game(id));
        }
        let service = Arc::clone(self.games_served(&location.ruleset)?);
        if caller.user().is_some() {
            service.ensure_visible(caller, id).await?;
        }
        Ok((service, id))
    }

    /// Returns the games of the ruleset of a stored game.
    ///
    /// # Errors
    /// If this server does not serve the ruleset.
    pub(crate) fn games_served(
        &self,
        ruleset: &str,
    ) -> Result<&Arc<dyn DynGameService>, ServiceError> {
        let games = self.services.get(ruleset);
        games.ok_or_else(|| ServiceError::RulesetNotServed {
            ruleset: ruleset.to_owned(),
        })
    }

    /// Returns the games of the ruleset that this field names.
    ///
    /// # Errors
    /// If this server has no such ruleset.
    pub fn service_of(
        &self,
        ruleset: &str,
        field: &str,
    ) -> Result<&Arc<dyn DynGameService>, ServiceError> {
        let service = self.services.get(ruleset);
        service.ok_or_else(|| unknown_ruleset(field))
    }

    async fn locate_in_store(&self, id: Uuid) -> Result<GameLocation, ServiceError> {
        let entries = self.shared.store.log(id, 0, 1).await?.unwrap_or_default();
        let first = entries
            .first()
            .ok_or_else(|| ServiceError::no_such_game(id))?;
        let head = decode_genesis_head(&first.bytes)?;
        let location = GameLocation {
            ruleset: head.ruleset.into(),
            tenant: head.tenant.into(),
            root_game: head.first_game.unwrap_or(id),
        };
        self.shared.cache_location(id, location.clone());
        Ok(location)
    }

    /// Returns the ruleset, tenant and first game that a game belongs to.
    ///
    /// # Errors
    /// If there is no such game, or the store fails.
    pub async fn locate(&self, id: Uuid) -> Result<GameLocation, ServiceError> {
        match self.shared.location_cache.get(&id) {
            Some(location) => Ok(location),
            None => self.locate_in_store(id).await,
        }
    }

    /// Returns the context that the games of all rulesets share.
    pub(crate) fn shared(&self) -> &Arc<AppContext> {
        &self.shared
    }
}

pub(crate) fn unknown_ruleset(field: &str) -> ServiceError {
    Malformed::new(field, "is not the id of a ruleset on this server").into()
}
