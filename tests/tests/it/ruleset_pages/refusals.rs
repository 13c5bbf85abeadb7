//! The refusals of a ruleset: sentences from the rows of its `refusal.rs`, and rules from the code, from recorded
//! sessions and from the rule document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::table::Refusal as _;
use gamekeeper_tests::recording::refusals;
use serde_json::Value;
use syn::parse::{Parse, ParseBuffer, ParseStream};
use syn::{Attribute, File, Ident, Item, LitStr, Token, Type, Variant};

use super::paragraphs::cited;

/// Returns a table of every code with its paragraphs and its sentence, with values in braces.
pub(super) fn table<R: Audit>(folder: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let source = read(&folder.join("refusal.rs"));
    let sentences = sentences(&source);
    let cited = cited(&folder, R::RULES.prefix);
    let mut recorded = recorded(R::INFO.id);
    let met = refusals::<R>(0..GAMES);
    for (code, rule) in met.keys() {
        let rules = recorded.entry((*code).to_owned()).or_default();
        rules.insert((*rule).to_owned());
    }
    let rulebook = Rulebook::read(R::RULES);
    let mut table = String::from("| refusal | rules | sentence |\n|---|---|---|\n");
    for &code in R::Refusal::CODES {
        let sentence = sentences
            .get(code)
            .unwrap_or_else(|| panic!("{code} has no row"));
        let sources = [&cited, &recorded].map(|by_code| by_code.get(code));
        let mut rules: BTreeSet<_> = sources.into_iter().flatten().flatten().cloned().collect();
        if rules.is_empty() {
            rules = written(&rulebook, code);
        }
        assert!(!rules.is_empty(), "no paragraph refuses with {code}");
        let rules: Vec<_> = rules.into_iter().collect();
        let example = met.iter().find(|((met, _), _)| *met == code);
        let sentence = match example {
            Some((_, example)) if says_nothing(sentence) => {
                format!("One of several, such as: {}", example.replace('|', "or"))
            }
            None if says_nothing(sentence) => all_of(&source, code).unwrap_or(sentence.clone()),
            Some(_) | None => sentence.clone(),
        };
        writeln!(table, "| `{code}` | {} | {sentence} |", rules.join(" ")).unwrap();
    }
    table
}

/// Returns whether a template consists of placeholders alone.
fn says_nothing(template: &str) -> bool {
    let mut depth = 0;
    let outside = template.chars().filter(|&letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && letter.is_alphabetic()
    });
    template.starts_with("One of several") || outside.count() < WORD
}

/// Minimum number of letters outside the placeholders of a template that says something.
const WORD: usize = 4;

/// Returns all sentences of a refusal that takes those of an enum, as `INVALID_OPTION` takes those of `OptionFlaw`.
fn all_of(file: &File, code: &str) -> Option<String> {
    let rows = rows(file);
    let row = rows
        .iter()
        .find(|row| code_of(&row.ident.to_string()) == code)?;
    let types: Vec<_> = row.fields.iter().map(|field| &field.ty).collect();
    let declared = file.items.iter().find_map(|item| {
        let Item::Enum(declaration) = item else {
            return None;
        };
        let is_it =
            |ty: &&Type| matches!(ty, Type::Path(path_type) if path_type.path.is_ident(&declaration.ident));
        types.iter().any(is_it).then_some(declaration)
    })?;
    let texts = declared.variants.iter().flat_map(|variant| &variant.attrs);
    let texts = texts.filter(|at| at.path().is_ident("error"));
    let texts = texts.map(|at| at.parse_args::<LitStr>().expect("a sentence").value());
    Some(format!("One of: {}", texts.collect::<Vec<_>>().join(" ")))
}

/// The number of random games that are searched for the contents of the page.
const GAMES: u64 = 24;

/// The number of further games that are searched for refusals that the page may lack.
const MORE: u64 = 2;

/// Checks that every refusal of further games is on the page.
pub(super) fn is_whole<R: Audit>(page: &str) {
    for (code, rule) in refusals::<R>(GAMES..GAMES + MORE).into_keys() {
        let row = format!("| `{code}` |");
        let row = page.lines().find(|line| line.starts_with(&row));
        let rules = row.and_then(|row| row.split(" | ").nth(1)).unwrap_or("");
        assert!(
            rules.split(' ').any(|one| one == rule),
            "{}: {rule} refuses with {code}; the page has {rules}",
            R::INFO.id
        );
    }
}

/// Returns the paragraphs by which recorded sessions are refused.
fn recorded(ruleset: &str) -> BTreeMap<String, BTreeSet<String>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("conformance/{ruleset}.jsonl"));
    let mut rules_by_code = BTreeMap::<String, BTreeSet<String>>::new();
    for line in fs::read_to_string(file).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let refusal = &line["refusal"];
        if let (Some(code), Some(rule)) = (refusal["reason"].as_str(), refusal["rule"].as_str()) {
            let rules = rules_by_code.entry(code.to_owned()).or_default();
            rules.insert(rule.to_owned());
        }
    }
    rules_by_code
}

