use proptest::prelude::*;

use super::super::webhook::Kind;
use super::*;

const DAY: u64 = 86_400_000;

/// Creates the webhooks of a version, for this number of seats.
fn news(number: usize, game: &str, version: u64, seats: u32) -> News {
    let webhook = |seat| Webhook {
        kind: Kind::YourTurn,
        game: game.to_owned(),
        version,
        seat,
        user: String::new(),
        due_ms: None,
        time_ms: version,
    };
    News {
        cursor: Some(number.to_string()),
        game: game.to_owned(),
        is_start: version == 1,
        played_ms: version,
        webhooks: (1..=seats).map(webhook).collect(),
        waiting: Vec::new(),
    }
}

fn dispatcher(capacity: usize) -> Dispatcher {
    Dispatcher::new(capacity, Duration::from_millis(3 * DAY))
}

fn reminder(game: &str) -> Webhook {
    Webhook {
        kind: Kind::DueSoon,
        ..news(0, game, 1, 1).webhooks.remove(0)
    }
}

/// Starts everything that may be sent, and returns it.
fn started(dispatcher: &mut Dispatcher, now_ms: u64) -> Vec<Attempt> {
    std::iter::from_fn(|| dispatcher.start(now_ms)).collect()
}

#[test]
fn webhooks_of_a_game_follow_each_other_and_games_do_not_wait_for_others() {
    let mut all = dispatcher(10);
    all.accept(news(1, "a", 1, 2), None);
    all.accept(news(2, "b", 1, 1), None);
    all.accept(news(3, "a", 2, 1), None);
    let first = started(&mut all, 0);
    let of = |attempts: &[Attempt]| -> Vec<(String, u64, u32)> {
        let rows = attempts.iter().map(|one| &one.webhook);
        rows.map(|one| (one.game.clone(), one.version, one.seat))
            .collect()
    };
    assert_eq!(of(&first), [("a".into(), 1, 1), ("b".into(), 1, 1)]);
    all.delivered(&first[1].game, 0);
    assert_eq!(all.take_cursor(), None, "the first message is not settled");
    all.delivered(&first[0].game, 0);
    let second = started(&mut all, 0);
    assert_eq!(of(&second), [("a".into(), 1, 2)]);
    all.delivered(&second[0].game, 0);
    assert_eq!(all.take_cursor().as_deref(), Some("2"));
    let third = started(&mut all, 0);
    assert_eq!(of(&third), [("a".into(), 2, 1)]);
    all.delivered(&third[0].game, 0);
    assert_eq!(all.take_cursor().as_deref(), Some("3"));
    assert_eq!(all.figures(), Figures::default());
}

#[test]
fn games_that_fail_leave_half_of_the_room_to_others() {
    let mut all = dispatcher(4);
    for number in 0..20 {
        all.accept(news(number, &format!("bad {number}"), 1, 1), None);
    }
    let mut now_ms = 0;
    while all.figures().failing < 20 {
        for attempt in started(&mut all, now_ms) {
            let verdict = all.failed(&attempt.game, now_ms, Setback::default());
            assert_eq!(verdict, Verdict::Retry);
        }
    }
    now_ms += DAY;
    assert_eq!(started(&mut all, now_ms).len(), 2, "retries");
    for number in 0..4 {
        all.accept(news(20 + number, &format!("good {number}"), 1, 1), None);
    }
    let fresh = started(&mut all, now_ms);
    assert_eq!(fresh.len(), 2);
    assert!(fresh.iter().all(|one| one.game.starts_with("good")));
    assert_eq!(all.in_flight.len(), 4);
}

#[test]
fn requests_that_hang_leave_room_for_others_after_a_second() {
    let mut all = dispatcher(4);
    for number in 0..40 {
        all.accept(news(number, &format!("hangs {number}"), 1, 1), None);
    }
    all.accept(news(40, "good", 1, 1), None);
    let mut most = 0;
    for second in 0..20 {
        let begun = started(&mut all, 1_000 * second);
        assert!(begun.len() <= 4);
        most = most.max(all.in_flight.len());
    }
    assert_eq!(most, 32, "they are bounded all the same");
    while let Some((_, game)) = all.in_flight.first().cloned() {
        all.failed(&game, 20_000, Setback::default());
    }
    let begun: Vec<_> = (20..23)
        .flat_map(|second| started(&mut all, 1_000 * second))
        .collect();
    assert!(begun.iter().any(|one| &*one.game == "good"));
}

