//! Attackers, which take as many resources as they can.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use clap::ValueEnum;
use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1 as pb;
use pb::game_service_client::GameServiceClient;
use pb::ruleset_service_client::RulesetServiceClient;
use tokio::task::JoinSet;
use tokio::time::{Duration, sleep};
use tonic::Status;
use tonic::transport::Channel;

use super::floods;
use super::tenants::{bearing, endpoint, two_players};

/// The IP address of attackers, in another network than the quiet tenant's.
const FROM: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 9, 1));

fn channel(address: &str) -> Channel {
    endpoint(address).local_address(Some(FROM)).connect_lazy()
}

/// A kind of attack: a tenant or stranger that takes as much as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Attacker {
    /// Looks at old versions of a long game.
    OldVersions,
    /// Opens exports of a finished game, and reads none of them.
    UnreadExports,
    /// Forks a finished game with the token of a player.
    Forks,
    /// Opens watches with the token of spectators.
    Watches,
    /// Opens connections that carry one call each.
    Connections,
    /// Sends tokens that nobody signed.
    ForgedTokens,
    /// Reads rule documents without a token.
    RuleDocuments,
    /// Makes small calls as fast as it can.
    SmallCalls,
    /// Asks for drawings in JSON, as pages do.
    Json,
    /// Reads a catalogue, compressed, without a token.
    Compressed,
    /// Asks for drawings.
    Drawings,
    /// Lists actions with what they give and cost.
    Amounts,
    /// Lists games.
    Lists,
    /// Creates games.
    Creations,
    /// Creates games that bots play.
    Bots,
    /// Creates games whose clocks run out by themselves.
    Clocks,
}

impl Attacker {
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether it keeps what its calls open.
    fn holds(self) -> bool {
        matches!(
            self,
            Self::UnreadExports | Self::Watches | Self::Connections
        )
    }

    /// Returns the ruleset of its game.
    fn ruleset(self) -> &'static str {
        match self {
            Self::Amounts | Self::Drawings | Self::Json => "terra_mystica",
            Self::OldVersions
            | Self::UnreadExports
            | Self::Forks
            | Self::Watches
            | Self::Connections
            | Self::ForgedTokens
            | Self::RuleDocuments
            | Self::SmallCalls
            | Self::Compressed
            | Self::Lists
            | Self::Creations
            | Self::Bots
            | Self::Clocks => "dominion",
        }
    }
}

/// The server under attack, and the intensity of the attack.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) address: String,
    /// The key of the attacking tenant.
    pub(super) key: String,
    pub(super) at_once: usize,
}

/// A game of the attacker.
#[derive(Clone)]
struct Game {
    id: String,
    seat: u32,
    version: u64,
    seats: Vec<String>,
    spectator: String,
}

impl Game {
    fn look(&self, at_version: u64) -> pb::GetGameRequest {
        pb::GetGameRequest {
            game_id: self.id.clone(),
            at_version,
            ..Default::default()
        }
    }
}

/// The number of versions of the long game.
const LONG: usize = 1_000;

/// Maximum number of streams on one connection.
const STREAMS: usize = 250;

type Client = GameServiceClient<Channel>;

impl Target {
    /// Starts an attack, which continues in the background until the returned set is dropped.
    pub(super) async fn begin(&self, attacker: Attacker) -> Result<JoinSet<()>, Status> {
        let mut connection = channel(&self.address);
        let mut client = Client::new(connection.clone());
        let game = match attacker {
            Attacker::OldVersions => self.long(&mut client).await?,
            Attacker::UnreadExports | Attacker::Forks | Attacker::Watches => {
                self.finished(&mut client).await?
            }
            Attacker::Connections
            | Attacker::ForgedTokens
            | Attacker::RuleDocuments
            | Attacker::SmallCalls
            | Attacker::Json
            | Attacker::Compressed
            | Attacker::Drawings
            | Attacker::Amounts
            | Attacker::Lists
            | Attacker::Creations
            | Attacker::Bots
            | Attacker::Clocks => self.create(&mut client, attacker.ruleset()).await?,
        };
        let (game, mut attacks) = (Arc::new(game), JoinSet::new());
        for number in 0..self.at_once {
            if number % STREAMS == 0 {
                connection = channel(&self.address);
            }
            let (connection, game, target) = (connection.clone(), Arc::clone(&game), self.clone());
            attacks.spawn(async move { target.attack(attacker, connection, &game).await });
        }
        Ok(attacks)
    }

