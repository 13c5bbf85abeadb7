//! The order of legal actions for people, and the folding of long lists: first by kind, then by place, then by payment.

use std::cmp::Reverse;
use std::collections::HashMap;

use gamekeeper_proto::raw::LegalAction;
use prost_reflect::{ReflectMessage, Value};

use crate::contract::{to_dynamic, unwrap_oneof};

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Entry {
    /// One action.
    One(usize),
    /// Several actions whose first decisions are the same.
    Several(Vec<usize>),
}

impl Entry {
    /// Returns the indexes of the actions on this line.
    pub(in crate::commands) fn indices(&self) -> &[usize] {
        match self {
            Self::One(index) => std::slice::from_ref(index),
            Self::Several(indices) => indices,
        }
    }
}

/// The decisions of an action, in order: its kind, then the values of its fields.
pub(super) type Path = Vec<String>;

/// Sorts actions into the order in which people read them, and returns the decisions of each. Actions that do
/// everything at once come first, then the kinds in the order of the rules, and within a kind those that do more at
/// once. Actions whose first decisions are the same are adjacent.
pub(super) fn sorted<'a>(
    actions: impl IntoIterator<Item = &'a LegalAction>,
) -> Vec<(&'a LegalAction, Path)> {
    let of = |action: &'a LegalAction| {
        let (path, parts) = path(action);
        (action, path, parts)
    };
    let mut all: Vec<_> = actions.into_iter().map(of).collect();
    let kinds: Vec<String> = all.iter().map(|(action, ..)| action.kind.clone()).collect();
    let kind = |action: &LegalAction| kinds.iter().position(|kind| *kind == action.kind);
    // The sort is stable: otherwise the order of the rules is preserved.
    let part = |action: &LegalAction| !action.kind.split('_').any(|word| word == "all");
    all.sort_by_cached_key(|(action, _, parts)| (part(action), kind(action), Reverse(*parts)));
    let mut firsts: HashMap<Path, usize> = HashMap::new();
    let mut ranked = Vec::new();
    for (index, (action, path, _)) in all.into_iter().enumerate() {
        let mut rank = |end| *firsts.entry(path[..end].to_vec()).or_insert(index);
        let ranks: Vec<usize> = (1..=path.len()).map(&mut rank).collect();
        ranked.push((ranks, (action, path)));
    }
    ranked.sort_by(|(one, _), (other, _)| one.cmp(other));
    ranked.into_iter().map(|(_, action)| action).collect()
}

/// Returns the decisions of an action, and the number of items in its lists.
fn path(action: &LegalAction) -> (Path, usize) {
    let mut path = vec![action.kind.clone()];
    let mut parts = 0;
    let body_of_action = action.action.as_ref();
    let body_of_action =
        body_of_action.and_then(|action| unwrap_oneof(&to_dynamic("Action", action).ok()?));
    let body = body_of_action.and_then(|message| {
        let (_, value) = message.fields().next()?;
        value.as_message().cloned()
    });
    let fields = body.iter().flat_map(|body| {
        let fields: Vec<_> = body.descriptor().fields().collect();
        fields.into_iter().map(move |field| (body, field))
    });
    for (body, field) in fields {
        let value = body.get_field(&field);
        if let Value::List(list) = &*value {
            parts += list.len();
        }
        path.push(format!("{} {value:?}", body.has_field(&field)));
    }
    (path, parts)
}

/// Folds the list to about this number of lines: actions whose first decisions are the same share one line, unless they
/// all fit. An action without such neighbors is never folded.
pub(super) fn folded(indices: &[usize], paths: &[Path], lines: usize) -> Vec<Entry> {
    let mut groups = split(indices, paths);
    // Unfold the smallest groups first, while lines are left.
    let mut by_size: Vec<usize> = (0..groups.len()).collect();
    by_size.sort_by_key(|group| groups[*group].len());
    let mut total = groups.len();
    let mut open = vec![false; groups.len()];
    for group in by_size {
        let more = groups[group].len() - 1;
        if total + more <= lines {
            total += more;
            open[group] = true;
        }
    }
    let mut entries = Vec::new();
    for (group, open) in groups.drain(..).zip(open) {
        if open || group.len() == 1 {
            entries.extend(group.into_iter().map(Entry::One));
        } else {
            entries.push(Entry::Several(group));
        }
    }
    entries
}

