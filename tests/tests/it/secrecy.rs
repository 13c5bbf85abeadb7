//! Nothing that a viewer cannot know reaches them in any answer.
//!
//! Two servers share one store, so that they keep the very same games. One plays by the rules; the
//! other gives a viewer, whenever it asks the rules, a table that differs in everything that they
//! cannot know, and events that do. Every call of that viewer must be answered alike by both, byte
//! for byte: views, events, lists, refusals, trials, watches, exports, and the lines of the log.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt, stream};
use gamekeeper_proto::envelope::self_play_request::Step;
use gamekeeper_proto::envelope::{
    ApplyActionRequest, CreateGameRequest, ExportGameRequest, GetGameRequest, ListEventsRequest,
    ListLegalActionsRequest, SelfPlayPlan, SelfPlayRequest, WatchGameRequest,
};
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::life::{self, Deed, Life, Moment};
use gamekeeper_rules::ruleset::{Applied, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed, Viewer};
use gamekeeper_tests::disguise::{Deceiving, Disguised, deceive, mistake};
use gamekeeper_tests::room::{games, seated};
use gamekeeper_wire::{PbAction, Wire, table_options};
use gamekeeperd::auth::{Bearer, Caller};
use gamekeeperd::games::{Ask, Change, Followed, Games, Message, Sight};
use gamekeeperd::grpc::status_of;
use gamekeeperd::problem::Problem;
use gamekeeperd::store::{StoreConfig, open};
use prost::Message as _;
use tonic_types::pb as google;
use tracing_subscriber::fmt::MakeWriter;
use uuid::Uuid;

/// The number of actions to play, and how often the game is compared closely; with
/// `GAMEKEEPER_LONG` whole games, at every version.
fn plan() -> (u64, u64) {
    match std::env::var_os("GAMEKEEPER_LONG") {
        Some(_) => (u64::MAX, 1),
        None => (48, 12),
    }
}

/// The front end's names of seats and games, which no player may see.
const UNTOLD: &str = "what the front end knows";

/// An answer as bytes.
type Bytes = Vec<u8>;

fn answered(answer: Result<impl prost::Message, Problem>) -> Bytes {
    answer.map_or_else(
        |problem| {
            let status = status_of(&problem);
            let code = i32::from(status.code()).to_be_bytes();
            let details = sorted(status.details());
            [&code, status.message().as_bytes(), details.as_bytes()].concat()
        },
        |message| message.encode_to_vec(),
    )
}

/// A message that was encoded before, as bytes.
fn sent(message: Result<impl AsRef<[u8]>, Problem>) -> Bytes {
    match message {
        Ok(message) => message.as_ref().to_vec(),
        Err(problem) => answered(Err::<(), _>(problem)),
    }
}

/// The details of a status, with metadata sorted by name: on the wire it has no order.
fn sorted(details: &[u8]) -> String {
    let mut status = google::Status::decode(details).unwrap();
    let info = google::ErrorInfo::decode(&*status.details.remove(0).value).unwrap();
    let metadata: BTreeMap<_, _> = info.metadata.into_iter().collect();
    format!("{} {metadata:?} {:?}", info.reason, status.details)
}

fn message_of(viewer: Viewer) -> v1::Viewer {
    let (kind, seat) = match viewer {
        Viewer::Seat(seat) => (v1::ViewerKind::Seat, seat.number().into()),
        Viewer::Spectator => (v1::ViewerKind::Spectator, 0),
        Viewer::Operator => (v1::ViewerKind::Operator, 0),
    };
    let kind = kind.into();
    v1::Viewer { kind, seat }
}

/// A viewer of a game on one of the servers.
struct Onlooker<W: Wire> {
    games: Arc<Games<W>>,
    caller: Caller,
    viewer: Viewer,
    game_id: String,
    version: u64,
}

impl<W: Wire> Onlooker<W> {
    fn bearer(&self) -> Bearer {
        Bearer::permanent(self.caller.clone())
    }

    /// The viewers that a caller can name.
    fn viewers(&self) -> Vec<Option<v1::Viewer>> {
        let spectator = v1::Viewer {
            kind: v1::ViewerKind::Spectator.into(),
            seat: 0,
        };
        let operator = v1::Viewer {
            kind: v1::ViewerKind::Operator.into(),
            seat: 0,
        };
        vec![None, Some(spectator), Some(operator)]
    }

