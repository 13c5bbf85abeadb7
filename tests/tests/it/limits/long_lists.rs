//! A list of millions of actions on a real server. Clients that request it and disconnect do not delay others, and
//! their calls end.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::{Action, Dominion, Draft, KingdomDraft, State};
use gamekeeper_rules::ruleset::{
    Applied, Ruleset, apply, count_legal_from, create, legal_actions, visit_legal,
};
use gamekeeper_rules::table::{ActionCursor, Chance, Counted, Detail, Seat, Seed, Wanted};
use gamekeeper_tests::dominion::{Table, ada_and_bob, facts, reason_of};
use gamekeeper_tests::http;
use gamekeeper_tests::raw::typed;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, RED, bearing};
use gamekeeper_wire::{wrap_action, wrap_options};
use rand::RngExt;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{sleep, timeout};
use tonic::{Request, Status};

use super::{eventually, with_tokens};

/// The number of clients that attack at the same time.
const ATTACKERS: usize = 24;

/// The minimum length of the list that they request.
const LONG: u64 = 1_000_000;

/// The seed of a game in which the hand becomes large after about 800 actions.
const SEED: [u8; 32] = [31; 32];

/// The cards that the first player buys, each with a maximum that leaves no pile empty.
const WISHES: [(Card, usize); 17] = [
    (Card::Laboratory, 9),
    (Card::CouncilRoom, 5),
    (Card::Village, 9),
    (Card::Market, 6),
    (Card::Festival, 3),
    (Card::Smithy, 4),
    (Card::Cellar, 3),
    (Card::Gold, 3),
    (Card::Silver, 5),
    (Card::Duchy, 2),
    (Card::Moat, 2),
    (Card::Woodcutter, 2),
    (Card::Province, 2),
    (Card::Chapel, 2),
    (Card::Estate, 3),
    (Card::Curse, 3),
    (Card::Copper, 6),
];

/// The play of a game up to a Cellar with a large hand.
struct Way {
    table: Applied<Dominion>,
    owned: [usize; WISHES.len()],
    moves: Vec<(Seat, Action)>,
}

fn options() -> <Dominion as Ruleset>::Options {
    use Card::{
        Cellar, Chapel, CouncilRoom, Festival, Laboratory, Market, Moat, Smithy, Village,
        Woodcutter,
    };
    let kingdom = [
        Cellar,
        Chapel,
        CouncilRoom,
        Festival,
        Laboratory,
        Market,
        Moat,
        Smithy,
        Village,
        Woodcutter,
    ];
    let draft = Draft {
        kingdom: KingdomDraft::Cards(kingdom.map(Some).to_vec()),
        ..Draft::default()
    };
    let names = ["Ada", "Bob"].map(String::from);
    Dominion::options(&names, &draft).unwrap()
}

impl Way {
    fn find() -> Self {
        let table = create::<Dominion>(&options(), Chance::from_seed(&Seed::new(SEED)));
        let (owned, moves) = ([0; WISHES.len()], Vec::new());
        let mut way = Self {
            table,
            owned,
            moves,
        };
        while count(&way.table.state, way.seat()) < LONG {
            assert!(way.moves.len() < 1_500, "the hand stays small");
            let action = way.choose();
            let (state, chance, seat) = (&way.table.state, &way.table.chance, way.seat());
            let next = apply::<Dominion>(state, chance, seat, &action).unwrap();
            if let Action::BuyCard { card } = action {
                let bought = WISHES.iter().position(|(wish, _)| Some(*wish) == card);
                way.owned[bought.unwrap()] += 1;
            }
            way.moves.push((seat, action));
            way.table = next;
        }
        way
    }

    fn seat(&self) -> Seat {
        Dominion::pending(&self.table.state)[0].seat
    }

