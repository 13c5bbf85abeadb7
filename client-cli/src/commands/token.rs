//! `gamekeeper token` and `gamekeeper rotate-token`

use std::time::{Duration, SystemTime};

use clap::Subcommand;
use gamekeeper_proto::gamekeeper::v1::token_holder::Holder;
use gamekeeper_proto::gamekeeper::v1::{
    IssueTokenRequest, IssueTokenResponse, RevokeTokensRequest, RevokeTokensResponse, SeatOfGame,
    SpectatorOfGame, TokenHolder, UserOfTenant,
};

use crate::args::{GameArg, seat_number};
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print a new token for a seat, for spectators or for a user. Older tokens stay valid. A token of a game is stored
    /// if none is stored yet
    Issue {
        #[command(flatten)]
        target: TokenTarget,
        /// Time after which the token expires, at most 90 days for a user [default: as the server is set up]
        #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
        expires_in: Option<Duration>,
    },
    /// Revoke all tokens of a seat or of spectators, or all that were issued to a user
    Revoke {
        #[command(flatten)]
        target: TokenTarget,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct RotateArgs {
    #[command(flatten)]
    target: GameTokenTarget,
    /// Print the new token, to give it to the player
    #[arg(long)]
    show_tokens: bool,
}

/// The owner of the tokens: a seat or the spectators of a game, or a user.
#[derive(Debug, clap::Args)]
struct TokenTarget {
    /// The id of the game, or `last` for the last one you created on this machine
    #[arg(
        value_name = "GAME",
        required_unless_present = "user",
        conflicts_with = "user"
    )]
    game: Option<String>,
    #[command(flatten)]
    holder: TargetHolderArg,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct TargetHolderArg {
    /// The seat, from 1
    #[arg(long, value_name = "N", value_parser = seat_number())]
    seat: Option<u32>,
    /// The spectators
    #[arg(long)]
    spectator: bool,
    /// A user of yours, for all of the user's games
    #[arg(long, value_name = "ID")]
    user: Option<String>,
}

/// The owner of the tokens: a seat or the spectators of a game.
#[derive(Debug, clap::Args)]
struct GameTokenTarget {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    holder: HolderArg,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct HolderArg {
    /// The seat, from 1
    #[arg(long, value_name = "N", value_parser = seat_number())]
    seat: Option<u32>,
    /// The spectators
    #[arg(long)]
    spectator: bool,
}

/// The owner of a token of a game: a seat, or the spectators.
pub(super) struct GameTokenHolder {
    pub(super) id: String,
    /// The number of the seat. `None` for the spectators.
    pub(super) seat: Option<u32>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    match &args.what {
        What::Issue { target, expires_in } => {
            let issued = match target.resolve(session)? {
                ResolvedTarget::Game(holder) => holder.issue(session, *expires_in).await?,
                ResolvedTarget::User(user) => {
                    issue(session, user_holder(user), *expires_in).await?
                }
            };
            if output.is_json() {
                return output.json(&to_dynamic("IssueTokenResponse", &issued)?);
            }
            output.line(issued.token)
        }
        What::Revoke { target } => {
            match target.resolve(session)? {
                ResolvedTarget::Game(holder) => {
                    holder.revoke(session).await?;
                    notice(format_args!("All tokens of {holder} are revoked."));
                }
                ResolvedTarget::User(user) => {
                    revoke(session, user_holder(user)).await?;
                    notice(format_args!("All tokens issued to {user} are revoked."));
                }
            }
            Ok(())
        }
    }
}

/// Revokes the tokens of a seat or of spectators and issues a new one.
pub(crate) async fn rotate(
    session: &Session,
    output: Output,
    args: &RotateArgs,
) -> Result<(), Failure> {
    let holder = args.target.token_holder(session)?;
    holder.revoke(session).await?;
    let issued = holder.issue(session, None).await?;
    notice(format_args!(
        "The old tokens of {holder} are revoked; a new one is stored."
    ));
    if args.show_tokens {
        output.line(issued.token)
    } else {
        Ok(())
    }
}

/// The owner of the tokens that a command names: a seat or the spectators of a game, or a user.
enum ResolvedTarget<'a> {
    Game(GameTokenHolder),
    User(&'a str),
}

impl TokenTarget {
    fn resolve(&self, session: &Session) -> Result<ResolvedTarget<'_>, Failure> {
        let TargetHolderArg { seat, user, .. } = &self.holder;
        if let Some(user) = user {
            return Ok(ResolvedTarget::User(user));
        }
        let id = self.game.clone().unwrap_or_default();
        let id = session.game_id(&GameArg { id })?;
        Ok(ResolvedTarget::Game(GameTokenHolder { id, seat: *seat }))
    }
}

fn user_holder(user: &str) -> TokenHolder {
    let user = user.to_owned();
    TokenHolder {
        holder: Some(Holder::User(UserOfTenant { user })),
    }
}

async fn issue(
    session: &Session,
    holder: TokenHolder,
    expires_in: Option<Duration>,
) -> Result<IssueTokenResponse, Failure> {
    let expire_time = expires_in.map(|time| (SystemTime::now() + time).into());
    let request = IssueTokenRequest {
        holder: Some(holder),
        expire_time,
    };
    session.call(&request).await
}

async fn revoke(session: &Session, holder: TokenHolder) -> Result<(), Failure> {
    let request = RevokeTokensRequest {
        holder: Some(holder),
    };
    let RevokeTokensResponse {} = session.call(&request).await?;
    Ok(())
}

impl GameTokenTarget {
    fn token_holder(&self, session: &Session) -> Result<GameTokenHolder, Failure> {
        Ok(GameTokenHolder {
            id: session.game_id(&self.game)?,
            seat: self.holder.seat,
        })
    }
}

impl GameTokenHolder {
    /// Issues a token, and stores it if none is stored for this owner.
    pub(super) async fn issue(
        &self,
        session: &Session,
        expires_in: Option<Duration>,
    ) -> Result<IssueTokenResponse, Failure> {
        let issued = issue(session, self.to_message(), expires_in).await?;
        let Self { id, seat } = self;
        let stored = session.tokens.game(id)?.unwrap_or_default();
        if !issued.token.is_empty() && !stored.has(*seat) {
            let token = issued.token.clone();
            session.tokens.set(id, &session.server, *seat, token)?;
        }
        Ok(issued)
    }

    /// Removes the stored token, because it is revoked.
    pub(super) fn forget(&self, session: &Session) -> Result<(), Failure> {
        session.tokens.unset(&self.id, self.seat)
    }

    async fn revoke(&self, session: &Session) -> Result<(), Failure> {
        revoke(session, self.to_message()).await?;
        self.forget(session)
    }

    fn to_message(&self) -> TokenHolder {
        let game_id = self.id.clone();
        let holder = match self.seat {
            Some(seat) => Holder::Seat(SeatOfGame { game_id, seat }),
            None => Holder::Spectator(SpectatorOfGame { game_id }),
        };
        TokenHolder {
            holder: Some(holder),
        }
    }
}

impl std::fmt::Display for GameTokenHolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.seat {
            Some(seat) => write!(f, "seat {seat} of game {}", self.id),
            None => write!(f, "spectators of game {}", self.id),
        }
    }
}
