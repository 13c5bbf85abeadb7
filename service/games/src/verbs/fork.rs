//! **Forks**: games that branch off from another game, and use a random stream of their own from there on.
//!
//! A fork of a game that is still being played shares its hidden information. Until every such ancestor is over, the
//! fork has no tokens, so only its owner can play it, and its record stays secret even when the fork itself is over.

use bytes::Bytes;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::life::{Branching, No};
use gamekeeper_rules::table::{Seat, SeedCommitment};
use gamekeeper_store::{Created, GameId, ListFilter, StoredEntry, Version};
use gamekeeper_telemetry::TableEvent;
use gamekeeper_wire::Wire;

use crate::heart::access::{Access, Caller, FirstNames, Wish, nameless};
use crate::heart::binding::bound;
use crate::heart::game::{BirthOf, Game, began_secret, read_birth};
use crate::heart::games::Games;
use crate::heart::load::LOG_PAGE;
use crate::heart::problem::Problem;
use crate::heart::record::{Ancestor, Birth, Fork, RequestMark, seal_birth};
use crate::heart::requests::{check_request_id, named_id};
use crate::heart::tags::of_forks;
use crate::heart::yielding::Yielder;

/// The maximum number of versions that a fork takes from its origin, since they are read, replayed and stored in one
/// call.
const MAX_VERSIONS: Version = 10_000;

/// The maximum number of ancestors of a fork.
const MAX_ANCESTORS: usize = 64;

/// The maximum number of forks of a game, forks of forks included, beyond which players cannot fork it.
const MAX_FORKS: usize = 100;

/// The inputs of a fork, once its request has been validated.
struct Plan {
    tenant: String,
    /// The current names of the players, with their users.
    players: FirstNames,
    version: Version,
    fork: Fork,
    /// The seed commitment of the game that is forked, which tells it from others with the same id.
    commitment: SeedCommitment,
}

impl<W: Wire> Games<W> {
    /// Creates a fork of a game. The call is idempotent: requests with the same id and body get the same fork.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, the game is over at that version, or the store fails.
    pub async fn fork(
        &self,
        caller: &Caller,
        id: GameId,
        call: &pb::ForkGameRequest,
    ) -> Result<pb::ForkGameResponse, Problem> {
        check_request_id(&call.request_id)?;
        let seed = self.seed(&call.seed)?;
        let plan = self.plan(caller, id, call.at_version).await?;
        let body = [
            &call.at_version.to_be_bytes()[..],
            id.as_bytes(),
            &call.seed,
        ]
        .concat();
        let request = RequestMark::new(&call.request_id, &body);
        let fork_id = fork_id(caller, &plan.tenant, id, &call.request_id);
        if let Some(before) = self.forked_before(fork_id, &plan.tenant, request).await? {
            return self.forked(caller, &before);
        }
        if caller.is_of_one_game() {
            self.check_forks(id, &plan).await?;
        }
        let (then, log) = self.past(id, &plan).await?;
        let mut birth: BirthOf<W> = Birth {
            tenant: plan.tenant.clone(),
            seed: *seed.as_bytes(),
            salt: rand::random(),
            request,
            players: Seat::all(plan.players.names().len())
                .map(nameless)
                .collect(),
            fork: Some(Box::new(plan.fork)),
            ..BirthOf::<W>::clone(&then.birth)
        };
        birth.bound = Some(bound::<W>(fork_id, &birth, &plan.players));
        let entry = Bytes::from(seal_birth::<W>(&birth));
        let past: Vec<Bytes> = log.into_iter().skip(1).map(|entry| entry.bytes).collect();
        let mut game = then.branched(fork_id, birth, past.last().unwrap_or(&entry));
        game.access = Access::default().begun(Some(plan.players));
        let new = self.new_game(&game, entry, past);
        let snapshot_bytes = new.snapshot.len();
        match self.shared.store.create(new).await? {
            Created::Done => {
                self.metrics.created();
                self.metrics.happened(TableEvent::Forked);
                self.metrics.snapshot(snapshot_bytes);
                let answer = self.forked(caller, &game)?;
                self.keep(game.without_story());
                Ok(answer)
            }
            Created::Exists => {
                let before = self.forked_before(fork_id, &plan.tenant, request).await?;
                // The fork existed a moment ago: it was deleted meanwhile, or a failover has lost it.
                self.forked(caller, &before.ok_or(Problem::Contended)?)
            }
            Created::Full => Err(Problem::QuotaUsed),
        }
    }

