//! Two servers with the same game, and the changes made to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamekeeper_games::authz::Caller;
use gamekeeper_games::{GameService, Registry, TableRequest};
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_proto::raw::{ApplyActionRequest, CreateGameRequest};
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{Applied, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed};
use gamekeeper_rules::table_life::{self, EntryStamp, TableEvent, TableLife};
use gamekeeper_store::GameStore;
use gamekeeper_store::feed::DEFAULT_FEED_RETENTION;
use gamekeeper_tests::disguise::{Deceiving, Disguised};
use gamekeeper_tests::room::{games, registry, seated};
use gamekeeper_wire::{Wire, table_options, wrap_action, wrap_options};
use gamekeeperd::stores::{StoreConfig, open};
use uuid::Uuid;

use super::FRONT_END_SECRET;
use super::lines::Lines;

/// A server.
pub(super) struct Server<V: Wire> {
    pub(super) games: Arc<GameService<V>>,
    /// The registry for calls that do not name a ruleset.
    pub(super) registry: Arc<Registry>,
}

impl<V: Wire> Server<V> {
    fn over(store: &Arc<dyn GameStore>) -> Self {
        Self {
            games: games(store),
            registry: registry::<V>(store),
        }
    }
}

/// Both servers, and the state of the game.
pub(super) struct Pair<W: Audit + Wire> {
    pub(super) true_server: Server<W>,
    pub(super) other_server: Server<Disguised<W, Deceiving>>,
    pub(super) game_id: String,
    pub(super) now: Applied<W>,
    /// The state of the table beyond the rules.
    pub(super) table_life: Option<Box<TableLife>>,
    /// The states of all versions.
    pub(super) states: Vec<W::State>,
    pub(super) version: u64,
    pub(super) seats: usize,
    pub(super) lines: Lines,
}

impl<W: Audit + Wire> Pair<W> {
    pub(super) async fn begin(seats: usize, number: u64, lines: Lines) -> Pair<W> {
        let store = open(StoreConfig::Memory(DEFAULT_FEED_RETENTION))
            .await
            .unwrap();
        let true_server = Server::over(&store);
        let requested = W::table(seats, number);
        let seed = Seed::from_number(number);
        let table = v1::TableOptions {
            clock: Some(v1::ClockOptions {
                bank_seconds: 3_600,
                ..Default::default()
            }),
            take_back: v1::TakeBackPolicy::Unseen.into(),
            ..Default::default()
        };
        let mut players = seated(seats);
        for player in &mut players {
            player.user = format!("{FRONT_END_SECRET} {}", player.name);
        }
        let call = CreateGameRequest {
            ruleset: W::INFO.id.to_owned(),
            players,
            options: Some(wrap_options::<W>(&requested)),
            request_id: String::new(),
            seed: seed.as_bytes().to_vec(),
            labels: BTreeMap::from([(String::from("league"), FRONT_END_SECRET.to_owned())]),
            table: Some(table),
            show: None,
            validate_only: false,
            start: 0,
            position: None,
        };
        let created = true_server
            .games
            .create_game(&Caller::UNAUTHENTICATED, call);
        let created = created.await.unwrap();
        let game = created.table.unwrap().game.unwrap();
        let names: Vec<String> = game.players.into_iter().map(|player| player.name).collect();
        let options = W::draft(W::options_message(&requested)).unwrap();
        let options = W::options(&names, &options).unwrap();
        let now = create::<W>(&options, Chance::from_seed(&seed));
        let table = table_options(Some(&table)).unwrap();
        Pair {
            true_server,
            other_server: Server::over(&store),
            game_id: game.game_id,
            table_life: TableLife::new_if_needed(table, seats, &W::pending(&now.state)),
            states: vec![now.state.clone()],
            now,
            version: 1,
            seats,
            lines,
        }
    }

