//! Records games: the actions, and what all viewers see of them.

use std::collections::BTreeMap;

use gamekeeper_games::errors::RulesRefusal;
use gamekeeper_rules::conformance::{Audit, universe};
use gamekeeper_rules::ruleset::{Applied, RefusedBy, Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::{Detail, Kind, Seat, TextContext, Viewer};
use gamekeeper_wire::{Wire, legal_action};
use serde_json::{Value, json};

use super::asking::{act, info};
use super::met::Met;
use super::shown::{Moment, drawn, event_messages, listed, view_of, visible_events};
use super::{MAX_VERSIONS, PAIR_GAMES, Recorder, chance, json as message};

/// The versions at which a table and a list are recorded; both are also recorded at the end.
const LOOKS: [u64; 3] = [1, 5, 40];

/// The interval, in versions, at which refusals are searched for new sentences. The search is slow.
const SENTENCES: u64 = 20;

/// The number of decisions of each kind before which refusals are searched too.
const RARE: usize = 6;

/// The interval, in versions, at which lists and tables get digests if refusals are recorded too.
const SELDOM: u64 = 3;

/// The plan of one game to record.
pub(super) struct Plan<'a, W: Ruleset> {
    pub(super) title: &'a str,
    pub(super) seats: usize,
    pub(super) options: &'a W::Options,
    pub(super) seed: u64,
    pub(super) extent: Extent,
    /// The items after which the recording ends, once all are covered. If empty, it ends with the last new item.
    pub(super) until: &'a [&'a str],
}

/// The extent to which a game is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Records everything up to the last new item.
    News,
    /// Records everything up to the end of the game, with looks at the table.
    Whole,
    /// Records everything up to the end of the game except refusals.
    Legal,
}

/// A function that chooses one of the legal actions of a seat, as an index.
pub(super) type Choose<'a, W> =
    dyn FnMut(&<W as Ruleset>::State, Seat, &[<W as Ruleset>::Action]) -> usize + 'a;

/// Returns a number of seats, cycling through those that the ruleset allows.
pub(super) fn seats_of<W: Ruleset>(number: u64) -> usize {
    let (least, most) = (u64::from(W::INFO.min_seats), u64::from(W::INFO.max_seats));
    usize::try_from(least + (number - 1) % (most - least + 1)).expect("a few seats")
}

impl<W: Wire + Audit> Recorder<W> {
    /// Records a game of the ruleset's own random players: the first game in full, others up to the last new item.
    pub(super) fn game(&mut self, number: u64) {
        let seats = seats_of::<W>(number);
        let mut policy = chance(number + 1_000);
        let plan = Plan {
            title: &format!("game {number}"),
            seats,
            options: &W::table(seats, number),
            seed: number,
            extent: if number == 1 {
                Extent::Whole
            } else {
                Extent::News
            },
            until: &[],
        };
        self.play(&plan, &mut |state, seat, legal| {
            let choice = W::choose(state, seat, legal, &mut policy);
            drop(policy.take_record());
            choice
        });
    }

    /// Plays a game and records it in full or up to the last new item.
    pub(super) fn play(&mut self, plan: &Plan<W>, choose: &mut Choose<W>) {
        let &Plan {
            seats,
            options,
            extent,
            ..
        } = plan;
        let begun = self.lines.len();
        self.session(plan.title);
        self.create(seats, options, plan.seed);
        let mut table = create::<W>(options, chance(plan.seed));
        let (mut version, mut useful, mut actor) = (1, begun, None);
        let mut scene = TextContext::default();
        let mut draws = vec![drawn(&table)];
        let mut is_new = false;
        loop {
            let now = Moment {
                table: &table,
                version,
                actor,
                scene: &scene,
            };
            is_new |= self.arrive(&now, seats, extent);
            if is_new {
                useful = self.lines.len();
            }
            let decisions = W::pending(&table.state);
            let Some(pending) = decisions.first().copied() else {
                if extent != Extent::News {
                    self.luck(&draws);
                }
                break;
            };
            if self.is_enough(plan, version) {
                break;
            }
            let legal = legal_actions::<W>(&table.state, pending.seat, Detail::Moves);
            let action = &legal[choose(&table.state, pending.seat, &legal)];
            scene = W::text_context(&table.state).unwrap_or_default();
            table = apply::<W>(&table.state, &table.chance, pending.seat, action)
                .expect("a listed action");
            (version, actor) = (version + 1, Some(pending.seat));
            draws.push(drawn(&table));
            is_new = self.covers("action", W::kind(action));
            let now = Moment {
                table: &table,
                version,
                actor,
                scene: &scene,
            };
            self.acted(&now, pending.seat, act::<W>(pending.seat, action));
            if extent == Extent::Legal || version.is_multiple_of(SELDOM) {
                self.digests(&now, seats);
            }
        }
        if extent == Extent::News {
            self.lines.truncate(useful);
        }
    }

