//! A **replica in memory** of one game, which the entries of its log advance.

use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::life::{self, Denied, Life, Moment, Table, began_with};
use gamekeeper_rules::ruleset::{Applied, create};
use gamekeeper_rules::table::{
    Chance, Names, PendingList, Seat, Seed, SeedCommitment, Viewer, encode,
};
use gamekeeper_store::{GameId, Head, StoredEntry, StoredSnapshot, Version};
pub(crate) use gamekeeper_wire::timestamp;
use gamekeeper_wire::{Wire, add_life, end_reason, ended, pending_until, standings};
use pb::table_event;
use uuid::Uuid;

use crate::heart::access::{Access, Account, Bot, Subject};
use crate::heart::due::{BotTurn, DueGame, turn_of_bot};
use crate::heart::past::{Past, Stuck};
use crate::heart::problem::Problem;
use crate::heart::recent::{Recent, Request};
use crate::heart::record::{
    Act, Ancestor, Beside, Birth, Done, Fork, RequestMark, Snapshot, open_birth, open_entry,
    open_snapshot,
};
pub(crate) use crate::heart::record::{BirthOf, EntryOf};

/// A game at one version.
pub(crate) struct Game<W: Wire> {
    pub(crate) id: GameId,
    pub(crate) birth: Arc<BirthOf<W>>,
    /// The commitment to seed and salt. Every response contains it, so it is computed once.
    pub(crate) commitment: SeedCommitment,
    pub(crate) version: Version,
    /// The mark of the entry of this version, by which the store detects a conflict.
    pub(crate) mark: u32,
    pub(crate) time_ms: u64,
    pub(crate) state: W::State,
    pub(crate) chance: Chance,
    /// The state of table life. Is `None` for a plain game.
    pub(crate) life: Option<Box<Life>>,
    pub(crate) recent: Recent,
    pub(crate) access: Access,
    /// Whether this is a fork of a game that may still be in progress. The two games share hidden information.
    pub(crate) is_secret: bool,
    /// Whether the store has no snapshot that this build can decode. The next entry then stores one.
    pub(crate) lacks_snapshot: bool,
    /// The earlier states that take-backs of another layout restore. Is kept only while such a log is replayed.
    pub(crate) past: Option<Box<Past<W::State>>>,
}