    /// Validates the request on the newest version of the game.
    async fn plan(&self, caller: &Caller, id: GameId, asked: Version) -> Result<Plan, Problem> {
        let mut game = self.open_fresh(caller, id).await?;
        caller.may(game.subject(), Wish::Fork)?;
        self.unseal(&mut game).await?;
        let version = match asked {
            0 => game.version,
            asked => asked,
        };
        if version > game.version {
            let current = game.version;
            return Err(Problem::NoSuchVersion { asked, current });
        }
        check_length(version)?;
        let before = game.birth.fork.as_ref();
        let mut ancestors = before.map_or_else(Vec::new, |fork| fork.ancestors.clone());
        if ancestors.len() >= MAX_ANCESTORS {
            let max = MAX_ANCESTORS;
            return Err(Problem::TooManyForks { max });
        }
        let at_ms = self.next_time(&game).saturating_sub(game.birth.time_ms);
        ancestors.push(Ancestor {
            game: id,
            commitment: game.commitment,
            branching: Branching { version, at_ms },
        });
        Ok(Plan {
            tenant: game.birth.tenant.clone(),
            players: names_of(&game),
            version,
            commitment: game.commitment,
            fork: Fork {
                ancestors,
                is_secret: game.is_secret || !game.is_over(),
            },
        })
    }

    /// Checks the limit of forks by players. They cannot delete forks, which count against the quota of the tenant.
    async fn check_forks(&self, id: GameId, plan: &Plan) -> Result<(), Problem> {
        let first = plan.fork.ancestors.first().map_or(id, |first| first.game);
        let filter = ListFilter {
            lists: vec![of_forks(first)],
            tenant: Some(plan.tenant.clone()),
            ..ListFilter::default()
        };
        let forks = self.shared.store.page(&filter, None, MAX_FORKS).await?;
        if forks.games.len() < MAX_FORKS {
            return Ok(());
        }
        Err(Problem::QuotaUsed)
    }

    /// Returns the game as it was at the forked version, with its log up to then.
    async fn past(&self, id: GameId, plan: &Plan) -> Result<(Game<W>, Vec<StoredEntry>), Problem> {
        let first = self.first_entry(id).await?;
        let mut game = Game::<W>::reborn(id, &first)?;
        if game.commitment != plan.commitment {
            // The game was deleted meanwhile, and its id reused for another one.
            return Err(Problem::Contended);
        }
        let (mut log, mut yielder) = (vec![first], Yielder::new());
        while game.version < plan.version {
            let wanted = usize::try_from(plan.version - game.version).unwrap_or(usize::MAX);
            let page = self.entries(id, game.version, wanted.min(LOG_PAGE)).await?;
            if page.is_empty() {
                return Err(Problem::Contended);
            }
            self.step_on(&mut game, &page, &mut yielder).await?;
            log.extend(page);
        }
        if game.is_over() {
            return Err(Problem::Table(No::GameOver));
        }
        Ok((game, log))
    }

    /// Returns the fork that this request has already created. Returns `None` if there is none.
    async fn forked_before(
        &self,
        id: GameId,
        tenant: &str,
        request: RequestMark,
    ) -> Result<Option<Game<W>>, Problem> {
        if matches!(request, RequestMark::Unnamed(_)) {
            return Ok(None);
        }
        let entries = self.shared.store.log(id, 0, 1).await?.unwrap_or_default();
        let Some(first) = entries.first() else {
            return Ok(None);
        };
        let birth = read_birth::<W>(first)?;
        if birth.request != request || birth.tenant != tenant {
            return Err(Problem::RequestIdReused);
        }
        self.metrics.repeated();
        let mut game = self.at_version(id, birth.past()).await?;
        // Use the names at creation of the fork, unless they were erased.
        let now = self.shared.store.load(id, None).await?;
        let access = Access::from_bytes(&now.ok_or(Problem::Contended)?.access)?;
        game.access = Access::default().begun(access.first_names().cloned());
        Ok(Some(game))
    }

