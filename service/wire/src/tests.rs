//! Requirements that every ruleset on the wire must satisfy, checked on random games (**round-trip tests**).

use std::collections::BTreeSet;

use gamekeeper_proto::EncodedMessage;
use gamekeeper_proto::Pb;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::conformance::{Audit, universe};
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::ruleset::{Applied, apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, DecisionWords, Detail, Kind as _, Seat, Seed, Term, Viewer};
use prost::Message as _;
use prost_reflect::DynamicMessage;

use crate::contract::{action_kinds, kinds, message_name, pool};
use crate::options::values_text;
use crate::{Wire, draw, option_infos, wrap_catalogue};

/// The maximum number of actions in a game; enough to cover most rules.
const ACTIONS: usize = 400;

/// The interval, in actions, at which the actions of the suite's universe are also sent, legal or not.
const UNIVERSE_EVERY: usize = 25;

macro_rules! tests {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_rules::$module::$Ruleset;

            #[test]
            fn its_package_is_named_after_it() {
                super::check_package::<$Ruleset>(stringify!($module));
            }

            #[test]
            fn its_events_are_those_of_the_contract() {
                super::check_event_kinds::<$Ruleset>(
                    <gamekeeper_rules::$module::Event as strum::VariantNames>::VARIANTS,
                );
            }

            #[test]
            fn its_refusals_are_those_of_the_contract() {
                crate::contract::check_refusals::<$Ruleset>();
            }

            #[test]
            fn its_decisions_are_in_words() {
                super::check_decisions::<$Ruleset>();
            }

            #[test]
            fn its_actions_and_scores_have_titles() {
                super::check_terms::<$Ruleset>();
            }

            #[test]
            fn its_options_are_whole() {
                super::check_option_infos::<$Ruleset>();
            }

            #[test]
            fn its_games_go_over_the_wire() {
                super::check_games::<$Ruleset>();
            }
        })*
    };
}
crate::for_each_ruleset!(tests);

fn check_package<W: Wire>(module: &str) {
    assert_eq!(W::INFO.id, module);
    assert!(W::CATALOGUE_REVISION >= 1);
    assert_ne!(W::catalogue(), W::PbCatalogue::default());
}

/// Checks that the rules name their events as the contract names the fields of its oneof.
fn check_event_kinds<W: Wire>(of_rules: &[&str]) {
    let contract = kinds(&message_name::<W>("Event"));
    let contract: BTreeSet<&str> = contract.iter().map(String::as_str).collect();
    assert_eq!(contract, of_rules.iter().copied().collect());
}

/// Checks that the contract has the decisions of the rules, in their order, that each has words for people, and that
/// fallbacks are for decisions that exist.
fn check_decisions<W: Wire>() {
    let decisions = pool().get_enum_by_name(&message_name::<W>("Decision"));
    let decisions = decisions.unwrap();
    let of_contract = decisions.values().filter(|value| value.number() != 0);
    let of_contract: Vec<_> = of_contract.map(|value| value.name().to_owned()).collect();
    let id = |words: &DecisionWords| format!("DECISION_{}", words.id.to_uppercase());
    let of_rules: Vec<_> = W::DECISIONS.iter().map(id).collect();
    assert_eq!(of_rules, of_contract);
    for DecisionWords {
        title, question, ..
    } in W::DECISIONS
    {
        assert!(title.starts_with(char::is_uppercase), "{title}");
        assert!(title.ends_with(char::is_alphabetic), "{title}");
        assert!(question.starts_with(char::is_uppercase), "{question}");
        assert!(question.ends_with('?'), "{question}");
    }
    are_unique(W::FALLBACKS.iter().map(|row| row.decision));
    for row in W::FALLBACKS {
        let mut ids = W::DECISIONS.iter().map(|words| words.id);
        assert!(ids.any(|id| id == row.decision), "{row:?}");
        assert!(!row.words.is_empty(), "{row:?}");
    }
}