impl<W: Wire> Game<W> {
    /// Returns what permissions are checked against.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject {
            id: self.id,
            tenant: &self.birth.tenant,
            birth: self.birth_mark(),
            access: &self.access,
            // A fork that is over must not disclose hidden information of an origin that is still being played.
            over: self.is_over() && !self.is_secret,
        }
    }

    /// Creates a game that was just set up. `entry` is the first entry of its log.
    pub(crate) fn born(
        id: GameId,
        birth: Arc<BirthOf<W>>,
        applied: Applied<W>,
        entry: &[u8],
    ) -> Self {
        let mut recent = Recent::default();
        recent.note(1, creation(&birth), birth.time_ms);
        let (seats, pending) = (W::seats(&birth.options), W::pending(&applied.state));
        let mut game = Self {
            life: Life::begun(birth.table, seats, &pending),
            is_secret: began_secret(&birth),
            id,
            version: 1,
            mark: Head::of(1, entry).mark,
            time_ms: birth.time_ms,
            state: applied.state,
            chance: applied.chance,
            recent,
            access: Access::default(),
            commitment: commitment(&birth),
            birth,
            lacks_snapshot: false,
            past: None,
        };
        game.branch();
        game
    }

    /// Turns a copy of the origin into a fork. `newest` is the last entry of the fork's log.
    pub(crate) fn branched(self, id: GameId, birth: BirthOf<W>, newest: &[u8]) -> Self {
        let mut recent = Recent::default();
        recent.note(1, creation(&birth), birth.time_ms);
        let mut game = Self {
            id,
            mark: Head::of(self.version, newest).mark,
            recent,
            access: Access::default(),
            is_secret: began_secret(&birth),
            commitment: commitment(&birth),
            birth: Arc::new(birth),
            past: None,
            ..self
        };
        game.branch();
        game
    }

    /// Rebuilds a game at version 1 from its first entry, by setting it up again.
    pub(crate) fn reborn(id: GameId, first: &StoredEntry) -> Result<Self, Problem> {
        let mut birth = read_birth::<W>(first)?;
        let chance = match &birth.fork {
            None => Chance::from_seed(&Seed::new(birth.seed)),
            Some(_) => Chance::scripted(birth.draws.iter().cloned()),
        };
        let mut applied = create::<W>(&birth.options, chance);
        fits(1, &applied.chance)?;
        birth.replayed(&mut applied)?;
        Ok(Self::born(id, Arc::new(birth), applied, &first.bytes))
    }

    /// Rebuilds a game from its first entry, a snapshot, and the entry of the snapshot's version. Returns `None` if the
    /// snapshot is of another layout.
    pub(crate) fn restored(
        id: GameId,
        first: &StoredEntry,
        snapshot: &StoredSnapshot,
        last: &StoredEntry,
    ) -> Result<Option<Self>, Problem> {
        let mut birth = read_birth::<W>(first)?;
        birth.forget_story();
        let birth = Arc::new(birth);
        let Some(read) = open_snapshot::<W>(snapshot.version, &snapshot.bytes)? else {
            return Ok(None);
        };
        let Snapshot {
            time_ms,
            chance_position,
            state,
            life,
        } = read;
        let chance = Chance::resume(&Seed::new(birth.seed), chance_position);
        Ok(Some(Self {
            id,
            version: snapshot.version,
            mark: Head::of(last.version, &last.bytes).mark,
            time_ms,
            state,
            chance,
            life,
            recent: Recent::default(),
            access: Access::default(),
            is_secret: began_secret(&birth),
            commitment: commitment(&birth),
            birth,
            lacks_snapshot: false,
            past: None,
        }))
    }

    /// Copies the game, without its recent requests.
    pub(crate) fn copied(&self) -> Self {
        Self {
            id: self.id,
            birth: Arc::clone(&self.birth),
            commitment: self.commitment,
            version: self.version,
            mark: self.mark,
            time_ms: self.time_ms,
            state: self.state.clone(),
            chance: self.chance.clone(),
            life: self.life.clone(),
            recent: Recent::default(),
            access: self.access.clone(),
            is_secret: self.is_secret,
            lacks_snapshot: self.lacks_snapshot,
            past: None,
        }
    }

    /// Drops what the cache does not need: the events of the set-up and the states of earlier versions.
    pub(crate) fn without_story(mut self) -> Self {
        self.past = None;
        if let Some(birth) = Arc::get_mut(&mut self.birth) {
            birth.forget_story();
        }
        self
    }

    /// Decodes an entry after the first.
    pub(crate) fn read_entry(entry: &StoredEntry) -> Result<EntryOf<W>, Problem> {
        open_entry::<W>(entry.version, &entry.bytes)
    }

    /// Returns the table that the next entry is validated on.
    pub(crate) fn table(&self) -> Table<'_, W> {
        Table {
            state: &self.state,
            chance: &self.chance,
            seats: W::seats(&self.birth.options),
            life: self.life.as_deref(),
        }
    }

    /// Returns the version and time of an entry that would be appended at this time, which is in milliseconds since the
    /// Unix epoch.
    pub(crate) fn moment(&self, time_ms: u64) -> Moment {
        Moment {
            version: self.version + 1,
            at_ms: time_ms.saturating_sub(self.birth.time_ms),
        }
    }

    /// Advances the game by the next entry: applies it again, and checks the outcome against the stored one. Fills in
    /// what the entry stores in another layout.
    pub(crate) fn advance(&mut self, entry: &StoredEntry) -> Result<EntryOf<W>, Stuck> {
        if entry.version != self.version + 1 {
            return Err(Stuck::Problem(Problem::Damaged(format!(
                "version {} follows version {}",
                entry.version, self.version
            ))));
        }
        let mut played = Self::read_entry(entry)?;
        self.fill_in(&mut played)?;
        let (mut applied, life) = self.replay(&played)?;
        fits(entry.version, &applied.chance)?;
        played.story.replayed(entry.version, &mut applied)?;
        self.take(applied, life, &played, &entry.bytes);
        Ok(played)
    }

    /// Fills in the state that a take-back restores, if the entry holds it in another layout.
    fn fill_in(&self, entry: &mut EntryOf<W>) -> Result<(), Stuck> {
        if let Some(version) = entry.returns_to()
            && let Done::Beside(beside) = &mut entry.done
        {
            let past = self.past.as_ref();
            let state = past.and_then(|past| past.state(version));
            beside.back = encode(&state.ok_or(Stuck::Past)?);
        }
        Ok(())
    }

    /// Computes the outcome of an entry at this table.
    fn replay(&self, entry: &EntryOf<W>) -> Result<life::After<W>, Problem> {
        let moment = Moment {
            version: self.version + 1,
            at_ms: entry.story.after_ms,
        };
        let refused = |refusal: &dyn std::fmt::Display| {
            Problem::Damaged(format!("version {}: {refusal}", moment.version))
        };
        let again;
        let mut table = self.table();
        if moment.version <= self.birth.past() {
            // The past of a fork was played with the random stream of another game, so the recorded draws are repeated.
            again = Chance::scripted(entry.story.draws.iter().cloned());
            table.chance = &again;
        }
        match &entry.done {
            Done::Act(Act { seat, action }) => {
                life::act(table, *seat, action, moment).map_err(|denied| match denied {
                    Denied::Rules(refusal) => refused(&refusal),
                    Denied::Table(no) => refused(&no),
                })
            }
            Done::Beside(Beside { deed, .. }) => {
                let back = entry.restored(moment.version)?;
                life::perform(table, deed, back, moment).map_err(|no| refused(&no))
            }
        }
    }

    /// Replaces the state of the game by that of the next version.
    pub(crate) fn take(
        &mut self,
        applied: Applied<W>,
        life: Option<Box<Life>>,
        played: &EntryOf<W>,
        entry: &[u8],
    ) {
        let Applied { state, chance, .. } = applied;
        self.version += 1;
        self.mark = Head::of(self.version, entry).mark;
        self.state = state;
        self.chance = chance;
        self.life = life;
        self.time_ms = self.birth.time_ms + played.story.after_ms;
        let request = self.request_of(self.version, played);
        self.recent.note(self.version, request, self.time_ms);
        if let Some(past) = &mut self.past {
            past.pass(self.version, &self.state);
        }
        self.branch();
    }

    /// Returns the request that caused an entry. A fork does not recognize requests that were sent to its origin.
    pub(crate) fn request_of(&self, version: Version, played: &EntryOf<W>) -> Request {
        if version <= self.birth.past() {
            return SENT_TO_ORIGIN;
        }
        Request {
            by: played.actor(),
            mark: played.story.request,
        }
    }

    /// Starts the branches of the game's ancestors and of the game itself that begin at this version. From its own
    /// branch on, a fork draws from its own random stream.
    fn branch(&mut self) {
        let Some(fork) = &self.birth.fork else {
            return;
        };
        if let Some(life) = &mut self.life {
            for at_ms in began_with(&fork.line(), self.version) {
                life.branch::<W>(&self.state, at_ms);
            }
        }
        if self.version == self.birth.past() {
            self.chance = Chance::from_seed(&Seed::new(self.birth.seed));
        }
    }

    /// Returns the head of the log, which the next commit must follow.
    pub(crate) fn head(&self) -> Head {
        let Self { version, mark, .. } = *self;
        Head { version, mark }
    }

    /// Returns the pending decisions.
    pub(crate) fn pending(&self) -> PendingList {
        life::pending::<W>(&self.state, self.life.as_deref())
    }

    /// Returns the next task of a bot. Returns `None` if no bot has anything to do.
    pub(crate) fn turn_of_bot(&self) -> Option<BotTurn> {
        turn_of_bot(&self.access, self.life.as_deref(), &self.pending())
    }

    /// Returns an entry for [`DueNow`](super::due::DueNow) if a bot has something to do.
    pub(crate) fn due_now(&self) -> Option<DueGame> {
        self.turn_of_bot().map(|_| DueGame {
            id: self.id,
            ruleset: W::SHEET.id.to_owned(),
            tenant: self.birth.tenant.clone(),
        })
    }

    /// Returns the time at which the service must act next in a game with this life and these decisions, in
    /// milliseconds since the Unix epoch. Returns `None` if it need not act.
    pub(crate) fn due_ms(
        &self,
        (life, pending): (Option<&Life>, &PendingList),
        now_ms: u64,
    ) -> Option<u64> {
        if turn_of_bot(&self.access, life, pending).is_some() {
            // A bot acts at once.
            return Some(now_ms);
        }
        let due_ms = life?.next_due_ms(pending)?;
        Some(self.birth.time_ms.saturating_add(due_ms))
    }

    /// Returns the next time at which a seat runs out of time, whether the service or a player enforces it, in
    /// milliseconds since the Unix epoch. Returns `None` if no clock is running.
    pub(crate) fn clock_ms(&self, (life, pending): (Option<&Life>, &PendingList)) -> Option<u64> {
        let clock = life?.clock()?;
        let due = pending.iter().filter_map(|owed| clock.due_ms(owed.seat));
        Some(self.birth.time_ms.saturating_add(due.min()?))
    }

    /// Encodes the pending decisions as messages.
    pub(crate) fn decisions(&self) -> Vec<pb::PendingDecision> {
        pending_until(&self.pending(), self.life.as_deref(), self.birth.time_ms)
    }

    /// Returns whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.pending().is_empty()
    }

    /// Encodes the public facts of the game, without users and labels.
    pub(crate) fn info(&self) -> pb::GameInfo {
        let player = |(seat, name): (Seat, &String)| pb::Player {
            seat: seat.number().into(),
            name: name.clone(),
            user: String::new(),
            bot: self.access.bot(seat).map(Bot::message),
        };
        let pending = self.decisions();
        let (status, end_reason) = if pending.is_empty() {
            (pb::GameStatus::Finished, self.end_reason())
        } else {
            (pb::GameStatus::Active, pb::EndReason::Unspecified)
        };
        let ranking = life::ranking::<W>(&self.state, self.life.as_deref());
        let mut digits = Uuid::encode_buffer();
        let mut info = pb::GameInfo {
            game_id: self.id.hyphenated().encode_lower(&mut digits).to_owned(),
            ruleset: W::SHEET.id.to_owned(),
            rules_revision: W::SHEET.revision,
            version: self.version,
            status: status.into(),
            players: Seat::all(self.players().len())
                .zip(self.players())
                .map(player)
                .collect(),
            pending,
            standings: ranking.map_or_else(Vec::new, |ranking| standings(&ranking)),
            create_time: Some(timestamp(self.birth.created_ms())),
            forked_from: self.birth.fork.as_ref().and_then(|fork| forked_from(fork)),
            update_time: Some(timestamp(self.time_ms)),
            seed_commitment: self.commitment.to_vec(),
            end_reason: end_reason.into(),
            ..pb::GameInfo::default()
        };
        if let Some(bound) = &self.birth.bound {
            info.record_commitment = bound.commitment.to_vec();
        }
        if let Some(life) = &self.life {
            add_life(&mut info, life);
        }
        info
    }

    /// Returns the reason for the end of a game that is over.
    pub(crate) fn end_reason(&self) -> pb::EndReason {
        end_reason(self.life.as_deref().and_then(Life::end))
    }

    /// Encodes the way in which the game ended as a message.
    pub(crate) fn ended(&self) -> table_event::Ended {
        ended(self.life.as_deref().and_then(Life::end))
    }

    /// Returns a sentence on how the game ended and who won.
    pub(crate) fn outcome(&self) -> String {
        let names = Names::new(self.players());
        life::outcome::<W>(&self.state, self.life.as_deref(), names)
    }

    /// Returns the current names of the players, in seat order.
    pub(crate) fn players(&self) -> &[String] {
        match (self.access.names(), self.access.first_names()) {
            ([], None) => &self.birth.players,
            ([], Some(first)) => first.names(),
            (names, _) => names,
        }
    }

    /// Returns the view of the table that a viewer may see.
    pub(crate) fn view(&self, viewer: Viewer) -> W::View {
        life::view::<W>(&self.state, self.life.as_deref(), viewer)
    }

    /// Returns the account whose budget the calls with a token of this game use. Forks share the account of the oldest
    /// ancestor.
    pub(crate) fn account_of(&self, seat: Option<Seat>) -> Account {
        let tenant = Account::of_tenant(&self.birth.tenant);
        Account::of_token(tenant, self.first_game().unwrap_or(self.id), seat)
    }

    /// Returns the oldest ancestor of a fork. Returns `None` if the game is not a fork.
    pub(crate) fn first_game(&self) -> Option<GameId> {
        let fork = self.birth.fork.as_ref()?;
        fork.ancestors.first().map(|ancestor| ancestor.game)
    }

    /// Returns a mark that tells this game from earlier ones with the same id: an id is derived from its request, which
    /// can be sent again after the game was deleted.
    pub(crate) fn birth_mark(&self) -> u32 {
        let [one, two, three, four, ..] = self.commitment;
        u32::from_be_bytes([one, two, three, four])
    }

    /// Returns salt and seed. Returns `None` while the game is being played.
    pub(crate) fn seed_reveal(&self) -> Option<pb::SeedReveal> {
        let Birth { salt, seed, .. } = &*self.birth;
        self.is_over().then(|| pb::SeedReveal {
            salt: salt.to_vec(),
            seed: seed.to_vec(),
        })
    }
}

