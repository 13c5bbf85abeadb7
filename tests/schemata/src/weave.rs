//! Writes a file in which each mutant stands behind its switch.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::mutant::{Genre, Mutant};
use crate::sites::{Site, sites};

/// The function that returns whether a mutant is switched on; `tests/mutants` adds it to the crate.
const SWITCH: &str = "crate::mutant_switch::on";

/// The names that the operands of an operator are bound to, so that all its mutants can share them.
const LEFT: &str = "mutant_left";
const RIGHT: &str = "mutant_right";

/// The mutants for which no switch is possible, each with the reason.
pub(crate) type LeftOut = BTreeMap<u32, String>;

/// Returns the text with these mutants.
pub(crate) fn weave(text: &str, mutants: &[Mutant]) -> syn::Result<(String, LeftOut)> {
    let mut left_out = LeftOut::new();
    let mut woven: Vec<Woven<'_>> = sites(text)?
        .into_iter()
        .map(|site| Woven {
            site,
            mutants: Vec::new(),
        })
        .collect();
    for mutant in mutants {
        let key = mutant.span.bytes(text);
        let existing = woven.iter_mut().find(|woven| {
            woven.site.genre == mutant.genre && key.as_ref() == Some(&woven.site.key)
        });
        match existing {
            Some(Woven {
                site:
                    Site {
                        fixed: Some(reason),
                        ..
                    },
                ..
            }) => {
                left_out.insert(mutant.number, (*reason).to_owned());
            }
            Some(existing) => existing.mutants.push(mutant),
            None => {
                left_out.insert(mutant.number, "its place was not found".to_owned());
            }
        }
    }
    woven.retain(|woven| !woven.mutants.is_empty());
    let loom = Loom { text, woven };
    Ok((loom.range(0..text.len(), 0), left_out))
}

struct Woven<'a> {
    site: Site,
    mutants: Vec<&'a Mutant>,
}

struct Loom<'a> {
    text: &'a str,
    /// The sites with their mutants; an outer site precedes those within it.
    woven: Vec<Woven<'a>>,
}

impl Loom<'_> {
    /// Returns a part of the text with the mutants of the sites from this index on.
    fn range(&self, range: Range<usize>, from: usize) -> String {
        let mut inner: Vec<usize> = (from..self.woven.len())
            .filter(|&index| {
                let whole = &self.woven[index].site.whole;
                range.start <= whole.start && whole.end <= range.end
            })
            .collect();
        inner.sort_by_key(|&index| {
            let whole = &self.woven[index].site.whole;
            (whole.start, Reverse(whole.end), index)
        });
        let (mut text, mut end) = (String::new(), range.start);
        for index in inner {
            let whole = &self.woven[index].site.whole;
            // Code within the previous site is already part of that site's text.
            if whole.start >= end {
                text.push_str(&self.text[end..whole.start]);
                text.push_str(&self.site(index));
                end = whole.end;
            }
        }
        text.push_str(&self.text[end..range.end]);
        text
    }

    /// Returns the code of a site with its mutants, and with those of the sites within it.
    fn site(&self, index: usize) -> String {
        let Woven { site, mutants } = &self.woven[index];
        let code = |range: Range<usize>| self.range(range, index + 1);
        let (key, whole) = (&site.key, &site.whole);
        let healthy = || code(whole.clone());
        match site.genre {
            Genre::FnValue => mutants
                .iter()
                .map(|mutant| {
                    let value = marked(mutant, &format!("return {};", mutant.replacement));
                    format!(" if {} {{ {value} }}", on(mutant))
                })
                .collect(),
            Genre::MatchArm => {
                let off: Vec<String> = mutants
                    .iter()
                    .map(|mutant| marked(mutant, &format!("!{}", on(mutant))))
                    .collect();
                let off = off.join(" && ");
                if whole.is_empty() {
                    format!(" if {off}")
                } else {
                    format!("{off} && ({})", healthy())
                }
            }
            Genre::MatchArmGuard => {
                chosen(mutants, &healthy(), |mutant| mutant.replacement.clone())
            }
            Genre::BinaryOperator => self.binary(index),
            Genre::UnaryOperator => {
                let right = code(key.end..whole.end);
                chosen(mutants, &healthy(), |mutant| {
                    format!("{}{right}", mutant.replacement)
                })
            }
            Genre::StructField => {
                let (left, right) = (code(whole.start..key.start), code(key.end..whole.end));
                chosen(mutants, &healthy(), |_| format!("{left}{right}"))
            }
        }
    }

    /// Binds both operands of an operator once if possible. If they were repeated for each mutant, the code of a long
    /// sum would grow exponentially, because each `+` contains the previous ones.
    fn binary(&self, index: usize) -> String {
        let Woven { site, mutants } = &self.woven[index];
        let left = self.range(site.whole.start..site.key.start, index + 1);
        let right = self.range(site.key.end..site.whole.end, index + 1);
        let either = |left: &str, right: &str| {
            let with = |operator: &str| format!("{left} {operator} {right}");
            let healthy = with(&self.text[site.key.clone()]);
            chosen(mutants, &healthy, |mutant| with(&mutant.replacement))
        };
        match &self.text[site.key.clone()] {
            // The right operand is evaluated only if it matters.
            "&&" | "||" => format!(
                "({{ let {LEFT}: bool = {left}; {} }})",
                either(LEFT, &right)
            ),
            "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" => {
                let either = either(LEFT, RIGHT);
                format!("(match ({left}, {right}) {{ ({LEFT}, {RIGHT}) => {either} }})")
            }
            // Comparisons and assignments do not move their left operand, so it cannot be bound.
            _ => either(&left, &right),
        }
    }
}

