//! The recipe for recomputing draws from a seed, as in `proto/docs/luck.md`: test vectors of the steps, and all draws
//! of games of every ruleset, for implementations in other languages (`tests/clients/luck.py` is one).
//! `GAMEKEEPER_UPDATE=1` regenerates them.

use std::path::PathBuf;

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Draw, Seed};
use gamekeeper_wire::Wire;
use serde_json::{Value, json};

/// Maximum number of actions in a game: enough for played cards to be reshuffled.
const ACTIONS: usize = 250;

/// The number of tables of each ruleset, which covers all numbers of players and many options.
const TABLES: u64 = 12;

/// The bounds of the test vectors: some reject words of the random stream, and 1 needs no word at all.
const BOUNDS: [u32; 8] = [1, 2, 3, 6, 52, 0x8000_0001, 0xc000_0000, u32::MAX];

/// The recipe of a draw, as that page and the pages of the rulesets define it.
struct Recipe {
    kind: &'static str,
    /// The starting order of a draw: all items, by number, ascending.
    from: Vec<u16>,
    count: usize,
    /// The numbers that must not end up at these positions; otherwise the draw is repeated.
    never: Vec<(u16, usize)>,
}

impl Recipe {
    fn new(kind: &'static str, from: impl IntoIterator<Item = u16>, count: usize) -> Self {
        let mut from: Vec<u16> = from.into_iter().collect();
        from.sort_unstable();
        Self {
            kind,
            from,
            count,
            never: Vec::new(),
        }
    }

    fn dice(count: usize) -> Self {
        Self::new("dice", 1..=6, count)
    }

    fn pick(from: impl IntoIterator<Item = u16>) -> Self {
        Self::new("sample", from, 1)
    }
}

/// Returns the recipe of a ruleset's draw. Every draw that is not named here is a shuffle, which starts from the items
/// in its result.
fn recipe(ruleset: &str, draw: &Draw, seats: u16, options: &Value) -> Recipe {
    let name = draw.name.split(':').next().unwrap();
    let count = draw.values.len();
    let promo = |tile: &str| u16::from(options["promoTiles"][tile] == json!(true));
    match (ruleset, name) {
        ("dominion", "R1") | ("mythotopia" | "terra_mystica", "first_player") => {
            Recipe::pick(1..=seats)
        }
        ("dominion", "R2") => Recipe::new("sample", 7..=31, 10),
        ("kingsburg", "neutral" | "roll" | "reroll" | "king_die") => Recipe::dice(count),
        ("kingsburg", enemy) if enemy.starts_with("enemy_year_") => {
            let year: u16 = enemy.strip_prefix("enemy_year_").unwrap().parse().unwrap();
            Recipe::pick(5 * year - 4..=5 * year)
        }
        ("terra_mystica", "scoring_tiles") => Recipe {
            never: vec![(1, 4), (1, 5)],
            ..Recipe::new("sample", 1..=8 + promo("templeScoringTile"), 6)
        },
        ("terra_mystica", "bonus_cards") => {
            let cards = 1..=9 + promo("shippingBonusCard");
            Recipe::new("sample", cards, usize::from(seats) + 3)
        }
        ("terra_mystica", "colors") => Recipe::new("sample", 1..=7, usize::from(seats)),
        _ => Recipe::new("shuffle", draw.values.clone(), count),
    }
}

/// Repeats a draw by its recipe.
fn redraw(recipe: &Recipe, luck: &mut Chance) -> Vec<u16> {
    let mut things = recipe.from.clone();
    let fits = |things: &[u16]| !recipe.never.iter().any(|&(one, at)| things[at] == one);
    match recipe.kind {
        "dice" => {
            let faces = u8::try_from(recipe.from.len()).unwrap();
            let rolled = luck.roll("again", None, faces, recipe.count);
            rolled.into_iter().map(u16::from).collect()
        }
        "shuffle" => {
            luck.shuffle("again", None, &mut things);
            things
        }
        _ => {
            luck.sample_where("again", None, &mut things, recipe.count, fits);
            things
        }
    }
}

/// Returns the draws of a game, each with its recipe and the number of words used after it.
fn game<W: Wire + Audit>(number: u64) -> Value {
    let (least, most) = (W::INFO.min_seats, W::INFO.max_seats);
    let seats = u64::from(least) + number % u64::from(most - least + 1);
    let options = W::table(usize::try_from(seats).unwrap(), number);
    let message = super::options::json_of::<W>(&options);
    let seed = Seed::from_number(number);
    let mut policy = Chance::from_seed(&Seed::from_number(number + 1_000));
    let mut luck = Chance::from_seed(&seed);
    let mut now = create::<W>(&options, Chance::from_seed(&seed));
    let mut draws = Vec::new();
    for _ in 0..ACTIONS {
        for draw in &now.draws {
            let seats = u16::try_from(seats).unwrap();
            let recipe = recipe(W::INFO.id, draw, seats, &message);
            assert_eq!(redraw(&recipe, &mut luck), draw.values, "{draw:?}");
            draws.push(json!({
                "name": draw.name,
                "kind": recipe.kind,
                "from": recipe.from,
                "count": recipe.count,
                "never": recipe.never,
                "values": draw.values,
                "words": luck.position(),
            }));
        }
        assert_eq!(luck.position(), now.chance.position());
        let Some(pending) = W::pending(&now.state).first().copied() else {
            break;
        };
        let legal = legal_actions::<W>(&now.state, pending.seat, Detail::Moves);
        let choice = W::choose(&now.state, pending.seat, &legal, &mut policy);
        drop(policy.take_record());
        now = apply::<W>(&now.state, &now.chance, pending.seat, &legal[choice]).unwrap();
    }
    let seed = const_hex::encode(seed.as_bytes());
    json!({"ruleset": W::INFO.id, "seats": seats, "seed": seed, "draws": draws})
}

/// Draws values below a bound from a stream of their own, and counts the words used.
fn below(bound: u32) -> Value {
    let seed = Seed::from_number(u64::from(bound));
    let mut luck = Chance::from_seed(&seed);
    let values: Vec<u32> = (0..10).map(|_| luck.uniform(bound)).collect();
    let seed = const_hex::encode(seed.as_bytes());
    json!({"seed": seed, "bound": bound, "values": values, "words": luck.position()})
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/luck.json")
}

#[test]
fn the_vectors_are_current() {
    let games =
        gamekeeper_rules::of_each_ruleset!(R => (0..TABLES).map(game::<R>).collect::<Vec<_>>())
            .concat();
    let below: Vec<Value> = BOUNDS.into_iter().map(below).collect();
    // Each stream gets its own line, so that differences are readable.
    let lines = |values: Vec<Value>| {
        let lines: Vec<String> = values.iter().map(Value::to_string).collect();
        lines.join(",\n")
    };
    let text = format!(
        "{{\"below\": [\n{}\n],\n\"games\": [\n{}\n]}}\n",
        lines(below),
        lines(games)
    );
    let file = file();
    if std::env::var_os("GAMEKEEPER_UPDATE").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&file).unwrap();
    assert!(stored == text, "run this test with GAMEKEEPER_UPDATE=1");
    for kind in ["dice", "shuffle", "sample"] {
        assert!(stored.contains(&format!("\"kind\":\"{kind}\"")), "{kind}");
    }
    for name in [
        "R2",
        "R4",
        "colors",
        "reshuffle:red",
        "enemy_year_5",
        "king_die",
    ] {
        assert!(stored.contains(&format!("\"name\":\"{name}\"")), "{name}");
    }
}