    async fn attack(&self, attacker: Attacker, mut connection: Channel, game: &Game) {
        let mut client = Client::new(connection.clone());
        let mut open_calls = Vec::new();
        loop {
            let is_refused = if attacker.holds() {
                let open_call = self.hold(attacker, &mut client, game).await;
                let is_refused = open_call.is_none();
                open_calls.extend(open_call);
                is_refused
            } else if attacker == Attacker::Json {
                floods::drawing_in_json(&mut connection, (&self.key, &game.id)).await
            } else {
                self.call(attacker, &mut client, game).await
            };
            if is_refused {
                sleep(Duration::from_millis(10)).await;
            }
        }
    }

    /// Makes one call. Returns whether it was refused.
    async fn call(&self, attacker: Attacker, client: &mut Client, game: &Game) -> bool {
        match attacker {
            Attacker::OldVersions => {
                let look = bearing(&game.spectator, game.look(game.version));
                client.get_game(look).await.is_err()
            }
            Attacker::ForgedTokens => {
                let header = "eyJhbGciOiJIUzI1NiJ9.eyJ0ZW5hbnQiOiJibHVlIiwiZXhwIjo0MDAwMDAwMDAwfQ.";
                let forged = format!("{header}{:043}", rand::random::<u64>());
                let refused = client.get_game(bearing(&forged, game.look(0))).await;
                assert!(refused.is_err(), "nobody signed it");
                false
            }
            Attacker::Forks => {
                let fork = pb::ForkGameRequest {
                    game_id: game.id.clone(),
                    at_version: 1,
                    ..Default::default()
                };
                let fork = bearing(&game.seats[0], fork);
                client.fork_game(fork).await.is_err()
            }
            Attacker::RuleDocuments => {
                let mut rules = RulesetServiceClient::new(channel(&self.address));
                let list = pb::ListRulesRequest {
                    ruleset: String::from("terra_mystica"),
                    page_size: 1_000,
                    ..Default::default()
                };
                rules.list_rules(list).await.is_err()
            }
            Attacker::Compressed => {
                let rules = RulesetServiceClient::new(channel(&self.address));
                floods::compressed_catalogue(rules).await.is_err()
            }
            Attacker::Drawings
            | Attacker::Amounts
            | Attacker::Lists
            | Attacker::Creations
            | Attacker::Bots
            | Attacker::Clocks
            | Attacker::SmallCalls
            | Attacker::Json
            | Attacker::UnreadExports
            | Attacker::Watches
            | Attacker::Connections => self.flood(attacker, client, game).await,
        }
    }

    /// Makes one call with the key of the tenant. Returns whether it was refused.
    async fn flood(&self, attacker: Attacker, client: &mut Client, game: &Game) -> bool {
        match attacker {
            Attacker::Drawings => {
                let show = pb::Show {
                    drawing: Some(pb::DrawingStyle::default()),
                    ..Default::default()
                };
                let look = pb::GetGameRequest {
                    show: Some(show),
                    ..game.look(0)
                };
                client.get_game(bearing(&self.key, look)).await.is_err()
            }
            Attacker::Amounts => {
                let list = bearing(&self.key, floods::amounts(&game.id, game.seat));
                client.list_legal_actions(list).await.is_err()
            }
            Attacker::Lists => {
                let list = bearing(&self.key, pb::ListGamesRequest::default());
                client.list_games(list).await.is_err()
            }
            Attacker::Creations => {
                let create = bearing(&self.key, two_players());
                client.create_game(create).await.is_err()
            }
            Attacker::Bots => {
                let create = bearing(&self.key, floods::of_bots());
                client.create_game(create).await.is_err()
            }
            Attacker::Clocks => {
                let create = bearing(&self.key, floods::with_a_clock());
                client.create_game(create).await.is_err()
            }
            Attacker::SmallCalls
            | Attacker::Json
            | Attacker::UnreadExports
            | Attacker::Watches
            | Attacker::Connections
            | Attacker::OldVersions
            | Attacker::ForgedTokens
            | Attacker::Forks
            | Attacker::RuleDocuments
            | Attacker::Compressed => {
                let look = bearing(&self.key, game.look(0));
                client.get_game(look).await.is_err()
            }
        }
    }

