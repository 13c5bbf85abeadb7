//! Self-play: many games in memory over one stream, for every ruleset.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{players, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing};
use tokio_stream::StreamExt;
use tonic::{Code, Status};

use dominion::{Line, pb};

/// Shows all there is to show.
const ALL: v1::SelfPlayShow = v1::SelfPlayShow {
    view: true,
    actions: true,
    action_count: true,
    pending: true,
    events: true,
    text: true,
};

macro_rules! self_play_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use std::collections::BTreeMap;

            use gamekeeper_proto::gamekeeper::v1;
            use gamekeeper_rules::$module::$Ruleset as Rules;
            use gamekeeper_rules::conformance::Audit;
            use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions};
            use gamekeeper_rules::table::{Chance, Detail, Seed, Viewer};
            use gamekeeper_tests::server::Gamekeeperd;
            pub(super) use gamekeeper_wire::$module::pb;
            use gamekeeper_wire::Wire;
            use pb::self_play_move::Choice;
            use pb::self_play_request::Step;
            use sha2::{Digest, Sha256};
            use tokio::sync::mpsc;
            use tokio_stream::wrappers::ReceiverStream;
            use tonic::{Request, Status, Streaming};
            use tonic::transport::Channel;

            /// The client's end of a self-play.
            pub(super) struct Line {
                asks: mpsc::Sender<pb::SelfPlayRequest>,
                answers: Streaming<pb::SelfPlayResponse>,
            }

            #[allow(dead_code, reason = "some are used by the tests of one ruleset alone")]
            impl Line {
                pub(super) async fn open(channel: Channel, token: Option<&str>) -> Result<Self, Status> {
                    let (asks, asked) = mpsc::channel(8);
                    let stream = ReceiverStream::new(asked);
                    let request = match token {
                        Some(token) => gamekeeper_tests::tokens::bearing(token, stream),
                        None => Request::new(stream),
                    };
                    let answers = pb::Client::new(channel)
                        .max_decoding_message_size(4 << 20)
                        .self_play(request)
                        .await?
                        .into_inner();
                    Ok(Self { asks, answers })
                }

                pub(super) async fn ask(&mut self, step: Step) -> Result<pb::SelfPlayResponse, Status> {
                    // A server that has ended the stream says why in its answer.
                    let _ended = self.asks.send(pb::SelfPlayRequest { step: Some(step) }).await;
                    self.answer().await
                }

                /// All messages of one answer as one.
                pub(super) async fn answer(&mut self) -> Result<pb::SelfPlayResponse, Status> {
                    let mut whole = pb::SelfPlayResponse::default();
                    loop {
                        let Some(part) = self.answers.message().await? else {
                            return Err(Status::ok("the stream has ended"));
                        };
                        whole.results.extend(part.results);
                        whole.observations.extend(part.observations);
                        if !part.more {
                            return Ok(whole);
                        }
                    }
                }

                pub(super) async fn moves(
                    &mut self,
                    moves: Vec<pb::SelfPlayMove>,
                ) -> Result<pb::SelfPlayResponse, Status> {
                    self.ask(Step::Moves(pb::SelfPlayMoves { moves })).await
                }
            }

            /// Each game as the rules alone play it.
            struct Mirror {
                options: <Rules as Ruleset>::Options,
                tables: BTreeMap<u64, (Applied<Rules>, u64)>,
                master: [u8; 32],
                policy: Chance,
                results: Vec<v1::SelfPlayResult>,
            }

            impl Mirror {
                fn seed(&self, game: u64) -> Seed {
                    let hash = Sha256::new().chain_update(self.master).chain_update(game.to_le_bytes());
                    Seed::new(hash.finalize().into())
                }

                /// Compares an observation with the rules, and moves.
                fn see(&mut self, seen: &pb::SelfPlayObservation) -> pb::SelfPlayMove {
                    let seed = self.seed(seen.game);
                    let options = &self.options;
                    let (table, version) = self.tables.entry(seen.game).or_insert_with(|| {
                        (create::<Rules>(options, Chance::from_seed(&seed)), 1)
                    });
                    let pending = Rules::pending(&table.state);
                    let seat = pending[0].seat;
                    let legal = legal_actions::<Rules>(&table.state, seat, Detail::Moves);
                    let shown = legal.iter().take(1_000).map(Rules::action_message).collect::<Vec<_>>();
                    assert_eq!((seen.version, seen.seat), (*version, u32::from(seat.number())));
                    assert_eq!(seen.pending, gamekeeper_wire::pending(&pending));
                    assert_eq!(seen.actions, shown);
                    assert_eq!(seen.action_count as usize, shown.len());
                    assert_eq!(seen.view, Some(Rules::view_message(&Rules::view(&table.state, Viewer::Seat(seat)))));
                    assert!(seen.version > 1 || !seen.events.is_empty(), "a game begins with its set-up");
                    assert_eq!(seen.refusal, None);
                    let index = Rules::choose(&table.state, seat, &legal, &mut self.policy);
                    drop(self.policy.take_record());
                    *table = apply::<Rules>(&table.state, &table.chance, seat, &legal[index]).unwrap();
                    *version += 1;
                    // Every other move names the action itself.
                    let choice = if index < shown.len() && *version % 2 == 0 {
                        Choice::Index(u32::try_from(index).unwrap())
                    } else {
                        Choice::Action(Rules::action_message(&legal[index]))
                    };
                    pb::SelfPlayMove { slot: seen.slot, version: seen.version, choice: Some(choice) }
                }

                fn end(&mut self, result: v1::SelfPlayResult) {
                    let (table, version) = &self.tables[&result.game];
                    let ranking = Rules::ranking(&table.state).unwrap();
                    assert_eq!(result.standings, gamekeeper_wire::standings(&ranking));
                    assert_eq!((result.version, result.finished), (*version, true));
                    assert_eq!(result.seed, self.seed(result.game).as_bytes());
                    self.results.push(result);
                }
            }

            #[tokio::test]
            async fn games_are_those_that_the_rules_alone_play() {
                let server = Gamekeeperd::start(&["--store=memory"]);
                let mut line = Line::open(server.channel(), None).await.unwrap();
                let seats = usize::from(Rules::SHEET.min_seats);
                let message = Rules::options_message(&Rules::table(seats, 5));
                let names: Vec<String> = (1..=seats).map(|seat| format!("Player {seat}")).collect();
                let draft = Rules::draft(message.clone()).unwrap();
                let mut mirror = Mirror {
                    options: Rules::options(&names, &draft).unwrap(),
                    tables: BTreeMap::new(),
                    master: [7; 32],
                    policy: Chance::from_seed(&Seed::from_number(1)),
                    results: Vec::new(),
                };
                let plan = pb::SelfPlayPlan {
                    seats: u32::try_from(seats).unwrap(),
                    options: Some(message),
                    games: 2,
                    total_games: 3,
                    seed: mirror.master.to_vec(),
                    show: Some(super::ALL),
                    ..Default::default()
                };
                let mut answer = line.ask(Step::Plan(plan)).await.unwrap();
                assert_eq!(answer.observations.len(), 2);
                while mirror.results.len() < 3 {
                    let moves = answer.observations.iter().map(|seen| mirror.see(seen)).collect();
                    answer = line.moves(moves).await.unwrap();
                    for result in std::mem::take(&mut answer.results) {
                        mirror.end(result);
                    }
                }
                assert_eq!(line.answer().await.unwrap_err().code(), tonic::Code::Ok, "then the stream ends");
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(self_play_every_ruleset);

use pb::self_play_move::Choice;
use pb::self_play_request::Step;

fn plan(games: u32) -> pb::SelfPlayPlan {
    pb::SelfPlayPlan {
        seats: 2,
        games,
        ..Default::default()
    }
}

fn choose(slot: u32, version: u64, choice: Option<Choice>) -> pb::SelfPlayMove {
    pb::SelfPlayMove {
        slot,
        version,
        choice,
    }
}

fn buy(card: pb::Card) -> Choice {
    let kind = pb::action::Kind::BuyCard(pb::BuyCard { card: card.into() });
    Choice::Action(pb::Action { kind: Some(kind) })
}

#[tokio::test]
async fn a_refused_move_changes_nothing_and_ends_nothing() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let begun = line.ask(Step::Plan(plan(1))).await.unwrap();
    let first = begun.observations[0].clone();
    assert_eq!(
        (first.version, first.view, first.actions.len()),
        (1, None, 0)
    );
    let wrong = [
        (buy(pb::Card::Gold), "CANNOT_AFFORD", "DOM-6.10"),
        (buy(pb::Card::Unspecified), "UNKNOWN_CARD", "DOM-"),
        (Choice::Index(1_000_000), "MALFORMED", ""),
        (Choice::Action(pb::Action::default()), "MALFORMED", ""),
    ];
    for (choice, code, rule) in wrong {
        let answer = line.moves(vec![choose(0, 1, Some(choice))]).await.unwrap();
        let seen = &answer.observations[0];
        let refusal = seen.refusal.as_ref().unwrap();
        assert_eq!((seen.version, refusal.reason.as_str()), (1, code));
        assert!(
            refusal.rule.starts_with(rule) && !refusal.message.is_empty(),
            "{refusal:?}"
        );
    }
    let mixed = vec![
        choose(0, 9, Some(Choice::Index(0))),
        choose(0, 1, None),
        choose(5, 0, Some(Choice::Index(0))),
        choose(0, 1, Some(Choice::Index(0))),
    ];
    let answer = line.moves(mixed).await.unwrap();
    let reasons: Vec<_> = answer
        .observations
        .iter()
        .map(|seen| {
            (
                seen.slot,
                seen.version,
                seen.refusal.as_ref().map(|refusal| refusal.reason.as_str()),
            )
        })
        .collect();
    let expected = [
        (0, 1, Some("STALE_VERSION")),
        (0, 1, Some("MALFORMED")),
        (5, 0, Some("MALFORMED")),
        (0, 2, None),
    ];
    assert_eq!(reasons, expected);
    assert_eq!(
        line.moves(Vec::new()).await.unwrap(),
        pb::SelfPlayResponse::default()
    );
}