/// Splits the actions into groups by the first decision in which they differ.
fn split(indices: &[usize], paths: &[Path]) -> Vec<Vec<usize>> {
    let Some(first) = indices.first() else {
        return Vec::new();
    };
    let at = |index: &usize, step: usize| paths[*index].get(step);
    let deepest = paths[*first].len();
    let differ = |step: &usize| {
        indices
            .iter()
            .any(|index| at(index, *step) != at(first, *step))
    };
    let Some(step) = (0..deepest).find(differ) else {
        return indices.iter().map(|index| vec![*index]).collect();
    };
    let same = |one: &usize, other: &usize| at(one, step) == at(other, step);
    indices.chunk_by(same).map(<[usize]>::to_vec).collect()
}

/// Returns the words that all these texts begin with.
pub(super) fn beginning(texts: &[&str]) -> String {
    let Some((first, others)) = texts.split_first() else {
        return String::new();
    };
    let words: Vec<&str> = first.split(' ').collect();
    let agree = |(index, word): &(usize, &&str)| {
        let mut others = others.iter();
        others.all(|other| other.split(' ').nth(*index) == Some(**word))
    };
    let common = words.iter().enumerate().take_while(agree).count();
    words[..common].join(" ")
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::raw::Action;

    use super::*;
    use crate::contract::read_wrapped;

    fn listed(ruleset: &str, kind: &str, texts: &[&str]) -> Vec<LegalAction> {
        let listed = |text: &&str| LegalAction {
            action: Some(read_wrapped::<Action>(ruleset, "Action", text).unwrap()),
            kind: kind.to_owned(),
            text: (*text).to_owned(),
            ..LegalAction::default()
        };
        texts.iter().map(listed).collect()
    }

    #[test]
    fn all_treasures_come_before_one() {
        let one = r#"{"playTreasures":{"cards":["CARD_COPPER"]}}"#;
        let two = r#"{"playTreasures":{"cards":["CARD_COPPER","CARD_COPPER"]}}"#;
        let all = r#"{"playAllTreasures":{}}"#;
        let mut actions = listed("dominion", "play_treasures", &[one, two]);
        actions.extend(listed("dominion", "play_all_treasures", &[all]));
        actions.extend(listed("dominion", "end_turn", &[r#"{"endTurn":{}}"#]));
        let texts: Vec<_> = sorted(&actions)
            .into_iter()
            .map(|(action, _)| action.text.as_str())
            .collect();
        assert_eq!(texts, [all, two, one, r#"{"endTurn":{}}"#]);
    }

    #[test]
    fn long_lists_are_folded_by_what_is_decided_first() {
        let path = |step: &str, index: usize, way: usize| -> Path {
            vec![step.to_owned(), index.to_string(), way.to_string()]
        };
        let builds = (0..6).map(|number| path("build", number / 3, number % 3));
        let paths: Vec<Path> = builds.chain([path("pass", 0, 0)]).collect();
        let all: Vec<usize> = (0..7).collect();
        let one = |index| Entry::One(index);
        assert_eq!(
            folded(&all, &paths, 7),
            all.iter().copied().map(one).collect::<Vec<_>>()
        );
        let builds: Vec<usize> = (0..6).collect();
        assert_eq!(
            folded(&all, &paths, 6),
            [Entry::Several(builds.clone()), one(6)]
        );
        let expected = [Entry::Several(vec![0, 1, 2]), Entry::Several(vec![3, 4, 5])];
        assert_eq!(folded(&builds, &paths, 3), expected);
        assert_eq!(folded(&builds[..3], &paths, 1), [one(0), one(1), one(2)]);
    }

    #[test]
    fn a_folded_line_says_what_its_actions_have_in_common() {
        let texts = ["build on E4 for 1 coin", "build on E4 for 2 coins"];
        assert_eq!(beginning(&texts), "build on E4 for");
        assert_eq!(beginning(&["pass", "build"]), "");
        assert_eq!(beginning(&[]), "");
    }
}
