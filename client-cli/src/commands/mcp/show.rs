//! `look_at_table`: the table as text, as JSON or as a picture.

use gamekeeper_proto::gamekeeper::v1::{BoardStyle, ColorScheme, DrawingStyle, Show};
use gamekeeper_proto::raw::Table;

use super::answer::Answer;
use super::arguments::{Form, Look};
use super::names::WARNING;
use super::seat::Place;
use super::text::plain;
use crate::commands::picture::png;
use crate::contract::{json_line, to_dynamic, unwrap_oneof};
use crate::failure::Failure;
use crate::session::Session;

/// The columns of a board: few, so that lines stay whole for readers that do not see columns.
const COLUMNS: u32 = 100;

/// Shows the table of a game.
pub(super) async fn look(session: &Session, asked: &Look) -> Result<Answer, Failure> {
    let mut place = Place::find(session, &asked.game, asked.seat).await?;
    let table = place
        .look(asked.version.unwrap_or_default(), parts(asked.form))
        .await?;
    let heading = format!("{}\nPlayers: {}. {WARNING}", place.heading(), place.players);
    let version = place.info.version;
    let answer = match asked.form {
        Form::Board => {
            let board = plain(&table.board);
            Answer::new(format!("{heading}\n\n{board}\n\n{}", place.ending()))
        }
        Form::View => Answer::new(format!("{heading}\n\n{}", view(&table)?)),
        Form::Picture => {
            let text = format!("{heading}\n{}", place.ending());
            Answer::new(text).picture(png(&table.drawing)?)
        }
    };
    Ok(answer.part(asked.part).fact("version", version))
}

/// Returns the parts of the table that a form needs.
fn parts(form: Form) -> Show {
    let board = BoardStyle {
        columns: COLUMNS,
        colored: false,
    };
    let drawing = DrawingStyle {
        width: 0,
        color_scheme: ColorScheme::Light.into(),
        ..DrawingStyle::default()
    };
    match form {
        Form::Board => Show {
            board: Some(board),
            ..Show::default()
        },
        Form::View => Show {
            view: true,
            ..Show::default()
        },
        Form::Picture => Show {
            drawing: Some(drawing),
            ..Show::default()
        },
    }
}

/// Formats the view of a table as JSON.
fn view(table: &Table) -> Result<String, Failure> {
    let view = table.view.clone().unwrap_or_default();
    let view = unwrap_oneof(&to_dynamic("View", &view)?);
    let view = view.ok_or_else(|| Failure::Contract(String::from("a view of no ruleset")))?;
    json_line(&view)
}
