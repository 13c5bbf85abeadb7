//! Hostile bytes: whatever is received, the response is a status of the contract. There is no panic, no internal error,
//! no broken connection and no disproportionate use of memory.
//!
//! `GAMEKEEPER_LONG` tries a hundred times as many cases.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use gamekeeper_games::authz::{Account, SeatGrant, TokenIssuer};
use gamekeeper_games::errors::ServiceError;
use gamekeeper_proto::gamekeeper::v1::game_service_client::GameServiceClient;
use gamekeeper_proto::gamekeeper::v1::{self};
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{Ruleset, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed};
use gamekeeper_store::feed::DEFAULT_FEED_RETENTION;
use gamekeeper_store::{Created, GameId, IndexRow, NewGame};
use gamekeeper_tests::contract::{Method, Request, methods};
use gamekeeper_tests::dominion::{SEEN, facts, players};
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::hostile::{Frame, frame, harmed};
use gamekeeper_tests::process::holdings;
use gamekeeper_tests::raw::{Answer, call, typed};
use gamekeeper_tests::room::{games, table};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, seat_holder};
use gamekeeper_wire::{Wire, wrap_options};
use gamekeeperd::auth::{AuthConfig, Authenticator, JwtRules};
use gamekeeperd::stores::{StoreConfig, open};
use proptest::prelude::{Strategy, any};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use prost::Message;
use rand::RngExt;
use tokio::runtime::Runtime;
use tonic::Code;
use tonic_types::StatusExt;
use uuid::Uuid;

/// Creates a runner for this number of cases, or a hundred times as many in a long run.
fn runner(cases: u32) -> TestRunner {
    let long = std::env::var_os("GAMEKEEPER_LONG").is_some();
    let config = Config {
        cases: if long { cases * 100 } else { cases },
        failure_persistence: None,
        ..Config::default()
    };
    let seed: [u8; 32] = gamekeeper_tests::chance::rng().random();
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}