    /// The answers to all reads that the caller can make.
    async fn questions(&self) -> Vec<Bytes> {
        let mut heard = vec![self.info().await];
        for viewer in self.viewers() {
            for at_version in [0, self.version / 2] {
                heard.push(self.look(viewer, at_version).await);
            }
            heard.push(self.events(viewer).await);
            for after_version in [0, self.version.saturating_sub(2)] {
                heard.push(self.watch(viewer, after_version).await);
            }
        }
        for viewer in [None, Some(self.viewer), Some(Viewer::Seat(Seat::FIRST))] {
            heard.push(self.found(viewer).await);
            let named = viewer.map(message_of);
            for after_version in [0, self.version.saturating_sub(2)] {
                heard.push(self.follow(Sight::Of(named), after_version).await);
            }
        }
        // The front end's name of a seat gives no access to its view.
        for sight in [Sight::Facts, Sight::OfUser(UNTOLD.to_owned())] {
            heard.push(self.follow(sight, 0).await);
        }
        if let Viewer::Seat(seat) = self.viewer {
            heard.push(self.legal(seat).await);
            heard.extend(self.worlds(seat).await);
        }
        heard.push(self.export().await);
        heard
    }

    async fn info(&self) -> Bytes {
        let id = Uuid::try_parse(&self.game_id).unwrap();
        answered(self.games.info(&self.caller, id).await)
    }

    async fn look(&self, viewer: Option<v1::Viewer>, at_version: u64) -> Bytes {
        let call = GetGameRequest {
            game_id: self.game_id.clone(),
            viewer,
            at_version,
            with_board: Some(v1::BoardStyle::default()),
        };
        answered(self.games.look(&self.caller, call).await)
    }

    async fn events(&self, viewer: Option<v1::Viewer>) -> Bytes {
        let call = ListEventsRequest {
            game_id: self.game_id.clone(),
            viewer,
            with_text: true,
            ..ListEventsRequest::default()
        };
        answered(self.games.events(&self.caller, call).await)
    }

    async fn watch(&self, viewer: Option<v1::Viewer>, after_version: u64) -> Bytes {
        let call = WatchGameRequest {
            game_id: self.game_id.clone(),
            viewer,
            after_version,
            view_mode: v1::ViewMode::Seat.into(),
            with_text: true,
            after_time: None,
            with_board: Some(v1::BoardStyle::default()),
        };
        let stream = match self.games.watch(&self.bearer(), call).await {
            Ok(stream) => stream,
            Err(problem) => return answered(Err::<(), _>(problem)),
        };
        // With a version, all versions after it; without, only the table: nothing follows the newest version.
        let count = if after_version == 0 {
            1
        } else {
            self.version - after_version
        };
        let bytes = |message: Message| message.bytes;
        let messages = stream.map(|message| sent(message.map(bytes)));
        let answers = messages.take(usize::try_from(count).unwrap());
        answers.collect::<Vec<_>>().await.concat()
    }

    async fn legal(&self, seat: Seat) -> Bytes {
        let call = ListLegalActionsRequest {
            game_id: self.game_id.clone(),
            seat: seat.number().into(),
            page_size: 200,
            with_text: true,
            ..ListLegalActionsRequest::default()
        };
        answered(self.games.legal(&self.caller, call).await)
    }

    /// Worlds of the game, whole: the same wherever the game looks the same.
    async fn worlds(&self, seat: Seat) -> Vec<Bytes> {
        let plan = SelfPlayPlan::<W::Messages> {
            games: 3,
            total_games: 3,
            seed: vec![7; 32],
            show: Some(v1::SelfPlayShow {
                view: true,
                actions: true,
                action_count: true,
                pending: true,
                events: true,
                text: true,
                world: true,
            }),
            from: Some(v1::SelfPlayFrom {
                game_id: self.game_id.clone(),
                seat: seat.number().into(),
                worlds: 2,
            }),
            ..SelfPlayPlan::default()
        };
        let step = Some(Step::Plan(plan));
        let ask = stream::once(async { Ok(SelfPlayRequest { step }) });
        match self.games.self_play(&self.bearer(), Box::pin(ask)) {
            Ok(answers) => answers.map(answered).collect().await,
            Err(problem) => vec![answered(Err::<(), _>(problem))],
        }
    }

    /// The game as one of several, with its view and without.
    async fn found(&self, viewer: Option<Viewer>) -> Bytes {
        let id = Uuid::try_parse(&self.game_id).unwrap();
        answered(self.games.found(&self.caller, id, viewer).await)
    }

