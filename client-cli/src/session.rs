//! The **session** of a command: the connection and the tokens.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GetGameRequest, ListRulesetsRequest};

use crate::args::{GameArg, Globals};
use crate::connection::Connection;
use crate::contract::Call;
use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::token_selection::{TokenSelection, ViewerChoice};
use crate::tokens::{TokenStore, read_token};

/// The environment variable that holds a token.
const TOKEN_VARIABLE: &str = "GAMEKEEPER_TOKEN";

/// The context of every command that calls a server.
pub struct Session {
    /// The connection to the server.
    pub connection: Connection,
    pub(crate) tokens: TokenStore,
    pub(crate) server: String,
    explicit: Option<String>,
    /// Whether tokens of seats are stored, and used if no other is given.
    stores_tokens: bool,
}

impl Session {
    /// Reads the given token and prepares the connection.
    ///
    /// # Errors
    /// If the options cannot be used.
    pub fn new(globals: &Globals) -> Result<Self, Failure> {
        let explicit = match &globals.token_file {
            Some(file) => Some(read_token(file)?),
            None => std::env::var(TOKEN_VARIABLE)
                .ok()
                .filter(|token| !token.is_empty()),
        };
        Ok(Self {
            connection: Connection::new(globals)?,
            tokens: TokenStore::new(globals.tokens.clone())?,
            server: globals.server().to_owned(),
            explicit,
            stores_tokens: true,
        })
    }

    /// Returns a session over the same connection that calls with this token alone, and neither uses nor stores others.
    #[cfg(feature = "mcp")]
    pub(crate) fn with_token(&self, token: Option<String>) -> Self {
        Self {
            connection: self.connection.clone(),
            tokens: self.tokens.clone(),
            server: self.server.clone(),
            explicit: token,
            stores_tokens: false,
        }
    }

    /// Returns whether tokens of seats are stored, and used if no other is given.
    #[cfg(feature = "mcp")]
    pub(crate) fn stores_tokens(&self) -> bool {
        self.stores_tokens
    }

    /// Returns the token for calls that are not about a single game.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.explicit.as_deref()
    }

    /// Returns this session with calls that are retried for as long as the server does not respond.
    pub(crate) fn patient(self) -> Self {
        Self {
            connection: self.connection.patient(),
            ..self
        }
    }

    /// Makes a call as the owner of games.
    pub(crate) async fn call<C: Call>(&self, request: &C) -> Result<C::Response, Failure> {
        self.connection.call(request, self.token()).await
    }

    /// Calls a method that reads a stream of messages.
    pub(crate) async fn upload<C: Call>(&self, messages: &[C]) -> Result<C::Response, Failure> {
        self.connection.upload(messages, self.token()).await
    }

    /// Makes a call as the player of a seat, if the token of the seat is stored.
    pub(crate) async fn call_for_seat<C: Call>(
        &self,
        request: &C,
        (id, seat): (&str, u32),
    ) -> Result<C::Response, Failure> {
        let keys = self.tokens_of(id)?;
        let token = keys.token(ViewerChoice::Seat(seat));
        self.connection.call(request, token).await
    }

    /// Makes a call as the player of a seat, or as the owner of games if no seat is named.
    pub(crate) async fn call_as<C: Call>(
        &self,
        request: &C,
        id: &str,
        by: Option<u32>,
    ) -> Result<C::Response, Failure> {
        match by {
            Some(seat) => self.call_for_seat(request, (id, seat)).await,
            None => self.call(request).await,
        }
    }

    /// Returns the full id of the game that a command names.
    pub(crate) fn game_id(&self, arg: &GameArg) -> Result<String, Failure> {
        if arg.id != "last" {
            return Ok(arg.id.clone());
        }
        self.tokens.last()?.ok_or_else(|| {
            Failure::Usage("no game was created on this machine yet; name one by its id".to_owned())
        })
    }

    /// Returns the ruleset of the last game created on this machine, if there is one.
    pub(crate) fn last_ruleset(&self) -> Result<Option<String>, Failure> {
        let Some(id) = self.tokens.last()? else {
            return Ok(None);
        };
        let ruleset = self.tokens.game(&id)?.map(|game| game.ruleset);
        Ok(ruleset.filter(|ruleset| !ruleset.is_empty()))
    }

    /// Opens the game that a command names.
    pub(crate) fn game(&self, arg: &GameArg) -> Result<GameClient, Failure> {
        let id = self.game_id(arg)?;
        let keys = self.tokens_of(&id)?;
        Ok(GameClient::new(self.connection.clone(), id, keys))
    }

    /// Opens the game that a command names, and reads its public facts.
    pub(crate) async fn open(&self, arg: &GameArg) -> Result<(GameClient, GameInfo), Failure> {
        let game = self.game(arg)?;
        let info = self.game_info(game.id()).await?;
        Ok((game, info))
    }

    /// Opens a game for the player of these seats. Stored tokens take precedence if there is one for each seat.
    pub(crate) fn seated(&self, id: &str, seats: &[u32]) -> Result<GameClient, Failure> {
        let stored = self.tokens.game(id)?.unwrap_or_default();
        let all = seats.iter().all(|seat| stored.seats.contains_key(seat));
        let explicit = self.explicit.clone().filter(|_| !all);
        let keys = TokenSelection::new(explicit, Some(stored));
        Ok(GameClient::new(
            self.connection.clone(),
            id.to_owned(),
            keys,
        ))
    }

    /// Fails if no server listens at the address. For the default address, the error explains how to start one.
    pub(crate) async fn check_reachable(&self) -> Result<(), Failure> {
        let single_try = self.connection.without_retries();
        let response = single_try
            .call(&ListRulesetsRequest::default(), self.token())
            .await;
        match response {
            Err(Failure::Call(call)) if call.is_transport_error() => Err(Failure::NoServer {
                server: self.server.clone(),
                hint: match self.server == Globals::SERVER {
                    true => "; start one in another terminal with: gamekeeperd",
                    false => "",
                },
            }),
            // Other failures are reported by the command that follows.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Reads the public facts of a game.
    pub(crate) async fn game_info(&self, id: &str) -> Result<GameInfo, Failure> {
        let request = GetGameRequest {
            game_id: id.to_owned(),
            ..GetGameRequest::default()
        };
        let keys = self.tokens_of(id)?;
        let token = keys.token(ViewerChoice::FromToken);
        let response = self.connection.call(&request, token).await?;
        Ok(response.table.unwrap_or_default().game.unwrap_or_default())
    }

    /// Returns the keys for games whose tokens are not stored.
    pub(crate) fn own_tokens(&self) -> TokenSelection {
        TokenSelection::new(self.explicit.clone(), None)
    }

    fn tokens_of(&self, id: &str) -> Result<TokenSelection, Failure> {
        let stored = match self.stores_tokens {
            true => self.tokens.game(id)?,
            false => None,
        };
        Ok(TokenSelection::new(self.explicit.clone(), stored))
    }
}