    /// Opens a resource and holds it. Returns `None` if it was refused.
    async fn hold(
        &self,
        attacker: Attacker,
        client: &mut Client,
        game: &Game,
    ) -> Option<Box<dyn Send>> {
        let game_id = game.id.clone();
        if attacker == Attacker::UnreadExports {
            let export = pb::ExportGameRequest {
                game_id,
                with_states: true,
                ..Default::default()
            };
            let export = bearing(&game.seats[0], export);
            let opened = self.without_room().export_game(export).await;
            return Some(Box::new(opened.ok()?));
        }
        if attacker == Attacker::Watches {
            let watch = pb::WatchGameRequest {
                game_id,
                ..Default::default()
            };
            let watch = bearing(&game.spectator, watch);
            return Some(Box::new(client.watch_game(watch).await.ok()?));
        }
        let mut other = Client::new(channel(&self.address));
        let look = bearing(&game.spectator, game.look(0));
        other.get_game(look).await.ok()?;
        Some(Box::new(other))
    }

    /// Returns a client with a stream window that leaves no room for data.
    fn without_room(&self) -> Client {
        let endpoint = endpoint(&self.address).local_address(Some(FROM));
        Client::new(endpoint.initial_stream_window_size(1).connect_lazy())
    }

    async fn create(&self, client: &mut Client, ruleset: &str) -> Result<Game, Status> {
        let create = pb::CreateGameRequest {
            ruleset: ruleset.to_owned(),
            ..two_players()
        };
        let created = client.create_game(bearing(&self.key, create)).await?;
        let created = created.into_inner();
        let game = created
            .table
            .and_then(|table| table.game)
            .expect("its facts");
        let tokens = created.tokens.expect("its tokens");
        Ok(Game {
            id: game.game_id,
            seat: game.pending[0].seat,
            version: game.version,
            seats: tokens.seats.into_iter().map(|token| token.token).collect(),
            spectator: tokens.spectator,
        })
    }

    /// Creates a game with many versions.
    async fn long(&self, client: &mut Client) -> Result<Game, Status> {
        let mut game = self.create(client, "dominion").await?;
        for _ in 0..LONG {
            let kind = dominion::action::Kind::EndTurn(dominion::EndTurn::default());
            let end = pb::action::Ruleset::Dominion(dominion::Action { kind: Some(kind) });
            let act = pb::ApplyActionRequest {
                game_id: game.id.clone(),
                seat: game.seat,
                action: Some(pb::Action { ruleset: Some(end) }),
                ..Default::default()
            };
            let applied = client.apply_action(bearing(&self.key, act)).await?;
            let table = applied.into_inner().table;
            let facts = table.and_then(|table| table.game).expect("its facts");
            (game.seat, game.version) = (facts.pending[0].seat, facts.version);
        }
        Ok(game)
    }

    /// Creates a finished game.
    async fn finished(&self, client: &mut Client) -> Result<Game, Status> {
        let game = self.long(client).await?;
        let resign = pb::ResignRequest {
            game_id: game.id.clone(),
            seat: 1,
            ..Default::default()
        };
        client.resign(bearing(&self.key, resign)).await?;
        Ok(game)
    }
}
