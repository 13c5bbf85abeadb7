//! A bot that plays seats of a stored game: it waits until one of its seats has to act, and decides only from the
//! information that this seat has.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, Show};
use gamekeeper_proto::raw::{Action, LegalAction};
use gamekeeper_rules::table::Seed;
use gamekeeper_rules::table::text::{DIM, styled};
use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::task::JoinError;

use crate::bot_choice::{BotTask, choose};
use crate::contract::json_line;
use crate::failure::Failure;
use crate::game_client::{GameClient, LegalFilter, Move, new_request_id, ruleset_action};
use crate::game_watch::VersionWatch;
use crate::learned::Learned;
use crate::output::{Output, notice};
use crate::phrase;
use crate::policy::{Budget, Policy};
use crate::token_selection::ViewerChoice;
use crate::worlds::{sample_worlds, seed};

/// Delay before a bot says for whom it waits: other bots mostly act sooner.
const QUIET_DELAY: Duration = Duration::from_secs(1);

/// The settings of a bot: how it chooses, when it stops and what it prints.
pub(crate) struct BotConfig {
    pub(crate) policy: Policy,
    /// The budget of a decision.
    pub(crate) budget: Budget,
    /// The seed of the bot's choices. `None` if a random one is drawn.
    pub(crate) choice_seed: Option<u64>,
    /// The version at which the bot stops. `None` if it plays to the end of the game.
    pub(crate) until_version: Option<u64>,
    /// The pause before each action.
    pub(crate) delay: Duration,
    /// Whether the bot says for whom it waits.
    pub(crate) says_waiting: bool,
    /// The output that the bot's actions are printed to. `None` if the bot plays silently.
    pub(crate) action_output: Option<Output>,
}

impl BotConfig {
    /// Returns the settings of a bot that plays to the end of the game and prints nothing.
    pub(crate) fn silent(policy: Policy) -> Self {
        Self {
            policy,
            budget: Budget::default(),
            choice_seed: None,
            until_version: None,
            delay: Duration::ZERO,
            says_waiting: false,
            action_output: None,
        }
    }
}

/// A player of one or several seats of a game.
pub(crate) struct Bot {
    game: GameClient,
    /// The seats that the bot plays, at least one.
    seats: Vec<u32>,
    config: BotConfig,
    /// The luck of choices from the list of actions alone.
    rng: StdRng,
    /// The seed of all other choices, in place of the game's own, which the bot does not know.
    seed: [u8; 32],
    actions_played: u64,
    /// The stream of new versions, opened the first time that the bot has to wait for another player.
    version_watch: Option<VersionWatch>,
    /// The line about waiting that was printed last.
    said_waiting: String,
}

impl Bot {
    /// Creates a bot for these seats, of which there must be at least one.
    pub(crate) fn new(game: GameClient, seats: Vec<u32>, config: BotConfig) -> Self {
        let number = config.choice_seed;
        Self {
            game,
            seats,
            rng: number.map_or_else(rand::make_rng, StdRng::seed_from_u64),
            seed: number.map_or_else(rand::random, seed),
            config,
            actions_played: 0,
            version_watch: None,
            said_waiting: String::new(),
        }
    }

    /// Returns the number of actions that the bot has played.
    pub(crate) fn actions_played(&self) -> u64 {
        self.actions_played
    }

    /// Plays until the game is over or has reached the version to stop at.
    pub(crate) async fn play(&mut self, mut info: GameInfo) -> Result<GameInfo, Failure> {
        loop {
            let far_enough = self
                .config
                .until_version
                .is_some_and(|until| info.version >= until);
            if info.status() == GameStatus::Finished || far_enough {
                return Ok(info);
            }
            let mine = info
                .pending
                .iter()
                .find(|pending| self.seats.contains(&pending.seat));
            let Some(seat) = mine.map(|pending| pending.seat) else {
                self.wait(&info).await?;
                info = self.game.info().await?;
                continue;
            };
            info = match self.act(seat).await {
                Ok(Some(info)) => info,
                Ok(None) => self.game.info().await?,
                // Another client acted between our read and our action.
                Err(Failure::Call(call)) if call.is_stale() => self.game.info().await?,
                Err(failure) => return Err(failure),
            };
        }
    }

    /// Waits until another seat has acted.
    async fn wait(&mut self, info: &GameInfo) -> Result<(), Failure> {
        let (viewer, version) = (ViewerChoice::Seat(self.seats[0]), info.version);
        let news = self
            .version_watch
            .get_or_insert_with(|| VersionWatch::of(self.game.clone(), viewer, version));
        let moved = news.wait_for_newer(version);
        if !self.config.says_waiting {
            return moved.await;
        }
        tokio::pin!(moved);
        tokio::select! {
            moved = &mut moved => return moved,
            () = tokio::time::sleep(QUIET_DELAY) => {}
        }
        let waiting = format!("Waiting for {}.", phrase::pending_players(info));
        if self.said_waiting != waiting {
            notice(format_args!("{waiting}"));
            self.said_waiting = waiting;
        }
        moved.await
    }

