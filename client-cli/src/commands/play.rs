//! `gamekeeper play`

mod input;
mod menu;

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, ViewMode};
use gamekeeper_rules::table::text::{BOLD, DIM, styled};

use self::input::Lines;
use self::menu::{Answer, HELP, Menu};
use super::events;
use crate::args::{GameArg, seat_number};
use crate::contract::{json_line, parse};
use crate::failure::Failure;
use crate::follow::News;
use crate::game_client::{GameClient, Legal, LegalFilter, Move, new_request_id};
use crate::keys::Looker;
use crate::opaque::Opaque;
use crate::output::Output;
use crate::phrase;
use crate::render::table;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The seats to play [default: all whose tokens are stored here, or simply all]; several
    /// seats, such as 1,2, share the screen in turn
    #[arg(long = "seat", value_name = "N", value_delimiter = ',', value_parser = seat_number())]
    seats: Vec<u32>,
    /// Do not hide one seat's table from the next
    #[arg(long)]
    open: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, info) = session.open(&args.game).await?;
    let seats = seats(session, args, &info)?;
    let player = HotSeat {
        session,
        output,
        open: args.open,
        news: News::of(game.clone(), Looker::Seat(seats[0]), info.version),
        game,
        lines: Lines::of_stdin(),
        told: seats.iter().map(|seat| (*seat, info.version)).collect(),
        seats,
        on_screen: None,
        private: false,
    };
    output.line(styled(DIM, HELP))?;
    player.play(info).await
}

/// The seats that were named; otherwise those that we hold tokens of; otherwise all.
fn seats(session: &Session, args: &Args, info: &GameInfo) -> Result<Vec<u32>, Failure> {
    let mut seats = args.seats.clone();
    if seats.is_empty() {
        let stored = session.tokens.game(&info.game_id)?.unwrap_or_default();
        seats = stored.seats.keys().copied().collect();
    }
    if seats.is_empty() {
        seats = info.players.iter().map(|player| player.seat).collect();
    }
    seats.dedup();
    if let Some(seat) = seats
        .iter()
        .find(|seat| info.players.iter().all(|player| player.seat != **seat))
    {
        return Err(Failure::Usage(format!("the game has no seat {seat}")));
    }
    Ok(seats)
}

/// What ends the look at a table.
enum Next {
    /// Look again: something was played.
    Look,
    /// The user wants to go.
    Quit,
}

/// One person, or several at one screen.
struct HotSeat<'a> {
    session: &'a Session,
    output: Output,
    /// Nobody minds seeing another's table.
    open: bool,
    /// At least one.
    seats: Vec<u32>,
    game: GameClient,
    news: News,
    lines: Lines,
    /// The last version that each seat has been told of.
    told: BTreeMap<u32, u64>,
    /// The seat and the version of the table that was shown last.
    on_screen: Option<(u32, u64)>,
    /// Is there something on the screen that only its player may know?
    private: bool,
}