    /// Chooses an action: the first seat draws its deck and collects many different cards; the other seat passes.
    fn choose(&self) -> Action {
        let seat = self.seat();
        let legal = legal_actions::<Dominion>(&self.table.state, seat, Detail::Moves);
        let plays = |card| Action::PlayAction { card: Some(card) };
        let mut chosen = Vec::new();
        if seat == Seat::FIRST {
            let order = [
                Card::Village,
                Card::Festival,
                Card::Market,
                Card::Laboratory,
                Card::CouncilRoom,
                Card::Smithy,
                Card::Cellar,
            ];
            chosen.extend(order.map(plays));
            chosen.push(Action::PlayAllTreasures);
            chosen.extend(self.wish(&legal));
        }
        chosen.push(Action::EndActionPhase);
        chosen.push(Action::CellarDiscard { cards: Vec::new() });
        chosen.push(Action::EndTurn { discard_top: None });
        let chosen = chosen.into_iter().find(|action| legal.contains(action));
        chosen.unwrap_or_else(|| legal[0].clone())
    }

    /// Buys the card whose number is the smallest share of its maximum.
    fn wish(&self, legal: &[Action]) -> Option<Action> {
        let buys = |card| Action::BuyCard { card: Some(card) };
        let wishes = (0..WISHES.len()).filter(|&index| {
            let (card, most) = WISHES[index];
            self.owned[index] < most && legal.contains(&buys(card))
        });
        let rarest = wishes.min_by_key(|&index| self.owned[index] * 100 / WISHES[index].1)?;
        Some(buys(WISHES[rarest].0))
    }
}

/// Builds a request with a token, or without one if it is empty.
fn asking<M>(token: &str, message: M) -> Request<M> {
    if token.is_empty() {
        Request::new(message)
    } else {
        bearing(token, message)
    }
}

/// Counts the actions of a seat; groups of cards are counted without being enumerated.
fn count(state: &State, seat: Seat) -> u64 {
    let (all, begin) = (
        Wanted::all(Detail::Moves),
        (ActionCursor::default(), u32::MAX),
    );
    let mut total = 0;
    let _end = count_legal_from::<Dominion>(state, seat, all, begin, &mut |counted| {
        total += match counted {
            Counted::One(_) => 1,
            Counted::Many(count) => count,
        };
        ControlFlow::Continue(())
    });
    total
}

