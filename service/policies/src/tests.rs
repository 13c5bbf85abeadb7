//! Policies choose by what they may know alone, as in training, and files that do not fit are refused.

#[cfg(feature = "onnx")]
use std::fs::remove_file;
use std::fs::{read_to_string, write};
use std::path::Path;
#[cfg(feature = "onnx")]
use std::sync::Arc;

use gamekeeper_learn::space_of;
#[cfg(feature = "onnx")]
use gamekeeper_learn::{DirtyCells, Game, Observer, Settings, game_of};
use tempfile::{TempDir, tempdir};

use super::*;
use crate::samples::Sample;

const SAMPLE: Sample = Sample {
    number: 7,
    temperature: 0.0,
};

/// Returns a folder with a policy for Kingsburg that is called `sample`.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    let space = space_of("kingsburg", 2).unwrap();
    SAMPLE.write(folder.path(), "sample", &space).unwrap();
    folder
}

/// Replaces a text of the manifest.
fn change(folder: &Path, from: &str, to: &str) {
    let path = folder.join("sample.json");
    let manifest = read_to_string(&path).unwrap();
    assert!(manifest.contains(from), "{manifest}");
    write(path, manifest.replace(from, to)).unwrap();
}

#[cfg(not(feature = "onnx"))]
#[test]
fn a_build_without_networks_says_so() {
    let folder = folder();
    assert!(matches!(
        PolicyLibrary::load(folder.path()),
        Err(PolicyError::NotBuilt)
    ));
    let file = LearnedPolicy::load(&folder.path().join("sample.onnx"));
    assert!(matches!(file, Err(PolicyError::NotBuilt)));
}