/// Returns code that evaluates to the mutant that is on, or to the original code if none is.
fn chosen(mutants: &[&Mutant], healthy: &str, broken: impl Fn(&Mutant) -> String) -> String {
    let mut text = "(".to_owned();
    for mutant in mutants {
        let broken = marked(mutant, &broken(mutant));
        text.push_str(&format!("if {} {{ {broken} }} else ", on(mutant)));
    }
    text + &format!("{{ {healthy} }})")
}

/// Encloses the code of a mutant in comments with its number.
fn marked(mutant: &Mutant, code: &str) -> String {
    let number = mutant.number;
    format!("/*{number}[*/{code}/*]{number}*/")
}

fn on(mutant: &Mutant) -> String {
    format!("{SWITCH}({})", mutant.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a mutant of this code, in the format of `cargo mutants --list --json`.
    fn mutant(
        code: &str,
        number: u32,
        genre: &str,
        at: &Range<usize>,
        replacement: &str,
    ) -> Mutant {
        let position = |end: usize| {
            let before = &code[..end];
            let line = before.rsplit('\n').next().unwrap();
            serde_json::json!({"line": 1 + before.matches('\n').count(), "column": 1 + line.chars().count()})
        };
        let about = serde_json::json!({
            "number": number,
            "file": "",
            "genre": genre,
            "replacement": replacement,
            "span": {"start": position(at.start), "end": position(at.end)},
        });
        serde_json::from_value(about).unwrap()
    }

    /// Weaves mutants into this code, each given by its genre, the replaced code and the replacement.
    fn woven(code: &str, mutants: &[(&str, &str, &str)]) -> (String, LeftOut) {
        let listed: Vec<Mutant> = (1..)
            .zip(mutants)
            .map(|(number, (genre, replaced, replacement))| {
                let begin = code.find(replaced).unwrap();
                let at = begin..begin + replaced.len();
                mutant(code, number, genre, &at, replacement)
            })
            .collect();
        weave(code, &listed).unwrap()
    }

    /// Returns the code that is executed with this mutant on; 0 is none.
    fn only(on: u32, woven: &str) -> String {
        let mut text = woven.to_owned();
        for number in 1..10 {
            let state = if number == on { "true" } else { "false" };
            text = text.replace(&format!("{SWITCH}({number})"), state);
            text = text
                .replace(&format!("/*{number}[*/"), "")
                .replace(&format!("/*]{number}*/"), "");
        }
        text
    }

    #[test]
    fn each_mutant_stands_behind_its_switch() {
        let code = "fn f(ä: u8) -> u8 {\n    match ä {\n        1 => ä + 1 * 2,\n        2 if !g() => 3,\n        _ => 4,\n    }\n}\n";
        let body = code.strip_prefix("fn f(ä: u8) -> u8 {\n    ").unwrap();
        let body = body.strip_suffix("\n}\n").unwrap();
        let (text, left_out) = woven(
            code,
            &[
                ("FnValue", body, "7"),
                ("BinaryOperator", "+", "-"),
                ("BinaryOperator", "*", "/"),
                ("MatchArm", "1 => ä + 1 * 2,", ""),
                ("MatchArmGuard", "!g()", "true"),
                ("UnaryOperator", "!", ""),
            ],
        );
        assert_eq!(left_out, LeftOut::new());
        syn::parse_file(&text).unwrap();
        let either = |one: char, other: char| {
            format!("(if false {{ {LEFT} {one} {RIGHT} }} else {{ {LEFT} {other} {RIGHT} }})")
        };
        let product = format!(
            "(match (1 ,  2) {{ ({LEFT}, {RIGHT}) => {} }})",
            either('/', '*')
        );
        let sum = format!(
            "(match (ä ,  {product}) {{ ({LEFT}, {RIGHT}) => {} }})",
            either('-', '+')
        );
        let guard = "(if false { true } else { (if false { g() } else { !g() }) })";
        let healthy = format!(
            "fn f(ä: u8) -> u8 {{ if false {{ return 7; }}\n    match ä {{\n        1 if !false => {sum},\n        2 if {guard} => 3,\n        _ => 4,\n    }}\n}}\n"
        );
        assert_eq!(only(0, &text), healthy);
        for number in 1..=6 {
            assert_ne!(only(number, &text), healthy, "{number}: {text}");
        }
    }

    #[test]
    fn a_long_chain_stays_short() {
        for (operator, replacement) in [("&&", "||"), ("+", "-")] {
            let chain = ["a"; 40].join(operator);
            let code = format!("fn f(a: A) -> A {{ {chain} }}");
            let sites = sites(&code).unwrap();
            let listed: Vec<Mutant> = (1..)
                .zip(
                    sites
                        .iter()
                        .filter(|site| site.genre == Genre::BinaryOperator),
                )
                .map(|(number, site)| {
                    mutant(&code, number, "BinaryOperator", &site.key, replacement)
                })
                .collect();
            assert_eq!(listed.len(), 39);
            let (text, _) = weave(&code, &listed).unwrap();
            syn::parse_file(&text).unwrap();
            assert!(text.len() < 300 * listed.len(), "{}", text.len());
        }
    }

    #[test]
    fn what_is_computed_at_build_time_has_no_switch() {
        for code in [
            "const A: u8 = 1 + 2;",
            "static A: u8 = 1 + 2;",
            "const fn f() -> u8 { 1 + 2 }",
            "fn f() { let a = [0; 1 + 2]; }",
            "fn f() -> G<{ 1 + 2 }> { g() }",
            "enum E { A = 1 + 2 }",
        ] {
            let (text, left_out) = woven(code, &[("BinaryOperator", "+", "-")]);
            assert_eq!((text.as_str(), left_out.len()), (code, 1));
        }
        let closure = "static A: LazyLock<u8> = LazyLock::new(|| 1 + 2);";
        assert!(woven(closure, &[("BinaryOperator", "+", "-")]).1.is_empty());
        let opaque = "fn f() -> impl Iterator<Item = u8> { g() }";
        assert_eq!(woven(opaque, &[("FnValue", "g()", "empty()")]).1.len(), 1);
        let binding = "fn f() { if let Some(a) = b && c {} }";
        assert_eq!(woven(binding, &[("BinaryOperator", "&&", "||")]).1.len(), 1);
    }
}
