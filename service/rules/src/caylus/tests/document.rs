//! The paragraphs about single components against the figures (CAY-3).

use std::sync::LazyLock;

use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::caylus::data::{
    FavorLine, Kind, MAX_MARKER, Resource, Section, Special, Tile,
};
use gamekeeper_rules::rulebook::{Rule, Rulebook};
use gamekeeper_rules::ruleset::Ruleset as _;
use gamekeeper_rules::table::Count;

static RULES: LazyLock<Rulebook> = LazyLock::new(|| Rulebook::read(Caylus::RULES));

/// The one paragraph about this component: it has its name in bold, and the word for it in actions and responses.
#[track_caller]
fn paragraph(name: &str, word: &str) -> &'static Rule {
    let title = format!(" **{name}.** ");
    let last = format!("`{word}`.");
    let fits = |rule: &&Rule| {
        rule.chapter.number == "3"
            && rule.text.contains(&title)
            && rule.text.trim_end().ends_with(&last)
    };
    let mut found = RULES.paragraphs().iter().filter(fits);
    let only = found.next().unwrap_or_else(|| panic!("{name} ({word})"));
    assert!(found.next().is_none(), "{name} ({word}) twice");
    only
}

#[track_caller]
fn says(rule: &Rule, sentence: &str) {
    assert!(rule.text.contains(sentence), "{sentence} in {}", rule.text);
}

#[test]
fn every_building_has_a_paragraph_of_its_own() {
    for tile in Tile::ALL {
        let sheet = tile.sheet();
        let rule = paragraph(tile.name(), tile.id());
        says(rule, &sheet.effect.printed());
        let tells = |word: &str| rule.text.contains(word);
        let is_built = matches!(sheet.kind, Kind::Wood | Kind::Stone | Kind::Prestige);
        assert_eq!(tells(" Costs "), is_built, "{}", rule.text);
        if is_built {
            let any = if sheet.any_cube {
                " and 1 cube of any kind"
            } else {
                ""
            };
            says(rule, &format!("Costs {}{any}.", sheet.cost));
        }
        assert_eq!(tells("its builder"), sheet.vp > 0, "{}", rule.text);
        match (sheet.vp, sheet.favors) {
            (0, _) => {}
            (vp, 0) => says(rule, &format!("Gives its builder {vp} VP.")),
            (vp, favors) => {
                let favors = Count(favors, "favor");
                says(rule, &format!("Gives its builder {vp} VP and {favors}."));
            }
        }
        assert_eq!(tells("income"), sheet.income > 0, "{}", rule.text);
        if sheet.income > 0 {
            let deniers = Count(sheet.income, "denier");
            says(
                rule,
                &format!("Gives its owner {deniers} in each income phase"),
            );
        }
        let bonus = sheet.owner_bonus.iter().map(|kind| format!("1 {kind}"));
        let bonus = bonus.collect::<Vec<_>>().join(" or ");
        assert_eq!(tells("the owner takes"), !bonus.is_empty(), "{}", rule.text);
        says(rule, &bonus);
        assert_eq!(tells("There are two"), sheet.copies == 2, "{}", rule.text);
    }
}

#[test]
fn every_special_building_has_a_paragraph_of_its_own() {
    for special in Special::ALL {
        let rule = RULES
            .rule(&format!("CAY-6.5.{}", special.index() + 1))
            .unwrap();
        says(&rule, &format!(" **{}.** ", special.name()));
    }
}

#[test]
fn every_section_of_the_castle_has_a_paragraph_of_its_own() {
    for section in Section::ALL {
        let sheet = section.sheet();
        let rule = paragraph(section.name(), section.id());
        says(
            rule,
            &format!(" {} parts, {} VP each.", sheet.parts, sheet.vp),
        );
        says(rule, &format!("Trigger space {}.", sheet.trigger.number()));
        says(rule, &format!("without a part loses {} VP", sheet.penalty));
        assert_eq!(sheet.favors(1), 0);
        let most = (1..=sheet.parts).map(|parts| sheet.favors(parts)).max();
        for favors in 1..=most.unwrap() {
            let mut parts = (1..=sheet.parts).filter(|parts| sheet.favors(*parts) == favors);
            let from = parts.next().unwrap();
            let parts = match parts.next_back() {
                None => from.to_string(),
                Some(_) if Some(favors) == most => format!("{from} or more"),
                Some(to) => format!("{from} or {to}"),
            };
            says(rule, &format!("{parts}: {}", Count(favors, "favor")));
        }
    }
}

#[test]
fn every_line_of_favors_has_a_paragraph_of_its_own() {
    for line in FavorLine::ALL {
        let rule = paragraph(line.name(), line.id());
        for column in 1..=MAX_MARKER {
            says(rule, &format!("Column {column}: {}.", line.column(column)));
        }
    }
}

#[test]
fn every_kind_of_cubes_is_named() {
    let rule = RULES.rule("CAY-3.55").unwrap();
    for kind in Resource::ALL {
        says(&rule, kind.name());
    }
}
