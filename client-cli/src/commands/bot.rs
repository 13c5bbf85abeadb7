//! `gamekeeper bot`

use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, ViewMode};
use gamekeeper_rules::table::text::{DIM, styled};
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::args::{GameArg, seat_number};
use crate::failure::Failure;
use crate::follow::News;
use crate::game_client::{GameClient, Legal, LegalFilter, Move, new_request_id};
use crate::keys::Looker;
use crate::output::{Output, notice};
use crate::policy::{Policy, Worths};
use crate::render::standings;
use crate::session::Session;

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
    let worths = Worths::of_catalogue(&game.catalogue().await?);
    let mut bot = Bot {
        game,
        worths,
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
        return output.json(&session.contract.shared("GameInfo", &info)?);
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
    worths: Worths,
    played: u64,
    /// Opened when there is somebody to wait for.
    news: Option<News>,
}

impl Bot<'_> {
    /// Plays until the game is over or has gone far enough.
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
                // Somebody else acted between our look and our action.
                Err(Failure::Call(call)) if call.is_stale() => {
                    session.game_info(self.game.id()).await?
                }
                Err(failure) => return Err(failure),
            };
        }
    }

    /// Waits until somebody else has played.
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
        let filter = LegalFilter {
            with_text: self.args.moves && !self.output.is_json(),
            ..LegalFilter::default()
        };
        let legal = self.game.legal(seat, &filter).await?;
        let seen = self.game.described_actions(&legal.actions)?;
        let choice = (self.args.policy).choose(&self.worths, &seen, &mut self.rng);
        let Some(place) = choice else {
            return Ok(None);
        };
        if self.args.moves && self.output.is_json() {
            self.output.json(&seen[place])?;
        } else if self.args.moves {
            self.tell(&legal, seat, place)?;
        }
        let action = legal.actions[place].clone();
        let play = Move {
            seat,
            action,
            expected_version: legal.version,
            request_id: new_request_id(),
            view_mode: ViewMode::None,
        };
        let answer = self.game.apply(&play).await?;
        self.played += 1;
        Ok(answer.game)
    }

    fn tell(&self, legal: &Legal, seat: u32, place: usize) -> Result<(), Failure> {
        let number = styled(DIM, format_args!("{:>5}", legal.version + 1));
        let text = &legal.texts[place];
        self.output
            .line(format_args!("{number} seat {seat}: {text}"))
    }
}
