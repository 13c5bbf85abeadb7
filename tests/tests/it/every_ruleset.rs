//! Whole games of every ruleset through the service, on disk and in Redis. At every version the server shows what the
//! rules alone give for the same seed and the same actions.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::dominion::SEEN;
use gamekeeper_tests::server::Gamekeeperd;

/// The names of players, in seat order.
const NAMES: [&str; 5] = ["Ada", "Bob", "Cyd", "Dan", "Eve"];

/// The interval, in versions, at which the legal list is compared too.
const LIST_EVERY: u64 = 10;

/// The interval, in versions, at which an action is tried in a dry run before it is played.
const PREVIEW_EVERY: u64 = 3;

/// The widths and colors of boards.
const STYLES: [(u32, bool); 4] = [(40, false), (80, false), (80, true), (200, false)];

fn board(columns: u32, colored: bool) -> Option<v1::BoardStyle> {
    Some(v1::BoardStyle { columns, colored })
}

/// Requests the view, events and sentences, and optionally a board.
fn show(board: Option<v1::BoardStyle>) -> Option<v1::Show> {
    Some(v1::Show {
        text: true,
        board,
        ..SEEN
    })
}

/// Returns the last event of a game that the rules ended, with any sentence.
fn ended(last_event: Option<&v1::Event>) -> v1::Event {
    let reason = v1::EndReason::Rules.into();
    let ended = v1::table_event::Kind::Ended(v1::table_event::Ended {
        reason,
        ..Default::default()
    });
    let text = last_event.map_or_else(String::new, |event| event.text.clone());
    assert!(!text.is_empty());
    v1::Event {
        kind: String::from("ended"),
        text,
        table: Some(v1::TableEvent { kind: Some(ended) }),
        ..Default::default()
    }
}

/// Checks that a dry run showed the same result as the action, the event of the end included.
fn foreseen(preview: &v1::ApplyActionResponse, played: &v1::ApplyActionResponse) {
    let table = |answer: &v1::ApplyActionResponse| {
        let table = answer.table.clone().unwrap();
        (table.view, table.board, table.drawing)
    };
    assert_eq!(table(preview), table(played));
    let (foreseen, entry) = (
        preview.entry.clone().unwrap(),
        played.entry.clone().unwrap(),
    );
    assert_eq!(foreseen.events, entry.events);
    assert_eq!(
        (foreseen.version, foreseen.seat),
        (entry.version, entry.seat)
    );
}

/// Returns the names of the players, in seat order.
fn names(game: &v1::GameInfo) -> Vec<String> {
    let players = game.players.iter();
    players.map(|player| player.name.clone()).collect()
}

/// Exports the finished game and verifies it offline with the bundled client.
fn verify(server: &Gamekeeperd, game: &v1::GameInfo) {
    let cli = Cli::at(server.address());
    let record = cli.out(&format!("export {}", game.game_id));
    let verified = cli.run_with("verify -", &record);
    assert_eq!(verified.code, 0, "{}: {}", game.game_id, verified.err);
}

