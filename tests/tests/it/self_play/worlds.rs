//! Self-play in sampled worlds of a stored game, and from other starts.

use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_rules::dominion::{Dominion, State};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::starts::{Start, warm_start};
use gamekeeper_rules::table::{Chance, Seat, Seed, Viewer, decode, encode};
use gamekeeper_tests::dominion::{SEEN, Table, ada_and_bob, assert_reason, facts, reason, view_of};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing, seat_holder};
use gamekeeper_wire::Wire;
use sha2::{Digest, Sha256};
use tonic::{Code, Status};

use super::pb::self_play_move::Choice;
use super::pb::self_play_request::Step;
use super::{ALL, Line, choose, pb, plan};

/// Starts a server that requires tokens, with a game of the red team after some actions.
async fn game(flags: &[&str]) -> (KeyFiles, Gamekeeperd, Table) {
    let keys = KeyFiles::new();
    let server = keys.server(&[&["--store=memory"], flags].concat());
    let table = create(&server, 9).await;
    (keys, server, table)
}

async fn create(server: &Gamekeeperd, actions: u32) -> Table {
    let client = &mut server.games();
    let created = client.create_game(bearing(RED, ada_and_bob())).await;
    let mut table = Table::of(created.unwrap().into_inner());
    table.play(client, actions).await.unwrap();
    table
}

/// Builds a plan for games in worlds of a seat.
fn worlds(table: &Table, seat: u32, worlds: u32) -> pb::SelfPlayPlan {
    pb::SelfPlayPlan {
        games: 4,
        seed: vec![3; 32],
        show: Some(pb::SelfPlayShow { world: true, ..ALL }),
        worlds: Some(pb::SelfPlayWorlds {
            game_id: table.game.game_id.clone(),
            seat,
            worlds,
        }),
        ..Default::default()
    }
}

async fn begun(
    server: &Gamekeeperd,
    token: &str,
    plan: pb::SelfPlayPlan,
) -> Result<Vec<pb::SelfPlayObservation>, Status> {
    let mut line = Line::open(server.channel(), Some(token)).await?;
    Ok(line.ask(Step::Plan(plan)).await?.observations)
}

fn state(observation: &pb::SelfPlayObservation) -> State {
    let world = observation.world.as_ref().unwrap();
    assert_eq!((&*world.ruleset, world.revision), ("dominion", 1));
    decode(&world.state).unwrap()
}

async fn view(server: &Gamekeeperd, table: &Table, seat: u32) -> dominion::View {
    let mut ask = table.ask();
    ask.show = Some(SEEN);
    let ask = bearing(table.token(seat), ask);
    let response = server.games().get_game(ask).await.unwrap().into_inner();
    let view = view_of(response.table.as_ref().unwrap()).clone();
    let version = facts(response.table).version;
    assert_eq!(version, table.game.version, "untouched");
    view
}

#[tokio::test]
async fn a_seat_gets_worlds_that_look_like_its_table() {
    let (_keys, server, table) = game(&[]).await;
    for seat in [1, 2] {
        let real = view(&server, &table, seat).await;
        let plan = worlds(&table, seat, 0);
        let result = begun(&server, table.token(seat), plan.clone()).await;
        let observations = result.unwrap();
        assert_eq!(observations.len(), 4);
        let mut states = Vec::new();
        for one in &observations {
            assert_eq!(one.version, table.game.version);
            assert_eq!(
                (one.seat, &*one.events),
                (table.game.pending[0].seat, &[][..])
            );
            let state = state(one);
            let viewer = Viewer::Seat(Seat::new(u8::try_from(seat).unwrap()).unwrap());
            let view = Dominion::view_message(&Dominion::view(&state, viewer));
            assert_eq!(view, real, "a world looks like the table");
            states.push(encode(&state));
        }
        states.sort_unstable();
        states.dedup();
        assert!(states.len() > 1, "four worlds are not all the same");
        // The tenant may sample too. The same seed gives the same worlds, another seed different ones.
        let again = begun(&server, RED, plan.clone()).await.unwrap();
        assert_eq!(again, observations);
        let seed = vec![4; 32];
        let other = begun(&server, RED, pb::SelfPlayPlan { seed, ..plan }).await;
        assert_ne!(other.unwrap(), observations);
    }
}

/// World number w is drawn from the stream of SHA-256 of the seed, `world` and w. With the real table, or one that
/// looks the same, anybody can draw it again.
#[tokio::test]
async fn worlds_are_played_in_turn_and_can_be_drawn_again() {
    let (_keys, server, table) = game(&[]).await;
    let result = begun(&server, table.token(1), worlds(&table, 1, 2)).await;
    let observations = result.unwrap();
    for (game, one) in observations.iter().enumerate() {
        let world = u64::try_from(game % 2).unwrap();
        let hash = Sha256::new()
            .chain_update([3; 32])
            .chain_update(b"world")
            .chain_update(world.to_le_bytes());
        let mut chance = Chance::from_seed(&Seed::new(hash.finalize().into()));
        // A world can be sampled itself, with the same result, because it looks the same to the seat.
        let again = Dominion::sample_world(&state(&observations[3]), Seat::FIRST, &mut chance);
        assert_eq!(encode(&again), encode(&state(one)), "game {game}");
    }
    assert_ne!(state(&observations[0]), state(&observations[1]));
    // Games are played to their end in their world; the next game starts in the next world.
    let mut line = Line::open(server.channel(), Some(table.token(1)))
        .await
        .unwrap();
    let plan = pb::SelfPlayPlan {
        games: 1,
        total_games: 2,
        ..worlds(&table, 1, 2)
    };
    let first = line.ask(Step::Plan(plan)).await.unwrap().observations;
    let played = line.moves(vec![choose(0, 0, Some(Choice::Index(0)))]).await;
    let played = played.unwrap().observations;
    assert_eq!(played[0].version, first[0].version + 1);
    assert_eq!(played[0].world, None, "only at the beginning");
    let left = choose(0, 0, Some(Choice::Abandon(pb::SelfPlayAbandon {})));
    let next = line.moves(vec![left]).await.unwrap();
    assert_eq!((next.results.len(), next.results[0].finished), (1, false));
    assert_eq!(next.observations[0].world, observations[1].world);
}

