//! The command line: the options of every command, and the commands.

use clap::Parser;

use crate::args::Globals;
use crate::commands::Command;
use crate::exit;

/// Create, play, watch, export and verify games that a Gamekeeper server keeps.
#[derive(Debug, Parser)]
#[command(
    name = "gamekeeper",
    version,
    after_help = exit::HELP,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use gamekeeper_rules::bots::Heuristics;
    use gamekeeper_rules::ruleset::Ruleset;

    use super::*;
    use crate::args::Format;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_page_of_commands_names_all_of_them() {
        let page = include_str!("../docs/commands.md");
        let rows: Vec<_> = page
            .lines()
            .filter(|line| line.starts_with("| `"))
            .collect();
        for command in Cli::command().get_subcommands() {
            let (alone, first) = (
                format!("`{}`", command.get_name()),
                format!("`gamekeeper {}", command.get_name()),
            );
            let named = |row: &&str| row.contains(&alone) || row.contains(&first);
            assert!(rows.iter().any(named), "{first}`");
        }
    }

    #[test]
    fn the_help_names_the_playouts_of_every_ruleset() {
        let all = gamekeeper_rules::of_each_ruleset!(R => (R::INFO.title, R::PLAYOUTS));
        let others = all.into_iter().filter(|(_, playouts)| *playouts != 64);
        let others = others.map(|(title, playouts)| format!("; {title}: {playouts}"));
        let usual = format!("[default: 64{}]", others.collect::<String>());
        for name in ["bot", "ladder", "selfplay", "tournament"] {
            let mut cli = Cli::command();
            let command = cli.find_subcommand_mut(name).unwrap();
            let mut options = command.get_arguments();
            let playouts = options
                .find(|option| option.get_id() == "playouts")
                .unwrap();
            let help = playouts.get_help().unwrap().to_string();
            assert!(help.ends_with(&usual), "{name}: {help}");
        }
    }

    #[test]
    fn options_may_stand_after_the_command() {
        let cli = parse("gamekeeper list -o json --retries 0 --server http://[::1]:1").unwrap();
        assert_eq!(cli.globals.output, Some(Format::Json));
        assert_eq!(cli.globals.retries, 0);
        assert_eq!(cli.globals.server(), "http://[::1]:1");
    }

    #[test]
    fn wrong_command_lines_are_refused() {
        for line in [
            "gamekeeper show",
            "gamekeeper legal GAME",
            "gamekeeper legal GAME --seat 0",
            "gamekeeper legal GAME --seat one",
            "gamekeeper show GAME --seat 1 --spectator",
            "gamekeeper apply GAME --seat 1",
            "gamekeeper apply GAME --seat 1 {} -f -",
            "gamekeeper bot GAME",
            "gamekeeper list --cert x",
            "gamekeeper list --timeout soon",
            "gamekeeper list -o xml",
        ] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn several_seats_can_be_named() {
        for line in [
            "gamekeeper bot --seat 1,2 GAME",
            "gamekeeper bot GAME --seat 1 --seat 2",
        ] {
            let Command::Bot(bot) = parse(line).unwrap().command else {
                panic!("{line}")
            };
            assert_eq!(bot.seats(), [1, 2]);
        }
    }
}
