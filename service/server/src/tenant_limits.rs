//! The file with the limits of individual tenants.

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr;

use gamekeeper_games::admission::TenantLimits;

use crate::serve_error::ServeError;

/// Reads lines such as `red: rate=500 games=2000`. Ignores empty lines and lines that begin with `#`. Without a file
/// all tenants have the same limits.
pub(crate) fn read(file: Option<&Path>) -> Result<HashMap<String, TenantLimits>, ServeError> {
    let Some(file) = file else {
        return Ok(HashMap::new());
    };
    let wrong = |wrong: String| ServeError::TenantLimits {
        file: file.display().to_string(),
        wrong,
    };
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    parse(&text).map_err(wrong)
}

fn parse(text: &str) -> Result<HashMap<String, TenantLimits>, String> {
    let mut tenants = HashMap::new();
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let in_line = |wrong: String| format!("line {number}: {wrong}");
        let (tenant, values) = line
            .rsplit_once(':')
            .filter(|(tenant, _)| !tenant.trim().is_empty())
            .ok_or_else(|| in_line(String::from("is not tenant: name=number ...")))?;
        let limits = parse_limits(values).map_err(in_line)?;
        if tenants.insert(tenant.trim().to_owned(), limits).is_some() {
            return Err(in_line(String::from("the tenant has a line already")));
        }
    }
    Ok(tenants)
}

fn parse_limits(limits: &str) -> Result<TenantLimits, String> {
    let mut parsed = TenantLimits::default();
    for limit in limits.split_whitespace() {
        let (name, value) = limit.split_once('=').unwrap_or((limit, ""));
        match name {
            "rate" => set_limit(&mut parsed.rate, limit, value)?,
            "burst" if value == "0" => return Err(String::from("burst must be greater than 0")),
            "burst" => set_limit(&mut parsed.burst, limit, value)?,
            "games" => set_limit(&mut parsed.games, limit, value)?,
            "bytes" => set_limit(&mut parsed.bytes, limit, value)?,
            "watches" => set_limit(&mut parsed.watches, limit, value)?,
            "self-plays" => set_limit(&mut parsed.self_plays, limit, value)?,
            _ => {
                let names = "rate, burst, games, bytes, watches or self-plays";
                return Err(format!("{name} is none of {names}"));
            }
        }
    }
    Ok(parsed)
}

fn set_limit<T: FromStr>(slot: &mut Option<T>, limit: &str, value: &str) -> Result<(), String> {
    let number = value
        .parse()
        .map_err(|_| format!("{limit} is not name=number"))?;
    match slot.replace(number) {
        None => Ok(()),
        Some(_) => Err(format!("{limit}: it is said twice")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_a_tenant_has_of_its_own() {
        let text = "# of teams\n\n red: rate=500 burst=900 games=0 bytes=7000 \nteam:blue: watches=7 self-plays=1\n";
        let read = parse(text).unwrap();
        let red = TenantLimits {
            rate: Some(500),
            burst: Some(900),
            games: Some(0),
            bytes: Some(7_000),
            ..TenantLimits::default()
        };
        let blue = TenantLimits {
            watches: Some(7),
            self_plays: Some(1),
            ..TenantLimits::default()
        };
        let both = [("red", red), ("team:blue", blue)];
        assert_eq!(read, both.map(|(name, own)| (name.to_owned(), own)).into());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, wrong) in [
            ("red", "line 1: is not tenant: name=number ..."),
            (": rate=1", "line 1: is not tenant: name=number ..."),
            ("\nred: rate=-1", "line 2: rate=-1 is not name=number"),
            ("red: rate", "line 1: rate is not name=number"),
            ("red: rate=1 rate=2", "line 1: rate=2: it is said twice"),
            ("red: burst=0", "line 1: burst must be greater than 0"),
            (
                "red: wishes=3",
                "line 1: wishes is none of rate, burst, games, bytes, watches or self-plays",
            ),
            (
                "red: rate=1\nred: rate=1",
                "line 2: the tenant has a line already",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err(), wrong, "{text}");
        }
    }
}