fn run<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>)
where
    S::Value: std::fmt::Debug,
{
    match runner(cases).run(strategy, test) {
        Ok(()) => {}
        Err(TestError::Fail(why, input)) => panic!("{why}\nfor {input:?}"),
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

/// Valid requests for one method.
struct Samples {
    method: Method,
    requests: Vec<Vec<u8>>,
}

/// Builds valid requests for every method of every service, about games in progress.
async fn samples(channel: &Channel) -> Vec<Samples> {
    let mut samples = Vec::new();
    gamekeeper_rules::of_each_ruleset!(Rules => {
        let mut client = GameServiceClient::new(channel.clone());
        let seats = usize::from(Rules::INFO.min_seats);
        let create = |number| v1::CreateGameRequest {
            ruleset: String::from(Rules::INFO.id),
            players: players(&["Ada", "Bob", "Cyd", "Dan", "Eve"][..seats]),
            options: Some(typed(&wrap_options::<Rules>(&Rules::table(seats, number)))),
            request_id: format!("{} {number}", Rules::INFO.id),
            ..Default::default()
        };
        let created = client.create_game(create(1)).await.unwrap().into_inner();
        let game = facts(created.table);
        let list = v1::ListLegalActionsRequest {
            game_id: game.game_id.clone(),
            seat: game.pending[0].seat,
            page_size: 5,
            ..Default::default()
        };
        let legal = client.list_legal_actions(list).await.unwrap().into_inner();
        let actions = legal.actions.into_iter().map(|legal| legal.action.unwrap());
        let inputs = RequestInputs {
            creations: (1..4).map(|number| create(number).encode_to_vec()).collect(),
            actions: actions.map(|action| action.encode_to_vec()).collect(),
            page_token: legal.next_page_token,
            game,
        };
        for method in methods() {
            samples.push(Samples { requests: inputs.requests(&method), method });
        }
    });
    samples
}

/// The values from which requests are built.
struct RequestInputs {
    game: v1::GameInfo,
    creations: Vec<Vec<u8>>,
    actions: Vec<Vec<u8>>,
    page_token: String,
}

impl RequestInputs {
    #[expect(
        clippy::too_many_lines,
        reason = "a field for each that any method has"
    )]
    fn requests(&self, method: &Method) -> Vec<Vec<u8>> {
        match method.name.as_str() {
            "CreateGame" => return self.creations.clone(),
            // Deleting the game would make it useless for the other methods.
            "DeleteGame" => {
                return vec![
                    Request::default()
                        .text(method, "game_id", "none")
                        .into_bytes(),
                ];
            }
            _ => {}
        }
        let viewer = v1::Viewer {
            kind: v1::ViewerKind::Seat.into(),
            seat: 1,
        };
        // Both messages about one of several games begin with its id.
        let of_several = v1::GameQuery {
            game_id: self.game.game_id.clone(),
            viewer: None,
        };
        let player = v1::PlayerUpdate {
            seat: 2,
            user: Some(String::from("ada")),
            name: Some(String::from("Ada")),
        };
        let show = v1::Show {
            text: true,
            board: Some(v1::BoardStyle::default()),
            ..SEEN
        };
        let filter = v1::GameFilter {
            ruleset: self.game.ruleset.clone(),
            user: String::from("ada"),
            ..Default::default()
        };
        let holder = seat_holder(&self.game.game_id, 1);
        let label = v1::UpdateGameRequest {
            set_labels: [(String::from("key"), String::from("value"))].into(),
            ..Default::default()
        };
        let label = &label.encode_to_vec()[2..];
        let request = |action: &[u8]| {
            Request::default()
                .text(method, "game_id", &self.game.game_id)
                .number(method, "seat", 1)
                .bytes(method, "viewer", &viewer.encode_to_vec())
                .bytes(method, "action", action)
                .bytes(method, "games", &of_several.encode_to_vec())
                .bytes(method, "players", &player.encode_to_vec())
                .bytes(method, "show", &show.encode_to_vec())
                .bytes(method, "filter", &filter.encode_to_vec())
                .bytes(method, "holder", &holder.encode_to_vec())
                .text(method, "ruleset", &self.game.ruleset)
                .bytes(method, "set_labels", label)
                .text(method, "remove_labels", "another key")
                .number(method, "to_version", 1)
                .number(method, "number", 1)
                .number(method, "agrees", 1)
                .text(method, "request_id", "an id")
                .number(method, "page_size", 3)
                .text(method, "page_token", &self.page_token)
                .number(method, "after_version", 1)
                .number(method, "at_version", 1)
                .text(method, "kinds", "end_turn")
                .number(method, "detail", 1)
                .into_bytes()
        };
        let plain = Request::default()
            .text(method, "game_id", &self.game.game_id)
            .number(method, "seat", 2)
            .into_bytes();
        self.actions
            .iter()
            .map(|action| request(action))
            .chain([plain])
            .collect()
    }
}

/// Checks that a response is one that the contract allows, whatever the caller sends.
fn is_of_the_contract(answer: &Answer) -> Result<(), TestCaseError> {
    let status = &answer.status;
    let fine = match status.code() {
        Code::Ok => true,
        Code::InvalidArgument
        | Code::NotFound
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::ResourceExhausted
        | Code::PermissionDenied
        | Code::Unauthenticated
        | Code::Unimplemented => {
            let details = status.get_error_details();
            details
                .error_info()
                .is_some_and(|info| info.domain == "gamekeeper")
        }
        Code::Cancelled
        | Code::Unknown
        | Code::DeadlineExceeded
        | Code::AlreadyExists
        | Code::Internal
        | Code::Unavailable
        | Code::DataLoss => false,
    };
    if fine {
        Ok(())
    } else {
        Err(TestCaseError::fail(format!("{status:?}")))
    }
}

#[test]
fn whatever_is_sent_to_a_method_has_an_answer() {
    let runtime = Runtime::new().unwrap();
    let server = {
        let _in = runtime.enter();
        Gamekeeperd::start(&["--store=memory", "--bookmark-every=50ms"])
    };
    let channel = runtime.block_on(async { server.channel() });
    let samples = runtime.block_on(samples(&channel));
    let channel = RefCell::new(channel);
    let send = |method: &Method, body: Vec<u8>| {
        let answered = runtime.block_on(call(&mut channel.borrow_mut(), method, "", body.into()));
        let answer = answered
            .map_err(|status| TestCaseError::fail(format!("{}: {status}", method.path())))?;
        is_of_the_contract(&answer)
            .map_err(|error| TestCaseError::fail(format!("{}: {error}", method.path())))
    };
    // Without corruption, the requests are valid.
    for Samples { method, requests } in &samples {
        for request in requests {
            send(method, Frame::Right.around(request)).unwrap();
        }
    }
    replay_corpus(&samples, &send);
    let before = holdings(server.pid()).resident_kib;
    for Samples { method, requests } in &samples {
        let inputs = (harmed(requests.clone()), frame());
        run(24, &inputs, |(message, frame)| {
            send(method, frame.around(&message))
        });
    }
    let grown = holdings(server.pid()).resident_kib.saturating_sub(before);
    assert!(grown < 256 * 1_024, "{grown} KiB");
}

