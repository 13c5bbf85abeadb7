//! The stream of luck: known vectors, records and scripts, fairness.

use gamekeeper_rules::table::{Chance, Draw, ScriptFault, Seat, Seed};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn chance(number: u64) -> Chance {
    Chance::from_seed(&Seed::from_number(number))
}

#[test]
fn the_stream_is_chacha20() {
    // RFC 8439 A.1 test vector 1: key 0, nonce 0, counter 0.
    let mut stream = ChaCha20Rng::from_seed([0; 32]);
    assert_eq!(stream.next_u32().to_le_bytes(), [0x76, 0xb8, 0xe0, 0xad]);
}

#[test]
fn golden_vectors() {
    let mut luck = chance(42);
    assert_eq!(luck.roll("roll", None, 6, 12), GOLDEN_ROLL);
    let mut pile: Vec<u8> = (0..20).collect();
    luck.shuffle("shuffle_deck", None, &mut pile);
    assert_eq!(pile, GOLDEN_PILE);
    let mut things: Vec<u8> = (0..25).collect();
    luck.sample("kingdom", None, &mut things, 10);
    assert_eq!(things, GOLDEN_SAMPLE);
    assert_eq!(
        luck.pick(
            "first_player",
            None,
            &[Seat::at(0), Seat::at(1), Seat::at(2)]
        ),
        GOLDEN_PICK
    );
    assert_eq!(luck.position(), GOLDEN_POSITION);
}

// Computed by a second implementation, written from the module's description.
const GOLDEN_ROLL: [u8; 12] = [6, 2, 5, 2, 1, 4, 1, 5, 2, 2, 1, 2];
const GOLDEN_PILE: [u8; 20] = [
    10, 11, 9, 13, 7, 18, 8, 12, 4, 3, 0, 5, 14, 16, 15, 19, 17, 1, 6, 2,
];
const GOLDEN_SAMPLE: [u8; 10] = [21, 9, 4, 6, 0, 18, 1, 22, 24, 3];
const GOLDEN_PICK: Option<Seat> = Seat::new(2);
const GOLDEN_POSITION: u64 = 42;

#[test]
fn luck_resumes_where_it_stood() {
    let seed = Seed::from_number(7);
    let mut whole = Chance::from_seed(&seed);
    let mut parts = Chance::from_seed(&seed);
    for count in 1..40 {
        let expected = whole.roll("roll", None, 6, count);
        parts = Chance::resume(&seed, parts.position());
        assert_eq!(parts.roll("roll", None, 6, count), expected);
    }
}

#[test]
fn a_script_repeats_the_record() {
    let mut luck = chance(3);
    let play = |luck: &mut Chance| {
        let mut pile: Vec<u8> = vec![1, 1, 1, 2, 2, 3, 9];
        luck.shuffle("shuffle_deck", Seat::new(2), &mut pile);
        let dice = luck.roll("roll", None, 6, 3);
        let mut few: Vec<u8> = (0..9).collect();
        luck.sample("kingdom", None, &mut few, 4);
        (pile, dice, few)
    };
    let first = play(&mut luck);
    let mut script = Chance::scripted(luck.take_record());
    assert_eq!(play(&mut script), first);
    assert_eq!(script.finish(), Ok(()));
}

#[test]
fn copies_and_those_that_rested_go_on_alike() {
    let mut luck = chance(5);
    let mut copy = luck.clone();
    for round in 0..40 {
        // Positions within a block, at its end, and beyond it.
        let values = luck.roll("roll", None, 6, round);
        assert_eq!(copy.roll("roll", None, 6, round), values);
        assert_eq!(copy.position(), luck.position());
        copy = luck.clone();
        luck.release_buffers();
    }
}

#[test]
fn a_script_that_does_not_fit_says_so() {
    let draw = |name: &'static str, values: &[u16]| Draw {
        name: name.into(),
        seat: None,
        values: values.to_vec(),
    };
    let roll = |draws: Vec<Draw>| {
        let mut script = Chance::scripted(draws);
        assert_eq!(script.roll("roll", None, 6, 2).len(), 2);
        script.finish()
    };
    assert_eq!(roll(vec![draw("roll", &[6, 1])]), Ok(()));
    assert_eq!(roll(vec![]), Err(ScriptFault::Ended { requested: "roll" }));
    let other = draw("reroll", &[6, 1]);
    assert_eq!(
        roll(vec![other.clone()]),
        Err(ScriptFault::Other {
            requested: "roll",
            next_draw: other
        })
    );
    let seven = draw("roll", &[7, 1]);
    assert_eq!(
        roll(vec![seven.clone()]),
        Err(ScriptFault::Impossible {
            requested: "roll",
            next_draw: seven
        })
    );
    assert_eq!(
        roll(vec![draw("roll", &[6, 1]), draw("roll", &[6, 1])]),
        Err(ScriptFault::Unused { left: 1 })
    );
}

#[test]
fn every_face_and_every_order_is_as_likely() {
    let mut luck = chance(11);
    let mut faces = [0_u32; 6];
    for value in luck.roll("roll", None, 6, 60_000) {
        faces[usize::from(value) - 1] += 1;
    }
    // Five standard deviations of a binomial count: sqrt(60000 * 1/6 * 5/6) = 91.
    assert!(
        faces.iter().all(|count| count.abs_diff(10_000) < 456),
        "{faces:?}"
    );

    let mut orders = std::collections::BTreeMap::new();
    for _ in 0..24_000 {
        let mut things = [1_u8, 2, 3, 4];
        luck.shuffle("order", None, &mut things);
        *orders.entry(things).or_insert(0_u32) += 1;
    }
    // Five standard deviations: sqrt(24000 * 1/24 * 23/24) = 31.
    assert_eq!(orders.len(), 24);
    assert!(
        orders.values().all(|count| count.abs_diff(1_000) < 155),
        "{orders:?}"
    );
}

#[test]
fn the_commitment_binds_the_seed() {
    let salt = [9; 32];
    let commitment = Seed::from_number(1).commitment(&salt);
    assert_eq!(commitment, Seed::from_number(1).commitment(&salt));
    assert_ne!(commitment, Seed::from_number(2).commitment(&salt));
    assert_eq!(format!("{:?}", Seed::from_number(1)), "Seed(secret)");
}
