//! Suggestions for a lookup that found no rule: the rules with the most similar ids, or names by **edit distance**.

use std::cmp::Reverse;

use super::search::{Number, words};
use super::{Rulebook, title};

/// The maximum number of suggested ids.
const MOST: usize = 3;

/// Returns the maximum number of differing letters in a name of this many letters.
const fn most_slips(letters: usize) -> usize {
    letters / 3
}

/// Returns the ids in these books that are most similar to a query without results: the same chapter and the next
/// numbers, or names that differ in few letters. The nearest come first; empty if no id is similar.
#[must_use]
pub fn nearest(books: &[&Rulebook], query: &str) -> Vec<String> {
    match Number::of_query(query) {
        Some(number) => by_number(books, &number),
        None => by_name(books, query),
    }
}

fn by_number(books: &[&Rulebook], typed: &Number) -> Vec<String> {
    let mut near = Vec::new();
    for book in books {
        let wanted = typed.within(book.prefix);
        for (number, rule) in book.numbers() {
            let both = wanted.parts.iter().zip(&number.parts);
            let common = both.take_while(|(wanted, part)| wanted == part).count();
            if common > 0 {
                let figure_at =
                    |number: &Number| number.parts.get(common).map_or(0, |part| figure(part));
                let gap = figure_at(&wanted).abs_diff(figure_at(number));
                near.push((Reverse(common), gap, rule.id.clone()));
            }
        }
    }
    first(near)
}

/// Returns a part of a number as a figure; letters count as far from every figure.
fn figure(part: &str) -> u32 {
    part.parse().unwrap_or(u32::MAX)
}

fn by_name(books: &[&Rulebook], query: &str) -> Vec<String> {
    let wanted = words(query).join(" ");
    let mut near = Vec::new();
    for rule in books.iter().flat_map(|book| &book.paragraphs) {
        let Some(name) = title(rule.text, &rule.id) else {
            continue;
        };
        let slips = strsim::osa_distance(&wanted, &words(name).join(" "));
        if slips <= most_slips(wanted.chars().count()) {
            near.push((slips, 0, rule.id.clone()));
        }
    }
    first(near)
}

/// Returns the ids of the smallest keys, in the order of the books among equals.
fn first<K: Ord>(mut near: Vec<(K, u32, String)>) -> Vec<String> {
    near.sort_by(|left, right| (&left.0, left.1).cmp(&(&right.0, right.1)));
    let mut ids: Vec<String> = near.into_iter().map(|(_, _, id)| id).collect();
    ids.dedup();
    ids.truncate(MOST);
    ids
}