/// Checks that every kind of action of the contract and every source of points has a title, and that the catalogue
/// sends all of them.
fn check_terms<W: Wire>() {
    let ids = |terms: &[Term]| -> Vec<_> { terms.iter().map(|term| term.id.to_owned()).collect() };
    let sources = W::sources();
    assert_eq!(ids(W::ACTIONS), action_kinds::<W>());
    assert!(!sources.is_empty());
    for source in &sources {
        let letters = |letter: char| letter.is_ascii_lowercase() || letter == '_';
        assert!(source.id.chars().all(letters), "{source:?}");
    }
    for terms in [W::ACTIONS, &sources] {
        are_unique(terms.iter().map(|term| term.id));
        are_titles(terms.iter().map(|term| term.title));
    }
    are_titles(W::DECISIONS.iter().map(|words| words.title));
    let catalogue = wrap_catalogue::<W>(&Rulebook::read(W::RULES));
    let sent = catalogue.terms;
    for term in &sent {
        helps(&term.id, &term.title, &term.help, &term.rules);
        assert!(!term.rules.is_empty(), "no rule describes {}", term.id);
    }
    for component in &catalogue.components {
        helps(
            &component.id,
            &component.title,
            &component.help,
            &component.rules,
        );
    }
    let of_kind = |kind: pb::TermKind| -> Vec<_> {
        let terms = sent.iter().filter(|term| term.kind() == kind);
        terms.map(|term| (&*term.id, &*term.title)).collect()
    };
    let titled = |term: &Term| (term.id, term.title);
    let decided = |words: &DecisionWords| (words.id, words.title);
    let decisions: Vec<_> = W::DECISIONS.iter().map(decided).collect();
    assert_eq!(of_kind(pb::TermKind::Decision), decisions);
    let actions: Vec<_> = W::ACTIONS.iter().map(titled).collect();
    assert_eq!(of_kind(pb::TermKind::Action), actions);
    let scores: Vec<_> = sources.iter().map(titled).collect();
    assert_eq!(of_kind(pb::TermKind::Score), scores);
}

/// Checks that help says more than the title, in whole sentences for players, wherever a rule is named.
fn helps(id: &str, title: &str, help: &str, rules: &[String]) {
    assert_eq!(
        rules.is_empty(),
        help.is_empty(),
        "{id}: {help:?} {rules:?}"
    );
    if rules.is_empty() {
        return;
    }
    assert!(help.ends_with('.'), "{id}: {help}");
    assert!(help.len() > title.len() + 10, "{id}: {help}");
    assert!(!help.contains(['`', '*', '{']), "{id}: {help}");
}

/// Checks that titles of one kind begin with a capital letter and can be read in a list.
fn are_titles<'a>(titles: impl Iterator<Item = &'a str> + Clone) {
    for title in titles.clone() {
        assert!(title.starts_with(char::is_uppercase), "{title}");
    }
    are_words(titles);
}

/// Checks that people can read the words in a list: no duplicates, and no identifiers. The words for a tile may begin
/// with a number.
fn are_words<'a>(titles: impl Iterator<Item = &'a str> + Clone) {
    for title in titles.clone() {
        let begins = |letter: char| letter.is_uppercase() || letter.is_ascii_digit();
        assert!(title.starts_with(begins), "{title}");
        assert!(!title.ends_with('.') && !title.contains('_'), "{title}");
        assert_eq!(title.trim(), title);
    }
    are_unique(titles);
}

fn are_unique<'a>(words: impl Iterator<Item = &'a str>) {
    let mut met = BTreeSet::new();
    for word in words {
        assert!(met.insert(word), "{word} twice");
    }
}

/// Returns the name of the field of the oneof `kind` that is set in an event.
fn set_kind<W: Wire>(event: &EncodedMessage) -> String {
    let message = pool().get_message_by_name(&message_name::<W>("Event"));
    let event = DynamicMessage::decode(message.unwrap(), &*event.encode_to_vec()).unwrap();
    let (field, _) = event.fields().next().unwrap();
    field.name().to_owned()
}

/// Checks that every option has a title, a description and values for every number of seats, that every name among its
/// values has a title, and that the rules have a row for each option.
fn check_option_infos<W: Wire>() {
    let options = option_infos::<W>();
    for option in &options {
        assert!(!option.description.is_empty(), "{option:?}");
        let mut seats = u32::from(W::INFO.min_seats);
        for values in &option.values {
            assert_eq!(values.min_seats, seats, "{option:?}");
            seats = values.max_seats + 1;
            assert!(!values_text(values).is_empty(), "{option:?}");
            let is_list = option.field.ends_with("[]");
            assert_eq!(is_list, values.max_items > 0, "{option:?}");
            assert_ne!(values.values.is_empty(), values.max_value.is_none());
            check_values(option, values);
        }
        assert_eq!(seats, u32::from(W::INFO.max_seats) + 1, "{option:?}");
    }
    are_titles(options.iter().map(|option| &*option.title));
    let fields = options
        .iter()
        .map(|option| option.field.trim_end_matches("[]"));
    assert!(fields.eq(W::OPTIONS.iter().map(|rule| rule.field)));
    assert_eq!(W::draft(W::PbOptions::default()), Ok(W::Draft::default()));
}

/// Checks that the rules have a name for every value of an enum, and none for numbers and messages.
fn check_values(option: &pb::OptionInfo, values: &pb::OptionValues) {
    let titles = values.values.iter().map(|value| &*value.title);
    match pool().get_enum_by_name(&option.r#type) {
        Some(_) => are_words(titles),
        None => assert!(titles.clone().all(str::is_empty), "{option:?}"),
    }
}

