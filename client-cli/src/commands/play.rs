//! `gamekeeper play`

mod combine;
mod input;
mod menu;

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, Show};
use gamekeeper_proto::raw::{Action, View};
use gamekeeper_rules::table::text::{self, BOLD, DIM, styled};

use self::combine::one_of;
use self::input::Lines;
use self::menu::{Answer, Menu};
use super::{catalogue, events, rule};
use crate::args::{GameArg, seat_number};
use crate::contract::{json_line, read_joined, shared};
use crate::failure::Failure;
use crate::follow::News;
use crate::game_client::{GameClient, Legal, LegalFilter, Move, new_request_id, own_action};
use crate::keys::Looker;
use crate::output::Output;
use crate::phrase;
use crate::render::{self, table};
use crate::session::Session;

/// No list starts on fewer lines than this.
const LEAST_LINES: usize = 9;

/// The maximum number of actions read for a list of all ways.
const ALL: usize = 5_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Seats to play, such as 1,2; several seats share the screen [default: all whose tokens are
    /// stored here, otherwise all]
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
        refused_by: String::new(),
        room: usize::MAX,
    };
    let hint = "Type the number of an action to play it. ?: help. q: quit.";
    output.line(styled(DIM, hint))?;
    player.play(info).await
}

/// The seats named on the command line, otherwise those whose tokens we hold, otherwise all.
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

/// The outcome of a prompt.
enum Asked {
    /// This view of the table is done.
    Next(Next),
    /// The user wants to see all ways of these kinds of actions.
    All(Vec<String>),
}

/// What to do after a view of the table.
enum Next {
    /// Look again: something was played.
    Look,
    /// The user wants to leave.
    Quit,
}

/// One person, or several at one screen.
struct HotSeat<'a> {
    session: &'a Session,
    output: Output,
    /// The players may see each other's tables.
    open: bool,
    /// At least one.
    seats: Vec<u32>,
    game: GameClient,
    news: News,
    lines: Lines,
    /// The last version whose events each seat has seen.
    told: BTreeMap<u32, u64>,
    /// The seat and the version of the table that was shown last.
    on_screen: Option<(u32, u64)>,
    /// Is there something on the screen that only its player may know?
    private: bool,
    /// The rule of the last refusal; empty before the first.
    refused_by: String,
    /// Lines that fit on the screen before the first ones scroll away.
    room: usize,
}

