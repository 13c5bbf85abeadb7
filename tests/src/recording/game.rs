//! Games: the actions, and what everybody sees of them.

use gamekeeper_rules::conformance::{Audit, universe};
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions, tell};
use gamekeeper_rules::table::{Detail, Kind, Names, Scene, Seat, Viewer};
use gamekeeper_wire::{Wire, joined_event, joined_view, legal_action};
use serde_json::{Value, json};

use super::asking::{act, info};
use super::{MAX_VERSIONS, NAMES, PAIR_GAMES, Recorder, chance, json as message};

/// A table and a list are recorded at these versions, and at the end.
const LOOKS: [u64; 3] = [1, 5, 40];

/// One game to be recorded.
pub(super) struct Plan<'a, W: Ruleset> {
    pub(super) title: &'a str,
    pub(super) seats: usize,
    pub(super) options: &'a W::Options,
    pub(super) seed: u64,
    /// Is it recorded to its end, with looks at the table?
    pub(super) whole: bool,
    /// The recording ends when all of this is covered; if empty, with the last new item.
    pub(super) until: &'a [&'a str],
}

/// Chooses one of the legal actions of a seat, as an index.
pub(super) type Choose<'a, W> =
    dyn FnMut(&<W as Ruleset>::State, Seat, &[<W as Ruleset>::Action]) -> usize + 'a;

/// A version of a game.
struct Moment<'a, W: Ruleset> {
    table: &'a Applied<W>,
    version: u64,
    /// The seat that acted; `None` in the set-up.
    actor: Option<Seat>,
    /// What sentences know of the table before it.
    scene: &'a Scene,
}

