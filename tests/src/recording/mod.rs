//! Sessions to check any deployment and any other implementation by: what is asked, and what must be
//! answered or refused, worked out by the rules alone.
//!
//! A recording is JSON Lines. `{"session": .., "service": ..}` begins a session with a game of its
//! own; every further line is a call with its request and either the answer or the refusal.

mod quest;
mod service;

pub use quest::Quest;
pub use service::{ServiceRecording, record_service};

use std::collections::BTreeSet;

use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_rules::conformance::{Audit, universe};
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Names, Refusal, Seat, Seed, Sentence, Viewer};
use gamekeeper_wire::{PbOptions, Wire, contract, pending, standings};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, EnumValueDescriptor};
use serde_json::{Value, json};

/// The names of players, in seat order.
const NAMES: [&str; 5] = ["Ada", "Bob", "Cyd", "Dan", "Eve"];

/// The maximum number of games that are played in search of something new.
const MOST_GAMES: u64 = 60;

/// The maximum number of versions of a complete game.
const MOST_VERSIONS: u64 = 20_000;

/// A table and a list are recorded at these versions, and at the end.
const LOOKS: [u64; 3] = [1, 5, 40];

/// Players and options, as protobuf JSON, that the rules refuse.
pub type WrongOptions = (&'static [&'static str], &'static str);

/// What was recorded for one ruleset.
#[derive(Debug)]
pub struct Recording {
    /// JSON Lines.
    pub text: String,
    /// What occurs in it.
    pub covered: BTreeSet<String>,
}

/// All that sessions can show: `refusal PILE_EMPTY`, `decision buy_phase`, `action buy_card`,
/// `event card_bought`.
///
/// # Panics
/// When the contract lacks a message of the ruleset.
#[must_use]
pub fn everything<W: Wire>() -> BTreeSet<String> {
    let kinds = |message: &str| {
        let message = contract::pool().get_message_by_name(&format!("{}.{message}", W::PACKAGE));
        let message = message.expect("a message of the contract");
        let kind = message.oneofs().find(|oneof| oneof.name() == "kind");
        let kind = kind.expect("the kinds");
        kind.fields()
            .map(|field| field.name().to_owned())
            .collect::<Vec<_>>()
    };
    let decisions = decision_values(W::PACKAGE)
        .into_iter()
        .map(|(name, _)| name);
    let codes = W::Refusal::CODES.iter();
    codes
        .map(|code| mark("refusal", code))
        .chain(decisions.map(|name| mark("decision", &name)))
        .chain(kinds("Action").iter().map(|name| mark("action", name)))
        .chain(kinds("Event").iter().map(|name| mark("event", name)))
        .collect()
}

fn mark(what: &str, name: &str) -> String {
    format!("{what} {name}")
}

/// The decisions of a ruleset as `pending` names them, each with its value in the contract.
///
/// # Panics
/// When the contract has no enum for them.
#[must_use]
pub fn decision_values(package: &str) -> Vec<(String, EnumValueDescriptor)> {
    let named = |name| contract::pool().get_enum_by_name(&format!("{package}.{name}"));
    let decisions = named("Decision").or(named("Phase")).expect("the decisions");
    let values = decisions.values().filter(|value| value.number() > 0);
    values
        .filter_map(|value| {
            let (_, name) = value.name().split_once('_')?;
            (name != "FINISHED").then(|| (name.to_lowercase(), value.clone()))
        })
        .collect()
}

/// Records sessions of a ruleset: refused options, a whole game, games of players who seek what is
/// rare, and games of random ones as long as they bring something new. `given_up` is not looked for.
///
/// # Panics
/// When the rules contradict themselves.
#[must_use]
pub fn record<W: Wire + Audit>(
    wrong: &[WrongOptions],
    quests: &[Quest<W>],
    given_up: &[&str],
) -> Recording {
    let pool = DescriptorPool::decode(DESCRIPTORS).expect("the contract");
    let mut recorder = Recorder::<W> {
        pool,
        lines: Vec::new(),
        covered: BTreeSet::new(),
        wanted: everything::<W>(),
        ruleset: std::marker::PhantomData,
    };
    recorder.wanted.retain(|one| !given_up.contains(&&**one));
    recorder.creations(wrong);
    recorder.service();
    recorder.game(1);
    for quest in quests {
        recorder.quest(quest);
    }
    for number in 2..=MOST_GAMES {
        if recorder.is_done() {
            break;
        }
        recorder.game(number);
    }
    let lines: Vec<String> = recorder.lines.iter().map(Value::to_string).collect();
    Recording {
        text: lines.join("\n") + "\n",
        covered: recorder.covered,
    }
}

