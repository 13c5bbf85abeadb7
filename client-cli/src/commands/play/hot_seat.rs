//! The interactive game: one person, or several who share a screen.

mod explaining;
mod meanwhile;
mod waiting;

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1::{BoardStyle, GameInfo, GameStatus, Show};
use gamekeeper_proto::raw::Action;
use gamekeeper_rules::table::text::{self, BOLD, DIM, styled, wrap};

use super::Args;
use super::bots::Bots;
use super::changed::changed;
use super::combine::one_of;
use super::menu::{Menu, MenuInput};
use super::opening::{self, Opening};
use super::screen::{Screen, Shown};
use crate::commands::events;
use crate::contract::{json_line, read_wrapped};
use crate::failure::Failure;
use crate::game_client::{GameClient, Legal, LegalFilter, Move, new_request_id, ruleset_action};
use crate::game_watch::VersionWatch;
use crate::output::Output;
use crate::phrase;
use crate::render::table;
use crate::session::Session;
use crate::token_selection::ViewerChoice;

/// Minimum number of free lines for starting a list on the current page.
const LEAST_LINES: usize = 9;

/// Columns of the tables that are compared to find what has changed: in broader ones, players stand beside the board.
const COMPARED_COLUMNS: usize = text::WIDE - 1;

/// Maximum number of actions that are read for a list of all ways.
const MAX_LISTED_ACTIONS: usize = 5_000;

/// Plays a game until it is over or the user leaves.
pub(super) async fn play(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let opened = opening::open(session, args).await?;
    let come_back = resume_command(args, &opened);
    let Opening {
        game,
        info,
        seats,
        bots,
    } = opened;
    let mut player = HotSeat {
        session,
        output,
        screen: Screen::new(output).await,
        bots: Bots::at(&game, &info, &bots),
        come_back,
        open: args.open,
        version_watch: VersionWatch::of(game.clone(), ViewerChoice::Seat(seats[0]), info.version),
        game,
        last_seen_versions: seats.iter().map(|seat| (*seat, info.version)).collect(),
        seats,
        on_screen: None,
        boards: BTreeMap::new(),
        shows_secrets: false,
        refused_by: String::new(),
    };
    let hint = "Type the number of an action to play it. ?: help. q: quit.";
    player.screen.begin();
    player.screen.say(&styled(DIM, hint))?;
    player.play(info).await
}

/// Formats the command that continues the game.
fn resume_command(args: &Args, opened: &Opening) -> String {
    let seats: Vec<_> = opened.seats.iter().map(u32::to_string).collect();
    let game = opened.game.id();
    let mut command = format!("gamekeeper play {game} --seat {}", seats.join(","));
    if !args.against.is_empty() {
        let policies: Vec<_> = args.against.iter().map(|policy| policy.id()).collect();
        command += &format!(" --against {}", policies.join(","));
    }
    command
}

/// The outcome of a prompt.
enum PromptOutcome {
    /// The prompt is done and the table has to be looked at again.
    Next(Next),
    /// The user wants to see all ways of these kinds of actions.
    All(Vec<String>),
}

/// The next step of the main loop after a view of the table.
enum Next {
    /// Look at the table again, because an action was played.
    Look,
    /// The user wants to leave.
    Quit,
}

/// A table as a seat sees it, with the events and the changes that are new to this seat.
struct Scene {
    info: GameInfo,
    /// The events since the seat last looked, as sentences.
    events_text: String,
    /// The full table if this seat has not seen it yet, otherwise only the changes.
    table: String,
}

/// The state of an interactive game of one person, or of several who share a screen.
struct HotSeat<'a> {
    session: &'a Session,
    output: Output,
    screen: Screen,
    bots: Bots,
    /// The command that continues the game.
    come_back: String,
    /// Whether the players may see each other's tables.
    open: bool,
    /// The seats that are played at this screen, at least one.
    seats: Vec<u32>,
    game: GameClient,
    version_watch: VersionWatch,
    /// The last version whose events each seat has seen.
    last_seen_versions: BTreeMap<u32, u64>,
    /// The seat and the version of the table that was shown last.
    on_screen: Option<(u32, u64)>,
    /// The table of each seat as it was shown last.
    boards: BTreeMap<u32, String>,
    /// Whether the screen shows something that only the player of the current seat may know.
    shows_secrets: bool,
    /// The id of the rule that the last refusal cited; empty before the first refusal.
    refused_by: String,
}