impl<W: Wire + Audit> Recorder<W> {
    /// A game of the ruleset's own random players: the first one in full, others up to the last new
    /// item.
    pub(super) fn game(&mut self, number: u64) {
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
            until: &[],
        };
        self.play(&plan, &mut |state, seat, legal| {
            let choice = W::choose(state, seat, legal, &mut policy);
            drop(policy.take_record());
            choice
        });
    }

    /// Plays a game: in full, or up to the last new item.
    pub(super) fn play(&mut self, plan: &Plan<W>, choose: &mut Choose<W>) {
        let &Plan { seats, options, .. } = plan;
        let begun = self.lines.len();
        self.session(plan.title);
        self.create(seats, options, plan.seed);
        let mut table = create::<W>(options, chance(plan.seed));
        let (mut version, mut useful, mut actor) = (1, begun, None);
        let mut scene = Scene::default();
        let mut is_new = false;
        loop {
            let now = Moment {
                table: &table,
                version,
                actor,
                scene: &scene,
            };
            is_new |= self.news(&now);
            is_new |= self.refusals(&table, seats);
            if is_new {
                useful = self.lines.len();
            }
            let owed = W::pending(&table.state);
            if plan.whole && (LOOKS.contains(&version) || owed.is_empty()) {
                self.look(&now);
            }
            let Some(pending) = owed.first().copied() else {
                break;
            };
            let is_there = |one: &&str| self.covered.contains(*one);
            let is_found = !plan.until.is_empty() && plan.until.iter().all(is_there);
            let is_enough = !plan.whole && plan.seed > PAIR_GAMES && self.is_done();
            if is_enough || is_found || version == MAX_VERSIONS {
                break;
            }
            let legal = legal_actions::<W>(&table.state, pending.seat, Detail::Moves);
            let action = &legal[choose(&table.state, pending.seat, &legal)];
            scene = W::scene(&table.state).unwrap_or_default();
            table = apply::<W>(&table.state, &table.chance, pending.seat, action)
                .expect("a listed action");
            (version, actor) = (version + 1, Some(pending.seat));
            is_new = self.covers("action", W::kind(action));
            let request = act::<W>(pending.seat, action);
            let answer = json!({"table": {"game": info(&table, version)}});
            self.answered("ApplyAction", &request, &answer);
        }
        if !plan.whole {
            self.lines.truncate(useful);
        }
    }

    /// Records what is new: the events of this version, the table and the list of a seat that owes
    /// a decision. True: there was something new.
    fn news(&mut self, now: &Moment<'_, W>) -> bool {
        let before = self.lines.len();
        let viewer = now.actor.unwrap_or(Seat::FIRST);
        let table = now.table;
        let kinds: Vec<&str> = seen::<W>(table, viewer)
            .map(|(event, _)| event.kind())
            .collect();
        let new = kinds
            .iter()
            .filter(|kind| self.covers("event", kind))
            .count();
        if new > 0 {
            self.events(now, viewer);
        }
        for pending in &W::pending(&table.state) {
            if self.covers("decision", &pending.decision.to_lowercase()) {
                self.table_of(table, now.version, pending.seat);
            }
        }
        self.lines.len() > before
    }

    /// Records actions that are refused for a new reason, or by a new paragraph. True: there were some.
    fn refusals(&mut self, table: &Applied<W>, seats: usize) -> bool {
        let before = self.lines.len();
        for seat in Seat::all(seats) {
            for action in universe::<W>(&table.state, seat) {
                let Err(refusal) = W::check(&table.state, seat, &action) else {
                    continue;
                };
                let code = refusal.code();
                let pair = (code, refusal.rule);
                if self.pairs.contains(&pair) || !survives::<W>(&action) {
                    continue;
                }
                self.pairs.insert(pair);
                self.covers("refusal", code);
                let mut request = act::<W>(seat, &action);
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

    /// Records what everybody sees, what happened, and what is legal.
    fn look(&mut self, now: &Moment<'_, W>) {
        let &Moment {
            table,
            version,
            actor,
            ..
        } = now;
        let request = json!({"gameId": "$game", "show": {"view": true}});
        let view = joined_view::<W>(&W::view(&table.state, Viewer::Spectator));
        let shown = json!({"game": info(table, version), "view": message("View", &view)});
        self.answered("GetGame", &request, &json!({"table": shown}));
        let pending = W::pending(&table.state).first().copied();
        if let Some(pending) = pending {
            self.table_of(table, version, pending.seat);
        }
        let viewer = pending.map(|pending| pending.seat).or(actor);
        self.events(now, viewer.unwrap_or(Seat::FIRST));
    }

    /// Records what a seat sees, and what it may do.
    fn table_of(&mut self, table: &Applied<W>, version: u64, viewer: Seat) {
        let seat = viewer.number();
        let request = json!({
            "gameId": "$game",
            "viewer": {"kind": "VIEWER_KIND_SEAT", "seat": seat},
            "show": {"view": true},
        });
        let view = joined_view::<W>(&W::view(&table.state, Viewer::Seat(viewer)));
        let shown = json!({"view": message("View", &view)});
        self.answered("GetGame", &request, &json!({"table": shown}));
        let legal = legal_actions::<W>(&table.state, viewer, Detail::Moves);
        let shown: Vec<Value> = legal
            .iter()
            .take(50)
            .map(|action| message("LegalAction", &legal_action::<W>(action, None)))
            .collect();
        let request = json!({"gameId": "$game", "seat": seat, "pageSize": 50});
        self.answered(
            "ListLegalActions",
            &request,
            &json!({"version": version.to_string(), "actions": shown}),
        );
    }

    /// Records what a seat sees of a version.
    fn events(&mut self, now: &Moment<'_, W>, viewer: Seat) {
        let &Moment {
            table,
            version,
            actor,
            ..
        } = now;
        let (names, mut scene) = (NAMES.map(str::to_owned), now.scene.clone());
        let told = |(event, is_forced): (W::Event, bool)| {
            let text = tell::<W>(&event, is_forced, &names, &mut scene);
            message("Event", &joined_event::<W>(&event, is_forced, Some(text)))
        };
        let mut events: Vec<Value> = seen::<W>(table, viewer).map(told).collect();
        events.extend(ended(table));
        let request = json!({
            "gameId": "$game",
            "viewer": {"kind": "VIEWER_KIND_SEAT", "seat": viewer.number()},
            "afterVersion": (version - 1).to_string(),
            "show": {"text": true},
        });
        let mut logged = json!({"version": version.to_string(), "events": events});
        if let Some(actor) = actor {
            logged["seat"] = json!(actor.number());
        }
        self.answered("ListEvents", &request, &json!({"entries": [logged]}));
    }
}

/// The event of the end, if the rules have ended the game.
fn ended<W: Ruleset>(table: &Applied<W>) -> Option<Value> {
    let ranking = W::ranking(&table.state)?;
    let names = NAMES.map(str::to_owned);
    Some(json!({
        "kind": "ended",
        "text": ranking.outcome(Names::new(&names), W::SHEET.unit),
        "table": {"ended": {"reason": "END_REASON_RULES"}},
    }))
}

/// The events of a version that a seat may know, each with whether it tells a forced action.
fn seen<W: Ruleset>(table: &Applied<W>, seat: Seat) -> impl Iterator<Item = (W::Event, bool)> {
    table.told().filter_map(move |(event, is_forced)| {
        let seen = W::event_view(event, Viewer::Seat(seat))?;
        Some((seen, is_forced))
    })
}

/// Does an action survive encoding and decoding? Malformed ones never reach the rules.
fn survives<W: Wire>(action: &W::Action) -> bool {
    W::action(W::action_message(action)).as_ref() == Ok(action)
}