/// The decisions that occur in some random games with every number of seats.
///
/// # Panics
/// When the rules contradict themselves.
#[must_use]
pub fn decisions<W: Audit>() -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for number in 0..8 {
        let (least, most) = (u64::from(W::SHEET.min_seats), u64::from(W::SHEET.max_seats));
        let seats = usize::try_from(least + number % (most - least + 1)).expect("a few seats");
        let mut table = create::<W>(&W::table(seats, number), chance(number));
        let mut policy = chance(number + 2_000);
        for _ in 0..MOST_VERSIONS {
            let owed = W::pending(&table.state);
            found.extend(owed.iter().map(|pending| pending.decision));
            let Some(pending) = owed.first().copied() else {
                break;
            };
            let legal = legal_actions::<W>(&table.state, pending.seat, Detail::Moves);
            let choice = W::choose(&table.state, pending.seat, &legal, &mut policy);
            drop(policy.take_record());
            table = apply::<W>(&table.state, &table.chance, pending.seat, &legal[choice])
                .expect("a listed action");
        }
    }
    found
}

/// One game to be recorded.
struct Plan<'a, W: Ruleset> {
    title: &'a str,
    seats: usize,
    options: &'a W::Options,
    seed: u64,
    /// Is it recorded to its end, with looks at the table?
    whole: bool,
}

/// Chooses one of the legal actions of a seat, as an index.
type Choose<'a, W> =
    dyn FnMut(&<W as Ruleset>::State, Seat, &[<W as Ruleset>::Action]) -> usize + 'a;

struct Recorder<W> {
    pool: DescriptorPool,
    lines: Vec<Value>,
    covered: BTreeSet<String>,
    wanted: BTreeSet<String>,
    ruleset: std::marker::PhantomData<W>,
}

impl<W: Wire + Audit> Recorder<W> {
    /// Is all covered that is wanted?
    fn is_done(&self) -> bool {
        self.wanted.is_subset(&self.covered)
    }

    /// Notes what is recorded. True: it is new.
    fn covers(&mut self, what: &str, name: &str) -> bool {
        self.covered.insert(mark(what, name))
    }

    /// A message of the ruleset as protobuf JSON.
    fn json(&self, name: &str, message: &impl Message) -> Value {
        self.json_of(&format!("{}.{name}", W::PACKAGE), message)
    }

    fn json_of(&self, name: &str, message: &impl Message) -> Value {
        let kind = self
            .pool
            .get_message_by_name(name)
            .expect("a message of the contract");
        let dynamic = DynamicMessage::decode(kind, &*message.encode_to_vec()).expect("its bytes");
        serde_json::to_value(dynamic).expect("protobuf JSON")
    }

    fn list<M: Message>(&self, name: &str, messages: &[M]) -> Value {
        messages
            .iter()
            .map(|message| self.json_of(name, message))
            .collect()
    }

    fn session(&mut self, title: &str) {
        let service = self
            .pool
            .services()
            .find(|service| service.package_name() == W::PACKAGE)
            .expect("the service of the ruleset");
        let service = service.full_name();
        self.lines
            .push(json!({"session": format!("{}: {title}", W::SHEET.title), "service": service}));
    }

    fn answered(&mut self, call: &str, request: &Value, answer: &Value) {
        self.lines
            .push(json!({"call": call, "request": request, "answer": answer}));
    }

    fn refused(
        &mut self,
        call: &str,
        request: &Value,
        code: &str,
        reason: &str,
        rule: Option<&str>,
    ) {
        let mut refusal = json!({"code": code, "reason": reason});
        if let Some(rule) = rule {
            refusal["rule"] = json!(rule);
        }
        self.lines
            .push(json!({"call": call, "request": request, "refusal": refusal}));
    }