/// Measures the time to enumerate the whole list without a pause.
fn time_of_a_walk(state: &State) -> Duration {
    let begun = Instant::now();
    let seat = Dominion::pending(state)[0].seat;
    let mut listed = 0_u64;
    let _end = visit_legal::<Dominion>(state, seat, Detail::Moves, &mut |_| {
        listed += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(listed, count(state, seat));
    begun.elapsed()
}

/// Plays a game to its long list with this key, and returns it with the state of the rules.
async fn long_game(server: &Gamekeeperd, key: &str) -> (Table, State) {
    let create = v1::CreateGameRequest {
        options: Some(typed(&wrap_options::<Dominion>(&options()))),
        seed: SEED.to_vec(),
        ..ada_and_bob()
    };
    let mut client = server.games();
    let created = client.create_game(asking(key, create)).await.unwrap();
    let mut table = Table::of(created.into_inner());
    let way = Way::find();
    for (seat, action) in way.moves {
        let act = v1::ApplyActionRequest {
            game_id: table.game.game_id.clone(),
            seat: u32::from(seat.number()),
            action: Some(typed(&wrap_action::<Dominion>(&action))),
            ..Default::default()
        };
        let played = client.apply_action(asking(key, act)).await.unwrap();
        table.game = facts(played.into_inner().table);
    }
    (table, way.table.state)
}

/// Clients that repeatedly request the long list, in full or with filters that match nothing. They usually abandon the
/// call.
struct Attack {
    is_over: Arc<AtomicBool>,
    abandoned: Arc<AtomicUsize>,
    clients: Vec<JoinHandle<()>>,
}

impl Attack {
    fn begin(server: &Gamekeeperd, table: &Table, tokens: &[String]) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let abandoned = Arc::new(AtomicUsize::new(0));
        let clients = (0..ATTACKERS).map(|number| {
            let (is_over, abandoned) = (Arc::clone(&is_over), Arc::clone(&abandoned));
            let token = tokens[number % tokens.len()].clone();
            let kinds: &[&str] =
                [&["buy_card"][..], &["chapel_trash", "gain_card"], &[]][number / 2 % 3];
            let detail = [v1::ListDetail::Moves, v1::ListDetail::AllPayments][number % 2];
            let list = v1::ListLegalActionsRequest {
                game_id: table.game.game_id.clone(),
                seat: 1,
                kinds: kinds.iter().copied().map(String::from).collect(),
                detail: detail.into(),
                page_size: 1_000,
                show: Some(v1::Show {
                    text: true,
                    ..Default::default()
                }),
                ..Default::default()
            };
            let mut own_client = server.games();
            tokio::spawn(async move {
                while !is_over.load(Ordering::Relaxed) {
                    let patience = Duration::from_micros(
                        gamekeeper_tests::chance::rng().random_range(1_000..20_000),
                    );
                    let call = own_client.list_legal_actions(asking(&token, list.clone()));
                    let ended = timeout(patience, call).await;
                    match ended {
                        Ok(Ok(_)) => {}
                        Ok(Err(status)) => is_expected(&token, &status),
                        Err(_) => _ = abandoned.fetch_add(1, Ordering::Relaxed),
                    }
                }
            })
        });
        Self {
            clients: clients.collect(),
            is_over,
            abandoned,
        }
    }

    /// Ends the attack, and returns the number of abandoned calls.
    async fn end(self) -> usize {
        self.is_over.store(true, Ordering::Relaxed);
        for client in self.clients {
            client.await.unwrap();
        }
        self.abandoned.load(Ordering::Relaxed)
    }
}

/// Checks a failure of an attacker's call. A call without a token is refused. HTTP/2 closes a connection that cancels
/// too many calls before they were processed; then there is no response, and the next call opens a new connection.
fn is_expected(token: &str, status: &Status) {
    match reason_of(status).as_deref() {
        None => {}
        Some("NO_TOKEN") if token.is_empty() => {}
        Some(_) => panic!("{status:?}"),
    }
}

/// Measures the median time of another client's calls during the attack.
async fn median_of_others(server: &Gamekeeperd, key: &str) -> Duration {
    let mut games = server.games();
    let mut times = Vec::new();
    for _ in 0..21 {
        let begun = Instant::now();
        let ask = v1::ListGamesRequest::default();
        games.list_games(asking(key, ask)).await.unwrap();
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}

/// Returns the processor time that the server has used, in ticks of 10 ms.
fn ticks(server: &Gamekeeperd) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.pid())).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = fields.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Waits until abandoned calls have left neither slots nor work behind.
async fn nothing_goes_on(server: &Gamekeeperd) {
    eventually("the abandoned calls have ended", || async {
        let (_, metrics) = http::ask(server.admin(), "GET", "/metrics", "").await;
        let is_none = metrics
            .lines()
            .any(|line| line == "gamekeeper_calls_in_flight 0");
        let before = ticks(server);
        sleep(Duration::from_millis(500)).await;
        (is_none && ticks(server) - before < 15).then_some(())
    })
    .await;
}

async fn attacked(
    server: &Gamekeeperd,
    (table, state): (Table, State),
    attackers: &[String],
    other: &str,
) {
    let walk = spawn_blocking(move || time_of_a_walk(&state));
    let attack = Attack::begin(server, &table, attackers);
    let (median, walk) = tokio::join!(median_of_others(server, other), walk);
    let (abandoned, walk) = (attack.end().await, walk.unwrap());
    assert!(abandoned > ATTACKERS, "{abandoned} abandoned");
    // If lists were enumerated without pauses, other calls would wait for most attackers in turn.
    let most = walk * u32::try_from(ATTACKERS / 4).unwrap();
    assert!(
        median < most,
        "calls of others take {median:?}, a list {walk:?}"
    );
    nothing_goes_on(server).await;
}

const FLAGS: [&str; 4] = [
    "--store=memory",
    "--workers=1",
    "--allow-seeds",
    "--admin-listen=127.0.0.1:0",
];

#[tokio::test(flavor = "multi_thread")]
async fn abandoned_calls_for_a_long_list_hold_up_nobody() {
    let server = Gamekeeperd::start(&FLAGS);
    let game = long_game(&server, "").await;
    attacked(&server, game, &[String::new()], "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_tokens_or_without_one_they_hold_up_no_other_tenant() {
    let (server, _keys) = with_tokens(&FLAGS);
    let game = long_game(&server, RED).await;
    let tokens = [game.0.token(1), RED, ""].map(String::from);
    attacked(&server, game, &tokens, BLUE).await;
}