#[test]
fn a_webhook_is_given_up_after_three_days_and_the_next_one_follows() {
    let mut all = dispatcher(1);
    all.accept(news(1, "a", 1, 2), None);
    let (mut now_ms, mut attempts) = (7, 0);
    let failing = loop {
        let Some(attempt) = all.start(now_ms) else {
            now_ms = all.retries.first().unwrap().0;
            continue;
        };
        attempts += 1;
        match all.failed(&attempt.game, now_ms, Setback::default()) {
            Verdict::Retry => assert!(now_ms < 7 + 3 * DAY),
            Verdict::GiveUp { webhook, failing } => {
                assert_eq!(webhook, attempt.webhook);
                break failing;
            }
        }
    };
    assert_eq!((failing.since_ms, failing.attempts), (7, attempts));
    assert!((7 + 3 * DAY..7 + 3 * DAY + DAY / 8).contains(&now_ms));
    assert!((30..70).contains(&attempts), "{attempts}");
    assert_eq!(all.take_cursor(), None);
    all.settle(&"a".into());
    let next = all.start(now_ms).unwrap();
    assert_eq!(next.webhook.seat, 2);
    all.delivered(&next.game, now_ms);
    assert_eq!(all.take_cursor().as_deref(), Some("1"));
}

#[test]
fn a_receiver_that_is_back_gets_at_once_what_did_not_reach_it() {
    let mut all = dispatcher(4);
    for (number, game) in ["gone", "slow", "good"].into_iter().enumerate() {
        all.accept(news(number, game, 1, 1), None);
    }
    let attempts = started(&mut all, 0);
    let unreachable = Setback {
        is_unreachable: true,
        ..Setback::default()
    };
    all.failed(&attempts[0].game, 0, unreachable);
    all.failed(&attempts[1].game, 0, Setback::default());
    assert_eq!(started(&mut all, 1), []);
    all.delivered(&attempts[2].game, 1);
    let again = started(&mut all, 1);
    assert_eq!(again.len(), 1);
    assert_eq!(&*again[0].game, "gone");
}

#[test]
fn failures_survive_a_restart() {
    let mut all = dispatcher(1);
    all.accept(news(1, "a", 1, 1), None);
    let attempt = all.start(0).unwrap();
    let wait = Setback {
        retry_after: Some(Duration::from_millis(DAY)),
        ..Setback::default()
    };
    all.failed(&attempt.game, 0, wait);
    let stored = all.take_changes().remove("a").unwrap();
    let mut later = dispatcher(1);
    later.accept(news(1, "a", 1, 1), stored);
    assert_eq!(later.start(DAY - 1), None);
    let attempt = later.start(DAY).unwrap();
    let verdict = later.failed(&attempt.game, 3 * DAY, Setback::default());
    assert!(matches!(verdict, Verdict::GiveUp { failing, .. } if failing.attempts == 2));
}

#[test]
fn a_game_is_noted_while_names_may_bring_its_first_version_again() {
    let mut all = dispatcher(1);
    all.accept(news(1, "a", 1, 1), None);
    let attempt = all.start(0).unwrap();
    all.delivered(&attempt.game, 0);
    let stored = all.take_changes().remove("a").unwrap();
    assert!(stored.is_some() && !all.knows("a"));
    // Somebody is renamed: the first version comes again.
    all.accept(news(2, "a", 1, 1), stored);
    assert_eq!(all.start(0), None);
    assert_eq!(all.take_cursor().as_deref(), Some("2"));
    let stored = all.take_changes().remove("a").unwrap();
    all.accept(news(3, "a", 2, 0), stored);
    assert_eq!(
        all.take_changes().remove("a"),
        Some(None),
        "nothing is noted any more"
    );
    assert_eq!(all.take_cursor().as_deref(), Some("3"));
}