    /// Plays one action for a seat, if a decision of it is still pending.
    async fn act(&mut self, seat: u32) -> Result<Option<GameInfo>, Failure> {
        tokio::time::sleep(self.config.delay).await;
        let chosen = match self.config.policy {
            Policy::Learned(learned) => self.choose_by_numbers(seat, learned).await?,
            policy if policy.needs_worlds() => self.choose_in_world(seat).await?,
            Policy::Rules(_) => self.choose_by_kind(seat).await?,
        };
        let Some((version, action)) = chosen else {
            return Ok(None);
        };
        self.print_action(seat, version, &action).await?;
        let play = Move {
            seat,
            action,
            expected_version: version,
            request_id: new_request_id(),
            show: Show::default(),
        };
        let response = self.game.apply(&play).await?;
        self.actions_played += 1;
        Ok(response.table.and_then(|table| table.game))
    }

    /// Chooses an action from the server's list by its kind alone.
    async fn choose_by_kind(&mut self, seat: u32) -> Result<Option<(u64, Action)>, Failure> {
        let mut legal = self.game.legal(seat, &LegalFilter::default()).await?;
        let index = self
            .config
            .policy
            .choose_by_kind(&legal.actions, &mut self.rng);
        let action = index.and_then(|index| legal.actions.swap_remove(index).action);
        Ok(action.map(|action| (legal.version, action)))
    }

    /// Chooses an action from the server's list by what the seat knows, as numbers.
    async fn choose_by_numbers(
        &mut self,
        seat: u32,
        learned: Learned,
    ) -> Result<Option<(u64, Action)>, Failure> {
        let filter = LegalFilter {
            with_numbers: true,
            ..LegalFilter::default()
        };
        let mut legal = self.game.legal(seat, &filter).await?;
        let (version, seed) = (legal.version, Seed::new(self.seed));
        let numbers = std::mem::take(&mut legal.numbers);
        let decision_task =
            tokio::task::spawn_blocking(move || learned.choose(&numbers, (seat, version), &seed));
        let index = decision_task
            .await
            .map_err(|error| join_failure(seat, &error))??;
        let action = index.and_then(|index| legal.actions.get_mut(index)?.action.take());
        Ok(action.map(|action| (version, action)))
    }

    /// Chooses an action at a world that the server samples for the seat: its worlds are those of the real table.
    async fn choose_in_world(&mut self, seat: u32) -> Result<Option<(u64, Action)>, Failure> {
        let task = BotTask {
            seat,
            policy: self.config.policy,
            budget: self.config.budget,
            seed: self.seed,
        };
        let samples = sample_worlds(&self.game, seat, 1, None).await?;
        let Some(sampled) = samples.into_values().next() else {
            return Ok(None);
        };
        let version = sampled.version;
        // Thinking blocks its thread, so it runs on another one: a person who plays against this bot can still type.
        let decision_task = tokio::task::spawn_blocking(move || choose(&sampled, &task));
        let action = decision_task
            .await
            .map_err(|error| join_failure(seat, &error))??;
        Ok(action.map(|action| (version, action)))
    }

    /// Prints an action before it is played, with the server's description of it if there is one.
    async fn print_action(&self, seat: u32, version: u64, action: &Action) -> Result<(), Failure> {
        let Some(output) = self.config.action_output else {
            return Ok(());
        };
        let ruleset_action = ruleset_action(action)?;
        if output.is_json() {
            return output.json(&ruleset_action);
        }
        let kind = ruleset_action
            .fields()
            .next()
            .map(|(kind, _)| kind.name().to_owned());
        let filter = LegalFilter {
            with_text: true,
            kinds: kind.into_iter().collect(),
            ..LegalFilter::default()
        };
        let legal = self.game.legal(seat, &filter).await?;
        let is_same_action = |listed: &&LegalAction| listed.action.as_ref() == Some(action);
        let text = match legal.actions.iter().find(is_same_action) {
            Some(listed) => listed.text.clone(),
            None => json_line(&ruleset_action)?,
        };
        let number = styled(DIM, format_args!("{:>5}", version + 1));
        output.line(format_args!("{number} seat {seat}: {text}"))
    }
}

/// Returns the failure of a bot whose thread has ended.
fn join_failure(seat: u32, error: &JoinError) -> Failure {
    Failure::Contract(format!("the bot of seat {seat}: {error}"))
}
