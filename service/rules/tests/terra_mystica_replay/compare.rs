//! Comparisons of the table with the recording.

use std::collections::BTreeMap;
use std::fmt::Debug;

use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Ranking, Seat, Viewer};
use gamekeeper_rules::terra_mystica::data::{Structure, TownTile};
use gamekeeper_rules::terra_mystica::{BoardView, State, TerraMystica, View};
use serde_json::{Value, json};

use super::game::{Checkpoint, Cults, Finale, Game, Goods, Move, Offer};

fn same<T: PartialEq + Debug>(what: &str, found: &T, recorded: &T) -> Result<(), String> {
    if found == recorded {
        Ok(())
    } else {
        Err(format!("{what} is {found:?}, recorded {recorded:?}"))
    }
}

fn board(view: &View, seat: Seat) -> &BoardView {
    view.players[seat.index()].board.as_ref().expect("a board")
}

fn goods(board: &BoardView) -> Goods {
    let [fire, water, earth, air] = board.cults.map(u16::from);
    Goods {
        vp: board.vp,
        coins: board.coins,
        workers: board.workers,
        priests: board.priests,
        power_bowls: board.power_bowls,
        cults: Cults {
            fire,
            water,
            earth,
            air,
        },
    }
}

/// Compares the offers that a move left open.
pub(super) fn offers(game: &Game, one: &Move, view: &View) -> Result<(), String> {
    let recorded: Vec<&Offer> = one
        .power_offers
        .iter()
        .filter(|offer| offer.gainable > 0)
        .collect();
    if recorded.is_empty() {
        return Ok(());
    }
    let name = |seat: Seat| {
        game.factions()
            .find(|(at, _)| *at == seat)
            .map_or("", |found| found.1)
    };
    let found: Vec<Offer> = view
        .power_offers
        .iter()
        .map(|offer| Offer {
            to: name(offer.seat).into(),
            structures_value: offer.value,
            gainable: offer.gainable,
        })
        .collect();
    same("the offers", &found.iter().collect(), &recorded)
}

/// Compares the goods of every faction of a chain of moves with its last record there. The last move of a finished
/// game shows the VP before the final scoring.
pub(super) fn after(game: &Game, chain: &[&Move], view: &View, last: bool) -> Result<(), String> {
    let mut words: BTreeMap<&str, &Move> = BTreeMap::new();
    for one in chain {
        words.insert(&one.faction, one);
    }
    for (faction, one) in words {
        let mut found = goods(board(view, game.seat(faction)?));
        if last && !game.results.is_empty() {
            same(
                "VP before the final scoring",
                &game.results[faction].before,
                &one.after.vp,
            )?;
            found.vp = one.after.vp;
        }
        same(faction, &found, &one.after)?;
    }
    Ok(())
}

fn short(structure: Structure) -> &'static str {
    match structure {
        Structure::Dwelling => "D",
        Structure::TradingHouse => "TP",
        Structure::Temple => "TE",
        Structure::Stronghold => "SH",
        Structure::Sanctuary => "SA",
    }
}

fn faction_table(view: &View, seat: Seat) -> Value {
    let board = board(view, seat);
    let [fire, water, earth, air] = board.cults;
    let on_map =
        |structure: Structure| structure.stock() - board.structures_left[structure.index()];
    let tiles = view.towns.iter().filter(|town| town.seat == seat);
    let mut town_tiles: Vec<&str> = tiles
        .filter_map(|town| town.tile)
        .map(TownTile::id)
        .collect();
    town_tiles.sort_unstable();
    let buildings: BTreeMap<&str, u8> = Structure::ALL
        .iter()
        .map(|&structure| (short(structure), on_map(structure)))
        .collect();
    json!({
        "vp": board.vp, "coins": board.coins, "workers": board.workers, "priests": board.priests,
        "power_bowls": board.power_bowls,
        "cults": {"fire": fire, "water": water, "earth": earth, "air": air},
        "keys_unspent": board.keys,
        "buildings": buildings,
        "shipping": board.shipping.unwrap_or(0),
        "dig_level": board.terraforming_level,
        "bonus_card": board.bonus_card.iter().map(|card| card.id()).collect::<Vec<_>>(),
        "favor_tiles": board.favor_tiles.iter().map(|tile| tile.id()).collect::<Vec<_>>(),
        "town_tiles": town_tiles,
        "bridges_left": board.bridges_left,
        "passed": board.passed,
        "priests_on_cult_board": 7 - board.priests - board.priest_supply,
    })
}