#[test]
fn what_a_list_has_told_is_not_sent_again_for_the_feed() {
    let mut all = dispatcher(1);
    let list = News {
        cursor: None,
        ..news(0, "a", 1, 2)
    };
    all.accept(list, None);
    // The feed tells the same before it is delivered, and something new.
    all.accept(news(1, "a", 1, 2), None);
    all.accept(news(2, "a", 2, 1), None);
    let mut sent = Vec::new();
    while let Some(attempt) = all.start(0) {
        sent.push((attempt.webhook.version, attempt.webhook.seat));
        all.delivered(&attempt.game, 0);
    }
    assert_eq!(sent, [(1, 1), (1, 2), (2, 1)]);
    assert_eq!(all.take_cursor().as_deref(), Some("2"));
    assert_eq!(all.figures(), Figures::default());
}

#[test]
fn other_versions_with_the_same_numbers_are_news() {
    let mut all = dispatcher(1);
    all.accept(news(1, "b", 1, 1), None);
    all.accept(news(2, "a", 5, 1), None);
    for attempt in started(&mut all, 0) {
        all.failed(&attempt.game, 0, Setback::default());
    }
    let attempt = all.start(0).unwrap();
    all.delivered(&attempt.game, 0);
    // The store has lost version 5, and played another one later.
    let mut other = news(3, "a", 5, 1);
    other.webhooks[0].time_ms = 9;
    all.accept(other, None);
    assert_eq!(all.start(0).unwrap().webhook.time_ms, 9);
}

#[test]
fn a_reminder_follows_what_is_queued_and_holds_no_cursor() {
    let mut all = dispatcher(4);
    all.accept(news(1, "a", 1, 1), None);
    all.remind(reminder("a"), None);
    all.remind(reminder("b"), None);
    let first = started(&mut all, 0);
    assert_eq!(first[0].webhook.kind, Kind::YourTurn);
    assert_eq!(&*first[1].game, "b");
    all.delivered(&first[1].game, 0);
    assert!(!all.knows("b"));
    all.delivered(&first[0].game, 0);
    assert_eq!(all.take_cursor().as_deref(), Some("1"));
    assert_eq!(started(&mut all, 0)[0].webhook.kind, Kind::DueSoon);
}

/// The next step of a random course.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The feed tells its next message.
    Tell,
    /// A request ends: it was taken, and answered or not.
    End {
        at: usize,
        is_taken: bool,
        is_answered: bool,
    },
    Commit,
    Crash,
    Wait,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let end = (0..8_usize, any::<bool>(), any::<bool>());
    let end = end.prop_map(|(at, is_taken, is_answered)| Step::End {
        at,
        is_taken,
        is_answered,
    });
    let step = prop_oneof![
        4 => Just(Step::Tell),
        6 => end,
        2 => Just(Step::Commit),
        1 => Just(Step::Crash),
        2 => Just(Step::Wait),
    ];
    prop::collection::vec(step, 0..400)
}

/// A forwarder in small, with what it has stored and what its receiver has.
struct Course {
    feed: Vec<News>,
    dispatcher: Dispatcher,
    /// The number of messages that the dispatcher has.
    told: usize,
    cursor: usize,
    stored: BTreeMap<String, Progress>,
    /// The part of it that survives a crash.
    committed: BTreeMap<String, Progress>,
    in_flight: Vec<Attempt>,
    now_ms: u64,
    received: BTreeMap<String, Vec<(u64, u32)>>,
}

impl Course {
    fn step(&mut self, step: Step) {
        match step {
            Step::Tell => self.tell(),
            Step::End {
                at,
                is_taken,
                is_answered,
            } => self.end(at, is_taken, is_answered),
            Step::Commit => self.commit(),
            Step::Crash => {
                self.dispatcher = dispatcher(3);
                self.in_flight.clear();
                self.told = self.cursor;
                self.stored = self.committed.clone();
            }
            Step::Wait => self.now_ms += 3_600_000,
        }
        while let Some(attempt) = self.dispatcher.start(self.now_ms) {
            self.in_flight.push(attempt);
        }
        let games: BTreeSet<&Game> = self.in_flight.iter().map(|one| &one.game).collect();
        assert_eq!(
            games.len(),
            self.in_flight.len(),
            "one request for each game"
        );
    }