    /// Options that the rules refuse.
    fn creations(&mut self, wrong: &[WrongOptions]) {
        self.session("options that the rules refuse");
        for (players, text) in wrong {
            let names: Vec<String> = players.iter().map(|&name| name.to_owned()).collect();
            let kind = self
                .pool
                .get_message_by_name(&format!("{}.Options", W::PACKAGE))
                .expect("Options");
            let options: Value = serde_json::from_str(text).expect("JSON");
            let dynamic = DynamicMessage::deserialize(kind, &options).expect("options");
            let message = dynamic.transcode_to::<PbOptions<W>>().expect("options");
            let draft = W::draft(message).expect("options that mean something");
            let refusal = W::options(&names, &draft).expect_err("options that the rules refuse");
            self.covers("refusal", refusal.code());
            let request = json!({"players": players_json(&names), "options": options});
            self.refused(
                "CreateGame",
                &request,
                "INVALID_ARGUMENT",
                refusal.code(),
                Some(refusal.refused.rule),
            );
        }
    }

    /// What the service refuses whatever the rules say.
    fn service(&mut self) {
        self.session("what every service refuses");
        let seats = usize::from(W::SHEET.min_seats);
        let options = W::table(seats, 1);
        self.create(seats, &options, 1);
        for (call, request, code, reason) in meaningless() {
            self.refused(call, &request, code, reason, None);
        }
        let table = create::<W>(&options, chance(1));
        let seat = W::pending(&table.state)[0].seat;
        let action = legal_actions::<W>(&table.state, seat, Detail::Moves).swap_remove(0);
        let mut request = self.action(seat, &action);
        request["expectedVersion"] = json!("7");
        self.refused("ApplyAction", &request, "ABORTED", "STALE_VERSION", None);
    }

    fn create(&mut self, seats: usize, options: &W::Options, seed: u64) {
        let names: Vec<String> = NAMES[..seats].iter().map(|&name| name.to_owned()).collect();
        let table = create::<W>(options, chance(seed));
        let options = self.json("Options", &W::options_message(options));
        // Bytes are base64 in protobuf JSON: a little-endian number and zeros.
        let seed = self.json_of(
            "gamekeeper.v1.SelfPlayResult",
            &gamekeeper_proto::gamekeeper::v1::SelfPlayResult {
                seed: Seed::from_number(seed).as_bytes().to_vec(),
                ..Default::default()
            },
        )["seed"]
            .take();
        let request = json!({"players": players_json(&names), "options": options, "seed": seed});
        let view = W::view_message(&W::view(&table.state, Viewer::Spectator));
        let mut answer = json!({"game": self.info(&table, 1), "view": self.json("View", &view)});
        answer["game"]["gameId"] = json!("$game");
        self.answered("CreateGame", &request, &answer);
    }

    /// The facts that a re-implementation must agree on.
    fn info(&self, table: &Applied<W>, version: u64) -> Value {
        let owed = pending(&W::pending(&table.state));
        let status = if owed.is_empty() {
            "GAME_STATUS_FINISHED"
        } else {
            "GAME_STATUS_ACTIVE"
        };
        let mut info = json!({
            "version": version.to_string(),
            "status": status,
            "pending": self.list("gamekeeper.v1.PendingDecision", &owed),
        });
        if let Some(ranking) = W::ranking(&table.state) {
            info["standings"] = self.list("gamekeeper.v1.Standing", &standings(&ranking));
        }
        info
    }

    fn action(&self, seat: Seat, action: &W::Action) -> Value {
        let action = self.json("Action", &W::action_message(action));
        json!({"gameId": "$game", "seat": seat.number(), "action": action})
    }

    /// A game of the ruleset's own random players: the first one whole, others up to the last that is
    /// new.
    fn game(&mut self, number: u64) {
        let (least, most) = (u64::from(W::SHEET.min_seats), u64::from(W::SHEET.max_seats));
        let seats =
            usize::try_from(least + (number - 1) % (most - least + 1)).expect("a few seats");
        let mut policy = chance(number + 1_000);
        let plan = Plan {
            title: &format!("game {number}"),
            seats,
            options: &W::table(seats, number),
            seed: number,
            whole: number == 1,
        };
        self.play(&plan, &mut |state, seat, legal| {
            let choice = W::choose(state, seat, legal, &mut policy);
            drop(policy.take_record());
            choice
        });
    }

