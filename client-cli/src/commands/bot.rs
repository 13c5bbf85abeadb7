//! `gamekeeper bot`

use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus};

use crate::args::{GameArg, seat_number};
use crate::bot::{Bot, BotConfig};
use crate::bot_choice::check;
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::policy::{Budget, Policy};
use crate::render::standings;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Seats to play, such as 1,2; can be repeated
    #[arg(long = "seat", value_name = "N", required = true, value_delimiter = ',', value_parser = seat_number())]
    seats: Vec<u32>,
    /// Policy that chooses the actions; `policy:FILE` is a learned one
    #[arg(long, value_name = "POLICY", default_value = "random")]
    policy: Policy,
    /// Most time of a bot for each decision: choices then depend on the speed of the machine [default: no bound]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    think: Option<Duration>,
    /// Playouts of `search` for each decision [default: 64; Dominion: 4096]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
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
    /// Returns the seats that the bot plays.
    #[cfg(test)]
    pub(crate) fn seats(&self) -> &[u32] {
        &self.seats
    }

    fn bot_config(&self, output: Output) -> BotConfig {
        BotConfig {
            policy: self.policy,
            budget: Budget {
                playouts: self.playouts,
                think: self.think,
            },
            choice_seed: self.choices,
            until_version: self.until_version,
            delay: self.delay,
            says_waiting: true,
            action_output: self.moves.then_some(output),
        }
    }
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, info) = session.open(&args.game).await?;
    check((&info.ruleset, info.players.len()), args.policy)?;
    let start = Instant::now();
    let mut bot = Bot::new(game, args.seats.clone(), args.bot_config(output));
    let info = bot.play(info).await?;
    notice(format_args!(
        "{} actions in {}; game {} is at version {}.",
        bot.actions_played(),
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
        return output.json(&to_dynamic("GameInfo", &info)?);
    }
    if info.status() == GameStatus::Finished {
        output.line(standings(info, output.width()))
    } else {
        Ok(())
    }
}