/// The tests of one ruleset: `$module` is its folder, `$Ruleset` its type.
macro_rules! play_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_proto::gamekeeper::v1 as v1;
            use gamekeeper_rules::$module::$Ruleset as Rules;
            use gamekeeper_rules::conformance::Audit;
            use gamekeeper_rules::ruleset::{self, Applied, Ruleset, apply, create, legal_actions};
            use gamekeeper_rules::table::{Chance, Detail, Names, Pending, Seat, Seed, Viewer, text};
            use gamekeeper_tests::dominion::{Client, facts, players};
            use gamekeeper_tests::raw::typed;
            use gamekeeper_tests::server::Gamekeeperd;
            use gamekeeper_tests::store::Store;
            use gamekeeper_wire::{Wire, wrap_action, wrap_event, wrap_options, wrap_view, legal_action};

            #[tokio::test]
            async fn whole_games_on_the_embedded_store() {
                let store = Store::embedded();
                let server = store.server(&[]);
                let most = usize::from(Rules::INFO.max_seats);
                super::verify(&server, &play(&server, most, 1).await);
            }

            #[tokio::test]
            async fn whole_games_on_redis() {
                let store = Store::redis();
                let server = store.server(&[]);
                let least = usize::from(Rules::INFO.min_seats);
                super::verify(&server, &play(&server, least, 2).await);
            }

            /// Plays a game to its end with the ruleset's own random policy.
            async fn play(server: &Gamekeeperd, seats: usize, number: u64) -> v1::GameInfo {
                let mut client = server.games();
                let seed = Seed::from_number(number);
                let message = Rules::options_message(&Rules::table(seats, number));
                let names: Vec<String> = super::NAMES[..seats].iter().map(|&name| name.to_owned()).collect();
                let options = Rules::options(&names, &Rules::draft(message.clone()).unwrap()).unwrap();
                let created = client
                    .create_game(v1::CreateGameRequest {
                        ruleset: Rules::INFO.id.to_owned(),
                        players: players(&super::NAMES[..seats]),
                        options: Some(typed(&wrap_options::<Rules>(&options))),
                        seed: seed.as_bytes().to_vec(),
                        ..Default::default()
                    })
                    .await
                    .unwrap()
                    .into_inner();
                let mut game = facts(created.table);
                let mut now = create::<Rules>(&options, Chance::from_seed(&seed));
                let mut policy = Chance::from_seed(&Seed::from_number(number + 1_000));
                agree(&mut client, &game, &now, Seat::FIRST).await;
                while let Some(&pending) = Rules::pending(&now.state).first() {
                    game = step(&mut client, &game, &mut now, pending, &mut policy).await;
                }
                assert_eq!(game.status(), v1::GameStatus::Finished);
                let ranking = Rules::ranking(&now.state).unwrap();
                assert_eq!(game.standings, gamekeeper_wire::standings(&ranking));
                assert_eq!(game.end_reason(), v1::EndReason::Rules);
                history(&mut client, &game).await;
                game
            }

            /// Checks that a version reads the same wherever a page begins.
            async fn history(client: &mut Client, game: &v1::GameInfo) {
                let mut page = async |after_version: u64, page_size: i32| {
                    let ask = v1::ListEventsRequest {
                        game_id: game.game_id.clone(),
                        after_version,
                        page_size,
                        show: super::show(None),
                        ..Default::default()
                    };
                    client.list_events(ask).await.unwrap().into_inner().entries
                };
                let mut whole = Vec::new();
                while let next = page(u64::try_from(whole.len()).unwrap(), 90).await
                    && !next.is_empty()
                {
                    whole.extend(next);
                }
                let end = whole.len();
                assert_eq!(u64::try_from(end).unwrap(), game.version);
                for after in [1, 2, 3, 5, end / 3, end / 2, end - 1] {
                    let events = page(u64::try_from(after).unwrap(), 2).await;
                    assert_eq!(events, whole[after..end.min(after + 2)]);
                }
            }

            async fn step(
                client: &mut Client,
                game: &v1::GameInfo,
                now: &mut Applied<Rules>,
                pending: Pending,
                policy: &mut Chance,
            ) -> v1::GameInfo {
                let seat = pending.seat;
                let legal = legal_actions::<Rules>(&now.state, seat, Detail::Moves);
                let choice = Rules::choose(&now.state, seat, &legal, policy);
                drop(policy.take_record());
                let ask = v1::ApplyActionRequest {
                    game_id: game.game_id.clone(),
                    seat: seat.number().into(),
                    action: Some(typed(&wrap_action::<Rules>(&legal[choice]))),
                    expected_version: game.version,
                    show: super::show(super::board(80, true)),
                    ..Default::default()
                };
                let preview = match game.version % super::PREVIEW_EVERY {
                    0 => Some(preview(client, game, ask.clone()).await),
                    _ => None,
                };
                let answer = client.apply_action(ask).await.unwrap().into_inner();
                if let Some(preview) = preview.as_ref().filter(|preview| preview.entry.is_some()) {
                    super::foreseen(preview, &answer);
                }
                let mut scene = Rules::text_context(&now.state).unwrap_or_default();
                *now = apply::<Rules>(&now.state, &now.chance, seat, &legal[choice]).unwrap();
                let view = Rules::view(&now.state, Viewer::Seat(seat));
                let (table, entry) = (answer.table.unwrap(), answer.entry.unwrap());
                assert_eq!(table.view, Some(typed(&wrap_view::<Rules>(&view))));
                let game = table.game.unwrap();
                let players = super::names(&game);
                let names = Names::new(&players);
                assert_eq!(table.board, ruleset::board::<Rules>(&view, names, 80));
                let visible = now.events_with_forced().filter_map(|(event, is_forced)| {
                    Some((Rules::event_view(event, Viewer::Seat(seat))?, is_forced))
                });
                let mut expected: Vec<v1::Event> = visible
                    .map(|(event, is_forced)| {
                        let text = ruleset::render_event::<Rules>(&event, is_forced, &players, &mut scene);
                        typed(&wrap_event::<Rules>(&event, is_forced, Some(text)))
                    })
                    .collect();
                if game.pending.is_empty() {
                    expected.push(super::ended(entry.events.last()));
                }
                assert_eq!(entry.events, expected);
                assert_eq!((entry.version, entry.seat), (game.version, seat.number().into()));
                if game.version % super::LIST_EVERY == 0 {
                    agree(client, &game, now, seat).await;
                }
                game
            }

            /// Checks that a dry run changes nothing, and shows the next version only if the seat can know it.
            async fn preview(
                client: &mut Client,
                game: &v1::GameInfo,
                ask: v1::ApplyActionRequest,
            ) -> v1::ApplyActionResponse {
                let dry = v1::ApplyActionRequest {
                    validate_only: true,
                    ..ask
                };
                let preview = client.apply_action(dry).await.unwrap().into_inner();
                let table = preview.table.as_ref().unwrap();
                assert_eq!(table.game.as_ref(), Some(game));
                assert_eq!(table.view.is_some(), preview.entry.is_some());
                let withheld = preview.preview_withheld();
                let is_given = withheld == v1::PreviewWithheld::Unspecified;
                assert_eq!(is_given, preview.entry.is_some(), "{withheld:?}");
                preview
            }

            /// Checks that the server and the rules agree on the pending decisions, the legal list and every view.
            async fn agree(
                client: &mut Client,
                game: &v1::GameInfo,
                now: &Applied<Rules>,
                seat: Seat,
            ) {
                assert_eq!(game.pending, gamekeeper_wire::pending(&Rules::pending(&now.state)));
                let ask = v1::ListLegalActionsRequest {
                    game_id: game.game_id.clone(),
                    seat: seat.number().into(),
                    show: super::show(None),
                    ..Default::default()
                };
                let listed = client.list_legal_actions(ask).await.unwrap().into_inner();
                let legal = legal_actions::<Rules>(&now.state, seat, Detail::Moves);
                let legal = &legal[..legal.len().min(1_000)];
                let names = super::names(game);
                let names = Names::new(&names);
                let player_view = Rules::view(&now.state, Viewer::Seat(seat));
                let messages = legal.iter().map(|action| {
                    let text = Rules::action_text(&player_view, action, names);
                    typed(&legal_action::<Rules>(action, Some(text)))
                });
                assert_eq!(listed.actions, messages.collect::<Vec<_>>());
                for v1::LegalAction { text, .. } in &listed.actions {
                    assert!(!text.is_empty() && !text.contains(char::is_control), "{text:?}");
                }
                let view = Rules::view(&now.state, Viewer::Spectator);
                for (columns, colored) in super::STYLES {
                    let ask = v1::GetGameRequest {
                        game_id: game.game_id.clone(),
                        show: super::show(super::board(columns, colored)),
                        ..Default::default()
                    };
                    let table = client.get_game(ask).await.unwrap().into_inner().table.unwrap();
                    assert_eq!(table.view, Some(typed(&wrap_view::<Rules>(&view))));
                    let width = usize::try_from(columns).unwrap();
                    let drawn = ruleset::board::<Rules>(&view, names, width);
                    assert!(!drawn.is_empty());
                    let drawn = if colored { drawn } else { text::plain(&drawn) };
                    assert_eq!(table.board, drawn);
                    let wide = table.board.lines().find(|line| text::width(line) > width);
                    assert_eq!(wide, None, "at most {columns} columns, in\n{}", table.board);
                    assert!(colored || !table.board.contains('\u{1b}'), "{}", table.board);
                }
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(play_every_ruleset);
