//! The positions of a tree.

use gamekeeper_rules::table::{Chance, MAX_SEATS, Seed};

use super::{STEPS, rounded};
use crate::settings::Fault;

/// The findings of a tree about a word. Values are those of the seat to move, from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordRating {
    /// The word.
    pub word: u16,
    /// The prior, noise included. Priors of all words sum to 1, apart from rounding.
    pub prior: f64,
    /// The number of simulations that began with the word.
    pub count: u32,
    /// The mean value of these; 0 without any.
    pub value: f64,
    /// The standard error of the mean; 0 with fewer than two.
    pub error: f64,
}

/// The values of all seats.
pub(super) type Values = [f64; MAX_SEATS];

/// A position as the seat to move knows it (an **information set**).
pub(super) struct Node {
    pub(super) seat: usize,
    /// The values that the evaluator gave.
    pub(super) values: Values,
    edges: Vec<Edge>,
    /// The number of values, that of the evaluator included.
    visits: u32,
    value_sum: f64,
}

struct Edge {
    word: u16,
    prior: f64,
    visits: u32,
    value_sum: f64,
    squared_sum: f64,
}

impl Node {
    pub(super) fn new(seat: usize, priors: &[(u16, f64)], values: Values) -> Self {
        let edge = |&(word, prior): &(u16, f64)| Edge {
            word,
            prior,
            visits: 0,
            value_sum: 0.0,
            squared_sum: 0.0,
        };
        Self {
            seat,
            values,
            edges: priors.iter().map(edge).collect(),
            visits: 1,
            value_sum: values[seat],
        }
    }

    /// Returns the index and the word that promise most: by their mean value, and by their prior the more, the less
    /// they were tried. The value of words without a try is that of the position; the first of equals is taken.
    pub(super) fn most_promising(&self, exploration: f64) -> Option<(usize, u16)> {
        let mean = self.value_sum / f64::from(self.visits);
        let eagerness = exploration * f64::from(self.visits).sqrt();
        let promise = |edge: &Edge| {
            let visits = f64::from(edge.visits);
            let value = if edge.visits == 0 {
                mean
            } else {
                edge.value_sum / visits
            };
            value + eagerness * edge.prior / (1.0 + visits)
        };
        let promises = self.edges.iter().map(promise).enumerate();
        let (index, _) = promises.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        Some((index, self.edges[index].word))
    }

    /// Counts a simulation that went on with a word.
    pub(super) fn count(&mut self, edge: usize, values: &Values) {
        let value = values[self.seat];
        self.visits += 1;
        self.value_sum += value;
        if let Some(edge) = self.edges.get_mut(edge) {
            edge.visits += 1;
            edge.value_sum += value;
            edge.squared_sum += value * value;
        }
    }

    pub(super) fn ratings(&self) -> Vec<WordRating> {
        self.edges.iter().map(Edge::rating).collect()
    }
}

impl Edge {
    fn rating(&self) -> WordRating {
        let count = f64::from(self.visits.max(1));
        let value = self.value_sum / count;
        let spread = (self.squared_sum / count - value * value).max(0.0);
        WordRating {
            word: self.word,
            prior: self.prior,
            count: self.visits,
            value,
            error: match self.visits {
                0 | 1 => 0.0,
                _ => (spread / (count - 1.0)).sqrt(),
            },
        }
    }
}

/// Returns the priors of legal words: their share of the evaluator's row, or equal ones if it gives them nothing.
///
/// # Errors
/// Fails if one of them is no number from 0 on.
pub(super) fn priors_of(row: &[f32], words: &[u16]) -> Result<Vec<(u16, f64)>, Fault> {
    let mut priors = Vec::with_capacity(words.len());
    for &word in words {
        let prior = row.get(usize::from(word)).copied().unwrap_or(f32::NAN);
        if !(prior.is_finite() && prior >= 0.0) {
            return Err(Fault::Prior { word, prior });
        }
        priors.push((word, f64::from(prior)));
    }
    let sum: f64 = priors.iter().map(|(_, prior)| prior).sum();
    let equal = 1.0 / f64::from(u16::try_from(words.len()).unwrap_or(u16::MAX));
    for (_, prior) in &mut priors {
        *prior = rounded(if sum > 0.0 { *prior / sum } else { equal });
    }
    Ok(priors)
}