impl HotSeat<'_> {
    async fn play(mut self, mut info: GameInfo) -> Result<(), Failure> {
        loop {
            let next = if info.status() == GameStatus::Finished {
                let (_, scene) = self.scene(self.seats[0]).await?;
                return self.show(&scene).await;
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

    /// The seat of ours that has to decide; preferably the one on the screen.
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
        let (shown, scene) = self.scene(seat).await?;
        let filter = LegalFilter {
            with_text: true,
            ..LegalFilter::default()
        };
        let mut legal = self.game.legal(seat, &filter).await?;
        if legal.version != shown.version || legal.actions.is_empty() {
            self.show(&scene).await?;
            return Ok(Next::Look);
        }
        let mut menu = Menu::new(&legal.actions);
        self.show(&scene).await?;
        self.list(&mut menu).await?;
        loop {
            let kinds = match self.ask(seat, info, &legal, menu).await? {
                Asked::Next(next) => return Ok(next),
                Asked::All(kinds) => kinds,
            };
            let filter = LegalFilter {
                kinds,
                all_payments: true,
                with_text: true,
                max: ALL,
            };
            let all = self.game.legal(seat, &filter).await?;
            if all.version != legal.version {
                return Ok(Next::Look);
            }
            legal = all;
            menu = Menu::new(&legal.actions);
            self.list(&mut menu).await?;
            if legal.cut {
                let text = format!(
                    "These are the first {}; several numbers make one action, such as 3 7.",
                    legal.actions.len()
                );
                self.output.line(styled(DIM, text))?;
            }
        }
    }

    /// Prompts until an action is played, another player acts, or the user wants to leave or see
    /// another list.
    async fn ask(
        &mut self,
        seat: u32,
        info: &GameInfo,
        legal: &Legal,
        mut menu: Menu<'_>,
    ) -> Result<Asked, Failure> {
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
                    return Ok(Asked::Next(Next::Look));
                }
            };
            let Some(line) = line else {
                return Ok(Asked::Next(Next::Quit));
            };
            self.room = self.full();
            let said = match menu.answer(&line) {
                Answer::Quit => return Ok(Asked::Next(Next::Quit)),
                Answer::Look => {
                    self.on_screen = Some((seat, 0));
                    return Ok(Asked::Next(Next::Look));
                }
                Answer::All(kinds) => return Ok(Asked::All(kinds)),
                Answer::Say(text) => text,
                Answer::Page => {
                    self.list(&mut menu).await?;
                    continue;
                }
                Answer::Text(name) => self.printed(&info.ruleset, &name).await?,
                Answer::Rule(id) => self.rule(&id).await?,
                Answer::Play { actions, text } => match one_of(&actions)? {
                    Ok(action) if self.act(seat, &action, &text, legal.version).await? => {
                        return Ok(Asked::Next(Next::Look));
                    }
                    Ok(_) => continue,
                    Err(text) => text,
                },
                Answer::Json(text) => match read_joined(&info.ruleset, "Action", &text) {
                    Ok(action) => {
                        let text = json_line(&own_action(&action)?)?;
                        if self.act(seat, &action, &text, legal.version).await? {
                            return Ok(Asked::Next(Next::Look));
                        }
                        continue;
                    }
                    Err(failure) => failure.to_string(),
                },
            };
            self.show(&said).await?;
        }
    }

    /// The text printed on the components of this name.
    async fn printed(&self, ruleset: &str, name: &str) -> Result<String, Failure> {
        let catalogue = catalogue::catalogue(self.session, ruleset).await?;
        let components = catalogue::components(&shared("Catalogue", &catalogue)?)?;
        let found = render::find(&components, name, self.output.width());
        if found.is_empty() {
            return Ok(format!("No component is called {name:?}."));
        }
        Ok(found.join("\n"))
    }

    /// The text of a rule: that of the last refusal, if none is named.
    async fn rule(&self, id: &str) -> Result<String, Failure> {
        let id = if id.is_empty() { &self.refused_by } else { id };
        if id.is_empty() {
            return Ok("Nothing was refused yet. To read any rule: rule DOM-6.10".to_owned());
        }
        match rule::text_of(self.session, id).await {
            Ok(rule) => Ok(render::rule(&rule, self.output.width())),
            Err(Failure::Call(call)) if !call.reason().is_empty() => Ok(call.to_string()),
            Err(failure) => Err(failure),
        }
    }

    /// Plays an action. True: look again. A refusal is printed, and the menu stays.
    async fn act(
        &mut self,
        seat: u32,
        action: &Action,
        text: &str,
        expected_version: u64,
    ) -> Result<bool, Failure> {
        let play = Move {
            seat,
            action: action.clone(),
            expected_version,
            request_id: new_request_id(),
            show: Show::default(),
        };
        match self.game.apply(&play).await {
            Ok(_) => Ok(true),
            Err(Failure::Call(call)) if call.is_stale() => {
                self.output
                    .line("The game has moved on meanwhile; look again.")?;
                Ok(true)
            }
            Err(Failure::Call(call)) if !call.reason().is_empty() => {
                let text = text::fit(&format!("{text}: {call}"), self.output.width());
                self.output.line(text)?;
                if let Some(rule) = call.rule() {
                    rule.clone_into(&mut self.refused_by);
                    self.output.line(styled(DIM, "To read that rule: rule"))?;
                }
                Ok(false)
            }
            Err(failure) => Err(failure),
        }
    }

    /// With several players at one screen nobody sees another's hand. With `--open`, they share one
    /// table.
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
        // Scrolls the previous table away.
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
        let own = self.view(Looker::Seat(seat)).await?;
        Ok(own != self.view(Looker::Spectator).await?)
    }

    /// What a viewer sees of the table.
    async fn view(&self, looker: Looker) -> Result<Option<View>, Failure> {
        let show = Show {
            view: true,
            ..Show::default()
        };
        let answer = self.game.get(looker, 0, show).await?;
        Ok(answer.table.and_then(|table| table.view))
    }

    /// None of our seats has to decide: shows the table and waits.
    async fn wait(&mut self, info: &GameInfo) -> Result<Next, Failure> {
        let seat = self.on_screen.map_or(self.seats[0], |(seat, _)| seat);
        let (shown, scene) = self.scene(seat).await?;
        self.show(&scene).await?;
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
                    // At the end of the input nobody is left to play later.
                    None => return Ok(Next::Quit),
                },
            }
        }
    }

    /// The events that are new to this seat, then its table, unless that is on the screen already.
    async fn scene(&mut self, seat: u32) -> Result<(GameInfo, String), Failure> {
        self.room = self.full();
        let show = Show {
            board: self.output.board(),
            ..Show::default()
        };
        let answer = self.game.get(Looker::Seat(seat), 0, show).await?;
        let seen = answer.table.unwrap_or_default();
        let info = seen.game.unwrap_or_default();
        if self.on_screen == Some((seat, info.version)) {
            return Ok((info, String::new()));
        }
        self.on_screen = Some((seat, info.version));
        let told = self.told(seat, &info).await?;
        let table = table(&info, &seen.board, self.output.width());
        let question = match phrase::question(&info, seat) {
            "" => String::new(),
            question => styled(BOLD, question),
        };
        Ok((info, format!("\n{told}{table}\n{question}")))
    }

    /// The new events, up to the version of the table that is about to be shown.
    async fn told(&mut self, seat: u32, info: &GameInfo) -> Result<String, Failure> {
        let told = self.told.insert(seat, info.version).unwrap_or(0);
        if self.open || !self.private {
            // All who share the screen have read it.
            for other in self.told.values_mut() {
                *other = info.version.max(*other);
            }
        }
        if told >= info.version {
            return Ok(String::new());
        }
        let entries = self.game.events(Looker::Seat(seat), told).await?;
        let entries = entries.iter();
        let new = entries.filter(|entry| entry.version <= info.version);
        let lines = new.flat_map(|entry| events::told(entry, self.output.width()));
        let lines: Vec<String> = lines.collect();
        Ok(lines.join("\n") + "\n\n")
    }

    /// Prints a page of the list: below the current output if enough lines are left.
    async fn list(&mut self, menu: &mut Menu<'_>) -> Result<(), Failure> {
        if self.room < LEAST_LINES.min(menu.left() + 1) {
            self.turn().await?;
        }
        let height = self.output.height().map(|_| self.room);
        let page = menu.page(self.output.width(), height);
        self.show(&page).await
    }

    /// Lines of an empty screen, without that of the prompt.
    fn full(&self) -> usize {
        self.output.height().map_or(usize::MAX, |height| height - 1)
    }

    /// Waits until the user has read the screen; any input ends the wait.
    async fn turn(&mut self) -> Result<(), Failure> {
        if self.lines.is_ahead() {
            return Ok(());
        }
        self.output
            .prompt(styled(DIM, "Enter: more. l: the actions. "))?;
        let line = self.lines.next().await;
        if line.as_ref().is_none_or(|line| !line.trim().is_empty()) {
            self.lines.put_back(line);
        }
        self.room = self.full();
        Ok(())
    }

    /// Prints a text; in an interactive session, a page at a time.
    async fn show(&mut self, text: &str) -> Result<(), Failure> {
        let width = self.output.width();
        for line in text.lines() {
            let lines = text::width(line).div_ceil(width).max(1);
            if lines > self.room {
                self.turn().await?;
            }
            if self.lines.is_ahead() {
                return Ok(());
            }
            self.output.line(line)?;
            self.room = self.room.saturating_sub(lines);
        }
        Ok(())
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