    /// Records the new items of a version. Returns `true` if there were any.
    fn arrive(&mut self, now: &Moment<'_, W>, seats: usize, extent: Extent) -> bool {
        let mut is_new = self.news(now);
        if extent != Extent::Legal {
            is_new |= self.refusals(now.table, seats, now.version);
        }
        let is_over = W::pending(&now.table.state).is_empty();
        if extent == Extent::Whole && (LOOKS.contains(&now.version) || is_over) {
            self.look(now);
        }
        is_new
    }

    /// Returns whether everything is recorded that the game is played for.
    fn is_enough(&self, plan: &Plan<'_, W>, version: u64) -> bool {
        let is_there = |one: &&str| self.covered.contains(*one);
        let is_found = !plan.until.is_empty() && plan.until.iter().all(is_there);
        let is_news = plan.extent == Extent::News;
        let is_done = is_news && plan.seed > PAIR_GAMES && self.is_done();
        is_done || is_found || version == MAX_VERSIONS
    }

    /// Records all draws of a finished game, with the meaning of each value.
    fn luck(&mut self, draws: &[Value]) {
        let header = [json!({"header": {}})];
        let versions = draws
            .iter()
            .map(|draws| json!({"version": {"draws": draws}}));
        let answers: Vec<Value> = header.into_iter().chain(versions).collect();
        self.lines.push(json!({
            "call": "ExportGame",
            "request": {"gameId": "$game"},
            "answers": answers,
        }));
    }

