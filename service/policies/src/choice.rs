//! The choice of a word by scores.

use gamekeeper_rules::table::Chance;

/// The number of equally likely values by which a word is drawn.
const GRAIN: u32 = 1 << 31;

/// Chooses a word by its score: the highest one, and the first of equals, if the temperature is 0; otherwise draws one.
/// Words whose score is no number are never chosen. Returns `None` if there are no others.
pub(crate) fn choose_word(
    scores: &[f32],
    words: &[u16],
    temperature: f32,
    luck: &mut Chance,
) -> Option<u16> {
    let scored = |word: &u16| {
        let score = *scores.get(usize::from(*word))?;
        score.is_finite().then_some((*word, score))
    };
    let scored: Vec<(u16, f32)> = words.iter().filter_map(scored).collect();
    let higher = |best: (u16, f32), next: (u16, f32)| if next.1 > best.1 { next } else { best };
    let (best, highest) = scored.iter().copied().reduce(higher)?;
    if temperature == 0.0 {
        return Some(best);
    }
    let weight = |score: f32| (f64::from(score - highest) / f64::from(temperature)).exp();
    let all: f64 = scored.iter().map(|(_, score)| weight(*score)).sum();
    let mut left = f64::from(luck.uniform(GRAIN)) / f64::from(GRAIN) * all;
    for (word, score) in &scored {
        left -= weight(*score);
        if left < 0.0 {
            return Some(*word);
        }
    }
    // Only rounding leads here.
    Some(best)
}

/// Adds the prior of each word: in proportion to e to the power of its score, and 0 for words that the mask does not
/// allow or whose score is no number. Returns `None` if there are no others.
pub(crate) fn push_priors(scores: &[f32], mask: &[i8], priors: &mut Vec<f32>) -> Option<()> {
    let scored =
        |(score, allowed): (&f32, &i8)| (*allowed != 0 && score.is_finite()).then_some(*score);
    let scored = scores.iter().zip(mask).map(scored);
    let highest = scored.clone().flatten().reduce(f32::max)?;
    let weight = |score: Option<f32>| score.map_or(0.0, |score| (score - highest).exp());
    priors.extend(scored.map(weight));
    Some(())
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::Seed;

    use super::*;

    fn luck() -> Chance {
        Chance::from_seed(&Seed::from_number(1))
    }

    #[test]
    fn only_legal_words_with_a_number_are_chosen() {
        let scores = [9.0, 1.0, f32::NAN, 3.0, 3.0, f32::INFINITY];
        for temperature in [0.0, 0.1] {
            let chosen = |words: &[u16]| choose_word(&scores, words, temperature, &mut luck());
            assert_eq!(chosen(&[1, 2, 3]), Some(3));
            assert_eq!(chosen(&[1, 2, 5]), Some(1));
            assert_eq!(chosen(&[2, 5, 99]), None);
            assert_eq!(chosen(&[]), None);
        }
        assert_eq!(choose_word(&scores, &[3, 4], 0.0, &mut luck()), Some(3));
    }

    #[test]
    fn priors_are_those_of_legal_words_with_a_number() {
        let scores = [9.0, 1.0, f32::NAN, 1.0 + 3.0_f32.ln(), f32::INFINITY];
        let mut priors = Vec::new();
        push_priors(&scores, &[0, 1, 1, 1, 1], &mut priors).unwrap();
        let share = |word: usize| priors[word] / priors.iter().sum::<f32>();
        let expected = [0.0, 0.25, 0.0, 0.75, 0.0];
        for (word, expected) in expected.into_iter().enumerate() {
            assert!((share(word) - expected).abs() < 1e-6, "{priors:?}");
        }
        assert_eq!(push_priors(&scores, &[0, 0, 1, 0, 1], &mut priors), None);
    }

    #[test]
    fn a_temperature_draws_in_proportion() {
        // At a temperature of 2, a score that is higher by 2 ln 3 is three times as likely.
        let scores = [0.0, 2.0 * 3.0_f32.ln()];
        let mut luck = luck();
        let mut drawn = [0; 2];
        for _ in 0..4_000 {
            let word = choose_word(&scores, &[0, 1], 2.0, &mut luck).unwrap();
            drawn[usize::from(word)] += 1;
        }
        assert!((2_900..3_100).contains(&drawn[1]), "{drawn:?}");
    }
}