/// Replays past failures: `tests/data/hostile/<Service>.<Method>.<why>.bin`, each a body.
fn replay_corpus(
    samples: &[Samples],
    send: &impl Fn(&Method, Vec<u8>) -> Result<(), TestCaseError>,
) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/hostile");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        let mut parts = name.split('.');
        let (service, method) = (parts.next().unwrap(), parts.next().unwrap());
        let sampled = samples
            .iter()
            .map(|samples| &samples.method)
            .find(|sampled| {
                sampled.name == method && sampled.service.ends_with(&format!(".{service}"))
            });
        let sampled = sampled.unwrap_or_else(|| panic!("{name} names no method"));
        let body = std::fs::read(file.path()).unwrap();
        send(sampled, body).unwrap_or_else(|error| panic!("{name}: {error}"));
        count += 1;
    }
    assert!(count > 0);
}

/// Decodes and judges without a server, which is much faster than calls.
fn actions_and_options_are_judged<W: Audit + Wire>() {
    let options = W::table(usize::from(W::INFO.max_seats), 3);
    let mut now = create::<W>(&options, Chance::from_seed(&Seed::from_number(3)));
    let mut policy = Chance::from_seed(&Seed::from_number(4));
    // Some way into the game, where more actions are possible.
    for _ in 0..30 {
        let Some(pending) = W::pending(&now.state).first().copied() else {
            break;
        };
        let legal = legal_actions::<W>(&now.state, pending.seat, Detail::Moves);
        let choice = W::choose(&now.state, pending.seat, &legal, &mut policy);
        drop(policy.take_record());
        now = gamekeeper_rules::ruleset::apply::<W>(
            &now.state,
            &now.chance,
            pending.seat,
            &legal[choice],
        )
        .unwrap();
    }
    let seat = W::pending(&now.state)
        .first()
        .map_or(Seat::FIRST, |pending| pending.seat);
    let encoded = |action: &W::Action| W::action_message(action).encode_to_vec();
    let mut samples: Vec<_> = W::universe(&now.state, seat)
        .iter()
        .step_by(7)
        .map(encoded)
        .collect();
    samples.extend(
        legal_actions::<W>(&now.state, seat, Detail::Moves)
            .iter()
            .take(50)
            .map(encoded),
    );
    run(2_000, &harmed(samples), |bytes| {
        if let Ok(message) = W::PbAction::decode(&*bytes)
            && let Ok(action) = W::action(message)
        {
            let judged = W::check(&now.state, seat, &action);
            let played =
                gamekeeper_rules::ruleset::apply::<W>(&now.state, &now.chance, seat, &action);
            assert_eq!(judged.is_ok(), played.is_ok());
        }
        Ok(())
    });
    let seats = usize::from(W::INFO.min_seats);
    let samples = (1..20).map(|seed| W::options_message(&W::table(seats, seed)).encode_to_vec());
    let names: Vec<String> = ["Ada", "Bob", "Cyd"].map(String::from).to_vec();
    run(500, &harmed(samples.collect()), |bytes| {
        if let Ok(message) = W::PbOptions::decode(&*bytes)
            && let Ok(draft) = W::draft(message)
            && let Ok(options) = W::options(&names, &draft)
        {
            drop(create::<W>(
                &options,
                Chance::from_seed(&Seed::from_number(1)),
            ));
        }
        Ok(())
    });
}