impl HotSeat<'_> {
    async fn play(mut self, mut info: GameInfo) -> Result<(), Failure> {
        loop {
            self.screen.actions = 0;
            let next = if info.status() == GameStatus::Finished {
                return self.end().await;
            } else if let Some(seat) = self.to_act(&info) {
                self.take_turn(seat, &info).await?
            } else {
                self.wait(&info).await?
            };
            match next {
                Next::Look => info = self.game.info().await?,
                Next::Quit => return self.print_resume_hint(),
            }
        }
    }

    /// Shows the final table with the result.
    async fn end(&mut self) -> Result<(), Failure> {
        self.boards.clear();
        let scene = self.scene(self.seats[0]).await?;
        self.show(&scene).await?;
        self.screen.close().await
    }

    /// Returns one of our seats that has to decide, preferably the one on the screen.
    fn to_act(&self, info: &GameInfo) -> Option<u32> {
        let owes = |seat: &u32| info.pending.iter().any(|pending| pending.seat == *seat);
        self.on_screen
            .map(|(seat, _)| seat)
            .filter(owes)
            .or_else(|| self.seats.iter().copied().find(owes))
    }

    async fn take_turn(&mut self, seat: u32, info: &GameInfo) -> Result<Next, Failure> {
        if matches!(self.privacy_screen(seat, info).await?, Next::Quit) {
            return Ok(Next::Quit);
        }
        let scene = self.scene(seat).await?;
        let mut filter = LegalFilter {
            with_text: true,
            ..LegalFilter::default()
        };
        let mut legal = self.game.legal(seat, &filter).await?;
        if legal.version != scene.info.version || legal.actions.is_empty() {
            self.show(&scene).await?;
            return Ok(Next::Look);
        }
        let mut menu = Menu::new(&info.ruleset, &legal.actions, self.screen.height());
        self.screen.actions = menu.len();
        if self.show(&scene).await? == Shown::Quit || self.list(&mut menu).await? == Shown::Quit {
            return Ok(Next::Quit);
        }
        loop {
            self.screen.forget_early();
            let kinds = match self.ask((seat, info), (&legal, &filter), menu).await? {
                PromptOutcome::Next(next) => return Ok(next),
                PromptOutcome::All(kinds) => kinds,
            };
            filter = LegalFilter {
                kinds,
                all_payments: true,
                with_text: true,
                max: MAX_LISTED_ACTIONS,
                ..LegalFilter::default()
            };
            let all = self.game.legal(seat, &filter).await?;
            if all.version != legal.version {
                return Ok(Next::Look);
            }
            legal = all;
            menu = Menu::new(&info.ruleset, &legal.actions, self.screen.height());
            self.screen.actions = menu.len();
            if self.list(&mut menu).await? == Shown::Quit {
                return Ok(Next::Quit);
            }
            if legal.cut {
                let text = format!(
                    "These are the first {}; several numbers make one action, such as 3 7.",
                    legal.actions.len()
                );
                self.screen.say(&styled(DIM, text))?;
            }
        }
    }

    /// Prompts until an action is played, another player acts, or the user wants to leave or see
    /// another list.
    async fn ask(
        &mut self,
        (seat, info): (u32, &GameInfo),
        (legal, filter): (&Legal, &LegalFilter),
        mut menu: Menu<'_>,
    ) -> Result<PromptOutcome, Failure> {
        let mut version = legal.version;
        loop {
            self.screen.say(&question(info, seat))?;
            let line = tokio::select! {
                line = self.screen.line() => line?,
                moved = self.version_watch.wait_for_newer(version) => {
                    moved?;
                    match self.meanwhile(seat, legal, filter).await? {
                        Some(newer) => version = newer,
                        None => return Ok(PromptOutcome::Next(Next::Look)),
                    }
                    continue;
                }
                failure = self.bots.failure() => return Err(failure),
            };
            let Some(line) = line else {
                return Ok(PromptOutcome::Next(Next::Quit));
            };
            let message = match menu.parse(&line) {
                MenuInput::Quit => return Ok(PromptOutcome::Next(Next::Quit)),
                MenuInput::Look => {
                    self.forget_table(seat);
                    return Ok(PromptOutcome::Next(Next::Look));
                }
                MenuInput::Undo => match self.undo(seat, info).await? {
                    Ok(()) => return Ok(PromptOutcome::Next(Next::Look)),
                    Err(refusal) => refusal,
                },
                MenuInput::All(kinds) => return Ok(PromptOutcome::All(kinds)),
                MenuInput::Say(text) => text,
                MenuInput::Page => {
                    if self.list(&mut menu).await? == Shown::Quit {
                        return Ok(PromptOutcome::Next(Next::Quit));
                    }
                    continue;
                }
                MenuInput::Text(name) => self.printed(&info.ruleset, &name).await?,
                MenuInput::Rule(id) => self.rule(&info.ruleset, &id).await?,
                MenuInput::Explain(kind) => self.explain(&info.ruleset, &kind).await?,
                MenuInput::Play { actions, text } => match one_of(&actions)? {
                    Ok(action) if self.act(seat, &action, &text, version).await? => {
                        return Ok(PromptOutcome::Next(Next::Look));
                    }
                    Ok(_) => continue,
                    Err(text) => text,
                },
                MenuInput::Json(text) => match typed(&info.ruleset, &text) {
                    Ok((action, text)) if self.act(seat, &action, &text, version).await? => {
                        return Ok(PromptOutcome::Next(Next::Look));
                    }
                    Ok(_) => continue,
                    Err(failure) => failure.to_string(),
                },
            };
            if self.screen.show(&message).await? == Shown::Quit {
                return Ok(PromptOutcome::Next(Next::Quit));
            }
        }
    }

    /// Plays an action. Returns `true` if the table has to be looked at again. A refusal is printed, and the menu
    /// stays.
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
                self.screen
                    .say("The game has moved on meanwhile; look again.")?;
                Ok(true)
            }
            Err(Failure::Call(call)) if !call.reason().is_empty() => {
                self.screen.say(&format!("{text}: {call}"))?;
                if let Some(rule) = call.rule() {
                    rule.clone_into(&mut self.refused_by);
                    self.screen.say(&styled(DIM, "To read that rule: rule"))?;
                }
                Ok(false)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Takes back the last action: by this seat if it can, otherwise by another seat at this screen. The inner error is
    /// the text of the refusal if none of them can.
    async fn undo(&mut self, seat: u32, info: &GameInfo) -> Result<Result<(), String>, Failure> {
        let may = |seat: &u32| info.free_take_backs.iter().any(|free| free.seat == *seat);
        let others = self.seats.iter().copied().find(may);
        let by = Some(seat).filter(may).or(others).unwrap_or(seat);
        match self.game.take_back(by, 0).await {
            Ok(now) => {
                if let Some(proposal) = &now.proposal {
                    return Ok(Err(crate::commands::table::proposed_message(proposal)));
                }
                Ok(Ok(()))
            }
            Err(Failure::Call(call)) if !call.reason().is_empty() => Ok(Err(format!(
                "Nothing is taken back: {}.",
                call.friendly_message()
            ))),
            Err(failure) => Err(failure),
        }
    }

    /// Makes the next scene of this seat show the full table.
    fn forget_table(&mut self, seat: u32) {
        self.boards.remove(&seat);
        self.on_screen = Some((seat, 0));
    }

    /// Builds the scene of a seat: the events that are new to it, then the changes on its table. Both are empty if this
    /// version is already on the screen.
    async fn scene(&mut self, seat: u32) -> Result<Scene, Failure> {
        self.screen.begin();
        let (info, compared) = self.board(seat, 0, COMPARED_COLUMNS).await?;
        let mut scene = Scene {
            info,
            events_text: String::new(),
            table: String::new(),
        };
        let now = Some((seat, scene.info.version));
        if self.on_screen == now {
            return Ok(scene);
        }
        self.on_screen = now;
        scene.events_text = self.new_events(seat, &scene.info).await?;
        let before = self.boards.insert(seat, compared.clone());
        scene.table = match before {
            Some(before) if scene.info.status() != GameStatus::Finished => {
                changed(&scene.info, &before, &compared)
            }
            Some(_) | None => {
                let width = self.output.width();
                let (_, whole) = self.board(seat, scene.info.version, width).await?;
                table(&scene.info, &whole, width)
            }
        };
        Ok(scene)
    }

    /// Reads the game and its table at a version, in lines of at most this many columns, for a seat.
    async fn board(
        &self,
        seat: u32,
        version: u64,
        columns: usize,
    ) -> Result<(GameInfo, String), Failure> {
        let columns = u32::try_from(columns).unwrap_or(u32::MAX);
        let narrower = |style: BoardStyle| BoardStyle {
            columns: style.columns.min(columns),
            ..style
        };
        let show = Show {
            board: self.output.board().map(narrower),
            ..Show::default()
        };
        let viewer = ViewerChoice::Seat(seat);
        let seen = self.game.get(viewer, version, show).await?.table;
        let seen = seen.unwrap_or_default();
        Ok((seen.game.unwrap_or_default(), seen.board))
    }

    /// Shows a scene, page by page.
    async fn show(&mut self, scene: &Scene) -> Result<Shown, Failure> {
        let parts = [&scene.events_text, &scene.table];
        let parts: Vec<&str> = parts.into_iter().map(String::as_str).collect();
        let text = parts.into_iter().filter(|part| !part.is_empty());
        let text = text.collect::<Vec<_>>().join("\n\n");
        if text.is_empty() {
            return Ok(Shown::Whole);
        }
        self.screen.show(&format!("\n{text}\n\n")).await
    }

    /// Returns the new events, up to the version of the table that is about to be shown.
    async fn new_events(&mut self, seat: u32, info: &GameInfo) -> Result<String, Failure> {
        let last_seen_version = self
            .last_seen_versions
            .insert(seat, info.version)
            .unwrap_or(0);
        if self.open || !self.shows_secrets {
            // All players at this screen have read it.
            for other in self.last_seen_versions.values_mut() {
                *other = info.version.max(*other);
            }
        }
        if last_seen_version >= info.version {
            return Ok(String::new());
        }
        let entries = self
            .game
            .events(ViewerChoice::Seat(seat), last_seen_version)
            .await?;
        let entries = entries.iter();
        let new = entries.filter(|entry| entry.version <= info.version);
        let sentence = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            wrap(&words, " ", "  ", "    ", self.output.width())
        };
        let lines = new.flat_map(|entry| events::sentences(Some(entry)).map(sentence));
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    /// Prints a page of the list, below the current output if enough lines are left.
    async fn list(&mut self, menu: &mut Menu<'_>) -> Result<Shown, Failure> {
        if self
            .screen
            .room()
            .is_some_and(|room| room < LEAST_LINES.min(menu.left() + 1))
            && self.screen.wait_for_page_turn().await? == Shown::Quit
        {
            return Ok(Shown::Quit);
        }
        let page = menu.page(self.output.width(), self.screen.room());
        self.screen.show(&page).await
    }

    fn print_resume_hint(&mut self) -> Result<(), Failure> {
        let text = format!("\nThe game is kept. Come back with:\n{}", self.come_back);
        // Not wrapped even if it is wide, because the command is meant to be copied.
        self.screen.print(&text)
    }
}

/// Reads an action that was typed as JSON, with the text that shows it.
fn typed(ruleset: &str, text: &str) -> Result<(Action, String), Failure> {
    let action = read_wrapped(ruleset, "Action", text)?;
    let text = json_line(&ruleset_action(&action)?)?;
    Ok((action, text))
}

/// Formats the prompt: the player, and the question of the pending decision.
fn question(info: &GameInfo, seat: u32) -> String {
    let name = phrase::player(info, seat);
    match phrase::question(info, seat) {
        "" => styled(BOLD, format_args!("{name}:")),
        question => styled(BOLD, format_args!("{name}: {question}")),
    }
}
