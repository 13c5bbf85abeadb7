//! `begin_game`, `list_games` and `resign`.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::{
    GameFilter, GameInfo, GameStatus, ListGamesRequest, ListRulesetsRequest, Player, ResignRequest,
};
use gamekeeper_proto::raw::CreateGameRequest;
use serde_json::Value;

use super::answer::Answer;
use super::arguments::{BeginGame, ListGames, Resign};
use super::happened::told_when_due;
use super::names::{WARNING, players};
use super::seat::Place;
use crate::args::bot;
use crate::commands::new_game::store;
use crate::contract::read_wrapped;
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::phrase;
use crate::session::Session;

/// The number of games on a page.
const PAGE: i32 = 50;

/// The longest time in which bots that begin may make their moves before the answer.
const FIRST_WAIT: Duration = Duration::from_secs(10);

/// The longest name of a player.
const MAX_NAME: usize = 64;

/// Begins a game against bots.
pub(super) async fn begin_game(session: &Session, asked: &BeginGame) -> Result<Answer, Failure> {
    let request = request(asked)?;
    let seat = asked.seat.unwrap_or(1);
    let response = session.call(&request).await?;
    let info = response.table.unwrap_or_default().game.unwrap_or_default();
    if session.stores_tokens() {
        store(session, &info, response.tokens.as_ref())?;
    }
    let mut place = Place::find(session, &info.game_id, Some(seat)).await?;
    let answer = told_when_due(&mut place, 0, FIRST_WAIT).await?;
    Ok(answer.fact("game", info.game_id).fact("seat", seat))
}

fn request(asked: &BeginGame) -> Result<CreateGameRequest, Failure> {
    let seats = asked.opponents.len() + 1;
    let own = usize::try_from(asked.seat.unwrap_or(1)).unwrap_or(usize::MAX);
    if !(1..=seats).contains(&own) {
        let text = format!("seat {own} is not one of 1 to {seats}");
        return Err(Failure::Usage(text));
    }
    let mut bots = asked.opponents.iter();
    let player = |seat: usize| match seat == own {
        true => Some(Player {
            name: own_name(asked.name.as_deref()),
            ..Player::default()
        }),
        false => bots.next().map(|policy| Player {
            name: format!("Bot {seat}"),
            bot: Some(bot(policy)),
            ..Player::default()
        }),
    };
    let options = asked.options.clone().map(|options| {
        let text = Value::Object(options).to_string();
        read_wrapped(&asked.ruleset, "Options", &text)
    });
    Ok(CreateGameRequest {
        ruleset: asked.ruleset.clone(),
        players: (1..=seats).filter_map(player).collect(),
        options: options.transpose()?,
        request_id: new_request_id(),
        seed: asked.seed.map(seed).unwrap_or_default(),
        ..CreateGameRequest::default()
    })
}

fn own_name(name: Option<&str>) -> String {
    let name = name.filter(|name| !name.is_empty()).unwrap_or("Agent");
    name.chars().take(MAX_NAME).collect()
}

/// Returns a number as a seed of 32 bytes, like `--seed` on the command line.
fn seed(number: u64) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.resize(32, 0);
    bytes
}

/// Returns whether the caller may begin games. Asks the server with a dry run, which creates nothing.
pub(super) async fn may_begin(session: &Session) -> bool {
    let rulesets = session.call(&ListRulesetsRequest::default()).await;
    let Some(ruleset) = rulesets.unwrap_or_default().rulesets.into_iter().next() else {
        return false;
    };
    let player = |seat: u32| Player {
        name: format!("Bot {seat}"),
        ..Player::default()
    };
    let request = CreateGameRequest {
        ruleset: ruleset.id,
        players: (1..=ruleset.min_seats).map(player).collect(),
        validate_only: true,
        ..CreateGameRequest::default()
    };
    session.call(&request).await.is_ok()
}

/// Lists the caller's games.
pub(super) async fn list_games(session: &Session, asked: &ListGames) -> Result<Answer, Failure> {
    let status = match asked.finished {
        true => GameStatus::Finished,
        false => GameStatus::Active,
    };
    let request = ListGamesRequest {
        filter: Some(GameFilter {
            status: status.into(),
            ..GameFilter::default()
        }),
        page_size: PAGE,
        page_token: asked.page.clone().unwrap_or_default(),
        ..ListGamesRequest::default()
    };
    let page = session.call(&request).await?;
    let mut text = match page.games.is_empty() {
        true => String::from("No games on this page."),
        false => String::from(WARNING),
    };
    for info in &page.games {
        text += &format!("\n{}", row(info));
    }
    if !page.next_page_token.is_empty() {
        text += &format!("\nMore: list_games with page {:?}.", page.next_page_token);
    }
    Ok(Answer::new(text))
}

fn row(info: &GameInfo) -> String {
    let pending: Vec<String> = info
        .pending
        .iter()
        .map(|pending| format!("seat {}", pending.seat))
        .collect();
    let status = match info.status() {
        GameStatus::Finished => String::from("over"),
        GameStatus::Active | GameStatus::Unspecified => format!("{} to act", pending.join(", ")),
    };
    format!(
        "{} {}, version {}, {status}; players: {}",
        info.game_id,
        phrase::ruleset(&info.ruleset),
        info.version,
        players(info)
    )
}

/// Leaves a game permanently.
pub(super) async fn resign(session: &Session, asked: &Resign) -> Result<Answer, Failure> {
    let place = Place::find(session, &asked.game, Some(asked.seat)).await?;
    let request = ResignRequest {
        game_id: asked.game.clone(),
        seat: asked.seat,
        request_id: new_request_id(),
    };
    session
        .call_for_seat(&request, (&asked.game, asked.seat))
        .await?;
    let text = format!("{}\nYou have left the game.", place.heading());
    Ok(Answer::new(text))
}
