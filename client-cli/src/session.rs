//! What a command works with: the contract, the connection, the tokens.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GetGameInfoRequest, GetGameInfoResponse};
use prost::Message;

use crate::args::{GameArg, Globals};
use crate::connection::Connection;
use crate::contract::{Contract, method};
use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::keys::{Keys, Looker};
use crate::tokens::{TokenStore, read_token};

/// The environment variable that holds a token.
const TOKEN_VARIABLE: &str = "GAMEKEEPER_TOKEN";

/// What every command that talks to a server needs.
pub(crate) struct Session {
    pub(crate) contract: Contract,
    pub(crate) connection: Connection,
    pub(crate) tokens: TokenStore,
    pub(crate) server: String,
    explicit: Option<String>,
}

impl Session {
    /// Reads the token given and prepares the connection.
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
    pub(crate) async fn games<Q, A>(&self, name: &str, request: &Q) -> Result<A, Failure>
    where
        Q: Message + Clone + 'static,
        A: Message + Default + 'static,
    {
        let method = method(&self.contract.games()?, name)?;
        self.connection.call(&method, request, self.token()).await
    }

    /// The same, as the player of a seat if its token is stored.
    pub(crate) async fn games_for_seat<Q, A>(
        &self,
        name: &str,
        request: &Q,
        (id, seat): (&str, u32),
    ) -> Result<A, Failure>
    where
        Q: Message + Clone + 'static,
        A: Message + Default + 'static,
    {
        let method = method(&self.contract.games()?, name)?;
        let keys = self.keys(id)?;
        let token = keys.token(Looker::Seat(seat));
        self.connection.call(&method, request, token).await
    }

    /// The full id of the game that a command names.
    pub(crate) fn game_id(&self, arg: &GameArg) -> Result<String, Failure> {
        if arg.id != "last" {
            return Ok(arg.id.clone());
        }
        self.tokens.last()?.ok_or_else(|| {
            Failure::Usage("no game was created on this machine yet; name one by its id".to_owned())
        })
    }

    /// Finds a game and its ruleset.
    pub(crate) async fn open(&self, arg: &GameArg) -> Result<(GameClient, GameInfo), Failure> {
        let id = self.game_id(arg)?;
        let keys = self.keys(&id)?;
        let info = self.info(&id, &keys).await?;
        let service = self.contract.ruleset(&info.ruleset)?;
        Ok((
            GameClient::new(self.connection.clone(), service, id, keys),
            info,
        ))
    }

    /// The public facts of a game.
    pub(crate) async fn game_info(&self, id: &str) -> Result<GameInfo, Failure> {
        self.info(id, &self.keys(id)?).await
    }

    async fn info(&self, id: &str, keys: &Keys) -> Result<GameInfo, Failure> {
        let method = method(&self.contract.games()?, "GetGameInfo")?;
        let request = GetGameInfoRequest {
            game_id: id.to_owned(),
        };
        let token = keys.token(Looker::Anybody);
        let answer: GetGameInfoResponse = self.connection.call(&method, &request, token).await?;
        Ok(answer.game.unwrap_or_default())
    }

    /// The keys for games whose tokens are not stored.
    pub(crate) fn own_keys(&self) -> Keys {
        Keys::new(self.explicit.clone(), None)
    }

    fn keys(&self, id: &str) -> Result<Keys, Failure> {
        Ok(Keys::new(self.explicit.clone(), self.tokens.game(id)?))
    }
}