#[tokio::test]
async fn games_can_be_abandoned_and_cut_short() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let short = pb::SelfPlayPlan {
        total_games: 3,
        most_versions: 3,
        ..plan(1)
    };
    let begun = line.ask(Step::Plan(short)).await.unwrap();
    assert_eq!(begun.observations[0].game, 1);
    let abandon = Some(Choice::Abandon(pb::SelfPlayAbandon {}));
    let answer = line.moves(vec![choose(0, 0, abandon)]).await.unwrap();
    assert_eq!((answer.results[0].game, answer.results[0].version), (1, 1));
    assert_eq!(answer.observations[0].game, 2);
    let end_turn = || {
        let kind = pb::action::Kind::EndTurn(pb::EndTurn::default());
        Some(Choice::Action(pb::Action { kind: Some(kind) }))
    };
    let both = vec![choose(0, 1, end_turn()), choose(0, 2, end_turn())];
    let answer = line.moves(both).await.unwrap();
    let cut = &answer.results[0];
    assert_eq!((cut.game, cut.version, cut.finished), (2, 3, false));
    assert!(cut.standings.is_empty() && cut.seed.len() == 32);
    let seen: Vec<_> = answer
        .observations
        .iter()
        .map(|seen| (seen.game, seen.version))
        .collect();
    assert_eq!(seen, [(2, 2), (3, 1)]);
}

