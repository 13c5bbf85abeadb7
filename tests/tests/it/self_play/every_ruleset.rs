//! Whole games in memory, compared with the rules alone.

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{Applied, apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seed, Viewer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_wire::{Wire, wrap_action, wrap_options, wrap_view};
use pb::self_play_move::Choice;
use pb::self_play_request::Step;
use prost::Message;
use sha2::{Digest, Sha256};

use super::ALL;
use super::line::Line;

/// Copies of all games, played by the rules alone.
struct Mirror<W: Wire> {
    options: W::Options,
    tables: BTreeMap<u64, (Applied<W>, u64)>,
    master: [u8; 32],
    policy: Chance,
    results: Vec<pb::SelfPlayResult>,
}

/// Decodes a message with the typed messages of its ruleset, as a client does.
fn read<M: Message + Default>(message: &impl Message) -> M {
    M::decode(&*message.encode_to_vec()).unwrap()
}

fn action_of<W: Wire>(action: &W::Action) -> pb::Action {
    read(&wrap_action::<W>(action))
}

impl<W: Wire + Audit> Mirror<W> {
    fn seed(&self, game: u64) -> Seed {
        let hash = Sha256::new().chain_update(self.master);
        let hash = hash.chain_update(game.to_le_bytes());
        Seed::new(hash.finalize().into())
    }

    /// Compares an observation with the rules, and chooses a move.
    fn see(&mut self, observation: &pb::SelfPlayObservation) -> pb::SelfPlayMove {
        let seed = self.seed(observation.game);
        let options = &self.options;
        let (table, version) = self
            .tables
            .entry(observation.game)
            .or_insert_with(|| (create::<W>(options, Chance::from_seed(&seed)), 1));
        let pending = W::pending(&table.state);
        let seat = pending[0].seat;
        let legal = legal_actions::<W>(&table.state, seat, Detail::Moves);
        let shown = legal.iter().take(1_000).map(action_of::<W>);
        let shown: Vec<pb::Action> = shown.collect();
        let expected = (*version, u32::from(seat.number()));
        assert_eq!((observation.version, observation.seat), expected);
        assert_eq!(observation.pending, gamekeeper_wire::pending(&pending));
        assert_eq!(observation.actions, shown);
        // Groups of cards are counted even beyond the list.
        let count = if W::INFO.id == "dominion" {
            legal.len()
        } else {
            shown.len()
        };
        assert_eq!(observation.action_count as usize, count);
        let view = wrap_view::<W>(&W::view(&table.state, Viewer::Seat(seat)));
        assert_eq!(observation.view, Some(read(&view)));
        let has_begun = observation.version > 1 || !observation.events.is_empty();
        assert!(has_begun, "a game begins with its set-up");
        assert_eq!(observation.refusal, None);
        let index = W::choose(&table.state, seat, &legal, &mut self.policy);
        drop(self.policy.take_record());
        *table = apply::<W>(&table.state, &table.chance, seat, &legal[index]).unwrap();
        *version += 1;
        // Every other move sends the action itself instead of its index.
        let choice = if index < shown.len() && version.is_multiple_of(2) {
            Choice::Index(u32::try_from(index).unwrap())
        } else {
            Choice::Action(action_of::<W>(&legal[index]))
        };
        super::choose(observation.slot, observation.version, Some(choice))
    }

    fn end(&mut self, result: pb::SelfPlayResult) {
        let (table, version) = &self.tables[&result.game];
        let ranking = W::ranking(&table.state).unwrap();
        assert_eq!(result.standings, gamekeeper_wire::standings(&ranking));
        assert_eq!((result.version, result.finished), (*version, true));
        assert_eq!(result.seed, self.seed(result.game).as_bytes());
        self.results.push(result);
    }
}

async fn games_are_those_that_the_rules_alone_play<W: Wire + Audit>() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let seats = usize::from(W::INFO.min_seats);
    let requested = W::table(seats, 5);
    let names: Vec<String> = (1..=seats).map(|seat| format!("Player {seat}")).collect();
    let draft = W::draft(W::options_message(&requested)).unwrap();
    let mut mirror = Mirror::<W> {
        options: W::options(&names, &draft).unwrap(),
        tables: BTreeMap::new(),
        master: [7; 32],
        policy: Chance::from_seed(&Seed::from_number(1)),
        results: Vec::new(),
    };
    let plan = pb::SelfPlayPlan {
        ruleset: W::INFO.id.to_owned(),
        seats: u32::try_from(seats).unwrap(),
        options: Some(read(&wrap_options::<W>(&requested))),
        games: 2,
        total_games: 3,
        seed: mirror.master.to_vec(),
        show: Some(ALL),
        ..Default::default()
    };
    let mut answer = line.ask(Step::Plan(plan)).await.unwrap();
    assert_eq!(answer.observations.len(), 2);
    while mirror.results.len() < 3 {
        let observations = answer.observations.iter();
        let moves = observations
            .map(|observation| mirror.see(observation))
            .collect();
        answer = line.moves(moves).await.unwrap();
        for result in std::mem::take(&mut answer.results) {
            mirror.end(result);
        }
    }
    let ended = line.answer().await.unwrap_err();
    assert_eq!(ended.code(), tonic::Code::Ok, "then the stream ends");
}

macro_rules! of_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(#[tokio::test]
        async fn $module() {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            super::games_are_those_that_the_rules_alone_play::<Rules>().await;
        })*
    };
}

mod games_are_those_that_the_rules_alone_play {
    gamekeeper_wire::for_each_ruleset!(of_every_ruleset);
}