/// Checks that the server refuses this plan of this caller.
async fn refuses(
    server: &Gamekeeperd,
    (token, plan): (&str, pb::SelfPlayPlan),
    (code, name): (Code, &str),
) {
    let status = begun(server, token, plan.clone()).await.unwrap_err();
    assert_eq!(reason(&status), (code, name.to_owned()), "{plan:?}");
}

#[tokio::test]
async fn a_plan_for_worlds_says_nothing_that_the_game_says() {
    let (_keys, server, table) = game(&[]).await;
    assert_eq!(table.game.version, 10);
    let malformed = (Code::InvalidArgument, "MALFORMED");
    let nobody = (Code::InvalidArgument, "NO_SUCH_SEAT");
    let many = (Code::InvalidArgument, "OUT_OF_BOUNDS");
    let wrong: [(fn(&mut pb::SelfPlayPlan), _); 10] = [
        (|plan| plan.ruleset = String::from("dominion"), malformed),
        (|plan| plan.seats = 2, malformed),
        (
            |plan| plan.options = Some(pb::Options::default()),
            malformed,
        ),
        (|plan| plan.start = 1, malformed),
        (|plan| plan.max_versions = 10, malformed),
        (|plan| plan.seed = vec![1], malformed),
        (|plan| plan.games = 1_000_000, many),
        (|plan| plan.worlds.as_mut().unwrap().seat = 0, nobody),
        (|plan| plan.worlds.as_mut().unwrap().seat = 9, nobody),
        (
            |plan| plan.worlds.as_mut().unwrap().game_id.clear(),
            malformed,
        ),
    ];
    for (change, refusal) in wrong {
        let mut plan = worlds(&table, 1, 0);
        change(&mut plan);
        refuses(&server, (table.token(1), plan), refusal).await;
    }
}

#[tokio::test]
async fn there_are_no_worlds_of_a_game_that_is_over() {
    let (_keys, server, mut table) = game(&[]).await;
    let resign = pb::ResignRequest {
        game_id: table.game.game_id.clone(),
        seat: 1,
        ..Default::default()
    };
    let resign = bearing(table.token(1), resign);
    let resigned = server.games().resign(resign).await;
    table.game = resigned.unwrap().into_inner().game.unwrap();
    let refused = begun(&server, table.token(2), worlds(&table, 2, 0)).await;
    assert_reason(&refused.unwrap_err(), Code::FailedPrecondition, "GAME_OVER");
}

#[tokio::test]
async fn a_revoked_token_ends_the_worlds_of_its_seat() {
    let (_keys, server, table) = game(&[]).await;
    let mut line = Line::open(server.channel(), Some(table.token(1)))
        .await
        .unwrap();
    line.ask(Step::Plan(worlds(&table, 1, 0))).await.unwrap();
    let revoke = pb::RevokeTokensRequest {
        holder: Some(seat_holder(&table.game.game_id, 1)),
    };
    let revoked = server.access().revoke_tokens(bearing(RED, revoke)).await;
    revoked.unwrap();
    let ended = line.moves(vec![choose(0, 0, Some(Choice::Index(0)))]).await;
    assert_reason(&ended.unwrap_err(), Code::Unauthenticated, "TOKEN_REPLACED");
}

/// The streams of a seat count against the limit of its tenant.
#[tokio::test]
async fn seats_count_as_their_tenant() {
    let (_keys, server, table) = game(&["--max-self-plays=2"]).await;
    let mut line = Line::open(server.channel(), Some(RED)).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let full = begun(&server, table.token(1), worlds(&table, 1, 0)).await;
    assert_reason(
        &full.unwrap_err(),
        Code::ResourceExhausted,
        "LIMIT_EXCEEDED",
    );
}

#[tokio::test]
async fn games_begin_rich_and_late_as_the_rules_say() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    for (requested, start) in [(2, Start::Rich), (3, Start::Late)] {
        let plan = pb::SelfPlayPlan {
            seed: vec![9; 32],
            start: requested,
            show: Some(pb::SelfPlayShow { world: true, ..ALL }),
            ..plan(2)
        };
        let mut line = Line::open(server.channel(), None).await.unwrap();
        let observations = line.ask(Step::Plan(plan)).await.unwrap().observations;
        let names = ["Player 1", "Player 2"].map(String::from);
        let options = Dominion::options(&names, &Default::default()).unwrap();
        for one in &observations {
            let hash = Sha256::new().chain_update([9; 32]);
            let hash = hash.chain_update(one.game.to_le_bytes());
            let seed = Seed::new(hash.finalize().into());
            let opened = warm_start::<Dominion>(&options, start, &seed);
            assert_eq!(state(one), opened.state, "{start:?}");
            assert_eq!((one.version, one.events.len()), (1, 0));
        }
        let played = line.moves(vec![choose(0, 1, Some(Choice::Index(0)))]).await;
        assert_eq!(played.unwrap().observations[0].version, 2);
    }
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let unknown = pb::SelfPlayPlan {
        start: 77,
        ..plan(1)
    };
    let status = line.ask(Step::Plan(unknown)).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
}
