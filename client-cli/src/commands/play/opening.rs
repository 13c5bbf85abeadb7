//! Opens the game to play: a stored one, or a new one with bots at the seats that nobody here plays.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, Player, TableOptions, TakeBackPolicy};
use gamekeeper_proto::raw::CreateGameRequest;

use super::Args;
use crate::args::GameArg;
use crate::bot_choice::check;
use crate::commands::new_game::store;
use crate::contract::{read_wrapped, ruleset_message};
use crate::failure::Failure;
use crate::game_client::{GameClient, new_request_id};
use crate::policy::Policy;
use crate::session::Session;
use crate::terms;

/// A game and its players.
pub(super) struct Opening {
    pub(super) game: GameClient,
    pub(super) info: GameInfo,
    /// The seats that are played at this screen.
    pub(super) seats: Vec<u32>,
    /// The seats that bots play, with their policies.
    pub(super) bots: Vec<(u32, Policy)>,
}

/// Opens the game that the command names, or creates it.
pub(super) async fn open(session: &Session, args: &Args) -> Result<Opening, Failure> {
    session.check_reachable().await?;
    let id = match is_kept(&args.game) {
        true => {
            no_options(args)?;
            session.game_id(&GameArg {
                id: args.game.clone(),
            })?
        }
        false => create(session, args).await?,
    };
    let info = session.game_info(&id).await?;
    can_play((&info.ruleset, info.players.len()), args)?;
    let seats = seats(session, args, &info)?;
    let mut others: Vec<u32> = info.players.iter().map(|player| player.seat).collect();
    others.retain(|seat| !seats.contains(seat));
    let bots = match args.against.is_empty() {
        true => Vec::new(),
        false => others
            .iter()
            .copied()
            .zip(policies(args, others.len())?)
            .collect(),
    };
    let all: Vec<u32> = bots
        .iter()
        .map(|(seat, _)| *seat)
        .chain(seats.clone())
        .collect();
    Ok(Opening {
        game: session.seated(&id, &all)?,
        info,
        seats,
        bots,
    })
}

/// Returns whether this names a stored game and not a ruleset.
fn is_kept(game: &str) -> bool {
    game == "last" || uuid::Uuid::parse_str(game).is_ok()
}

/// Refuses the options for new games if the command continues a stored game.
fn no_options(args: &Args) -> Result<(), Failure> {
    let plain = args.players.is_empty()
        && args.count.is_none()
        && args.fields.is_empty()
        && args.seed.bytes()?.is_empty();
    match plain {
        true => Ok(()),
        false => Err(Failure::Usage(
            "names, --seats, --option and --seed are for a new game: give a ruleset instead of a game".to_owned(),
        )),
    }
}

/// Returns the seats to play: those of the command line. By default, against bots, the first seat; otherwise the seats
/// whose tokens are stored here; otherwise all seats.
fn seats(session: &Session, args: &Args, info: &GameInfo) -> Result<Vec<u32>, Failure> {
    let mut seats = args.seats.clone();
    let mut stored = session
        .tokens
        .game(&info.game_id)?
        .unwrap_or_default()
        .seats;
    if seats.is_empty() && !args.against.is_empty() {
        let people = args.players.len().max(1);
        seats = info
            .players
            .iter()
            .map(|player| player.seat)
            .take(people)
            .collect();
    }
    if seats.is_empty() {
        stored.retain(|_, token| !token.is_empty());
        seats = stored.into_keys().collect();
    }
    if seats.is_empty() {
        seats = info.players.iter().map(|player| player.seat).collect();
    }
    seats.dedup();
    let missing = |seat: &&u32| info.players.iter().all(|player| player.seat != **seat);
    match seats.iter().find(missing) {
        Some(seat) => {
            let last = info.players.len();
            Err(Failure::Usage(format!(
                "this game has seats 1 to {last}, and no seat {seat}"
            )))
        }
        None => Ok(seats),
    }
}

/// Fails if a bot's policy does not exist for a table of the ruleset with this many seats.
fn can_play(table: (&str, usize), args: &Args) -> Result<(), Failure> {
    let mut policies = args.against.iter();
    policies.try_for_each(|policy| check(table, *policy))
}

/// Returns a policy for each bot.
fn policies(args: &Args, bots: usize) -> Result<Vec<Policy>, Failure> {
    match args.against[..] {
        [all] => Ok(vec![all; bots]),
        ref each if each.len() == bots => Ok(each.to_vec()),
        ref each => Err(Failure::Usage(format!(
            "--against names {} policies for {bots} bots: name one for all of them, or one for each",
            each.len()
        ))),
    }
}