impl HotSeat<'_> {
    async fn play(mut self, mut info: GameInfo) -> Result<(), Failure> {
        loop {
            let next = if info.status() == GameStatus::Finished {
                self.tell_and_show(self.seats[0]).await?;
                return Ok(());
            } else if let Some(seat) = self.to_act(&info) {
                self.take_turn(seat, &info).await?
            } else {
                self.wait(&info).await?
            };
            match next {
                Next::Look => info = self.session.game_info(self.game.id()).await?,
                Next::Quit => return self.say_goodbye(),
            }
        }
    }

    /// The seat of ours that has to decide; the one on the screen goes on if it can.
    fn to_act(&self, info: &GameInfo) -> Option<u32> {
        let owes = |seat: &u32| info.pending.iter().any(|owed| owed.seat == *seat);
        self.on_screen
            .map(|(seat, _)| seat)
            .filter(owes)
            .or_else(|| self.seats.iter().copied().find(owes))
    }

    async fn take_turn(&mut self, seat: u32, info: &GameInfo) -> Result<Next, Failure> {
        if matches!(self.curtain(seat, info).await?, Next::Quit) {
            return Ok(Next::Quit);
        }
        let shown = self.tell_and_show(seat).await?;
        let filter = LegalFilter {
            with_text: true,
            ..LegalFilter::default()
        };
        let legal = self.game.legal(seat, &filter).await?;
        if legal.version != shown.version || legal.actions.is_empty() {
            return Ok(Next::Look);
        }
        let menu = Menu::new(&legal.actions, &legal.texts);
        self.ask(seat, info, &legal, menu).await
    }

    /// Asks until an action is played, somebody else acts, or the user wants to go.
    async fn ask(
        &mut self,
        seat: u32,
        info: &GameInfo,
        legal: &Legal,
        mut menu: Menu<'_>,
    ) -> Result<Next, Failure> {
        self.output.line(menu.page(self.output.width()))?;
        loop {
            self.output.prompt(format_args!(
                "{}> ",
                styled(BOLD, phrase::player(info, seat))
            ))?;
            let line = tokio::select! {
                line = self.lines.next() => line,
                moved = self.news.after(legal.version) => {
                    moved?;
                    self.output.line("\nSomebody else was faster.")?;
                    return Ok(Next::Look);
                }
            };
            let Some(line) = line else {
                return Ok(Next::Quit);
            };
            let action = match menu.answer(&line) {
                Answer::Quit => return Ok(Next::Quit),
                Answer::Look => {
                    self.on_screen = Some((seat, 0));
                    return Ok(Next::Look);
                }
                Answer::Say(text) => Err(text),
                Answer::Page => Err(menu.page(self.output.width())),
                Answer::Play { action, text } => Ok((action.clone(), text.to_owned())),
                Answer::Json(text) => {
                    let action = parse(&self.game.action()?, &text);
                    let action =
                        action.and_then(|action| Ok((Opaque::of(&action), json_line(&action)?)));
                    action.map_err(|failure| failure.to_string())
                }
            };
            match action {
                Ok((action, text)) if self.act(seat, &action, &text, legal.version).await? => {
                    return Ok(Next::Look);
                }
                Ok(_) => {}
                Err(text) => self.output.line(text)?,
            }
        }
    }

    /// Plays an action. Says whether it is time to look again; a refusal is said, and the menu stays.
    async fn act(
        &mut self,
        seat: u32,
        action: &Opaque,
        text: &str,
        expected_version: u64,
    ) -> Result<bool, Failure> {
        let play = Move {
            seat,
            action: action.clone(),
            expected_version,
            request_id: new_request_id(),
            view_mode: ViewMode::None,
        };
        match self.game.apply(&play).await {
            Ok(_) => Ok(true),
            Err(Failure::Call(call)) if call.is_stale() => {
                self.output
                    .line("The game has moved on meanwhile; look again.")?;
                Ok(true)
            }
            Err(Failure::Call(call)) if !call.reason().is_empty() => {
                self.output.line(format_args!("{text}: {call}"))?;
                Ok(false)
            }
            Err(failure) => Err(failure),
        }
    }

    /// With several players at one screen nobody sees the hand of another. Where all is open, they
    /// look at one table.
    async fn curtain(&mut self, seat: u32, info: &GameInfo) -> Result<Next, Failure> {
        let shown = self.on_screen.map(|(seat, _)| seat);
        if self.open || self.seats.len() == 1 || shown == Some(seat) {
            return Ok(Next::Look);
        }
        let seen = self.private;
        self.private = self.knows_more(seat).await?;
        if !seen && !self.private {
            return Ok(Next::Look);
        }
        // Scrolls the other table away.
        let gap = if shown.is_some() {
            "\n".repeat(60)
        } else {
            String::new()
        };
        let name = styled(BOLD, phrase::player(info, seat));
        self.output.prompt(format_args!(
            "{gap}{name} (seat {seat}) is next. Press Enter. "
        ))?;
        match self.lines.next().await {
            Some(line) if !menu::is_quit(&line) => Ok(Next::Look),
            Some(_) | None => Ok(Next::Quit),
        }
    }

    /// Does this seat see what a spectator does not?
    async fn knows_more(&self, seat: u32) -> Result<bool, Failure> {
        let own = self.game.get(Looker::Seat(seat), 0, None).await?;
        let public = self.game.get(Looker::Spectator, 0, None).await?;
        Ok(own.view != public.view)
    }

    /// Nothing to do for us: the table, and patience.
    async fn wait(&mut self, info: &GameInfo) -> Result<Next, Failure> {
        let seat = self.on_screen.map_or(self.seats[0], |(seat, _)| seat);
        let shown = self.tell_and_show(seat).await?;
        if shown.version != info.version {
            return Ok(Next::Look);
        }
        loop {
            tokio::select! {
                moved = self.news.after(info.version) => {
                    moved?;
                    return Ok(Next::Look);
                }
                line = self.lines.next() => match line {
                    Some(line) if menu::is_quit(&line) => return Ok(Next::Quit),
                    Some(_) => self.output.line(styled(DIM, "Waiting; q leaves the table."))?,
                    // Without anybody at the keys there is nobody to play for us later.
                    None => return Ok(Next::Quit),
                },
            }
        }
    }

    /// What this seat has not heard yet, then its table, unless that is on the screen already.
    async fn tell_and_show(&mut self, seat: u32) -> Result<GameInfo, Failure> {
        let looker = Looker::Seat(seat);
        let answer = self.game.get(looker, 0, self.output.board()).await?;
        let info = answer.game.unwrap_or_default();
        if self.on_screen == Some((seat, info.version)) {
            return Ok(info);
        }
        self.output.line("")?;
        self.tell(seat, &info).await?;
        self.output
            .line(table(&info, &answer.board, self.output.width()))?;
        self.on_screen = Some((seat, info.version));
        Ok(info)
    }

    /// What happened up to the version of the table that is about to be shown.
    async fn tell(&mut self, seat: u32, info: &GameInfo) -> Result<(), Failure> {
        let told = self.told.insert(seat, info.version).unwrap_or(0);
        if self.open || !self.private {
            // All who share the screen have read it.
            for other in self.told.values_mut() {
                *other = info.version.max(*other);
            }
        }
        if told >= info.version {
            return Ok(());
        }
        let versions = self.game.events(Looker::Seat(seat), told).await?;
        for version in versions
            .iter()
            .filter(|version| version.version <= info.version)
        {
            events::tell(self.output, version)?;
        }
        self.output.line("")
    }

    fn say_goodbye(&self) -> Result<(), Failure> {
        let seats: Vec<_> = self.seats.iter().map(u32::to_string).collect();
        self.output.line(format_args!(
            "\nThe game goes on. Come back with: gamekeeper play {} --seat {}",
            self.game.id(),
            seats.join(",")
        ))
    }
}