    fn tell(&mut self) {
        let Some(news) = self.feed.get(self.told).cloned() else {
            return;
        };
        self.told += 1;
        for (game, progress) in self.dispatcher.take_changes() {
            self.note(&game, progress);
        }
        let is_known = self.dispatcher.knows(&news.game);
        let stored = self.stored.get(&news.game).filter(|_| !is_known);
        self.dispatcher.accept(news, stored.cloned());
    }

    fn end(&mut self, at: usize, is_taken: bool, is_answered: bool) {
        if at >= self.in_flight.len() {
            return;
        }
        let Attempt { game, webhook } = self.in_flight.swap_remove(at);
        if is_taken {
            let all = self.received.entry(game.to_string()).or_default();
            all.push((webhook.version, webhook.seat));
        }
        match is_taken && is_answered {
            true => self.dispatcher.delivered(&game, self.now_ms),
            false => {
                let verdict = self
                    .dispatcher
                    .failed(&game, self.now_ms, Setback::default());
                if matches!(verdict, Verdict::GiveUp { .. }) {
                    // To a file of dead letters: as good as received.
                    let all = self.received.entry(game.to_string()).or_default();
                    all.push((webhook.version, webhook.seat));
                    self.dispatcher.settle(&game);
                }
            }
        }
    }

    fn note(&mut self, game: &str, progress: Option<Progress>) {
        match progress {
            Some(progress) => self.stored.insert(game.to_owned(), progress),
            None => self.stored.remove(game),
        };
    }

    fn commit(&mut self) {
        for (game, progress) in self.dispatcher.take_changes() {
            self.note(&game, progress);
        }
        if let Some(cursor) = self.dispatcher.take_cursor() {
            self.cursor = cursor.parse().unwrap();
        }
        self.committed = self.stored.clone();
        for news in &self.feed[..self.cursor] {
            for one in &news.webhooks {
                let all = self.received.get(&news.game);
                let has = all.is_some_and(|all| all.contains(&(one.version, one.seat)));
                assert!(has, "the cursor has passed {one:?}");
            }
        }
    }
}

/// A feed of some games: each message is the next version of one, with webhooks for some seats.
fn feed() -> impl Strategy<Value = Vec<News>> {
    prop::collection::vec((0..4_usize, 0..3_u32), 0..40).prop_map(|rows| {
        let mut versions = [0; 4];
        let rows = rows.into_iter().enumerate();
        rows.map(|(at, (game, seats))| {
            versions[game] += 1;
            news(at + 1, &format!("game {game}"), versions[game], seats)
        })
        .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Nothing is lost, the order of each game is kept, and the stored cursor never passes an undelivered webhook,
    /// whatever fails or crashes.
    #[test]
    fn nothing_is_lost_and_order_is_kept(feed in feed(), steps in steps()) {
        let mut course = Course {
            feed,
            dispatcher: dispatcher(3),
            told: 0,
            cursor: 0,
            stored: BTreeMap::new(),
            committed: BTreeMap::new(),
            in_flight: Vec::new(),
            now_ms: 0,
            received: BTreeMap::new(),
        };
        for step in steps {
            course.step(step);
        }
        // From here on, everything works.
        while course.cursor < course.feed.len() {
            for step in [
                Step::Tell,
                Step::Wait,
                Step::End { at: 0, is_taken: true, is_answered: true },
                Step::Commit,
            ] {
                course.step(step);
            }
        }
        course.step(Step::Commit);
        let mut expected: BTreeMap<String, Vec<(u64, u32)>> = BTreeMap::new();
        for one in course.feed.iter().flat_map(|news| &news.webhooks) {
            expected.entry(one.game.clone()).or_default().push((one.version, one.seat));
        }
        for (game, all) in &mut course.received {
            // What comes again comes after it came first.
            let mut first = Vec::new();
            for one in all.drain(..) {
                if !first.contains(&one) {
                    first.push(one);
                }
            }
            prop_assert_eq!(Some(&first), expected.get(game));
        }
        prop_assert_eq!(course.received.len(), expected.len());
        let kept: Vec<_> = course.stored.values().filter(|one| !one.is_start).collect();
        prop_assert!(kept.is_empty(), "{:?}", kept);
    }
}