#[tokio::test]
async fn what_a_plan_may_not_ask_ends_the_stream_with_its_reason() {
    let server = Gamekeeperd::start(&["--store=memory", "--max-self-play-games=8"]);
    let wrong = [
        (plan(0), Code::InvalidArgument, "MALFORMED"),
        (plan(9), Code::ResourceExhausted, "LIMIT_EXCEEDED"),
        (
            pb::SelfPlayPlan {
                seats: 1,
                ..plan(1)
            },
            Code::InvalidArgument,
            "INVALID_PLAYER_COUNT",
        ),
        (
            pb::SelfPlayPlan {
                seats: u32::MAX,
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
        (
            pb::SelfPlayPlan {
                seed: vec![1],
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
        (
            pb::SelfPlayPlan {
                detail: 77,
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
        (
            pb::SelfPlayPlan {
                most_versions: 1,
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
        (
            pb::SelfPlayPlan {
                most_actions: 10_001,
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
    ];
    for (plan, code, name) in wrong {
        let mut line = Line::open(server.channel(), None).await.unwrap();
        let status = line.ask(Step::Plan(plan.clone())).await.unwrap_err();
        assert_eq!(reason(&status), (code, name.to_owned()), "{plan:?}");
    }
}

#[tokio::test]
async fn what_belongs_elsewhere_ends_the_stream_with_its_reason() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let status = line.moves(Vec::new()).await.unwrap_err();
    assert_eq!(
        reason(&status),
        (Code::InvalidArgument, "MALFORMED".to_owned())
    );
    let mut line = Line::open(server.channel(), None).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let status = line.ask(Step::Plan(plan(1))).await.unwrap_err();
    assert_eq!(
        reason(&status),
        (Code::InvalidArgument, "MALFORMED".to_owned())
    );
    let mut line = Line::open(server.channel(), None).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let many = vec![choose(0, 0, Some(Choice::Index(0))); 20_000];
    let status = line.moves(many).await.unwrap_err();
    assert_eq!(
        reason(&status),
        (Code::ResourceExhausted, "MESSAGE_TOO_LARGE".to_owned())
    );
}

#[tokio::test]
async fn only_tenants_play_against_themselves_and_seeds_need_leave() {
    let keys = KeyFiles::new();
    let flags = keys.flags();
    let flags: Vec<&str> = flags
        .iter()
        .map(String::as_str)
        .chain(["--store=memory"])
        .collect();
    let server = Gamekeeperd::start(&flags);
    let create = pb::CreateGameRequest {
        players: players(&["Ada", "Bob"]),
        ..Default::default()
    };
    let created = server
        .dominion()
        .create_game(bearing(RED, create))
        .await
        .unwrap()
        .into_inner();
    let refused = async |token: Option<&str>| match Line::open(server.channel(), token).await {
        Ok(_) => panic!("{token:?} may not"),
        Err(status) => reason(&status),
    };
    let not_allowed = (Code::PermissionDenied, "NOT_ALLOWED".to_owned());
    assert_eq!(
        refused(None).await,
        (Code::Unauthenticated, "NO_TOKEN".to_owned())
    );
    assert_eq!(refused(Some(OPERATOR)).await, not_allowed);
    assert_eq!(
        refused(Some(&created.seat_tokens[0].token)).await,
        not_allowed
    );
    let mut line = Line::open(server.channel(), Some(RED)).await.unwrap();
    assert_eq!(
        line.ask(Step::Plan(plan(1)))
            .await
            .unwrap()
            .observations
            .len(),
        1
    );
    let mut line = Line::open(server.channel(), Some(RED)).await.unwrap();
    let seeded = pb::SelfPlayPlan {
        seed: vec![1; 32],
        ..plan(1)
    };
    assert_eq!(
        reason(&line.ask(Step::Plan(seeded)).await.unwrap_err()),
        not_allowed
    );
}

#[tokio::test]
async fn a_client_that_goes_away_makes_room_for_the_next() {
    let server = Gamekeeperd::start(&["--store=memory", "--max-self-plays=1"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let full = Line::open(server.channel(), None).await.err().unwrap();
    assert_eq!(
        reason(&full),
        (Code::ResourceExhausted, "LIMIT_EXCEEDED".to_owned())
    );
    drop(line);
    let mut next = until_open(&server).await;
    assert_eq!(
        next.ask(Step::Plan(plan(1)))
            .await
            .unwrap()
            .observations
            .len(),
        1
    );
}

/// Tries until there is room again.
async fn until_open(server: &Gamekeeperd) -> Line {
    loop {
        match Line::open(server.channel(), None).await {
            Ok(line) => return line,
            Err(status) => assert_eq!(status.code(), Code::ResourceExhausted),
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn long_answers_come_in_parts_and_games_have_lives_of_their_own() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let (asks, asked) = tokio::sync::mpsc::channel(1);
    let stream = tokio_stream::wrappers::ReceiverStream::new(asked);
    let mut answers = server
        .dominion()
        .self_play(stream)
        .await
        .unwrap()
        .into_inner();
    let plan = pb::SelfPlayPlan {
        show: Some(ALL),
        ..plan(1_024)
    };
    let step = Some(Step::Plan(plan));
    asks.send(pb::SelfPlayRequest { step }).await.unwrap();
    let (mut parts, mut slots, mut tables) = (0, BTreeSet::new(), BTreeSet::new());
    loop {
        let part = answers.next().await.unwrap().unwrap();
        parts += 1;
        slots.extend(part.observations.iter().map(|seen| seen.slot));
        tables.extend(
            part.observations
                .iter()
                .map(|seen| format!("{:?}", seen.view)),
        );
        if !part.more {
            break;
        }
    }
    assert!(parts > 1, "{parts} parts");
    assert_eq!(slots.len(), 1_024);
    assert!(tables.len() > 4, "every game has its own luck");
}

#[tokio::test]
async fn a_stopping_server_says_so() {
    let mut server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let stopped = tokio::task::spawn_blocking(move || server.stop());
    let ended: Status = line.answer().await.unwrap_err();
    assert_eq!(reason(&ended), (Code::Unavailable, "GOING_AWAY".to_owned()));
    assert!(stopped.await.unwrap());
}

/// How many games are measured, side by side.
const MEASURED_GAMES: u32 = 64;
/// How many actions of each.
const MEASURED_ACTIONS: u64 = 60;

/// The server's own time is compared, so that other work of the machine does not count.
#[tokio::test]
async fn a_batch_costs_the_server_a_fraction_of_single_calls() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let actions = f64::from(MEASURED_GAMES) * MEASURED_ACTIONS as f64;
    let begun = cpu_ticks(&server);
    let played = by_stream(&server).await;
    let streamed = cpu_ticks(&server);
    let ids = create_same(&server).await;
    let created = cpu_ticks(&server);
    by_calls(&server, &ids, &played).await;
    let called = cpu_ticks(&server);
    let per_action = |ticks: u64| ticks as f64 * 10_000.0 / actions;
    let (stream, calls) = (per_action(streamed - begun), per_action(called - created));
    println!("server CPU per action: {stream:.1} us by stream, {calls:.1} us by single calls");
    assert!(calls > 3.0 * stream, "{calls} us, {stream} us");
}

/// Plays by index, the first legal action last: gives what was played, game by game.
async fn by_stream(server: &Gamekeeperd) -> Vec<Vec<(u32, pb::Action)>> {
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let plan = pb::SelfPlayPlan {
        total_games: MEASURED_GAMES.into(),
        most_versions: MEASURED_ACTIONS + 1,
        seed: vec![9; 32],
        show: Some(v1::SelfPlayShow {
            actions: true,
            ..Default::default()
        }),
        ..plan(MEASURED_GAMES)
    };
    let mut played = vec![Vec::new(); MEASURED_GAMES as usize];
    let mut answer = line.ask(Step::Plan(plan)).await.unwrap();
    while !answer.observations.is_empty() {
        let mut moves = Vec::new();
        for seen in &answer.observations {
            let index = seen.actions.len() / 2;
            played[seen.slot as usize].push((seen.seat, seen.actions[index].clone()));
            let index = Some(Choice::Index(u32::try_from(index).unwrap()));
            moves.push(choose(seen.slot, seen.version, index));
        }
        answer = line.moves(moves).await.unwrap();
    }
    played
}

/// The same games, kept by the service.
async fn create_same(server: &Gamekeeperd) -> Vec<String> {
    let mut ids = Vec::new();
    for game in 1..=u64::from(MEASURED_GAMES) {
        let create = pb::CreateGameRequest {
            players: players(&["Player 1", "Player 2"]),
            seed: seed_of(&[9; 32], game),
            ..Default::default()
        };
        let created = server.dominion().create_game(create).await.unwrap();
        ids.push(created.into_inner().game.unwrap().game_id);
    }
    ids
}

/// One call per action.
async fn by_calls(server: &Gamekeeperd, ids: &[String], played: &[Vec<(u32, pb::Action)>]) {
    let mut client = server.dominion();
    for (id, actions) in ids.iter().zip(played) {
        for (seat, action) in actions {
            let call = pb::ApplyActionRequest {
                game_id: id.clone(),
                seat: *seat,
                action: Some(action.clone()),
                view_mode: v1::ViewMode::None.into(),
                ..Default::default()
            };
            client.apply_action(call).await.unwrap();
        }
    }
}

fn seed_of(seed: &[u8], game: u64) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let hash = Sha256::new()
        .chain_update(seed)
        .chain_update(game.to_le_bytes());
    hash.finalize().to_vec()
}

/// The CPU time of a server so far, in hundredths of a second.
fn cpu_ticks(server: &Gamekeeperd) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.pid())).unwrap();
    let after_name = stat.rsplit_once(") ").unwrap().1;
    let fields: Vec<&str> = after_name.split(' ').collect();
    let ticks = |place: usize| fields[place].parse::<u64>().unwrap();
    ticks(11) + ticks(12)
}