    /// Plays one action. Returns `false` at the end of the game.
    pub(super) async fn step(&mut self, policy: &mut Chance) -> bool {
        let state = &self.now.state;
        let pending = table_life::pending::<W>(state, self.table_life.as_deref());
        let Some(seat) = pending.first().map(|pending| pending.seat) else {
            return false;
        };
        let legal = legal_actions::<W>(state, seat, Detail::Moves);
        let choice = W::choose(state, seat, &legal, policy);
        drop(policy.take_record());
        let call = ApplyActionRequest {
            game_id: self.game_id.clone(),
            seat: seat.number().into(),
            action: Some(wrap_action::<W>(&legal[choice])),
            expected_version: self.version,
            ..ApplyActionRequest::default()
        };
        let applied = self
            .games()
            .apply_action(&Caller::UNAUTHENTICATED, Box::new(call));
        applied.await.unwrap();
        let Ok(after) = table_life::apply_action(self.table(), seat, &legal[choice], self.moment())
        else {
            panic!("what is listed is accepted");
        };
        self.take(after);
        true
    }

    /// Lets a seat leave or take back its last action. Returns `false` if it cannot.
    pub(super) async fn beside(&mut self, event: TableEvent) -> bool {
        let seat = event.actor().map_or(0, |seat| seat.number().into());
        let (ask, back) = if let TableEvent::TakenBack { to_version, .. } = event {
            let index = usize::try_from(to_version).unwrap() - 1;
            let back = self.states[index].clone();
            (TableRequest::TakeBack { seat, to_version }, Some(back))
        } else {
            (TableRequest::Resign { seat }, None)
        };
        let Ok(after) = table_life::apply_table_event(self.table(), &event, back, self.moment())
        else {
            return false;
        };
        let id = Uuid::try_parse(&self.game_id).unwrap();
        let happened = self
            .games()
            .apply_table_command(&Caller::UNAUTHENTICATED, id, ask, "");
        let game = happened.await.unwrap();
        self.take(after);
        assert_eq!(game.version, self.version);
        true
    }

    /// Continues with a fork of the game. Returns `false` at the end of the game.
    pub(super) async fn fork(&mut self, number: u64) -> bool {
        let table_life = self.table_life.as_deref();
        if table_life::pending::<W>(&self.now.state, table_life).is_empty() {
            return false;
        }
        let seed = Seed::from_number(number + 2_000);
        let call = v1::ForkGameRequest {
            game_id: self.game_id.clone(),
            at_version: self.version,
            request_id: String::new(),
            seed: seed.as_bytes().to_vec(),
        };
        let id = Uuid::try_parse(&self.game_id).unwrap();
        let forked = self
            .games()
            .fork_game(&Caller::UNAUTHENTICATED, id, &call)
            .await;
        self.game_id = forked.unwrap().game.unwrap().game_id;
        self.now.chance = Chance::from_seed(&seed);
        if let Some(table_life) = &mut self.table_life {
            table_life.fork::<W>(&self.now.state, 0);
        }
        true
    }

    fn games(&self) -> &GameService<W> {
        &self.true_server.games
    }

    fn table(&self) -> table_life::Table<'_, W> {
        table_life::Table {
            state: &self.now.state,
            chance: &self.now.chance,
            seats: self.seats,
            table_life: self.table_life.as_deref(),
        }
    }

    fn moment(&self) -> EntryStamp {
        EntryStamp {
            version: self.version + 1,
            at_ms: 0,
        }
    }

    fn take(&mut self, (now, table_life): table_life::AppliedAtTable<W>) {
        self.now = now;
        self.table_life = table_life;
        self.states.push(self.now.state.clone());
        self.version += 1;
    }

    /// Returns a take-back of the last action, if it is allowed.
    pub(super) fn second_thought(&self) -> Option<TableEvent> {
        let table_life = self.table_life.as_ref()?;
        let mut steps = Seat::all(self.seats)
            .filter_map(|seat| Some((seat, table_life.undoable_versions(seat).next_back()?)));
        steps
            .next()
            .map(|(seat, to_version)| TableEvent::TakenBack {
                seat,
                to_version,
                agreed_by: None,
            })
    }
}
