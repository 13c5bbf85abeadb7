//! `gamekeeper admin top`

use std::time::Duration;

use clap::ValueEnum;
use gamekeeper_rules::table::text::Columns;
use hyper::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Servers, port};
use crate::failure::Failure;
use crate::output::Output;

/// The figure by which tenants and callers are sorted, the largest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// Cost of their calls, in small calls a second
    Cost,
    /// Open watches, exports and self-plays
    Streams,
    /// Bytes read and stored a second
    Bytes,
    /// Open connections
    Connections,
    /// Refused calls
    Refused,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    servers: Servers,
    /// Figure to sort by, the largest first
    #[arg(long, value_name = "WHAT", default_value = "cost")]
    by: By,
    /// Show only this tenant and its callers
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,
    /// Maximum number of tenants, and of callers, to show, from 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    limit: u16,
    /// Repeat at this interval until interrupted, such as 2s [default: show the figures once]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    every: Option<Duration>,
}

pub(super) async fn run(within: Duration, output: Output, args: &Args) -> Result<(), Failure> {
    let path = path(args);
    loop {
        for address in &args.servers.addresses {
            let top = port::call_admin(address, within, Method::GET, &path, String::new()).await?;
            print(output, address, &top)?;
        }
        match args.every {
            Some(time) => sleep(time).await,
            None => return Ok(()),
        }
    }
}

fn path(args: &Args) -> String {
    let by = args.by.to_possible_value();
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("limit", &args.limit.to_string());
    if let Some(by) = by {
        query.append_pair("by", by.get_name());
    }
    if let Some(tenant) = &args.tenant {
        query.append_pair("tenant", tenant);
    }
    format!("/top?{}", query.finish())
}

fn print(output: Output, address: &str, top: &Value) -> Result<(), Failure> {
    if output.is_json() {
        let mut line = json!({ "admin": address });
        if let (Some(line), Some(top)) = (line.as_object_mut(), top.as_object()) {
            line.extend(top.clone());
        }
        return output.line(line);
    }
    output.line(format_args!("Server {address}"))?;
    for (title, rows) in [("TENANT", "tenants"), ("CALLER", "callers")] {
        let mut columns = Columns::new(&[
            title,
            "COST/S",
            "BYTES/S",
            "CPU S",
            "LONGEST MS",
            "CALLS",
            "REFUSED",
            "STORED",
            "KEPT",
            "IN FLIGHT",
            "STREAMS",
            "PLAYS",
            "LINES",
            "ACCOUNT",
        ]);
        for row in top[rows].as_array().into_iter().flatten() {
            columns.row(cells(row));
        }
        if rows == "tenants" && top["service"].is_object() {
            columns.row(service_cells(&top["service"]));
        }
        output.line(columns)?;
    }
    Ok(())
}

/// Returns the row of the service itself, which has processor time alone.
fn service_cells(row: &Value) -> [String; 14] {
    let mut cells = [const { String::new() }; 14];
    cells[0] = String::from("service");
    cells[3] = decimal(row, "cpu_seconds", 2);
    cells
}

fn decimal(row: &Value, name: &str, digits: usize) -> String {
    let number = row[name].as_f64().unwrap_or_default();
    format!("{number:.digits$}")
}

fn cells(row: &Value) -> [String; 14] {
    let decimal = |name: &str, digits| decimal(row, name, digits);
    let number = |name: &str| row[name].to_string();
    [
        who(row),
        decimal("cost_per_second", 1),
        decimal("bytes_per_second", 0),
        decimal("cpu_seconds", 2),
        decimal("longest_turn_ms", 1),
        number("calls"),
        number("calls_refused"),
        number("bytes_stored"),
        row["bytes_kept"]
            .as_u64()
            .map_or_else(String::new, |bytes| bytes.to_string()),
        number("in_flight"),
        number("streams"),
        number("self_plays"),
        number("connections"),
        text(row, "account").to_owned(),
    ]
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name].as_str().unwrap_or_default()
}

/// Describes an account in words.
fn who(row: &Value) -> String {
    let role = text(row, "role");
    let (game, tenant) = (text(row, "game"), text(row, "tenant"));
    match role {
        "tenant" => tenant.to_owned(),
        "user" => format!("{tenant}: user {}", text(row, "user")),
        "seat" => format!("{tenant}: seat {} of {game}", row["seat"]),
        "spectator" => format!("{tenant}: spectators of {game}"),
        "unattended" => format!("{tenant}: clocks and turns of bots"),
        "bots" => format!("{tenant}: thinking bots"),
        "stranger" => format!("stranger {}", text(row, "address")),
        role => role.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_who_it_is() {
        for (row, wanted) in [
            (json!({"role": "tenant", "tenant": "red"}), "red"),
            (
                json!({"role": "user", "tenant": "red", "user": "ada"}),
                "red: user ada",
            ),
            (
                json!({"role": "seat", "tenant": "red", "game": "7", "seat": 2}),
                "red: seat 2 of 7",
            ),
            (
                json!({"role": "stranger", "address": "::1"}),
                "stranger ::1",
            ),
            (json!({"role": "operators"}), "operators"),
            (
                json!({"role": "bots", "tenant": "red"}),
                "red: thinking bots",
            ),
        ] {
            assert_eq!(who(&row), wanted);
        }
    }

    #[test]
    fn the_service_has_a_row_with_its_processor_time() {
        let cells = service_cells(&json!({"cpu_seconds": 3.456}));
        assert_eq!((cells[0].as_str(), cells[3].as_str()), ("service", "3.46"));
        assert!(cells.iter().skip(4).all(String::is_empty));
    }

    #[test]
    fn a_name_of_a_tenant_is_escaped() {
        let servers = Servers {
            addresses: Vec::new(),
        };
        let args = Args {
            servers,
            by: By::Streams,
            tenant: Some(String::from("a&b")),
            limit: 3,
            every: None,
        };
        assert_eq!(path(&args), "/top?limit=3&by=streams&tenant=a%26b");
    }
}