/// The manifest is judged before the network, in every build.
#[test]
fn files_that_do_not_fit_are_refused() {
    type Refused = fn(&PolicyError) -> bool;
    let seats: Refused = |error| matches!(error, PolicyError::Space(_));
    let layout: Refused = |error| matches!(error, PolicyError::Layout { .. });
    let form: Refused = |error| matches!(error, PolicyError::Manifest { .. });
    let temperature: Refused = |error| matches!(error, PolicyError::Temperature(_));
    for (from, to, refused) in [
        (r#""seats":2"#, r#""seats":3"#, layout),
        (r#""seats":2"#, r#""seats":9"#, seats),
        ("kingsburg", "chess", seats),
        ("kingsburg", "caylus", layout),
        (r#""layout":""#, r#""layout":"0"#, layout),
        ("0.0", "-1.0", temperature),
        ("temperature", "heat", form),
        ("}", "", form),
    ] {
        let folder = folder();
        change(folder.path(), from, to);
        let error = LearnedPolicy::load(&folder.path().join("sample.onnx")).unwrap_err();
        assert!(refused(&error), "{from} to {to}: {error}");
    }
    let folder = folder();
    let missing = LearnedPolicy::load(&folder.path().join("other.onnx"));
    assert!(matches!(missing, Err(PolicyError::Read { .. })));
    let called = LearnedPolicy::load(&folder.path().join("a b.onnx"));
    assert!(matches!(called, Err(PolicyError::Name(_))));
}

#[cfg(feature = "onnx")]
mod with_networks {
    use gamekeeper_learn::{ActionDecoder, EventCounts, WordChoice, WordPolicy};
    use gamekeeper_rules::bots::Heuristics;
    use gamekeeper_rules::caylus::Caylus;
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::kingsburg::Kingsburg;
    use gamekeeper_rules::mythotopia::Mythotopia;
    use gamekeeper_rules::ruleset::{Ruleset, apply_in_place};
    use gamekeeper_rules::starts::{Start, warm_start};
    use gamekeeper_rules::table::{Chance, Seat, Seed};
    use gamekeeper_wire::Wire;

    use super::*;

    #[test]
    fn a_library_keeps_what_can_be_played_and_why_the_rest_cannot() {
        let folder = folder();
        let space = space_of("dominion", 2).unwrap();
        SAMPLE.write(folder.path(), "other", &space).unwrap();
        write(folder.path().join("broken.onnx"), b"no network").unwrap();
        let text = read_to_string(folder.path().join("other.json")).unwrap();
        write(folder.path().join("broken.json"), text).unwrap();
        write(folder.path().join("notes.txt"), b"not a policy").unwrap();
        let library = PolicyLibrary::load(folder.path()).unwrap();
        let ids =
            |ruleset| -> Vec<&str> { library.of_ruleset(ruleset).map(LearnedPolicy::id).collect() };
        assert_eq!(ids("kingsburg"), ["policy:sample"]);
        assert_eq!(ids("dominion"), ["policy:other"]);
        assert_eq!(ids("caylus"), [""; 0]);
        let refused: Vec<&str> = library.refused().map(|(id, _)| id).collect();
        assert_eq!(refused, ["policy:broken"]);
        assert!(library.get("policy:broken").unwrap().is_err());
        assert!(library.get("policy:none").is_none());
        remove_file(folder.path().join("sample.json")).unwrap();
        let library = PolicyLibrary::load(folder.path()).unwrap();
        assert!(library.get("policy:sample").unwrap().is_err());
    }

    #[test]
    fn a_network_of_another_size_is_refused() {
        let folder = folder();
        let manifest = read_to_string(folder.path().join("sample.json")).unwrap();
        let other = space_of("dominion", 2).unwrap();
        SAMPLE.write(folder.path(), "sample", &other).unwrap();
        write(folder.path().join("sample.json"), manifest).unwrap();
        let error = LearnedPolicy::load(&folder.path().join("sample.onnx")).unwrap_err();
        assert!(
            matches!(error, PolicyError::Network(_) | PolicyError::Output { .. }),
            "{error}"
        );
    }

    /// The hash is that of `cat sample.json sample.onnx | sha256sum`: it changes with either file.
    #[test]
    fn every_change_of_a_file_changes_the_hash() {
        let folder = folder();
        let path = folder.path().join("sample.onnx");
        let hash = || LearnedPolicy::load(&path).unwrap().hash().to_owned();
        let first = hash();
        assert_eq!(first.len(), 64);
        assert_eq!(first, hash());
        change(folder.path(), "0.0", "0.5");
        let second = hash();
        let space = space_of("kingsburg", 2).unwrap();
        Sample {
            number: 8,
            ..SAMPLE
        }
        .write(folder.path(), "sample", &space)
        .unwrap();
        let third = hash();
        assert!(first != second && second != third && third != first);
    }

    fn policy<W: Wire>(temperature: f32) -> (TempDir, LearnedPolicy) {
        let folder = tempdir().unwrap();
        let space = space_of(W::INFO.id, 2).unwrap();
        let sample = Sample {
            number: 7,
            temperature,
        };
        let path = sample.write(folder.path(), "sample", &space).unwrap();
        (folder, LearnedPolicy::load(&path).unwrap())
    }

    /// Plays a game in which both seats have the policy. At every decision the choice is the same in a world that the
    /// seat cannot tell from the table, and with the same luck.
    fn keeps_secrets<W: Wire + Heuristics>() {
        let (_folder, policy) = policy::<W>(0.5);
        let names = ["Ada", "Bob"].map(String::from);
        let options = W::options(&names, &W::Draft::default()).unwrap();
        let opening = warm_start::<W>(&options, Start::SetUp, &Seed::from_number(3));
        let (mut state, mut chance) = (opening.state, opening.chance);
        let events = EventCounts::default();
        for decision in 0..80 {
            let Some(seat) = W::pending(&state).first().map(|pending| pending.seat) else {
                return;
            };
            let luck = || Chance::from_seed(&Seed::from_number(decision));
            let world = W::sample_world(&state, seat, &mut luck());
            let [here, there] = [&state, &world].map(|table| {
                let chosen = policy.choose_action::<W>((table, seat), &events, &mut luck());
                chosen.unwrap().unwrap()
            });
            assert!(here == there, "{} {seat}: decision {decision}", W::INFO.id);
            apply_in_place::<W>(&mut state, &mut chance, seat, &here).unwrap();
        }
    }

    #[test]
    fn choices_follow_from_what_the_seat_knows() {
        keeps_secrets::<Dominion>();
        keeps_secrets::<Kingsburg>();
        keeps_secrets::<Mythotopia>();
    }

    #[test]
    fn another_ruleset_is_refused() {
        let (_folder, policy) = policy::<Kingsburg>(0.0);
        let names = ["Ada", "Bob"].map(String::from);
        let options = Caylus::options(&names, &Default::default()).unwrap();
        let opening = warm_start::<Caylus>(&options, Start::SetUp, &Seed::from_number(3));
        let luck = &mut Chance::from_seed(&Seed::from_number(1));
        let table = (&opening.state, Seat::FIRST);
        let refused = policy.choose_action::<Caylus>(table, &EventCounts::default(), luck);
        let expected = "policy:sample plays kingsburg with 2 seats, not caylus with 2 seats";
        assert_eq!(refused.unwrap_err().to_string(), expected);
    }

    /// The words of a whole action are those that a program would say in training, whose observation grows with each.
    #[test]
    fn words_are_said_as_in_training() {
        let (_folder, policy) = policy::<Kingsburg>(0.0);
        let space = Arc::new(space_of("kingsburg", 2).unwrap());
        let settings = Settings {
            seats: 2,
            ..Settings::default()
        };
        let mut game = game_of(&space, &Arc::new(settings)).unwrap();
        game.begin(&Seed::from_number(5), 1).unwrap();
        let luck = || Chance::from_seed(&Seed::from_number(1));
        let mut decisions = 0;
        while let Some(seat) = game.seat() {
            let actions = game.actions();
            let mut decoder = ActionDecoder::default();
            for action in &actions {
                decoder.add_action(|words| words.extend(space.words_of(action)));
            }
            decoder.skip_forced();
            let cells = observed(&*game, seat);
            let chosen = policy.choose(cells, &mut decoder, &mut luck()).unwrap();
            let sentence = space.words_of(&actions[chosen.unwrap()]);
            loop {
                let cells = observed(&*game, seat);
                let word = policy
                    .choose_word(&cells, game.legal_words(), &mut luck())
                    .unwrap();
                assert_eq!(sentence[game.prefix().len()], word);
                if game.push(word.into()).unwrap() {
                    break;
                }
            }
            decisions += 1;
        }
        assert!(decisions > 50, "{decisions} decisions");
        assert!(game.standings().is_some());
    }

    /// The observations of the seats to move in a game of Kingsburg, one after the other, and the words that they can say.
    fn positions() -> (Vec<f32>, Vec<Vec<u16>>) {
        let space = Arc::new(space_of("kingsburg", 2).unwrap());
        let settings = Settings {
            seats: 2,
            ..Settings::default()
        };
        let mut game = game_of(&space, &Arc::new(settings)).unwrap();
        game.begin(&Seed::from_number(5), 1).unwrap();
        let (mut cells, mut words) = (Vec::new(), Vec::new());
        for _ in 0..13 {
            cells.extend(observed(&*game, game.seat().unwrap()));
            words.push(game.legal_words().to_vec());
            game.push(game.legal_words()[0].into()).unwrap();
        }
        (cells, words)
    }

    /// A policy says the same in a position, whichever others it sees at the same time, and whether its network takes many
    /// rows or was exported for one.
    #[test]
    fn positions_are_judged_one_by_one() {
        let (folder, policy) = policy::<Kingsburg>(2.0);
        let path = folder.path().join("sample.onnx");
        let mut bytes = std::fs::read(&path).unwrap();
        for at in 0..bytes.len() - 8 {
            // A number of rows by name becomes the number 1, in as many bytes.
            if bytes[at..at + 8] == *b"\x0a\x06\x12\x04rows" {
                bytes[at + 2..at + 8].copy_from_slice(b"\x08\x81\x80\x80\x80\x00");
            }
        }
        write(&path, bytes).unwrap();
        let single = LearnedPolicy::load(&path).unwrap();
        let (cells, words) = positions();
        let size = cells.len() / words.len();
        let luck = |at: usize| Chance::from_seed(&Seed::from_number(at as u64));
        let alone = |(at, words): (usize, &Vec<u16>)| {
            let cells = &cells[at * size..][..size];
            policy.choose_word(cells, words, &mut luck(at)).unwrap()
        };
        let alone: Vec<u16> = words.iter().enumerate().map(alone).collect();
        for policy in [policy, single] {
            let mut lucks: Vec<Chance> = (0..words.len()).map(luck).collect();
            let choices = words.iter().zip(&mut lucks);
            let mut choices: Vec<WordChoice<'_>> = choices
                .map(|(words, luck)| WordChoice { words, luck })
                .collect();
            assert_eq!(policy.choose_words(&cells, &mut choices), Ok(alone.clone()));
        }
    }

    #[test]
    fn a_network_without_values_evaluates_nothing() {
        let (_folder, policy) = policy::<Kingsburg>(0.0);
        let (cells, words) = positions();
        let masks = vec![1; words.len() * policy.space().words().len()];
        let refused = policy.evaluate(&cells, &masks);
        assert!(matches!(refused, Err(PolicyError::NoValues(2))));
    }

    /// The policy of the examples learned something: it wins most games against an opponent who says any legal word.
    #[test]
    fn the_policy_of_the_examples_plays() {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto/python/examples");
        let policy = LearnedPolicy::load(&examples.join("policies/kingsburg.onnx")).unwrap();
        let space = Arc::new(space_of("kingsburg", 2).unwrap());
        let settings = Settings {
            seats: 2,
            ..Settings::default()
        };
        let mut game = game_of(&space, &Arc::new(settings)).unwrap();
        let mut won = 0;
        for number in 0..10 {
            let own = usize::from(number % 2 == 0);
            let mut luck = Chance::from_seed(&Seed::from_number(number));
            game.begin(&Seed::from_number(number), 1).unwrap();
            while let Some(seat) = game.seat() {
                let words = game.legal_words().to_vec();
                let word = if seat == own {
                    let cells = observed(&*game, seat);
                    policy.choose_word(&cells, &words, &mut luck).unwrap()
                } else {
                    words[luck.uniform(u32::try_from(words.len()).unwrap()) as usize]
                };
                game.push(word.into()).unwrap();
            }
            won += u32::from(game.standings().unwrap()[own].rank == 1);
        }
        assert!(won >= 8, "{won} of 10 games won");
    }

    fn observed(game: &dyn Game, seat: usize) -> Vec<f32> {
        let mut buffer = game.space().row_buffer();
        let mut cells = vec![0.0; game.space().cells().len()];
        game.observe(Observer::Seat(seat), 0, &mut buffer);
        buffer.flush_into(&mut cells, &mut DirtyCells::default());
        cells
    }
}
