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
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Names, Refusal, Seat, Seed, Sentence, Viewer};
use gamekeeper_wire::{PbOptions, Wire, pending, standings};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::{Value, json};

/// The names of players, in seat order.
const NAMES: [&str; 5] = ["Ada", "Bob", "Cyd", "Dan", "Eve"];

/// At most so many games are played in search of refusals.
const MOST_GAMES: u64 = 24;

/// A whole game may have at most so many versions.
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
    /// The codes of refusals that occur in it.
    pub covered: BTreeSet<&'static str>,
}

/// Records sessions of a ruleset: refused options, a whole game, games of players who seek rare
/// refusals, and games of random ones as long as they bring new refusals. `given_up` are codes that
/// are not looked for.
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
        ruleset: std::marker::PhantomData,
    };
    recorder.creations(wrong);
    recorder.service();
    let wanted: BTreeSet<&str> = W::Refusal::CODES
        .iter()
        .copied()
        .filter(|code| !given_up.contains(code))
        .collect();
    recorder.game(1, &wanted);
    for quest in quests {
        recorder.quest(quest, &wanted);
    }
    for number in 2..=MOST_GAMES {
        if wanted.iter().all(|code| recorder.covered.contains(code)) {
            break;
        }
        recorder.game(number, &wanted);
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
    covered: BTreeSet<&'static str>,
    ruleset: std::marker::PhantomData<W>,
}

impl<W: Wire + Audit> Recorder<W> {
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
            self.covered.insert(refusal.code());
            let request = json!({"players": players_json(&names), "options": options});
            self.refused(
                "CreateGame",
                &request,
                "INVALID_ARGUMENT",
                refusal.code(),
                Some(refusal.rule),
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

    /// A game of the ruleset's own random players: the first one whole, others up to the last new
    /// refusal.
    fn game(&mut self, number: u64, wanted: &BTreeSet<&str>) {
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
        self.play(&plan, wanted, &mut |state, seat, legal| {
            let choice = W::choose(state, seat, legal, &mut policy);
            drop(policy.take_record());
            choice
        });
    }

    /// Plays a game: whole, or up to the last new refusal.
    fn play(&mut self, plan: &Plan<W>, wanted: &BTreeSet<&str>, choose: &mut Choose<W>) {
        let &Plan { seats, options, .. } = plan;
        let begun = self.lines.len();
        self.session(plan.title);
        self.create(seats, options, plan.seed);
        let mut table = create::<W>(options, chance(plan.seed));
        let (mut version, mut useful, mut actor) = (1, begun, 0);
        loop {
            if self.refusals(&table, seats, wanted) {
                useful = self.lines.len();
            }
            let owed = W::pending(&table.state);
            if plan.whole && (LOOKS.contains(&version) || owed.is_empty()) {
                self.look(&table, version, actor);
            }
            let Some(pending) = owed.first().copied() else {
                break;
            };
            let enough = !plan.whole && wanted.iter().all(|code| self.covered.contains(code));
            if enough || version == MOST_VERSIONS {
                break;
            }
            let legal = legal_actions::<W>(&table.state, pending.seat, Detail::Moves);
            let action = &legal[choose(&table.state, pending.seat, &legal)];
            table = apply::<W>(&table.state, &table.chance, pending.seat, action)
                .expect("a listed action");
            (version, actor) = (version + 1, pending.seat.number());
            let mut request = self.action(pending.seat, action);
            request["viewMode"] = json!("VIEW_MODE_NONE");
            let answer = json!({"game": self.info(&table, version)});
            self.answered("ApplyAction", &request, &answer);
        }
        if !plan.whole {
            self.lines.truncate(useful);
        }
    }

    /// Actions that are refused for a reason that was not recorded yet. True: there were some.
    fn refusals(&mut self, table: &Applied<W>, seats: usize, wanted: &BTreeSet<&str>) -> bool {
        let before = self.lines.len();
        if wanted.iter().all(|code| self.covered.contains(code)) {
            return false;
        }
        // The last one has no place at this table, or at no table at all.
        for seat in (1..=u8::try_from(seats).unwrap_or(5) + 1).filter_map(Seat::new) {
            let somebody = if seat.index() < seats {
                seat
            } else {
                Seat::FIRST
            };
            for action in W::universe(&table.state, somebody) {
                let Err(refusal) = W::check(&table.state, seat, &action) else {
                    continue;
                };
                let code = refusal.code();
                if self.covered.contains(code) || !survives::<W>(&action) {
                    continue;
                }
                self.covered.insert(code);
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
    fn look(&mut self, table: &Applied<W>, version: u64, actor: u8) {
        let game = json!({"gameId": "$game"});
        let view = W::view_message(&W::view(&table.state, Viewer::Spectator));
        let answer = json!({"game": self.info(table, version), "view": self.json("View", &view)});
        self.answered("GetGame", &game, &answer);
        let Some(pending) = W::pending(&table.state).first().copied() else {
            return;
        };
        let seat = pending.seat.number();
        let request =
            json!({"gameId": "$game", "viewer": {"kind": "VIEWER_KIND_SEAT", "seat": seat}});
        let view = W::view_message(&W::view(&table.state, Viewer::Seat(pending.seat)));
        self.answered(
            "GetGame",
            &request,
            &json!({"view": self.json("View", &view)}),
        );
        let legal = legal_actions::<W>(&table.state, pending.seat, Detail::Moves);
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
        let names = NAMES.map(str::to_owned);
        let told = |event: W::Event| {
            let text = event.sentence(Names::new(&names));
            self.json("Event", &W::event_message(&event, Some(text)))
        };
        let viewer = Viewer::Seat(pending.seat);
        let events: Vec<Value> = table
            .events
            .iter()
            .filter_map(|event| W::event_view(event, viewer))
            .map(told)
            .collect();
        let request = json!({
            "gameId": "$game",
            "viewer": {"kind": "VIEWER_KIND_SEAT", "seat": seat},
            "afterVersion": (version - 1).to_string(),
            "withText": true,
        });
        let mut logged = json!({"version": version.to_string(), "events": events});
        if actor > 0 {
            logged["seat"] = json!(actor);
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
        ("ApplyAction", with("seat", json!(0)), wrong),
        ("ListLegalActions", with("seat", json!(0)), wrong),
        ("ListEvents", with("pageSize", json!(-1)), wrong),
        ("CreateGame", json!({"players": [{"name": ""}]}), wrong),
    ]
    .map(|(call, request, (code, reason))| (call, request, code, reason))
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