/// Creates the game, stores its tokens and returns its id.
async fn create(session: &Session, args: &Args) -> Result<String, Failure> {
    let ruleset = &args.game;
    // Checked here so that the error for a misspelled ruleset suggests a known one.
    ruleset_message(ruleset, "Options")?;
    let players = players(args)?;
    can_play((ruleset, players.len()), args)?;
    let options = args.fields.json(ruleset)?;
    let options = options.map(|text| read_wrapped(ruleset, "Options", &text));
    let request = CreateGameRequest {
        ruleset: ruleset.clone(),
        players,
        options: options.transpose()?,
        request_id: new_request_id(),
        seed: args.seed.bytes()?,
        table: Some(TableOptions {
            take_back: TakeBackPolicy::Unseen.into(),
            ..TableOptions::default()
        }),
        ..CreateGameRequest::default()
    };
    let response = session.call(&request).await?;
    let info = response.table.unwrap_or_default().game.unwrap_or_default();
    store(session, &info, response.tokens.as_ref())?;
    Ok(info.game_id)
}

/// Returns the players of a new game: people at the seats of the command line (by default the first ones), bots at the
/// others.
fn players(args: &Args) -> Result<Vec<Player>, Failure> {
    let bots = !args.against.is_empty();
    if args.players.is_empty() && args.count.is_none() && !bots {
        let text = "who plays? Name the players, such as Ada Bob, or play --against medium";
        return Err(Failure::Usage(text.to_owned()));
    }
    let named = match (args.players.len(), bots) {
        (0, true) => args.seats.len().max(1),
        (0, false) => args.count.unwrap_or_default(),
        (named, _) => named,
    };
    let more = match args.against.len() {
        // One policy is for all bots of the smallest table.
        1 => usize::from(terms::fewest_seats(&args.game))
            .saturating_sub(named)
            .max(1),
        each => each,
    };
    let count = args.count.unwrap_or(named + more);
    if count < named || (count > named && !bots) {
        let text = format!("{named} players cannot take {count} seats");
        return Err(Failure::Usage(text));
    }
    if bots {
        policies(args, count - named)?;
    }
    if !args.seats.is_empty() && args.seats.len() != named {
        let text = format!(
            "--seat names {} seats for {named} players",
            args.seats.len()
        );
        return Err(Failure::Usage(text));
    }
    Ok(seated(args, named, count))
}

/// Returns the players in seat order.
fn seated(args: &Args, named: usize, count: usize) -> Vec<Player> {
    let mut people = args.players.iter().cloned();
    let mut person = |seat: usize| match (people.next(), named) {
        (Some(name), _) => name,
        (None, 1) => own_name(),
        (None, _) => format!("Player {seat}"),
    };
    let here = |seat: usize| match args.seats.is_empty() {
        true => seat <= named,
        false => args
            .seats
            .iter()
            .any(|own_seat| u32::try_from(seat) == Ok(*own_seat)),
    };
    let name = |seat: usize| match (here(seat), count - named) {
        (true, _) => person(seat),
        (false, 1) => "Bot".to_owned(),
        (false, _) => format!("Bot {seat}"),
    };
    let player = |name| Player {
        name,
        ..Player::default()
    };
    (1..=count).map(name).map(player).collect()
}

/// Returns the name of the current user in the operating system, as the default name of the player.
fn own_name() -> String {
    let names_of_user = ["USER", "USERNAME"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok());
    let mut usable_names =
        names_of_user.filter(|name| !name.is_empty() && name.chars().all(char::is_alphanumeric));
    let name = usable_names.next().unwrap_or_else(|| "Player".to_owned());
    name.chars().take(30).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn named(line: &str) -> Result<Vec<String>, String> {
        let args = Line::try_parse_from(format!("play {line}").split(' '))
            .unwrap()
            .args;
        let players = players(&args).map_err(|failure| failure.to_string())?;
        Ok(players.into_iter().map(|player| player.name).collect())
    }

    #[test]
    fn bots_take_the_seats_that_are_left() {
        for (line, names) in [
            ("dominion Ada --against search", vec!["Ada", "Bot"]),
            (
                "dominion Ada --against search,greedy",
                vec!["Ada", "Bot 2", "Bot 3"],
            ),
            (
                "dominion Ada --against search --seats 4",
                vec!["Ada", "Bot 2", "Bot 3", "Bot 4"],
            ),
            ("dominion Ada --against search --seat 2", vec!["Bot", "Ada"]),
            ("dominion Ada Bob", vec!["Ada", "Bob"]),
            ("dominion --seats 2", vec!["Player 1", "Player 2"]),
        ] {
            assert_eq!(named(line).unwrap(), names, "{line}");
        }
        assert_eq!(named("dominion --against search").unwrap().len(), 2);
        for line in [
            "dominion",
            "dominion Ada Bob --seats 3",
            "dominion Ada Bob --seats 1",
            "dominion Ada --against search,greedy --seats 4",
            "dominion Ada --against search --seat 1,2",
        ] {
            assert!(named(line).is_err(), "{line}");
        }
    }

    #[test]
    fn games_and_rulesets_are_told_apart() {
        assert!(is_kept("last") && is_kept("13a05b15-fa26-869d-9b2a-b35396f37186"));
        assert!(!is_kept("dominion") && !is_kept("domnion"));
    }
}