    /// Plays a game: whole, or up to the last that is new.
    fn play(&mut self, plan: &Plan<W>, choose: &mut Choose<W>) {
        let &Plan { seats, options, .. } = plan;
        let begun = self.lines.len();
        self.session(plan.title);
        self.create(seats, options, plan.seed);
        let mut table = create::<W>(options, chance(plan.seed));
        let (mut version, mut useful, mut actor) = (1, begun, None);
        let mut is_new = false;
        loop {
            is_new |= self.news(&table, version, actor);
            is_new |= self.refusals(&table, seats);
            if is_new {
                useful = self.lines.len();
            }
            let owed = W::pending(&table.state);
            if plan.whole && (LOOKS.contains(&version) || owed.is_empty()) {
                self.look(&table, version, actor);
            }
            let Some(pending) = owed.first().copied() else {
                break;
            };
            if !plan.whole && self.is_done() || version == MOST_VERSIONS {
                break;
            }
            let legal = legal_actions::<W>(&table.state, pending.seat, Detail::Moves);
            let action = &legal[choose(&table.state, pending.seat, &legal)];
            table = apply::<W>(&table.state, &table.chance, pending.seat, action)
                .expect("a listed action");
            (version, actor) = (version + 1, Some(pending.seat));
            is_new = self.covers("action", W::kind(action));
            let mut request = self.action(pending.seat, action);
            request["viewMode"] = json!("VIEW_MODE_NONE");
            let answer = json!({"game": self.info(&table, version)});
            self.answered("ApplyAction", &request, &answer);
        }
        if !plan.whole {
            self.lines.truncate(useful);
        }
    }

    /// Records what was not recorded yet: the events of this version, the table and the list of a
    /// seat that owes a decision. True: there was something.
    fn news(&mut self, table: &Applied<W>, version: u64, actor: Option<Seat>) -> bool {
        let before = self.lines.len();
        let viewer = actor.unwrap_or(Seat::FIRST);
        let kinds: Vec<String> = seen::<W>(table, viewer)
            .map(|event| self.kind(&event))
            .collect();
        let new = kinds
            .iter()
            .filter(|kind| self.covers("event", kind))
            .count();
        if new > 0 {
            self.events(table, version, viewer, actor);
        }
        for pending in &W::pending(&table.state) {
            if self.covers("decision", &pending.decision.to_lowercase()) {
                self.table_of(table, version, pending.seat);
            }
        }
        self.lines.len() > before
    }

    /// The name of an event's kind.
    fn kind(&self, event: &W::Event) -> String {
        let name = format!("{}.Event", W::PACKAGE);
        let kind = self.pool.get_message_by_name(&name).expect("Event");
        let bytes = W::event_message(event, None).encode_to_vec();
        let message = DynamicMessage::decode(kind, &*bytes).expect("its bytes");
        let mut fields = message.fields();
        let (field, _) = fields.next().expect("a kind");
        field.name().to_owned()
    }

    /// Actions that are refused for a reason that was not recorded yet. True: there were some.
    fn refusals(&mut self, table: &Applied<W>, seats: usize) -> bool {
        let before = self.lines.len();
        let wanted = self.wanted.iter().filter(|one| one.starts_with("refusal "));
        if wanted.into_iter().all(|one| self.covered.contains(one)) {
            return false;
        }
        for seat in Seat::all(seats) {
            for action in universe::<W>(&table.state, seat) {
                let Err(refusal) = W::check(&table.state, seat, &action) else {
                    continue;
                };
                let code = refusal.code();
                let known = self.covered.contains(&mark("refusal", code));
                if known || !survives::<W>(&action) {
                    continue;
                }
                self.covers("refusal", code);
                let mut request = self.action(seat, &action);
                request["validateOnly"] = json!(true);
                self.refused(
                    "ApplyAction",
                    &request,
                    "FAILED_PRECONDITION",
                    code,
                    Some(refusal.rule),
                );
            }
        }
        self.lines.len() > before
    }

    /// What everybody sees, what happened, and what may be done.
    fn look(&mut self, table: &Applied<W>, version: u64, actor: Option<Seat>) {
        let game = json!({"gameId": "$game"});
        let view = W::view_message(&W::view(&table.state, Viewer::Spectator));
        let answer = json!({"game": self.info(table, version), "view": self.json("View", &view)});
        self.answered("GetGame", &game, &answer);
        let pending = W::pending(&table.state).first().copied();
        if let Some(pending) = pending {
            self.table_of(table, version, pending.seat);
        }
        let viewer = pending.map(|pending| pending.seat).or(actor);
        self.events(table, version, viewer.unwrap_or(Seat::FIRST), actor);
    }

