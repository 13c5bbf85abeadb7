//! Names of things, from the names of the contract.

use gamekeeper_proto::gamekeeper::mythotopia::v1 as pb;

use crate::phrase;

/// A name of the contract in words: `SEA_BEAST_SEA` is `Beast Sea`.
pub(super) fn named<E>(name: Result<&str, E>, prefix: &str) -> String {
    let name = name.unwrap_or("?");
    phrase::title(name.strip_prefix(prefix).unwrap_or(name))
}

pub(super) fn province(number: i32) -> String {
    named(
        pb::Province::try_from(number).map(|it| it.as_str_name()),
        "PROVINCE_",
    )
}

/// `POINT_CARD_HERE_BE_DRAGONS` is `Here be Dragons`.
pub(super) fn point_card(number: i32) -> String {
    let name = pb::PointCard::try_from(number).map(|it| it.as_str_name());
    let small = [(" Of ", " of "), (" The ", " the "), (" Be ", " be ")];
    small
        .iter()
        .fold(named(name, "POINT_CARD_"), |name, (great, small)| {
            name.replace(great, small)
        })
}

pub(super) fn converter(number: i32) -> String {
    let name = pb::Converter::try_from(number).map(|it| it.as_str_name());
    named(name, "CONVERTER_")
}

pub(super) fn colour(number: i32) -> String {
    let name = pb::Colour::try_from(number).map(|it| it.as_str_name());
    named(name, "COLOUR_").to_lowercase()
}

/// Cards in their order: provinces and improvements by name, starting cards by kind. Equal
/// neighbours are counted.
pub(super) fn cards(numbers: &[i32]) -> Vec<String> {
    let mut words: Vec<(String, usize)> = Vec::new();
    for &number in numbers {
        let word = card(number);
        match words.last_mut() {
            Some((last, count)) if *last == word => *count += 1,
            Some(_) | None => words.push((word, 1)),
        }
    }
    let word = |(word, count): (String, usize)| match count {
        1 => word,
        _ => format!("{count} {word}"),
    };
    words.into_iter().map(word).collect()
}

/// `CARD_START_RED_BUILD_2` is `Build`, `CARD_PROVINCE_MOME` is `Mome`.
fn card(number: i32) -> String {
    let name = pb::Card::try_from(number).map(|it| it.as_str_name());
    let name = name.unwrap_or("?").trim_start_matches("CARD_");
    let kind = name
        .strip_prefix("START_")
        .and_then(|rest| rest.split('_').nth(1));
    let own = name
        .strip_prefix("PROVINCE_")
        .or_else(|| name.strip_prefix("IMPROVEMENT_"));
    phrase::title(kind.or(own).unwrap_or(name))
}
