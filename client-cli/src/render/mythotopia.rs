//! The table of Mythotopia.

mod names;
mod words;

pub(super) use words::action;

use gamekeeper_proto::gamekeeper::mythotopia::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;

use self::names::{cards, colour, converter, named, point_card, province};
use crate::output::{BOLD, DIM, styled, wrap};
use crate::phrase;

/// The table in so many columns.
pub(super) fn table(info: &GameInfo, view: &pb::View, width: usize) -> String {
    let mut parts = vec![turn(info, view)];
    let players = view.players.iter();
    parts.extend(players.map(|player| self::player(info, view, player, width)));
    parts.push(neutral(info, view, width));
    parts.extend(wars(info, view));
    parts.extend(due(info, view));
    parts.push(seas(info, view));
    parts.push(points(view, width));
    parts.push(display(view, width));
    parts.join("\n")
}

fn turn(info: &GameInfo, view: &pb::View) -> String {
    let Some(turn) = &view.turn else {
        let what = match view.provinces_to_discard {
            0 => "everybody places a citadel".to_owned(),
            number => format!("everybody gives away {number} provinces"),
        };
        return format!("{}: {what}\n", styled(BOLD, "Set-up"));
    };
    let who = phrase::player(info, turn.active_player);
    if let Some(winner) = view.winner {
        return format!("The game is over: {} wins.\n", phrase::player(info, winner));
    }
    let mut notes = vec![format!("{} of 2 actions done", turn.actions_done)];
    if turn.free_action_done {
        notes.push("free action done".to_owned());
    }
    for (done, note) in [
        (turn.drafted, "card drafted"),
        (turn.road_move_used, "armies moved by road"),
        (turn.warehouse_used, "card stored"),
    ] {
        if done {
            notes.push(note.to_owned());
        }
    }
    let used = turn.converters_used.iter().copied().map(converter);
    notes.extend(used.map(|name| format!("{name} used")));
    format!(
        "{}   {}\n",
        styled(BOLD, format_args!("Turn of {who}")),
        notes.join(", ")
    )
}

/// A row: a name and words behind it, wrapped.
fn row(name: &str, words: &[String], width: usize) -> String {
    wrap(
        words,
        ", ",
        &format!("    {name:9} "),
        "              ",
        width,
    )
}

fn player(info: &GameInfo, view: &pb::View, player: &pb::PlayerView, width: usize) -> String {
    let active = view
        .turn
        .as_ref()
        .is_some_and(|turn| turn.active_player == player.seat);
    let mark = if active && view.winner.is_none() {
        ">"
    } else {
        " "
    };
    let name = styled(BOLD, phrase::player(info, player.seat));
    let part = |name: &str, value: String| format!("{} {value}", styled(DIM, name));
    let tokens = player.tokens.unwrap_or_default();
    let heading = [
        part("points", player.points.to_string()),
        part(
            "tokens",
            format!("{}/{}/{}", tokens.ones, tokens.twos, tokens.threes),
        ),
        part(
            "hand",
            format!("{}/{}", player.hand_count, player.hand_limit),
        ),
        part("deck", player.deck_count.to_string()),
        part("discard", player.discard.len().to_string()),
    ];
    let colour = colour(player.colour);
    let chosen = if player.has_chosen {
        ", has chosen"
    } else {
        ""
    };
    let mut lines = vec![format!(
        "{mark} {} {name} ({colour}{chosen})   {}",
        player.seat,
        heading.join("   ")
    )];
    lines.push(row("stock", &stock(player), width));
    let held = |place: &&pb::ProvinceView| place.controller == Some(player.seat);
    let provinces = view.provinces.iter().filter(held);
    let provinces: Vec<String> = provinces.map(|place| self::place(place, info)).collect();
    lines.push(row("provinces", &provinces, width));
    let mut list = |name: &str, numbers: &[i32]| {
        if !numbers.is_empty() {
            lines.push(row(name, &cards(numbers), width));
        }
    };
    if let Some(hand) = &player.hand {
        list("hand", &hand.cards);
    }
    list("reserve", &player.reserve);
    list("discard", &player.discard);
    list("removed", &player.removed);
    lines.join("\n")
}

fn stock(player: &pb::PlayerView) -> Vec<String> {
    let stock = player.stock.unwrap_or_default();
    let pool = player.pool.unwrap_or_default();
    vec![
        format!("armies {} (pool {})", stock.armies, pool.armies),
        format!("ships {} (pool {})", stock.ships, pool.ships),
        format!("towns {}", stock.towns),
        format!("cities {}", stock.cities),
        format!("reserve {}/{}", player.reserve.len(), player.reserve_limit),
    ]
}

/// A province with what stands and lives there: `Mome (city, castle, Ann 3)`.
fn place(place: &pb::ProvinceView, info: &GameInfo) -> String {
    let mut notes = Vec::new();
    match place.building() {
        pb::Building::City => notes.push("city".to_owned()),
        pb::Building::Citadel => notes.push("citadel".to_owned()),
        pb::Building::Town | pb::Building::Unspecified => {}
    }
    for (there, word) in [
        (place.castle, "castle"),
        (place.dragon, "dragon"),
        (place.runestone, "runestone"),
    ] {
        if there {
            notes.push(word.to_owned());
        }
    }
    for force in &place.forces {
        let name = phrase::player(info, force.seat);
        let hired = match force.mercenaries {
            0 => String::new(),
            number => format!("+{number}"),
        };
        notes.push(format!("{name} {}{hired}", force.armies));
    }
    let name = province(place.province);
    if notes.is_empty() {
        name
    } else {
        format!("{name} ({})", notes.join(", "))
    }
}