    /// The game as one of many on a stream.
    async fn follow(&self, sight: Sight, after_version: u64) -> Bytes {
        let followed = Followed {
            id: Uuid::try_parse(&self.game_id).unwrap(),
            after_version,
            after_time: None,
            sight,
            user: None,
        };
        let changes = match self.games.follow(&self.bearer(), followed).await {
            Ok(changes) => changes,
            Err(problem) => return answered(Err::<(), _>(problem)),
        };
        let count = if after_version == 0 {
            1
        } else {
            self.version - after_version
        };
        let bytes = |change: Change| change.message;
        let messages = changes.map(|change| sent(change.map(bytes)));
        let answers = messages.take(usize::try_from(count).unwrap());
        answers.collect::<Vec<_>>().await.concat()
    }

    async fn export(&self) -> Bytes {
        let call = ExportGameRequest {
            game_id: self.game_id.clone(),
            with_states: true,
            ..Default::default()
        };
        let parts = match self.games.export(&self.bearer(), call).await {
            Ok(parts) => parts,
            Err(problem) => return answered(Err::<(), _>(problem)),
        };
        // Only at the end of a game, when nothing is secret anymore.
        let count = parts.map(|part| part.map(drop).unwrap()).count().await;
        count.to_be_bytes().to_vec()
    }

    /// The answer when the caller tries an action. Unless it is only validated, it must be refused.
    async fn attempt(&self, action: PbAction<W>, seat: Seat, validate_only: bool) -> Bytes {
        let call = ApplyActionRequest {
            game_id: self.game_id.clone(),
            seat: seat.number().into(),
            action: Some(action),
            validate_only,
            with_text: true,
            with_board: Some(v1::BoardStyle::default()),
            ..ApplyActionRequest::default()
        };
        let applied = self.games.apply(&self.caller, Box::new(call)).await;
        answered(applied.inspect(|applied| {
            assert!(
                validate_only,
                "what one server refuses, the other must not play"
            );
            assert!(applied.view.is_none() && applied.events.is_empty());
            assert_eq!(applied.board, "");
        }))
    }
}

/// Log lines, without their times.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn take(&self) -> String {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8(std::mem::take(&mut *lines)).unwrap()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Lines;

    fn make_writer(&'a self) -> Lines {
        self.clone()
    }
}

/// Both servers, and the state of the game.
struct Pair<W: Audit + Wire> {
    true_games: Arc<Games<W>>,
    other_games: Arc<Games<Disguised<W, Deceiving>>>,
    game_id: String,
    now: Applied<W>,
    /// The facts of the table beyond the rules.
    life: Option<Box<Life>>,
    /// The states of all versions.
    states: Vec<W::State>,
    version: u64,
    seats: usize,
    lines: Lines,
}

impl<W: Audit + Wire> Pair<W> {
    async fn begin(seats: usize, number: u64, lines: Lines) -> Pair<W> {
        let store = open(StoreConfig::Memory).await.unwrap();
        let true_games = games::<W>(&store);
        let message = W::options_message(&W::table(seats, number));
        let seed = Seed::from_number(number);
        let table = v1::TableOptions {
            clock: Some(v1::ClockOptions {
                bank_seconds: 3_600,
                ..Default::default()
            }),
            take_back: v1::TakeBackPolicy::Unseen.into(),
        };
        let mut players = seated(seats);
        for player in &mut players {
            player.user = format!("{UNTOLD} {}", player.name);
        }
        let call = CreateGameRequest {
            players,
            options: Some(message.clone()),
            request_id: String::new(),
            seed: seed.as_bytes().to_vec(),
            labels: BTreeMap::from([(String::from("league"), UNTOLD.to_owned())]),
            table: Some(table),
        };
        let created = true_games.create(&Caller::Open, call).await.unwrap();
        let game = created.game.unwrap();
        let names: Vec<String> = game.players.into_iter().map(|player| player.name).collect();
        let options = W::options(&names, &W::draft(message).unwrap()).unwrap();
        let now = create::<W>(&options, Chance::from_seed(&seed));
        let table = table_options(Some(&table)).unwrap();
        Pair {
            true_games,
            other_games: games(&store),
            game_id: game.game_id,
            life: Life::begun(table, seats, &W::pending(&now.state)),
            states: vec![now.state.clone()],
            now,
            version: 1,
            seats,
            lines,
        }
    }