fn whole_table(game: &Game, view: &View) -> Value {
    let name = |seat: Seat| {
        game.factions()
            .find(|(at, _)| *at == seat)
            .map_or("", |found| found.1)
    };
    let in_town = |land| view.towns.iter().any(|town| town.spaces.contains(&land));
    let mut buildings = BTreeMap::new();
    let mut changed: BTreeMap<&str, &str> = BTreeMap::new();
    for space in &view.spaces {
        if let (Some(owner), Some(structure)) = (space.owner, space.structure) {
            let building = json!({
                "faction": name(owner), "type": short(structure), "in_town": in_town(space.space),
            });
            buildings.insert(space.space.id(), building);
        }
        if space.terrain != space.space.printed() {
            changed.insert(space.space.id(), space.terrain.id());
        }
    }
    let factions: BTreeMap<&str, Value> = game
        .factions()
        .map(|(seat, name)| (name, faction_table(view, seat)))
        .collect();
    let pool = view.bonus_pool.iter();
    let coins: BTreeMap<&str, u8> = pool
        .map(|pooled| (pooled.card.id(), pooled.coins))
        .collect();
    let favor = view
        .favor_pool
        .iter()
        .map(|(tile, left)| (tile.id(), *left));
    let town = view.town_pool.iter().map(|(tile, left)| (tile.id(), *left));
    json!({
        "round": view.round,
        "factions": factions,
        "buildings": buildings,
        "terrain_changed_from_base": changed,
        "bridges": bridges(view.bridges.iter().map(|bridge| {
            [bridge.a.id(), bridge.b.id(), name(bridge.seat)].map(String::from)
        })),
        "used_actions": used_actions(view, &name),
        "bonus_coins": coins,
        "pool_bonus": coins.keys().collect::<Vec<_>>(),
        "pool_favor": favor.collect::<BTreeMap<_, _>>(),
        "pool_town": town.collect::<BTreeMap<_, _>>(),
    })
}

/// Lists the used actions. Actions of cards and tiles carry the faction's name behind theirs.
fn used_actions<'n>(view: &View, name: &impl Fn(Seat) -> &'n str) -> Vec<String> {
    let shared = view
        .used_power_actions
        .iter()
        .map(|action| action.id().to_owned());
    let own = view.players.iter().flat_map(|player| {
        let used = player.board.iter().flat_map(|board| &board.used_special);
        used.map(|action| match action.id() {
            id @ ("BON1" | "BON2" | "FAV6") => format!("{id}/{}", name(player.seat)),
            id => id.to_owned(),
        })
    });
    let mut all: Vec<String> = shared.chain(own).collect();
    all.sort();
    all
}

/// Sorts bridges, and the ends of each, for a comparison that ignores their order.
fn bridges(all: impl Iterator<Item = [String; 3]>) -> Value {
    let mut rows: Vec<[String; 3]> = all
        .map(|[a, b, owner]| if a < b { [a, b, owner] } else { [b, a, owner] })
        .collect();
    rows.sort();
    json!(rows)
}

fn normal(recorded: &Value) -> Value {
    let mut table = recorded.clone();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rows = recorded["bridges"].as_array().cloned().unwrap_or_default();
    table["bridges"] = bridges(
        rows.iter()
            .map(|row| [word(&row["from"]), word(&row["to"]), word(&row["faction"])]),
    );
    for list in ["used_actions", "pool_bonus"] {
        sort(&mut table[list]);
    }
    for faction in table["factions"].as_object_mut().into_iter().flatten() {
        let tiles = faction.1["favor_tiles"].as_array_mut();
        tiles
            .expect("favor tiles")
            .sort_by_key(|tile| word(tile)[3..].parse::<u8>().unwrap_or(0));
        sort(&mut faction.1["town_tiles"]);
    }
    table
}

fn sort(list: &mut Value) {
    let all = list.as_array_mut().expect("a list");
    all.sort_by_key(ToString::to_string);
}

/// Compares the whole table; without VP if it was recorded before the final scoring.
pub(super) fn table(
    game: &Game,
    point: &Checkpoint,
    view: &View,
    over: bool,
) -> Result<(), String> {
    let (mut found, mut recorded) = (whole_table(game, view), normal(&point.table));
    if over {
        for (_, name) in game.factions() {
            found["factions"][name]["vp"].take();
            recorded["factions"][name]["vp"].take();
        }
    }
    let keys = recorded
        .as_object()
        .expect("a table")
        .keys()
        .cloned()
        .collect::<Vec<_>>();
    same(
        "the keys",
        &found.as_object().map(serde_json::Map::len),
        &Some(keys.len()),
    )?;
    for key in keys {
        if key == "factions" {
            for (_, name) in game.factions() {
                same(name, &found[&key][name], &recorded[&key][name])?;
            }
        }
        same(&key, &found[&key], &recorded[&key])?;
    }
    Ok(())
}

fn finale(view: &View, ranking: &Ranking, seat: Seat, area_size: u8) -> Finale {
    let standing = ranking
        .standings
        .iter()
        .find(|one| one.seat == seat)
        .expect("a result");
    let of = |source: &str| {
        let item = standing
            .breakdown
            .iter()
            .find(|item| item.source.id == source);
        u16::try_from(item.expect("a source").points).expect("VP")
    };
    Finale {
        before: of("before_final_scoring"),
        cults: Cults {
            fire: of("fire"),
            water: of("water"),
            earth: of("earth"),
            air: of("air"),
        },
        area_size,
        area: of("area"),
        resources: of("resources"),
        total: board(view, seat).vp,
        winner: standing.rank == 1,
    }
}

/// Compares every item of the final scoring.
pub(super) fn result(game: &Game, state: &State) -> Result<(), String> {
    let (view, ranking) = (
        TerraMystica::view(state, Viewer::Spectator),
        TerraMystica::ranking(state),
    );
    if game.results.is_empty() {
        return same("the end", &ranking.is_none(), &true);
    }
    let ranking = ranking.ok_or("the game is not over")?;
    for (seat, name) in game.factions() {
        let size = board(&view, seat).largest_area;
        same(
            name,
            &finale(&view, &ranking, seat, size),
            &game.results[name],
        )?;
    }
    Ok(())
}