/// Checks a store with arbitrary bytes: no game continues from a record that is not valid.
fn stored_bytes_are_judged<W: Audit + Wire>() {
    let runtime = Runtime::new().unwrap();
    let store = runtime
        .block_on(open(StoreConfig::Memory(DEFAULT_FEED_RETENTION)))
        .unwrap();
    let games = games::<W>(&store);
    let (entry, snapshot) = runtime.block_on(stored::<W>());
    let inputs = (
        harmed(vec![entry.to_vec()]),
        harmed(vec![snapshot.to_vec()]),
    );
    run(100, &inputs, |(first, shortcut)| {
        let id = Uuid::now_v7();
        let game = NewGame {
            id,
            row: IndexRow {
                tenant: String::new(),
                ruleset: W::INFO.id.to_owned(),
                created_ms: 0,
                finished: false,
                lists: None,
            },
            entry: Bytes::from(first.clone()),
            history: Vec::new(),
            snapshot: shortcut.into(),
            access: Bytes::new(),
            tenant_limit: None,
            tenant_bytes: None,
        };
        assert_eq!(runtime.block_on(store.create(game)).unwrap(), Created::Done);
        let result = runtime.block_on(table(&games, &id.to_string(), 0));
        let is_fine = match &result {
            Ok(_) => first == entry,
            Err(problem) => {
                problem.is_storage_corruption()
                    || matches!(problem, ServiceError::NoSuchGame { .. })
            }
        };
        assert!(is_fine, "{:?}", result.err());
        Ok(())
    });
}

/// Returns the first entry and the first snapshot of a game.
async fn stored<W: Audit + Wire>() -> (Bytes, Bytes) {
    use gamekeeper_games::authz::Caller;
    use gamekeeper_proto::raw::CreateGameRequest;
    use gamekeeper_tests::room::seated;

    let store = open(StoreConfig::Memory(DEFAULT_FEED_RETENTION))
        .await
        .unwrap();
    let call = CreateGameRequest {
        ruleset: W::INFO.id.to_owned(),
        players: seated(W::INFO.min_seats.into()),
        options: Some(wrap_options::<W>(&W::table(W::INFO.min_seats.into(), 1))),
        ..CreateGameRequest::default()
    };
    let created = games::<W>(&store)
        .create_game(&Caller::UNAUTHENTICATED, call)
        .await
        .unwrap();
    let id: GameId = Uuid::try_parse(&created.table.unwrap().game.unwrap().game_id).unwrap();
    let loaded = store.load(id, None).await.unwrap().unwrap();
    (
        loaded.entries[0].bytes.clone(),
        loaded.snapshot.unwrap().bytes,
    )
}

macro_rules! of_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_rules::$module::$Ruleset as Rules;

            #[test]
            fn any_action_and_any_options_are_judged() {
                super::actions_and_options_are_judged::<Rules>();
            }

            #[test]
            fn any_stored_bytes_are_judged() {
                super::stored_bytes_are_judged::<Rules>();
            }
        })*
    };
}
gamekeeper_wire::for_each_ruleset!(of_every_ruleset);

/// Tokens that are changed, cut or invented are refused.
#[test]
fn a_token_that_was_changed_is_refused() {
    let files = KeyFiles::new();
    let file = |name: &str| files.file(name);
    let authority = Authenticator::load(&AuthConfig::Tokens {
        tenant_keys: Some(file("tenants")),
        operator_keys: Some(file("operators")),
        tenant_jwks: None,
        jwt: JwtRules::default(),
        token_keys: file("tokens"),
    });
    let authority = Arc::new(authority.unwrap());
    let game = Uuid::now_v7();
    let seats = [Seat::new(1), Seat::new(5), None];
    let signed = seats.map(|seat| {
        let grant = SeatGrant {
            game,
            incarnation: 5,
            seat,
            generation: 3,
            expires_at: None,
            account: Account::of_tenant("red"),
        };
        authority.seat_token(&grant).unwrap().into_bytes()
    });
    let keys = [RED, OPERATOR].map(|key| key.as_bytes().to_vec());
    let right: Vec<Vec<u8>> = signed.into_iter().chain(keys).collect();
    run(
        5_000,
        &(harmed(right.clone()), any::<bool>()),
        |(token, is_bearer)| {
            let Ok(text) = String::from_utf8(token.clone()) else {
                return Ok(());
            };
            let scheme = if is_bearer { "Bearer " } else { "" };
            let header = format!("{scheme}{text}");
            let holds = authority.caller(Some(&header), || Ok(())).is_ok();
            // Spaces around a token are not part of it.
            let is_right = is_bearer && right.iter().any(|right| right == text.trim().as_bytes());
            assert_eq!(holds, is_right, "{text:?}");
            Ok(())
        },
    );
}