    /// What a seat sees, and what it may do.
    fn table_of(&mut self, table: &Applied<W>, version: u64, viewer: Seat) {
        let seat = viewer.number();
        let request =
            json!({"gameId": "$game", "viewer": {"kind": "VIEWER_KIND_SEAT", "seat": seat}});
        let view = W::view_message(&W::view(&table.state, Viewer::Seat(viewer)));
        self.answered(
            "GetGame",
            &request,
            &json!({"view": self.json("View", &view)}),
        );
        let legal = legal_actions::<W>(&table.state, viewer, Detail::Moves);
        let shown: Vec<Value> = legal
            .iter()
            .take(50)
            .map(|action| self.json("Action", &W::action_message(action)))
            .collect();
        let request = json!({"gameId": "$game", "seat": seat, "pageSize": 50});
        self.answered(
            "ListLegalActions",
            &request,
            &json!({"version": version.to_string(), "actions": shown}),
        );
    }

    /// What a seat learns of a version.
    fn events(&mut self, table: &Applied<W>, version: u64, viewer: Seat, actor: Option<Seat>) {
        let names = NAMES.map(str::to_owned);
        let told = |event: W::Event| {
            let text = event.sentence(Names::new(&names));
            self.json("Event", &W::event_message(&event, Some(text)))
        };
        let events: Vec<Value> = seen::<W>(table, viewer).map(told).collect();
        let request = json!({
            "gameId": "$game",
            "viewer": {"kind": "VIEWER_KIND_SEAT", "seat": viewer.number()},
            "afterVersion": (version - 1).to_string(),
            "withText": true,
        });
        let mut logged = json!({"version": version.to_string(), "events": events});
        if let Some(actor) = actor {
            logged["seat"] = json!(actor.number());
        }
        self.answered("ListEvents", &request, &json!({"versions": [logged]}));
    }
}

/// Requests that mean nothing in any game: call, request, status and reason.
fn meaningless() -> [(&'static str, Value, &'static str, &'static str); 9] {
    let with = |key: &str, value: Value| {
        let mut request = json!({"gameId": "$game"});
        request[key] = value;
        request
    };
    let missing = json!({"gameId": "00000000-0000-8000-8000-000000000000"});
    let (not_found, wrong) = (
        ("NOT_FOUND", "NO_SUCH_GAME"),
        ("INVALID_ARGUMENT", "MALFORMED"),
    );
    let no_seat = ("INVALID_ARGUMENT", "NO_SUCH_SEAT");
    let viewer = json!({"kind": "VIEWER_KIND_SPECTATOR", "seat": 1});
    [
        ("GetGame", missing, not_found),
        ("GetGame", json!({"gameId": "no id"}), not_found),
        (
            "GetGame",
            with("atVersion", json!("99")),
            ("OUT_OF_RANGE", "NO_SUCH_VERSION"),
        ),
        ("GetGame", with("viewer", viewer), wrong),
        ("ApplyAction", with("seat", json!(1)), wrong),
        ("ApplyAction", with("seat", json!(0)), no_seat),
        ("ListLegalActions", with("seat", json!(0)), no_seat),
        ("ListEvents", with("pageSize", json!(-1)), wrong),
        ("CreateGame", json!({"players": [{"name": ""}]}), wrong),
    ]
    .map(|(call, request, (code, reason))| (call, request, code, reason))
}

/// The events of a version that a seat may know.
fn seen<W: Ruleset>(table: &Applied<W>, seat: Seat) -> impl Iterator<Item = W::Event> {
    let events = table.events.iter();
    events.filter_map(move |event| W::event_view(event, Viewer::Seat(seat)))
}

/// Does an action mean the same after its journey? What is malformed never reaches the rules.
fn survives<W: Wire>(action: &W::Action) -> bool {
    W::action(W::action_message(action)).as_ref() == Ok(action)
}

fn chance(number: u64) -> Chance {
    Chance::from_seed(&Seed::from_number(number))
}

fn players_json(names: &[String]) -> Value {
    names.iter().map(|name| json!({"name": name})).collect()
}
