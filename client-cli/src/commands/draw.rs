//! `gamekeeper draw`

use std::path::PathBuf;

use clap::ValueEnum;
use gamekeeper_proto::gamekeeper::v1::{ColorScheme, DrawingStyle, Player, Show};
use gamekeeper_proto::raw::{CreateGameRequest, Table};

use super::position::Described;
use super::theme;
use crate::args::{GameArg, ViewerArg};
use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::output::Output;
use crate::session::Session;
#[cfg(feature = "png")]
use crate::token_selection::ViewerChoice;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, or `last` for the last one you created on this machine
    #[arg(
        value_name = "GAME",
        required_unless_present = "from",
        conflicts_with = "from"
    )]
    game: Option<String>,
    /// Draw the table that this file describes, as spectators see it, without a game: a file as
    /// `gamekeeper position` prints it; - is the standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seat", "spectator", "operator", "at"])]
    from: Option<String>,
    #[command(flatten)]
    viewer: ViewerArg,
    /// Version of the table [default: the newest]
    #[arg(long, value_name = "VERSION")]
    at: Option<u64>,
    /// Width in units: 390 for a phone, 800 for a tablet, 1200 for a wide page
    #[arg(long, value_name = "UNITS", default_value = "1200")]
    width: Width,
    /// Light or dark [default: the drawing has both, and its reader's preference decides]
    #[arg(long, value_name = "SCHEME")]
    scheme: Option<Scheme>,
    /// Theme: a file with custom properties of drawings, as in style sheets of pages
    #[arg(long, value_name = "FILE")]
    theme: Option<PathBuf>,
    /// File to write [default: the standard output]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Write a PNG picture, light unless `--scheme dark`
    #[cfg(feature = "png")]
    #[arg(long, requires = "to")]
    png: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Width {
    #[value(name = "390")]
    Phone = 390,
    #[value(name = "800")]
    Tablet = 800,
    #[value(name = "1200")]
    Wide = 1200,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Scheme {
    Light,
    Dark,
}

impl Args {
    fn style(&self) -> Result<DrawingStyle, Failure> {
        let scheme = match self.scheme {
            // A picture has one scheme, and its painter knows no custom properties.
            None if self.is_png() => ColorScheme::Light,
            None => ColorScheme::Unspecified,
            Some(Scheme::Light) => ColorScheme::Light,
            Some(Scheme::Dark) => ColorScheme::Dark,
        };
        let theme = self.theme.as_deref().map(theme::read).transpose()?;
        Ok(DrawingStyle {
            width: self.width as u32,
            color_scheme: scheme.into(),
            theme: theme.map(Box::new),
            ..DrawingStyle::default()
        })
    }

    #[cfg(feature = "png")]
    const fn is_png(&self) -> bool {
        self.png
    }

    #[cfg(not(feature = "png"))]
    const fn is_png(&self) -> bool {
        false
    }

    /// Returns the content of the file.
    fn content(&self, drawing: String) -> Result<Vec<u8>, Failure> {
        #[cfg(feature = "png")]
        if self.is_png() {
            return super::picture::png(&drawing);
        }
        Ok(drawing.into_bytes())
    }
}

/// Returns the described table as a new game would begin with it. Players are called by their seats.
async fn described(session: &Session, file: &str, show: Show) -> Result<Option<Table>, Failure> {
    let described = Described::read(file, None)?;
    let player = |number| Player {
        name: format!("Seat {number}"),
        ..Player::default()
    };
    let request = CreateGameRequest {
        ruleset: described.ruleset,
        options: described.options,
        players: (1..=described.players).map(player).collect(),
        position: Some(described.view),
        show: Some(show),
        validate_only: true,
        ..CreateGameRequest::default()
    };
    Ok(session.call(&request).await?.table)
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let show = Show {
        drawing: Some(args.style()?),
        ..Show::default()
    };
    let table = match &args.from {
        Some(file) => described(session, file, show).await?.unwrap_or_default(),
        None => {
            let id = args.game.clone().unwrap_or_default();
            drawn(session.game(&GameArg { id })?, args, show).await?
        }
    };
    let drawing = table.drawing;
    if let Some(file) = &args.to {
        let content = args.content(drawing)?;
        return std::fs::write(file, content).map_err(|error| Failure::io(file.display(), &error));
    }
    // Printed as SVG in every output format: a drawing is a file in its own right.
    output.line(drawing)
}

/// Returns the table of a game, with names that can be written.
async fn drawn(game: GameClient, args: &Args, show: Show) -> Result<Table, Failure> {
    let at = args.at.unwrap_or_default();
    let viewer = args.viewer.into();
    let response = game.get(viewer, at, show.clone()).await?;
    let table = response.table.unwrap_or_default();
    #[cfg(feature = "png")]
    if args.is_png() {
        return with_names_to_write(game, viewer, show, table).await;
    }
    Ok(table)
}

/// Returns the table as it is, or with players that go by their seats where the font of pictures cannot write their names.
#[cfg(feature = "png")]
async fn with_names_to_write(
    game: GameClient,
    viewer: ViewerChoice,
    show: Show,
    table: Table,
) -> Result<Table, Failure> {
    match &table.game {
        Some(info) if !super::picture::can_write_names(info) => {
            let at = info.version;
            let response = game.anonymous().get(viewer, at, show).await?;
            Ok(response.table.unwrap_or_default())
        }
        Some(_) | None => Ok(table),
    }
}
