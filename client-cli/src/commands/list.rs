//! `gamekeeper list`

use std::time::SystemTime;

use clap::ValueEnum;
use gamekeeper_proto::gamekeeper::v1::{
    GameFilter, GameInfo, GameOrder, GameStatus, ListGamesRequest, ListGamesResponse,
};
use gamekeeper_rules::table::text::Columns;
use prost_reflect::prost_types::Timestamp;

use crate::args::label;
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::Output;
use crate::phrase;
use crate::session::Session;

/// The options that filter by the time of creation. A list is filtered by the time that it is ordered by, so these
/// exclude the filters by other times.
const CREATED: [&str; 2] = ["created_from", "created_until"];

/// The options that filter by times other than the deadline.
const PAST: [&str; 4] = [
    "created_from",
    "created_until",
    "changed_from",
    "changed_until",
];

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only games of this ruleset
    #[arg(long, value_name = "RULESET")]
    ruleset: Option<String>,
    /// Only games with this status
    #[arg(long, value_name = "STATUS")]
    status: Option<Status>,
    /// Only games at which this user has a seat
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    /// Only games in which this user owes a decision
    #[arg(long, value_name = "USER")]
    awaiting: Option<String>,
    /// Only games with this label; may be repeated
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    labels: Vec<(String, String)>,
    /// Only games that were created at this time or later, such as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_rfc3339_weak)]
    created_from: Option<SystemTime>,
    /// Only games that were created before this time
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_rfc3339_weak)]
    created_until: Option<SystemTime>,
    /// Only games with users or labels that were changed at this time or later
    #[arg(long, value_name = "TIME", conflicts_with_all = CREATED, value_parser = humantime::parse_rfc3339_weak)]
    changed_from: Option<SystemTime>,
    /// Only games with users or labels that were changed before this time
    #[arg(long, value_name = "TIME", conflicts_with_all = CREATED, value_parser = humantime::parse_rfc3339_weak)]
    changed_until: Option<SystemTime>,
    /// Only games in which a player's time runs out at this time or later
    #[arg(long, value_name = "TIME", conflicts_with_all = PAST, value_parser = humantime::parse_rfc3339_weak)]
    due_from: Option<SystemTime>,
    /// Only games in which a player's time runs out before this time
    #[arg(long, value_name = "TIME", conflicts_with_all = PAST, value_parser = humantime::parse_rfc3339_weak)]
    due_until: Option<SystemTime>,
    /// The order [default: that of the times that are given; changed for a user or a label, otherwise created]
    #[arg(long, value_name = "ORDER")]
    order: Option<Order>,
    /// Maximum number of games
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Status {
    Active,
    Finished,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    /// The newest game first
    Created,
    /// The last change first; only games with users or labels
    Changed,
    /// The game whose time runs out next first; only games whose clocks run
    Due,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let mut columns = Columns::new(&["GAME", "RULESET", "VERSION", "STATUS", "PLAYERS"]);
    let mut left = args.limit;
    let mut token = String::new();
    while left > 0 {
        let page = page(session, args, token).await?;
        for game in page.games.iter().take(left) {
            if output.is_json() {
                output.json(&to_dynamic("GameInfo", game)?)?;
            } else {
                columns.row(row(game));
            }
            left -= 1;
        }
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    if output.is_json() {
        Ok(())
    } else {
        output.line(columns)
    }
}

async fn page(
    session: &Session,
    args: &Args,
    page_token: String,
) -> Result<ListGamesResponse, Failure> {
    let page_size = i32::try_from(args.limit.clamp(1, 1_000)).unwrap_or(1_000);
    let time =
        |times: [Option<SystemTime>; 3]| times.into_iter().flatten().next().map(Timestamp::from);
    let request = ListGamesRequest {
        filter: Some(filter(args)),
        order: order(args)?.into(),
        from_time: time([args.created_from, args.changed_from, args.due_from]),
        until_time: time([args.created_until, args.changed_until, args.due_until]),
        page_size,
        page_token,
    };
    session.call(&request).await
}

fn filter(args: &Args) -> GameFilter {
    let status = match args.status {
        None => GameStatus::Unspecified,
        Some(Status::Active) => GameStatus::Active,
        Some(Status::Finished) => GameStatus::Finished,
    };
    GameFilter {
        ruleset: args.ruleset.clone().unwrap_or_default(),
        status: status.into(),
        user: args.user.clone().unwrap_or_default(),
        awaiting_user: args.awaiting.clone().unwrap_or_default(),
        labels: args.labels.iter().cloned().collect(),
    }
}

fn order(args: &Args) -> Result<GameOrder, Failure> {
    let created = args.created_from.or(args.created_until).is_some();
    let changed = args.changed_from.or(args.changed_until).is_some();
    let due = args.due_from.or(args.due_until).is_some();
    let (order, what) = match args.order {
        Some(Order::Created) => (GameOrder::CreateTime, "creation"),
        Some(Order::Changed) => (GameOrder::UpdateTime, "change"),
        Some(Order::Due) => (GameOrder::DueTime, "what is due"),
        None if due => return Ok(GameOrder::DueTime),
        None if changed => return Ok(GameOrder::UpdateTime),
        None if created => return Ok(GameOrder::CreateTime),
        None => return Ok(GameOrder::Unspecified),
    };
    let given = [
        (created, GameOrder::CreateTime, "created"),
        (changed, GameOrder::UpdateTime, "changed"),
        (due, GameOrder::DueTime, "due"),
    ];
    let mut others = given
        .into_iter()
        .filter(|(is_given, of, _)| *is_given && *of != order);
    match others.next() {
        None => Ok(order),
        Some((.., flag)) => Err(Failure::Usage(format!(
            "games in the order of {what} cannot be found by --{flag}-from and --{flag}-until"
        ))),
    }
}

fn row(info: &GameInfo) -> [String; 5] {
    let names: Vec<_> = info
        .players
        .iter()
        .map(|player| player.name.as_str())
        .collect();
    let status = match info.status() {
        GameStatus::Finished => "finished".to_owned(),
        GameStatus::Active => {
            let next: Vec<_> = info
                .pending
                .iter()
                .map(|pending| phrase::player(info, pending.seat))
                .collect();
            format!("{} to act", next.join(", "))
        }
        GameStatus::Unspecified => "unknown".to_owned(),
    };
    [
        info.game_id.clone(),
        info.ruleset.clone(),
        info.version.to_string(),
        status,
        names.join(", "),
    ]
}
