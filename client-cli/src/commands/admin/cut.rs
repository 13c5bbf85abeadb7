//! `gamekeeper admin cut`

use std::time::Duration;

use hyper::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Servers, port};
use crate::failure::Failure;
use crate::output::{Output, notice};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    servers: Servers,
    #[command(flatten)]
    whom: CutTarget,
    /// Refuse further calls for this time, such as 10m, at most a day, on every server of the store. Bots and clocks of
    /// its games rest meanwhile [default: only end what is open]
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    out_for: Option<Duration>,
    /// Let the clocks of its games run on meanwhile [default: the time is credited to them, as after an outage]
    #[arg(long, requires = "out_for")]
    clocks_run: bool,
    /// Accept the calls again that --for refuses, and end nothing
    #[arg(long, conflicts_with = "out_for")]
    lift: bool,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct CutTarget {
    /// Cut off a tenant, with its users and all tokens of its games
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,
    /// Cut off all tokens of a game and of its forks
    #[arg(long, value_name = "ID")]
    game: Option<Uuid>,
    /// Cut off an account, named as `admin top` shows it
    #[arg(long, value_name = "ACCOUNT")]
    caller: Option<String>,
}

pub(super) async fn run(within: Duration, output: Output, args: &Args) -> Result<(), Failure> {
    let body = body(args).to_string();
    let mut failed = None;
    // Continue after a failure: one unreachable server must not protect the flood on the other replicas.
    for address in &args.servers.addresses {
        match port::call_admin(address, within, Method::POST, "/cut", body.clone()).await {
            Ok(ended) => print(output, address, args, &ended)?,
            Err(failure) => {
                notice(format_args!("{failure}"));
                failed = Some(failure);
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

fn body(args: &Args) -> Value {
    let CutTarget {
        tenant,
        game,
        caller,
    } = &args.whom;
    let mut body = json!({ "lift": args.lift, "clocks_run": args.clocks_run });
    for (name, value) in [
        ("tenant", tenant.clone()),
        ("game", game.map(|game| game.to_string())),
        ("caller", caller.clone()),
    ] {
        if let Some(value) = value {
            body[name] = json!(value);
        }
    }
    if let Some(time) = args.out_for {
        // The admin port counts whole seconds. Round up, because 0 would not lock anybody out.
        body["for_seconds"] = json!(time.as_secs().max(1));
    }
    body
}

fn print(output: Output, address: &str, args: &Args, ended: &Value) -> Result<(), Failure> {
    if output.is_json() {
        let mut line = json!({ "admin": address });
        for name in ["streams", "connections", "everywhere"] {
            line[name] = ended[name].clone();
        }
        return output.line(line);
    }
    if args.lift {
        return output.line(format_args!("{address}: its calls are accepted again."));
    }
    if args.out_for.is_some() && ended["everywhere"] == json!(false) {
        notice(format_args!(
            "{address}: the store did not answer, so other servers are not told."
        ));
    }
    output.line(format_args!(
        "{address}: {} streams and {} connections are ended.",
        ended["streams"], ended["connections"]
    ))
}