/// Returns the values of the seats. The evaluator's row counts seats from the one that looks.
///
/// # Errors
/// Fails if one of them is no number.
pub(super) fn values_of(row: &[f32], seat: usize) -> Result<Values, Fault> {
    let mut values = [0.0; MAX_SEATS];
    for (offset, &value) in row.iter().enumerate() {
        if !value.is_finite() {
            return Err(Fault::Value(value));
        }
        values[(seat + offset) % row.len()] = rounded(f64::from(value).clamp(-1.0, 1.0));
    }
    Ok(values)
}

/// Replaces a share of the priors by a random split, each equally likely: the gaps between sorted numbers.
pub(super) fn add_noise(priors: &mut [(u16, f64)], share: f64, seed: &Seed) {
    const GRAIN: u32 = 1 << 16;
    let mut luck = Chance::from_seed(seed);
    let cuts = priors.iter().skip(1).map(|_| luck.uniform(GRAIN));
    let mut cuts: Vec<u32> = cuts.chain([GRAIN]).collect();
    cuts.sort_unstable();
    let mut from = 0;
    for ((_, prior), cut) in priors.iter_mut().zip(cuts) {
        let drawn = f64::from(cut - from) / STEPS;
        *prior = rounded((1.0 - share) * *prior + share * drawn);
        from = cut;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_shares_of_what_legal_words_got() {
        let row = [0.0, 3.0, 9.0, 1.0];
        assert_eq!(priors_of(&row, &[1, 3]), Ok(vec![(1, 0.75), (3, 0.25)]));
        assert_eq!(priors_of(&[0.0; 4], &[0, 2]), Ok(vec![(0, 0.5), (2, 0.5)]));
        for wrong in [f32::INFINITY, -0.5] {
            let refused = priors_of(&[1.0, wrong], &[0, 1]);
            let expected = Fault::Prior {
                word: 1,
                prior: wrong,
            };
            assert_eq!(refused, Err(expected));
        }
    }

    #[test]
    fn values_count_from_the_seat_that_looks_and_are_cut() {
        let values = values_of(&[0.5, -0.25, 7.0], 2).unwrap();
        assert_eq!(values[..4], [-0.25, 1.0, 0.5, 0.0]);
        assert!(matches!(values_of(&[f32::NAN], 0), Err(Fault::Value(_))));
    }

    #[test]
    fn noise_is_a_split() {
        let noisy = |share, seed| {
            let mut priors = vec![(1, 0.5), (4, 0.25), (9, 0.25)];
            add_noise(&mut priors, share, &Seed::from_number(seed));
            priors
        };
        assert_eq!(noisy(0.0, 1), [(1, 0.5), (4, 0.25), (9, 0.25)]);
        let splits = [1, 2].map(|seed| noisy(1.0, seed));
        for split in &splits {
            assert_eq!(split.iter().map(|(_, prior)| prior).sum::<f64>(), 1.0);
        }
        assert_ne!(splits[0], splits[1]);
    }

    #[test]
    fn words_are_tried_by_prior_first_and_by_value_later() {
        let mut node = Node::new(0, &[(5, 0.25), (6, 0.75)], [0.0; MAX_SEATS]);
        let mut chosen = Vec::new();
        for _ in 0..8 {
            let (edge, word) = node.most_promising(1.0).unwrap();
            chosen.push(word);
            // The second word loses.
            let value = if word == 6 { -1.0 } else { 0.5 };
            let mut values = [0.0; MAX_SEATS];
            values[0] = value;
            node.count(edge, &values);
        }
        assert_eq!(chosen, [6, 5, 5, 5, 5, 5, 5, 5]);
        let [good, bad] = node.ratings()[..] else {
            unreachable!()
        };
        assert_eq!((good.count, good.value, good.error), (7, 0.5, 0.0));
        assert_eq!((bad.count, bad.value, bad.error), (1, -1.0, 0.0));
    }

    #[test]
    fn an_error_by_hand() {
        let mut node = Node::new(0, &[(5, 1.0)], [0.0; MAX_SEATS]);
        for value in [0.0, 1.0, 0.0, 1.0, 0.5] {
            let mut values = [0.0; MAX_SEATS];
            values[0] = value;
            node.count(0, &values);
        }
        // The variance of the sample is 0.25, that of the mean of five 0.05.
        let rating = node.ratings()[0];
        assert_eq!(rating.value, 0.5);
        assert!((rating.error - 0.05_f64.sqrt()).abs() < 1e-12);
    }
}