    /// Builds the response to the request, the same for every repetition.
    fn forked(&self, caller: &Caller, game: &Game<W>) -> Result<pb::ForkGameResponse, Problem> {
        // Repetitions must get the same response, even if the fork has been unsealed since then.
        let tokens = if began_secret(&game.birth) {
            None
        } else {
            self.first_tokens(caller, game)?
        };
        Ok(pb::ForkGameResponse {
            game: Some(game.info_for(caller)),
            tokens,
        })
    }

    /// Ends the secrecy of a fork if none of its ancestors is still being played.
    pub(crate) async fn unseal(&self, game: &mut Game<W>) -> Result<(), Problem> {
        if !game.is_secret {
            return Ok(());
        }
        let Some(fork) = game.birth.fork.clone() else {
            return Ok(());
        };
        // A single ancestor in progress decides, and the nearest one is the most likely.
        for ancestor in fork.ancestors.iter().rev() {
            if self.is_played(ancestor).await? {
                return Ok(());
            }
        }
        game.is_secret = false;
        Ok(())
    }

    /// Returns whether an ancestor is still being played. A deleted game is not.
    async fn is_played(&self, ancestor: &Ancestor) -> Result<bool, Problem> {
        match self.ancestor(ancestor).await {
            Ok(game) => Ok(game.is_some_and(|game| !game.is_over())),
            // A record that cannot be read may be that of a game in progress.
            Err(problem) if problem.is_of_record() => Ok(true),
            Err(problem) => Err(problem),
        }
    }

    /// Loads an ancestor at its newest version. Returns `None` if it was deleted.
    async fn ancestor(&self, ancestor: &Ancestor) -> Result<Option<Game<W>>, Problem> {
        match self.load(ancestor.game).await {
            Ok(game) => Ok(Some(game).filter(|game| game.commitment == ancestor.commitment)),
            Err(Problem::NoSuchGame { .. }) => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// Builds the ancestors of a game for its record, with the seeds of those that are over.
    pub(crate) async fn origins(&self, game: &Game<W>) -> Result<Vec<pb::ForkOrigin>, Problem> {
        let Some(fork) = &game.birth.fork else {
            return Ok(Vec::new());
        };
        let mut origins = Vec::with_capacity(fork.ancestors.len());
        for ancestor in &fork.ancestors {
            let found = self.ancestor(ancestor).await?;
            origins.push(pb::ForkOrigin {
                seed_reveal: found.and_then(|found| found.seed_reveal()),
                ..ancestor.origin(game.birth.time_ms)
            });
        }
        Ok(origins)
    }
}

/// Checks the limit of versions that a fork takes from its origin.
fn check_length(version: Version) -> Result<(), Problem> {
    if version <= MAX_VERSIONS {
        return Ok(());
    }
    Err(Problem::OutOfBounds {
        field: "at_version",
        limit: "forked_versions",
        max: usize::try_from(MAX_VERSIONS).unwrap_or(usize::MAX),
    })
}

/// Returns the current names of the players, with the users that they belong to.
fn names_of<W: Wire>(game: &Game<W>) -> FirstNames {
    let (tags, first) = (game.access.tags(), game.access.first_names());
    FirstNames::new(game.players(), |seat| match (tags.user(seat), first) {
        ("", Some(first)) => first.user(seat),
        (user, _) => user,
    })
}

/// Derives the id of a fork. Seats choose their request ids independently, so the seat is hashed as well.
fn fork_id(caller: &Caller, tenant: &str, game: GameId, request_id: &str) -> GameId {
    let by = caller.seat().map_or(0, Seat::number);
    let parts: [&[u8]; 4] = [b"fork", tenant.as_bytes(), game.as_bytes(), &[by]];
    named_id(request_id, &parts)
}

#[cfg(test)]
mod tests;