fn commitment<O, E>(birth: &Birth<O, E>) -> SeedCommitment {
    Seed::new(birth.seed).commitment(&birth.salt)
}

/// A placeholder for requests that were sent to the origin of a fork.
const SENT_TO_ORIGIN: Request = Request {
    by: None,
    mark: RequestMark::Unnamed([0; 8]),
};

/// Returns the request that created a game.
pub(crate) fn creation<O, E>(birth: &Birth<O, E>) -> Request {
    if birth.fork.is_some() {
        return SENT_TO_ORIGIN;
    }
    Request {
        by: None,
        mark: birth.request,
    }
}

/// Decodes the first entry of a game of this ruleset.
pub(crate) fn read_birth<W: Wire>(first: &StoredEntry) -> Result<BirthOf<W>, Problem> {
    open_birth::<W>(&first.bytes)
}

/// Returns whether the game began as a fork that shares hidden information with a game still being played.
pub(crate) fn began_secret<O, E>(birth: &Birth<O, E>) -> bool {
    birth.fork.as_ref().is_some_and(|fork| fork.is_secret)
}

/// Encodes the game that was forked as a message.
fn forked_from(fork: &Fork) -> Option<pb::ForkedFrom> {
    fork.origin().map(Ancestor::message)
}

impl Ancestor {
    /// Encodes the ancestor, and the version at which it was forked, as a message.
    pub(crate) fn message(&self) -> pb::ForkedFrom {
        pb::ForkedFrom {
            game_id: self.game.to_string(),
            version: self.branching.version,
        }
    }
}

/// Checks that the recorded draws of a fork's past were all used.
fn fits(version: Version, chance: &Chance) -> Result<(), Problem> {
    let fits = chance.clone().finish();
    fits.map_err(|fault| Problem::Damaged(format!("version {version}: {fault}")))
}
