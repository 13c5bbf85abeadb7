//! Whole games, followed by the rules alone.

macro_rules! self_play_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(pub(super) mod $module {
            use std::collections::BTreeMap;

            use gamekeeper_proto::gamekeeper::v1;
            use gamekeeper_rules::$module::$Ruleset as Rules;
            use gamekeeper_rules::conformance::Audit;
            use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions};
            use gamekeeper_rules::table::{Chance, Detail, Seed, Viewer};
            use gamekeeper_tests::server::Gamekeeperd;
            pub(crate) use gamekeeper_wire::$module::pb;
            use gamekeeper_wire::Wire;
            use pb::self_play_move::Choice;
            use pb::self_play_request::Step;
            use sha2::{Digest, Sha256};
            use tokio::sync::mpsc;
            use tokio_stream::wrappers::ReceiverStream;
            use tonic::{Request, Status, Streaming};
            use tonic::transport::Channel;

            /// The client's end of a self-play.
            pub(crate) struct Line {
                asks: mpsc::Sender<pb::SelfPlayRequest>,
                answers: Streaming<pb::SelfPlayResponse>,
            }

            #[allow(dead_code, reason = "some are used by the tests of one ruleset alone")]
            impl Line {
                pub(crate) async fn open(channel: Channel, token: Option<&str>) -> Result<Self, Status> {
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

                pub(crate) async fn ask(&mut self, step: Step) -> Result<pb::SelfPlayResponse, Status> {
                    // If the server has ended the stream, its answer says why.
                    let _ended = self.asks.send(pb::SelfPlayRequest { step: Some(step) }).await;
                    self.answer().await
                }

                /// All messages of one answer as one.
                pub(crate) async fn answer(&mut self) -> Result<pb::SelfPlayResponse, Status> {
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

                pub(crate) async fn moves(
                    &mut self,
                    moves: Vec<pb::SelfPlayMove>,
                ) -> Result<pb::SelfPlayResponse, Status> {
                    self.ask(Step::Moves(pb::SelfPlayMoves { moves })).await
                }
            }

            /// Each game, played by the rules alone.
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
                    // Groups of cards are counted even beyond the list.
                    let count = if Rules::SHEET.id == "dominion" { legal.len() } else { shown.len() };
                    assert_eq!(seen.action_count as usize, count);
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
                    show: Some(crate::self_play::ALL),
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
