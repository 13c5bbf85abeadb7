//! `gamekeeper bot`

use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, Show};
use gamekeeper_proto::raw::{Action, LegalAction};
use gamekeeper_rules::table::text::{DIM, styled};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::args::{GameArg, seat_number};
use crate::contract::{json_line, shared};
use crate::failure::Failure;
use crate::follow::News;
use crate::game_client::{GameClient, LegalFilter, Move, new_request_id, own_action};
use crate::keys::Looker;
use crate::output::{Output, notice};
use crate::policy::{Budget, PLAYOUTS, Policy};
use crate::render::standings;
use crate::session::Session;
use crate::thought::{Thinker, choose};
use crate::worlds::worlds;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Seats to play, such as 1,2; can be repeated
    #[arg(long = "seat", value_name = "N", required = true, value_delimiter = ',', value_parser = seat_number())]
    seats: Vec<u32>,
    /// Policy that chooses the actions
    #[arg(long, value_name = "POLICY", default_value = "random")]
    policy: Policy,
    /// Time of `search` for each decision [default: 64 playouts]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    think: Option<Duration>,
    /// Playouts of `search` for each decision
    #[arg(long, value_name = "N", conflicts_with = "think", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Worlds that the server draws for each decision of `search`
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    worlds: u64,
    /// Seed of the choices: the same number gives the same choices [default: random]
    #[arg(long, value_name = "NUMBER")]
    choices: Option<u64>,
    /// Stop at this version [default: when the game is over]
    #[arg(long, value_name = "VERSION")]
    until_version: Option<u64>,
    /// Pause before each action
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = humantime::parse_duration)]
    delay: Duration,
    /// Print every action that the bot plays
    #[arg(long)]
    moves: bool,
}

impl Args {
    /// The seats to play.
    #[cfg(test)]
    pub(crate) fn seats(&self) -> &[u32] {
        &self.seats
    }
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, info) = session.open(&args.game).await?;
    let rng = args
        .choices
        .map_or_else(rand::make_rng, StdRng::seed_from_u64);
    let start = Instant::now();
    let mut bot = Bot {
        game,
        ruleset: info.ruleset.clone(),
        output,
        args,
        rng,
        played: 0,
        news: None,
    };
    let info = bot.play(session, info).await?;
    notice(format_args!(
        "{} actions in {}; game {} is at version {}.",
        bot.played,
        humantime::format_duration(Duration::from_millis(
            start.elapsed().as_millis().try_into().unwrap_or(u64::MAX)
        )),
        info.game_id,
        info.version
    ));
    result(session, output, &info).await
}

async fn result(session: &Session, output: Output, info: &GameInfo) -> Result<(), Failure> {
    if output.is_json() {
        let info = session.game_info(&info.game_id).await?;
        return output.json(&shared("GameInfo", &info)?);
    }
    if info.status() == GameStatus::Finished {
        output.line(standings(info, output.width()))
    } else {
        Ok(())
    }
}

struct Bot<'a> {
    game: GameClient,
    output: Output,
    args: &'a Args,
    rng: StdRng,
    ruleset: String,
    played: u64,
    /// Opened when there is another player to wait for.
    news: Option<News>,
}

impl Bot<'_> {
    /// Plays until the game is over or has reached the version to stop at.
    async fn play(&mut self, session: &Session, mut info: GameInfo) -> Result<GameInfo, Failure> {
        loop {
            let far_enough = self
                .args
                .until_version
                .is_some_and(|until| info.version >= until);
            if info.status() == GameStatus::Finished || far_enough {
                return Ok(info);
            }
            let mine = info
                .pending
                .iter()
                .find(|owed| self.args.seats.contains(&owed.seat));
            let Some(seat) = mine.map(|owed| owed.seat) else {
                self.wait(info.version).await?;
                info = session.game_info(self.game.id()).await?;
                continue;
            };
            info = match self.act(seat).await {
                Ok(Some(info)) => info,
                Ok(None) => session.game_info(self.game.id()).await?,
                // Another client acted between our read and our action.
                Err(Failure::Call(call)) if call.is_stale() => {
                    session.game_info(self.game.id()).await?
                }
                Err(failure) => return Err(failure),
            };
        }
    }

    /// Waits until another seat has acted.
    async fn wait(&mut self, version: u64) -> Result<(), Failure> {
        let looker = Looker::Seat(self.args.seats[0]);
        let news = self
            .news
            .get_or_insert_with(|| News::of(self.game.clone(), looker, version));
        news.after(version).await
    }

    /// Plays one action of a seat, if it still owes one.
    async fn act(&mut self, seat: u32) -> Result<Option<GameInfo>, Failure> {
        tokio::time::sleep(self.args.delay).await;
        let chosen = if self.args.policy.thinks() {
            self.think(seat).await?
        } else {
            self.pick(seat).await?
        };
        let Some((version, action)) = chosen else {
            return Ok(None);
        };
        if self.args.moves {
            self.tell(seat, version, &action).await?;
        }
        let play = Move {
            seat,
            action,
            expected_version: version,
            request_id: new_request_id(),
            show: Show::default(),
        };
        let answer = self.game.apply(&play).await?;
        self.played += 1;
        Ok(answer.table.and_then(|table| table.game))
    }

    /// Chooses from the server's list.
    async fn pick(&mut self, seat: u32) -> Result<Option<(u64, Action)>, Failure> {
        let mut legal = self.game.legal(seat, &LegalFilter::default()).await?;
        let place = self.args.policy.pick(&legal.actions, &mut self.rng);
        let action = place.and_then(|place| legal.actions.swap_remove(place).action);
        Ok(action.map(|action| (legal.version, action)))
    }

    /// Chooses in worlds that the server draws for the seat.
    async fn think(&mut self, seat: u32) -> Result<Option<(u64, Action)>, Failure> {
        let count = match self.args.policy {
            Policy::Search => self.args.worlds,
            Policy::Greedy | Policy::Random | Policy::Kinds => 1,
        };
        let seed = self.rng.random();
        let drawn = worlds(&self.game, seat, count, Some(self.rng.random())).await?;
        let Some(version) = drawn.values().next().map(|drawn| drawn.version) else {
            return Ok(None);
        };
        let worlds: Vec<_> = drawn.values().map(|drawn| &drawn.world).collect();
        let playouts = Budget::Playouts(self.args.playouts.unwrap_or(PLAYOUTS));
        let thinker = Thinker {
            seat,
            policy: self.args.policy,
            budget: self.args.think.map_or(playouts, Budget::Time),
            seed,
        };
        let action = choose(&self.ruleset, &worlds, &thinker)?;
        Ok(action.map(|action| (version, action)))
    }

    /// Prints an action before it is played, with the server's description if there is one.
    async fn tell(&self, seat: u32, version: u64, action: &Action) -> Result<(), Failure> {
        let own = own_action(action)?;
        if self.output.is_json() {
            return self.output.json(&own);
        }
        let kind = own.fields().next().map(|(kind, _)| kind.name().to_owned());
        let filter = LegalFilter {
            with_text: true,
            kinds: kind.into_iter().collect(),
            ..LegalFilter::default()
        };
        let legal = self.game.legal(seat, &filter).await?;
        let is_it = |listed: &&LegalAction| listed.action.as_ref() == Some(action);
        let text = match legal.actions.iter().find(is_it) {
            Some(listed) => listed.text.clone(),
            None => json_line(&own)?,
        };
        let number = styled(DIM, format_args!("{:>5}", version + 1));
        self.output
            .line(format_args!("{number} seat {seat}: {text}"))
    }
}