pub(super) fn read(path: &Path) -> File {
    let text = fs::read_to_string(path).unwrap();
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the sentences in the rows of `refusals!`: those in `#[error("...")]` or, if a function produces the
/// sentence, the comment above the variant.
fn sentences(file: &File) -> BTreeMap<String, String> {
    let row = |variant: &Variant| {
        let error = variant.attrs.iter().find(|at| at.path().is_ident("error"));
        let list = error.expect("a sentence").meta.require_list().unwrap();
        let tokens = list.tokens.to_string();
        // The literal comes first; the rest fills its placeholders.
        let (text, values) = match syn::parse2::<LitStr>(list.tokens.clone()) {
            Ok(text) => (text.value(), String::new()),
            Err(_) => first_literal(&tokens),
        };
        (
            code_of(&variant.ident.to_string()),
            sentence(&text, &values, variant),
        )
    };
    rows(file).iter().map(row).collect()
}

/// Returns the rows of `refusals!`.
fn rows(file: &File) -> Vec<Variant> {
    let rows = file.items.iter().find_map(|item| {
        let Item::Macro(item_macro) = item else {
            return None;
        };
        let is_it = item_macro.mac.path.is_ident("refusals");
        is_it.then(|| item_macro.mac.parse_body::<Rows>().unwrap().0)
    });
    rows.expect("the rows of refusals")
}

/// The rows that every game has.
const SHARED: [&str; 5] = [
    "GameOver",
    "NotYourTurn",
    "WrongDecision",
    "UnknownId",
    "InvalidPlayerCount",
];

/// The parsed rows of `Refusal of "Kingsburg" { common GameOver, ... }`, and the rows of every game.
struct Rows(Vec<Variant>);

impl Parse for Rows {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(Attribute::parse_outer)?;
        let _refusal: Ident = input.parse()?;
        let _of: Ident = input.parse()?;
        let title: LitStr = input.parse()?;
        let (within, mut rows) = (braced(input)?, Vec::new());
        while !within.is_empty() {
            let is_common = within
                .fork()
                .parse::<Ident>()
                .is_ok_and(|word| word == "common");
            rows.push(if is_common {
                let _common: Ident = within.parse()?;
                common_row(&within.parse::<Ident>()?.to_string(), &title.value())?
            } else {
                within.parse()?
            });
            within.parse::<Token![,]>()?;
        }
        // The macro adds the rows of every game that have no place of their own.
        for shared in SHARED {
            if rows.iter().all(|row: &Variant| row.ident != shared) {
                rows.push(common_row(shared, &title.value())?);
            }
        }
        Ok(Self(rows))
    }
}

fn braced<'a>(input: ParseStream<'a>) -> syn::Result<ParseBuffer<'a>> {
    let within;
    syn::braced!(within in input);
    Ok(within)
}

/// Returns a row that all rulesets share, from the macro that writes it.
fn common_row(variant: &str, title: &str) -> syn::Result<Variant> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../service/rules/src/table/refusal.rs");
    let text = fs::read_to_string(file).unwrap();
    let row = text.split_once(&format!("common {variant}, $"));
    let (_, row) = row.and_then(|(_, row)| row.split_once("#[error")).unwrap();
    let (sentence, rest) = row.split_once(variant).unwrap();
    let fields = match rest.trim_start().split_once('}') {
        Some((fields, _)) if fields.starts_with('{') => format!("{fields}}}"),
        _ => String::new(),
    };
    let row = format!("#[error{sentence}{variant} {fields}");
    let row = row.replace("$crate::table::", "");
    // The title replaces a placeholder.
    syn::parse_str(
        &row.replace("\"{} is", &format!("\"{title} is"))
            .replace(", $title", ""),
    )
}

fn first_literal(tokens: &str) -> (String, String) {
    let (literal, values) = tokens.split_once("\" ,").unwrap_or((tokens, ""));
    let text = syn::parse_str::<LitStr>(&format!("{literal}\"")).unwrap();
    (text.value(), values.to_owned())
}

/// Returns the template of a sentence, in which unnamed placeholders get the names of their values.
fn sentence(text: &str, values: &str, variant: &Variant) -> String {
    let fields: Vec<String> = variant
        .fields
        .iter()
        .filter_map(|field| field.ident.as_ref())
        .map(ToString::to_string)
        .collect();
    if text == "{}" {
        return format!(
            "One of several, with {}.",
            fields
                .iter()
                .map(|field| format!("`{field}`"))
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    let mut text = text.replace('|', "or");
    let named = |part: &str| {
        fields
            .iter()
            .find(|field| {
                part.split(|at: char| !at.is_alphanumeric() && at != '_')
                    .any(|word| word == **field)
            })
            .cloned()
    };
    for part in values.split(", ") {
        if let (true, Some(field)) = (text.contains("{}"), named(part)) {
            text = text.replacen("{}", &format!("{{{field}}}"), 1);
        }
    }
    text
}

/// Converts the name of a variant to its code: `NotYourTurn` is `NOT_YOUR_TURN`.
pub(super) fn code_of(variant: &str) -> String {
    let mut code = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !code.is_empty() {
            code.push('_');
        }
        code.push(letter.to_ascii_uppercase());
    }
    code
}

/// Returns the paragraphs of the rule document that name a code, or its sections and rows of tables if no paragraph
/// does.
fn written(rulebook: &Rulebook, code: &str) -> BTreeSet<String> {
    let names = |text: &str| {
        let mut words = text.split(|at: char| !at.is_ascii_alphanumeric() && at != '_');
        words.any(|word| word == code)
    };
    let all: Vec<_> = (rulebook.paragraphs().iter())
        .filter(|rule| names(rule.text))
        .collect();
    let is_paragraph = |text: &str| !text.starts_with(['#', '|']);
    let paragraphs = all.iter().filter(|rule| is_paragraph(rule.text));
    let paragraphs: BTreeSet<_> = paragraphs.map(|rule| rule.id.to_string()).collect();
    if paragraphs.is_empty() {
        return all.iter().map(|rule| rule.id.to_string()).collect();
    }
    paragraphs
}
