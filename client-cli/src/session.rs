//! What a command works with: the contract, the connection, the tokens.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, ViewerKind};
use prost_reflect::DynamicMessage;

use crate::args::{GameArg, Globals, ViewerArg};
use crate::connection::Connection;
use crate::contract::{Contract, method};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::game_client::GameClient;
use crate::tokens::{GameTokens, TokenStore, read_token};

/// The environment variable that holds a token.
const TOKEN_VARIABLE: &str = "GAMEKEEPER_TOKEN";

/// Who looks at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looker {
    /// As the token says.
    Anybody,
    /// A seat.
    Seat(u32),
    /// A spectator.
    Spectator,
    /// The operator.
    Operator,
}

impl Looker {
    /// The kind and the seat of the message `Viewer`.
    pub(crate) fn kind_and_seat(self) -> (ViewerKind, u32) {
        match self {
            Self::Anybody => (ViewerKind::Unspecified, 0),
            Self::Seat(seat) => (ViewerKind::Seat, seat),
            Self::Spectator => (ViewerKind::Spectator, 0),
            Self::Operator => (ViewerKind::Operator, 0),
        }
    }
}

impl From<ViewerArg> for Looker {
    fn from(arg: ViewerArg) -> Self {
        match arg {
            ViewerArg {
                seat: Some(seat), ..
            } => Self::Seat(seat),
            ViewerArg { operator: true, .. } => Self::Operator,
            ViewerArg {
                spectator: true, ..
            } => Self::Spectator,
            ViewerArg { .. } => Self::Anybody,
        }
    }
}

/// What every command that talks to a server needs.
pub(crate) struct Session {
    pub(crate) contract: Contract,
    pub(crate) connection: Connection,
    pub(crate) tokens: TokenStore,
    pub(crate) server: String,
    explicit: Option<String>,
}

impl Session {
    /// Reads the tokens that were named and prepares the connection.
    pub(crate) fn new(globals: &Globals) -> Result<Self, Failure> {
        let explicit = match &globals.token_file {
            Some(file) => Some(read_token(file)?),
            None => std::env::var(TOKEN_VARIABLE)
                .ok()
                .filter(|token| !token.is_empty()),
        };
        Ok(Self {
            contract: Contract::load()?,
            connection: Connection::new(globals)?,
            tokens: TokenStore::new(globals.tokens.clone())?,
            server: globals.server().to_owned(),
            explicit,
        })
    }

    /// The token for calls that are not about one game.
    pub(crate) fn token(&self) -> Option<&str> {
        self.explicit.as_deref()
    }

    /// Calls a method of the service of all rulesets, as the owner of games.
    pub(crate) async fn games(
        &self,
        name: &str,
        build: impl FnOnce(DynamicMessage) -> Result<DynamicMessage, Failure>,
    ) -> Result<DynamicMessage, Failure> {
        let method = method(&self.contract.games()?, name)?;
        let request = build(DynamicMessage::new(method.input()))?;
        self.connection.call(&method, &request, self.token()).await
    }

    /// The full id of the game that a command names.
    pub(crate) fn game_id(&self, arg: &GameArg) -> Result<String, Failure> {
        if arg.id != "last" {
            return Ok(arg.id.clone());
        }
        self.tokens.last()?.ok_or_else(|| {
            Failure::Usage("no game was created from here yet; name one by its id".to_owned())
        })
    }

    /// Finds a game and its ruleset.
    pub(crate) async fn open(&self, arg: &GameArg) -> Result<(GameClient, GameInfo), Failure> {
        let id = self.game_id(arg)?;
        let keys = self.keys(&id)?;
        let (_, info) = self.info(&id, &keys).await?;
        let service = self.contract.ruleset(&info.ruleset)?;
        Ok((
            GameClient::new(self.connection.clone(), service, id, keys),
            info,
        ))
    }

    /// The public facts of a game: as it came, and as its own type.
    pub(crate) async fn game_info(&self, id: &str) -> Result<(DynamicMessage, GameInfo), Failure> {
        self.info(id, &self.keys(id)?).await
    }

    async fn info(&self, id: &str, keys: &Keys) -> Result<(DynamicMessage, GameInfo), Failure> {
        let method = method(&self.contract.games()?, "GetGameInfo")?;
        let request = DynamicMessage::new(method.input()).with("game_id", id.to_owned())?;
        let token = keys.token(Looker::Anybody);
        let answer = self.connection.call(&method, &request, token).await?;
        let info = answer.typed("game")?;
        Ok((answer.child("game").unwrap_or(answer), info))
    }

    /// The keys for games whose tokens are not stored.
    pub(crate) fn own_keys(&self) -> Keys {
        Keys {
            explicit: self.explicit.clone(),
            stored: GameTokens::default(),
        }
    }

    fn keys(&self, id: &str) -> Result<Keys, Failure> {
        let stored = self.tokens.game(id)?.unwrap_or_default();
        Ok(Keys {
            explicit: self.explicit.clone(),
            stored,
        })
    }
}

/// The tokens for one game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    explicit: Option<String>,
    stored: GameTokens,
}

impl Keys {
    /// The token of a caller who looks like this, or acts for this seat: the one that was named,
    /// otherwise the stored one of the seat, otherwise any that lets him look.
    pub(crate) fn token(&self, looker: Looker) -> Option<&str> {
        let GameTokens {
            seats, spectator, ..
        } = &self.stored;
        let spectator = Some(spectator).filter(|token| !token.is_empty());
        let stored = match looker {
            Looker::Seat(seat) => seats.get(&seat),
            Looker::Spectator | Looker::Anybody => spectator.or_else(|| seats.values().next()),
            // When the game is over, every participant may see everything.
            Looker::Operator => seats.values().next().or(spectator),
        };
        self.explicit.as_ref().or(stored).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn keys(explicit: Option<&str>) -> Keys {
        let stored = GameTokens {
            seats: BTreeMap::from([(1, "one".to_owned()), (2, "two".to_owned())]),
            spectator: "look".to_owned(),
            ..GameTokens::default()
        };
        Keys {
            explicit: explicit.map(str::to_owned),
            stored,
        }
    }

    #[test]
    fn a_seat_uses_its_own_token() {
        assert_eq!(keys(None).token(Looker::Seat(2)), Some("two"));
        assert_eq!(keys(None).token(Looker::Seat(3)), None);
        assert_eq!(keys(None).token(Looker::Spectator), Some("look"));
        assert_eq!(keys(None).token(Looker::Operator), Some("one"));
    }

    #[test]
    fn a_token_that_was_named_comes_first() {
        for looker in [Looker::Seat(2), Looker::Anybody, Looker::Operator] {
            assert_eq!(keys(Some("mine")).token(looker), Some("mine"));
        }
    }
}
