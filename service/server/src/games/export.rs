//! The whole record of a game.

use std::sync::Arc;

use futures_util::stream;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::{Wire, draw, pending};

use super::allowed::may_read;
use super::calls::{Answers, Export, ExportedVersion};
use super::events::{Show, logged_birth, logged_move};
use super::game::{Game, MoveOf};
use super::load::LOG_PAGE;
use super::{Games, parse_id};
use crate::auth::{Bearer, Wish};
use crate::problem::Problem;
use crate::store::{StoredEntry, Version};

const EVERYTHING: Show = Show {
    viewer: Viewer::Operator,
    text: false,
};

/// Where an export is.
struct Reader<W: Wire> {
    games: Arc<Games<W>>,
    bearer: Bearer,
    game: Game<W>,
    /// The newest version when the export began.
    end: Version,
    /// Entries read ahead, the next one last.
    ahead: Vec<StoredEntry>,
    with_states: bool,
    part: Part,
}

enum Part {
    Header,
    SetUp,
    Versions,
    Over,
}

impl<W: Wire> Games<W> {
    /// The whole record, hidden things included, version by version.
    ///
    /// # Errors
    /// When the caller may not, or the store fails.
    pub async fn export(
        self: &Arc<Self>,
        caller: &Bearer,
        game_id: &str,
        with_states: bool,
    ) -> Result<Answers<Export<W>>, Problem> {
        let id = parse_id(game_id)?;
        let (info, options, end) = {
            let game = self.open_fresh(caller, id).await?;
            may_read(caller, &game, Wish::Export, "export_game")?;
            (
                game.info(),
                W::options_message(&game.birth.options),
                game.version,
            )
        };
        let game = Game::reborn(id, &self.first_entry(id).await?)?;
        let games = Arc::clone(self);
        let reader = Reader {
            games,
            bearer: caller.clone(),
            game,
            end,
            ahead: Vec::new(),
            with_states,
            part: Part::Header,
        };
        let header = Export::Header(Box::new((info, options)));
        Ok(Box::pin(stream::try_unfold(
            (reader, Some(header)),
            |(mut reader, header)| async move {
                let next = reader.next(header).await?;
                Ok(next.map(|export| (export, (reader, None))))
            },
        )))
    }
}

impl<W: Wire> Reader<W> {
    async fn next(&mut self, header: Option<Export<W>>) -> Result<Option<Export<W>>, Problem> {
        match self.part {
            Part::Header => {
                self.part = Part::SetUp;
                Ok(header)
            }
            Part::SetUp => {
                self.part = Part::Versions;
                Ok(Some(Export::Version(Box::new(self.set_up()))))
            }
            Part::Versions if self.game.version < self.end => {
                let version = self.version().await?;
                Ok(Some(Export::Version(Box::new(version))))
            }
            Part::Versions => {
                self.part = Part::Over;
                Ok(self.game.seed_reveal().map(Export::Reveal))
            }
            Part::Over => Ok(None),
        }
    }

    fn set_up(&self) -> ExportedVersion<W> {
        let birth = &self.game.birth;
        ExportedVersion {
            logged: logged_birth(&birth.events, birth.time_ms, EVERYTHING),
            action: None,
            automatic: Vec::new(),
            draws: birth.draws.iter().map(draw::<W>).collect(),
            fingerprint: hexadecimal(birth.fingerprint),
            pending: pending(&W::pending(&self.game.state)),
            state: self.state(),
        }
    }

    async fn version(&mut self) -> Result<ExportedVersion<W>, Problem> {
        self.bearer.holds()?;
        if self.ahead.is_empty() {
            self.games
                .still_may(&self.bearer, self.game.id, Wish::Export, None)
                .await?;
            self.ahead = self
                .games
                .entries(self.game.id, self.game.version, LOG_PAGE)
                .await?;
            self.ahead.reverse();
        }
        let gone = || Problem::Damaged(format!("version {} is gone", self.game.version + 1));
        let entry = self.ahead.pop().ok_or_else(gone)?;
        let played = self.game.advance(&entry)?;
        Ok(self.exported(&played))
    }

    fn exported(&self, played: &MoveOf<W>) -> ExportedVersion<W> {
        let Game {
            version,
            birth,
            state,
            ..
        } = &self.game;
        let automatic = |automatic: &gamekeeper_rules::table::Automatic<W::Action>| {
            (
                u32::from(automatic.seat.number()),
                W::action_message(&automatic.action),
            )
        };
        ExportedVersion {
            logged: logged_move(*version, played, birth.time_ms, EVERYTHING),
            action: Some(W::action_message(&played.action)),
            automatic: played.automatic.iter().map(automatic).collect(),
            draws: played.draws.iter().map(draw::<W>).collect(),
            fingerprint: hexadecimal(played.fingerprint),
            pending: pending(&W::pending(state)),
            state: self.state(),
        }
    }

    fn state(&self) -> Option<W::PbView> {
        self.with_states
            .then(|| W::view_message(&W::view(&self.game.state, Viewer::Operator)))
    }
}

fn hexadecimal(fingerprint: [u8; 8]) -> String {
    format!("{:016x}", u64::from_be_bytes(fingerprint))
}