    /// Plays one action; false at the end of the game.
    async fn step(&mut self, policy: &mut Chance) -> bool {
        let state = &self.now.state;
        let pending = life::pending::<W>(state, self.life.as_deref());
        let Some(seat) = pending.first().map(|pending| pending.seat) else {
            return false;
        };
        let legal = legal_actions::<W>(state, seat, Detail::Moves);
        let choice = W::choose(state, seat, &legal, policy);
        drop(policy.take_record());
        let call = ApplyActionRequest {
            game_id: self.game_id.clone(),
            seat: seat.number().into(),
            action: Some(W::action_message(&legal[choice])),
            expected_version: self.version,
            request_id: String::new(),
            view_mode: v1::ViewMode::None.into(),
            validate_only: false,
            with_text: false,
            with_board: None,
        };
        self.true_games
            .apply(&Caller::Open, Box::new(call))
            .await
            .unwrap();
        let Ok(after) = life::act(self.table(), seat, &legal[choice], self.moment()) else {
            panic!("what is listed is accepted");
        };
        self.take(after);
        true
    }

    /// A seat leaves, or takes back its last action; false if it cannot.
    async fn beside(&mut self, deed: Deed) -> bool {
        let seat = deed.actor().map_or(0, |seat| seat.number().into());
        let (ask, back) = if let Deed::TakenBack { to_version, .. } = deed {
            let place = usize::try_from(to_version).unwrap() - 1;
            let back = self.states[place].clone();
            (Ask::TakeBack { seat, to_version }, Some(back))
        } else {
            (Ask::Resign { seat }, None)
        };
        let Ok(after) = life::perform(self.table(), &deed, back, self.moment()) else {
            return false;
        };
        let id = Uuid::try_parse(&self.game_id).unwrap();
        let happened = self.true_games.beside(&Caller::Open, id, ask, "").await;
        let game = happened.unwrap().game;
        self.take(after);
        assert_eq!(game.version, self.version);
        true
    }

    /// Continues with a fork of the game; false at its end.
    async fn fork(&mut self, number: u64) -> bool {
        let life = self.life.as_deref();
        if life::pending::<W>(&self.now.state, life).is_empty() {
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
        let forked = self.true_games.fork(&Caller::Open, id, &call).await;
        self.game_id = forked.unwrap().game.unwrap().game_id;
        self.now.chance = Chance::from_seed(&seed);
        if let Some(life) = &mut self.life {
            life.branch::<W>(&self.now.state, 0);
        }
        true
    }

    fn table(&self) -> life::Table<'_, W> {
        life::Table {
            state: &self.now.state,
            chance: &self.now.chance,
            seats: self.seats,
            life: self.life.as_deref(),
        }
    }

    fn moment(&self) -> Moment {
        Moment {
            version: self.version + 1,
            at_ms: 0,
        }
    }

    fn take(&mut self, (now, life): life::After<W>) {
        self.now = now;
        self.life = life;
        self.states.push(self.now.state.clone());
        self.version += 1;
    }

    /// The last action, if it can be taken back.
    fn second_thought(&self) -> Option<Deed> {
        let life = self.life.as_ref()?;
        let mut steps = Seat::all(self.seats)
            .filter_map(|seat| Some((seat, life.may_go_back(seat).next_back()?)));
        steps.next().map(|(seat, to_version)| Deed::TakenBack {
            seat,
            to_version,
            agreed_by: None,
        })
    }

    fn onlooker<V: Wire>(&self, games: &Arc<Games<V>>, viewer: Viewer) -> Onlooker<V> {
        let game = Uuid::try_parse(&self.game_id).unwrap();
        let caller = match viewer {
            Viewer::Seat(seat) => Caller::Seat {
                game,
                seat,
                generation: 0,
                birth: None,
            },
            Viewer::Spectator | Viewer::Operator => Caller::Spectator {
                game,
                generation: 0,
                birth: None,
            },
        };
        Onlooker {
            games: Arc::clone(games),
            caller,
            viewer,
            game_id: self.game_id.clone(),
            version: self.version,
        }
    }