/// The number of games with random options for each number of seats; with them every kind of action occurs.
const RANDOM_OPTIONS: u64 = 2;

fn check_games<W: Wire + Audit>() {
    let mut met = BTreeSet::new();
    for seats in W::INFO.min_seats..=W::INFO.max_seats {
        let players: Vec<_> = (1..=seats)
            .map(|number| format!("Player {number}"))
            .collect();
        let options = W::options(&players, &W::Draft::default()).unwrap();
        check_options::<W>(&players, &options);
        met.extend(check_game::<W>(
            &options,
            usize::from(seats),
            UNIVERSE_EVERY,
        ));
        for seed in 1..=RANDOM_OPTIONS {
            let options = W::table(usize::from(seats), seed);
            met.extend(check_game::<W>(&options, usize::from(seats), usize::MAX));
        }
    }
    let kinds = action_kinds::<W>();
    assert_eq!(met, kinds.iter().map(String::as_str).collect());
}

/// Plays a random game and checks all its versions. Returns the kinds of the actions that it met.
fn check_game<W: Wire + Audit>(
    options: &W::Options,
    seats: usize,
    universe_every: usize,
) -> BTreeSet<&'static str> {
    let mut met = BTreeSet::new();
    let mut applied = create::<W>(options, Chance::from_seed(&Seed::from_number(7)));
    let mut dice = Dice(seats as u64);
    for step in 0..ACTIONS {
        check_table(&applied, seats);
        let Some(pending) = W::pending(&applied.state).first().copied() else {
            break;
        };
        let actions = legal_actions::<W>(&applied.state, pending.seat, Detail::Moves);
        let others = match (step + 1) % universe_every {
            0 => universe::<W>(&applied.state, pending.seat),
            _ => Vec::new(),
        };
        for action in actions.iter().chain(&others) {
            check_action::<W>(action);
            met.insert(W::kind(action));
        }
        let action = &actions[dice.below(actions.len())];
        applied = apply::<W>(&applied.state, &applied.chance, pending.seat, action).unwrap();
    }
    met
}

fn check_options<W: Wire>(players: &[String], options: &W::Options) {
    is_as_prost_writes_it::<W::PbOptions>(&W::encoded_options(options));
    let draft = W::draft(over_the_wire(&W::options_message(options))).unwrap();
    assert_eq!(W::options(players, &draft).as_ref(), Ok(options));
}

/// Checks that an action survives encoding and decoding. Both are compared as text: the suite's noise contains lists
/// that are equal but stored in another form.
fn check_action<W: Wire>(action: &W::Action) {
    is_as_prost_writes_it::<W::PbAction>(&W::encoded_action(action));
    let read = W::action(over_the_wire(&W::action_message(action))).unwrap();
    assert_eq!(format!("{read:?}"), format!("{action:?}"));
}

/// Checks everything about one version: luck, events and views, each unchanged by encoding and decoding.
fn check_table<W: Wire>(applied: &Applied<W>, seats: usize) {
    for one in &applied.draws {
        assert_eq!(draw::<W>(one).labels.len(), one.values.len());
    }
    let viewers = Seat::all(seats).map(Viewer::Seat);
    for viewer in viewers.chain([Viewer::Spectator, Viewer::Operator]) {
        let view = W::encoded_view(&W::view(&applied.state, viewer));
        is_as_prost_writes_it::<W::PbView>(&view);
        for event in &applied.events {
            if let Some(event) = W::event_view(event, viewer) {
                let encoded = W::encoded_event(&event);
                is_as_prost_writes_it::<W::PbEvent>(&encoded);
                let message = over_the_wire(&W::event_message(&event));
                assert_ne!(message, W::PbEvent::default(), "{event:?}");
                assert_eq!(set_kind::<W>(&encoded), event.kind(), "{event:?}");
            }
        }
    }
}

/// Checks that the bytes of a message are those that prost writes for it.
fn is_as_prost_writes_it<M: Pb>(encoded: &EncodedMessage) {
    let message: M = encoded.decode_as().unwrap();
    assert_eq!(
        encoded.encode_to_vec(),
        message.encode_to_vec(),
        "{message:?}"
    );
}

/// Returns the message after encoding and decoding.
fn over_the_wire<M: Pb>(message: &M) -> M {
    let arrived = M::decode(&*message.encode_to_vec()).unwrap();
    assert_eq!(&arrived, message);
    arrived
}

/// A generator of random choices: a plain sequence of numbers, the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // Knuth's MMIX generator; its upper half is random enough.
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005))
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}