    /// Records new items: the events of this version, and the table and the list of a seat with a pending decision.
    /// Returns `true` if there were any.
    fn news(&mut self, now: &Moment<'_, W>) -> bool {
        let before = self.lines.len();
        let viewer = now.actor.unwrap_or(Seat::FIRST);
        let table = now.table;
        let kinds: Vec<&str> = visible_events::<W>(table, viewer)
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

    /// Records actions that are refused for a new reason or by a new paragraph. At some versions, and where a decision
    /// is rare, also those with a new sentence, and one arbitrary action for each reason and paragraph. Returns `true`
    /// if there were any.
    fn refusals(&mut self, table: &Applied<W>, seats: usize, version: u64) -> bool {
        let decisions = W::pending(&table.state)
            .into_iter()
            .map(|pending| pending.decision);
        let is_rare = decisions.fold(false, |is_rare, decision| {
            let looks = self.looks.entry(decision).or_default();
            *looks += 1;
            is_rare || *looks <= RARE
        });
        let looks = is_rare || version.is_multiple_of(SENTENCES);
        if looks {
            self.refused.values_mut().for_each(Met::begin);
        }
        let mut is_new = false;
        for seat in Seat::all(seats) {
            for action in universe::<W>(&table.state, seat) {
                let Err(refusal) = W::check(&table.state, seat, &action) else {
                    continue;
                };
                let code = refusal.code();
                let met = self.refused.entry((code, refusal.rule)).or_default();
                let is_one = looks && met.is_one(version);
                let may_be_new = met.may_be_new(looks);
                if !is_one && !may_be_new || !survives::<W>(&action) {
                    continue;
                }
                let new = may_be_new && met.is_new(&refusal.to_string());
                if new || is_one {
                    self.covers("refusal", code);
                    self.refused_action(seat, &action, &refusal);
                }
                is_new |= new;
            }
        }
        is_new
    }

    /// Records a refused action, with the sentence and the metadata of the refusal.
    fn refused_action(&mut self, seat: Seat, action: &W::Action, refusal: &RefusedBy<W>) {
        let mut refused = RulesRefusal::of::<W>(refusal);
        refused.locate_unknown_name::<W>(&W::encoded_action(action), "action");
        let mut metadata = BTreeMap::from([(String::from("rule"), refused.rule.to_owned())]);
        metadata.extend(refused.detail.into_iter().flat_map(|detail| detail.texts));
        let mut request = act::<W>(seat, action);
        request["validateOnly"] = json!(true);
        let refusal = json!({
            "code": "FAILED_PRECONDITION",
            "reason": refused.code,
            "rule": refused.rule,
            "message": refused.message,
            "metadata": metadata,
        });
        self.lines
            .push(json!({"call": "ApplyAction", "request": request, "refusal": refusal}));
    }

    /// Records an action: the public facts, and digests of the seat's view and of the events.
    fn acted(&mut self, now: &Moment<'_, W>, seat: Seat, mut request: Value) {
        request["show"] = json!({"view": true, "events": true, "text": true, "components": true});
        let answer = json!({"table": {"game": info(now.table, now.version)}});
        let view = view_of::<W>(&now.table.state, Viewer::Seat(seat));
        let digested = [
            ("/table/view", view),
            ("/entry/events", event_messages(now, seat, true)),
        ];
        self.digested("ApplyAction", &request, &answer, digested);
    }

    /// Records digests of the legal actions of the next seat, and of the view of one viewer, who changes with the
    /// version.
    fn digests(&mut self, now: &Moment<'_, W>, seats: usize) {
        let &Moment { table, version, .. } = now;
        if let Some(pending) = W::pending(&table.state).first() {
            let request = json!({
                "gameId": "$game",
                "seat": pending.seat.number(),
                "show": {"text": true, "components": true, "amounts": true},
            });
            let answer = json!({"version": version.to_string()});
            let listed = [("/actions", listed::<W>(&table.state, pending.seat))];
            self.digested("ListLegalActions", &request, &answer, listed);
        }
        let turn = usize::try_from(version).expect("a few versions") % (seats + 1);
        let (viewer, request) = match Seat::all(seats).nth(turn) {
            Some(seat) => (
                Viewer::Seat(seat),
                json!({"kind": "VIEWER_KIND_SEAT", "seat": seat.number()}),
            ),
            None => (Viewer::Spectator, json!({"kind": "VIEWER_KIND_SPECTATOR"})),
        };
        let request = json!({"gameId": "$game", "viewer": request, "show": {"view": true}});
        let answer = json!({"table": {"game": {"version": version.to_string()}}});
        let view = [("/table/view", view_of::<W>(&table.state, viewer))];
        self.digested("GetGame", &request, &answer, view);
    }

    /// Records the views of all seats, the events and the legal actions.
    fn look(&mut self, now: &Moment<'_, W>) {
        let &Moment {
            table,
            version,
            actor,
            ..
        } = now;
        let request = json!({"gameId": "$game", "show": {"view": true}});
        let view = view_of::<W>(&table.state, Viewer::Spectator);
        let shown = json!({"game": info(table, version), "view": view});
        self.answered("GetGame", &request, &json!({"table": shown}));
        let pending = W::pending(&table.state).first().copied();
        if let Some(pending) = pending {
            self.table_of(table, version, pending.seat);
        }
        let viewer = pending.map(|pending| pending.seat).or(actor);
        self.events(now, viewer.unwrap_or(Seat::FIRST));
    }

    /// Records the view of a seat and its legal actions.
    fn table_of(&mut self, table: &Applied<W>, version: u64, viewer: Seat) {
        let seat = viewer.number();
        let request = json!({
            "gameId": "$game",
            "viewer": {"kind": "VIEWER_KIND_SEAT", "seat": seat},
            "show": {"view": true},
        });
        let shown = json!({"view": view_of::<W>(&table.state, Viewer::Seat(viewer))});
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

    /// Records the events of a version as a seat sees them.
    fn events(&mut self, now: &Moment<'_, W>, viewer: Seat) {
        let &Moment { version, actor, .. } = now;
        let request = json!({
            "gameId": "$game",
            "viewer": {"kind": "VIEWER_KIND_SEAT", "seat": viewer.number()},
            "afterVersion": (version - 1).to_string(),
            "show": {"text": true},
        });
        let events = event_messages(now, viewer, false);
        let mut logged = json!({"version": version.to_string(), "events": events});
        if let Some(actor) = actor {
            logged["seat"] = json!(actor.number());
        }
        self.answered("ListEvents", &request, &json!({"entries": [logged]}));
    }
}

/// Returns whether an action survives encoding and decoding. A malformed action never reaches the rules.
fn survives<W: Wire>(action: &W::Action) -> bool {
    W::action(W::action_message(action)).as_ref() == Ok(action)
}