    /// Every viewer makes every call to both servers.
    async fn compare(&self, seed: u64) {
        for viewer in Seat::all(self.seats)
            .map(Viewer::Seat)
            .chain([Viewer::Spectator])
        {
            deceive(viewer, seed);
            drop(self.lines.take());
            let here = self.onlooker(&self.true_games, viewer);
            let there = self.onlooker(&self.other_games, viewer);
            let told = here.questions().await;
            let lines = self.lines.take();
            let at = format!("{}, version {}, {viewer:?}", W::SHEET.id, self.version);
            for bytes in told.iter().map(Vec::as_slice).chain([lines.as_bytes()]) {
                let mut parts = bytes.windows(UNTOLD.len());
                assert!(!parts.any(|part| part == UNTOLD.as_bytes()), "{at}");
            }
            assert_eq!(told, there.questions().await, "{at}");
            assert_eq!(lines, self.lines.take(), "{at}: the lines of the log");
            let Viewer::Seat(seat) = viewer else {
                continue;
            };
            for (action, is_legal) in self.attempts(seat) {
                let (one, same) = (W::action_message(&action), W::action_message(&action));
                let told = here.attempt(one.clone(), seat, is_legal).await;
                let lines = self.lines.take();
                assert_eq!(
                    told,
                    there.attempt(same, seat, is_legal).await,
                    "{at}, {action:?}"
                );
                assert_eq!(
                    lines,
                    self.lines.take(),
                    "{at}, {action:?}: the lines of the log"
                );
            }
        }
    }

    /// Some actions for the seat to try, and whether they are legal.
    fn attempts(&self, seat: Seat) -> Vec<(W::Action, bool)> {
        const MOST: usize = 40;
        let universe = W::universe(&self.now.state, seat);
        let step = (universe.len() / MOST).max(1);
        let some = universe.into_iter().step_by(step);
        let judged = some.map(|action| {
            let is_legal = W::check(&self.now.state, seat, &action).is_ok();
            (action, is_legal)
        });
        judged.collect()
    }
}

async fn nothing_leaks<W: Audit + Wire>(seats: usize, number: u64) {
    let lines = Lines::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(lines.clone())
        .without_time()
        .with_ansi(false)
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (actions, closely_every) = plan();
    let mut pair = Pair::<W>::begin(seats, number, lines).await;
    let mut policy = Chance::from_seed(&Seed::from_number(number + 1_000));
    pair.compare(number).await;
    let mut taken_back = 0;
    while pair.version <= actions && pair.step(&mut policy).await {
        if pair.version % closely_every == 0 {
            pair.compare(number + pair.version).await;
        }
        if taken_back < 3
            && let Some(deed) = pair.second_thought()
            && pair.beside(deed).await
        {
            pair.compare(number + pair.version).await;
            taken_back += 1;
        }
        if seats > 2 && pair.version > actions / 2 {
            // Only once: afterwards it has left.
            let left = pair.beside(Deed::Resigned { seat: Seat::FIRST }).await;
            if left {
                pair.compare(number + pair.version).await;
            }
        }
    }
    forks_leak_nothing(&mut pair, &mut policy, number).await;
}

/// What is hidden in a game is hidden in its fork.
async fn forks_leak_nothing<W: Audit + Wire>(pair: &mut Pair<W>, policy: &mut Chance, number: u64) {
    if !pair.fork(number).await {
        return;
    }
    pair.compare(number + pair.version).await;
    for _ in 0..8 {
        pair.step(policy).await;
    }
    pair.compare(number + pair.version).await;
}

/// A seat that is mistaken for a spectator sees a hand that is not its own: the test detects that.
#[tokio::test]
async fn a_difference_is_noticed() {
    use gamekeeper_rules::dominion::Dominion;

    let pair = Pair::<Dominion>::begin(2, 1, Lines::default()).await;
    let seat = Viewer::Seat(Seat::FIRST);
    let here = pair.onlooker(&pair.true_games, seat);
    let there = pair.onlooker(&pair.other_games, seat);
    // Five of ten cards, seven of them Coppers, may be the same hand by chance, but not ten times.
    let differs = async |seed| {
        mistake(seat, Viewer::Spectator, seed);
        here.look(None, 0).await != there.look(None, 0).await
    };
    let mut different = 0;
    for seed in 1..=10 {
        different += u32::from(differs(seed).await);
    }
    assert!(different > 0);
    deceive(seat, 1);
    assert_eq!(here.questions().await, there.questions().await);
}

macro_rules! of_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            use gamekeeper_rules::ruleset::Ruleset;

            #[tokio::test]
            async fn no_answer_reveals_what_is_hidden_from_its_viewer() {
                let seats = [Rules::SHEET.min_seats, Rules::SHEET.max_seats];
                for (number, seats) in (1..).zip(seats) {
                    super::nothing_leaks::<Rules>(usize::from(seats), number).await;
                }
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(of_every_ruleset);