fn neutral(info: &GameInfo, view: &pb::View, width: usize) -> String {
    let free = view
        .provinces
        .iter()
        .filter(|place| place.controller.is_none());
    let words: Vec<String> = free.map(|it| place(it, info)).collect();
    let heading = format!("{}  ", styled(BOLD, "Neutral"));
    format!("\n{}", wrap(&words, ", ", &heading, "  ", width))
}

/// The wars with the strengths of now.
fn wars(info: &GameInfo, view: &pb::View) -> Option<String> {
    let side = |strength: &pb::Strength| {
        let name = match strength.seat {
            0 => "neutral".to_owned(),
            seat => phrase::player(info, seat),
        };
        format!("{name} {}", strength.strength)
    };
    let war = |war: &pb::War| {
        let sides: Vec<String> = war.strengths.iter().map(side).collect();
        format!("  {}: {}", province(war.province), sides.join(" : "))
    };
    let lines: Vec<String> = view.wars.iter().map(war).collect();
    let heading = styled(BOLD, "Wars") + &styled(DIM, "  (defender first)");
    (!lines.is_empty()).then(|| format!("{heading}\n{}", lines.join("\n")))
}

/// Tokens that wait to be taken, the first of them with its sources.
fn due(info: &GameInfo, view: &pb::View) -> Option<String> {
    let award = |award: &pb::Award| {
        let token = award.token.unwrap_or_default();
        let sources = award.sources.iter().map(|&number| {
            let name = pb::TokenSource::try_from(number).map(|it| it.as_str_name());
            named(name, "TOKEN_SOURCE_").to_lowercase()
        });
        let sources: Vec<String> = sources.collect();
        let from = match &sources[..] {
            [] => String::new(),
            some => format!(" from {}", some.join(" or ")),
        };
        let (who, card) = (phrase::player(info, award.seat), point_card(token.card));
        format!("{who}: {card} {}{from}", token.value)
    };
    let words: Vec<String> = view.awards.iter().map(award).collect();
    let heading = styled(BOLD, "Tokens due");
    (!words.is_empty()).then(|| format!("{heading}  {}", words.join(", ")))
}

fn seas(info: &GameInfo, view: &pb::View) -> String {
    let sea = |sea: &pb::SeaView| {
        let fleets = (1..).zip(&sea.ships).filter(|(_, ships)| **ships > 0);
        let fleets: Vec<String> = fleets
            .map(|(seat, ships)| format!("{} {ships}", phrase::player(info, seat)))
            .collect();
        let who = if fleets.is_empty() {
            styled(DIM, "no ships")
        } else {
            fleets.join(", ")
        };
        format!(
            "  {}: {who}",
            named(
                pb::Sea::try_from(sea.sea).map(|it| it.as_str_name()),
                "SEA_"
            )
        )
    };
    let lines: Vec<String> = view.seas.iter().map(sea).collect();
    let roads = view
        .roads
        .iter()
        .map(|road| format!("{}-{}", province(road.a), province(road.b)));
    let roads: Vec<String> = roads.collect();
    let mut text = format!("{}\n{}", styled(BOLD, "Seas"), lines.join("\n"));
    if !roads.is_empty() {
        text += &format!("\n{}  {}", styled(BOLD, "Roads"), roads.join(", "));
    }
    text
}

/// Point cards with what is left on them.
fn points(view: &pb::View, width: usize) -> String {
    let card = |card: &pb::PointCardView| {
        let stack = |stack: &pb::TokenStack| {
            let value = stack.token.map_or(0, |token| token.value);
            format!("{}x{value}", stack.count)
        };
        let tokens: Vec<String> = card.tokens.iter().map(stack).collect();
        format!("{} {}", point_card(card.card), tokens.join(" "))
    };
    let words: Vec<String> = view.point_cards.iter().map(card).collect();
    let heading = format!("{}  ", styled(BOLD, "Points"));
    let bank = view.bank.unwrap_or_default();
    let bank = format!("bank {}/{}/{}", bank.ones, bank.twos, bank.threes);
    let words = [words, vec![bank]].concat();
    let supply = view.supply.unwrap_or_default();
    format!(
        "{}\n{}  roads {}, castles {}, mercenaries {}",
        wrap(&words, ", ", &heading, "  ", width),
        styled(BOLD, "Supply"),
        supply.roads,
        supply.castles,
        supply.mercenaries
    )
}

fn display(view: &pb::View, width: usize) -> String {
    let improvement = |number: &i32| {
        let name = pb::Improvement::try_from(*number).map(|it| it.as_str_name());
        named(name, "IMPROVEMENT_")
    };
    let words: Vec<String> = view.improvement_display.iter().map(improvement).collect();
    let heading = format!("{}  ", styled(BOLD, "Display"));
    let mut text = wrap(&words, ", ", &heading, "  ", width);
    if let Some(shown) = &view.inspected {
        let words: Vec<String> = shown.improvements.iter().map(improvement).collect();
        let heading = format!("{}  ", styled(BOLD, "Philosopher shows"));
        text += &format!("\n{}", wrap(&words, ", ", &heading, "  ", width));
    }
    text
}

#[cfg(test)]
mod tests;
