//! The refusals of a ruleset: sentences from the rows of its `refusal.rs`, rules from the places
//! that refuse and from the rule document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Refusal as _;
use syn::visit_mut::{VisitMut, visit_expr_method_call_mut, visit_expr_mut};
use syn::{Expr, ExprMethodCall, File, Item, Lit, LitStr};

/// Every code with the paragraphs that refuse and its sentence, whose values stand in braces.
pub(super) fn table<R: Ruleset>(folder: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let sentences = sentences(&read(&folder.join("refusal.rs")));
    let cited = cited(&folder, R::RULES.prefix);
    let rulebook = Rulebook::read(R::RULES);
    let mut table = String::from("| refusal | rules | sentence |\n|---|---|---|\n");
    for &code in R::Refusal::CODES {
        let sentence = sentences
            .get(code)
            .unwrap_or_else(|| panic!("{code} has no row"));
        let mut rules = cited.get(code).cloned().unwrap_or_default();
        if rules.is_empty() {
            rules = written(&rulebook, code);
        }
        assert!(!rules.is_empty(), "no paragraph refuses with {code}");
        let rules: Vec<_> = rules.into_iter().collect();
        writeln!(table, "| `{code}` | {} | {sentence} |", rules.join(" ")).unwrap();
    }
    table
}

fn read(path: &Path) -> File {
    let text = fs::read_to_string(path).unwrap();
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of the enum `Refusal`: `#[error("...")]`, and where that is worked out by a function,
/// the comment above it.
fn sentences(file: &File) -> BTreeMap<String, String> {
    let rows = file.items.iter().find_map(|item| {
        let Item::Enum(found) = item else { return None };
        (found.ident == "Refusal").then_some(&found.variants)
    });
    let row = |variant: &syn::Variant| {
        let error = variant.attrs.iter().find(|at| at.path().is_ident("error"));
        let list = error.expect("a sentence").meta.require_list().unwrap();
        let tokens = list.tokens.to_string();
        // The literal comes first; what follows it fills the holes.
        let (text, values) = match syn::parse2::<LitStr>(list.tokens.clone()) {
            Ok(text) => (text.value(), String::new()),
            Err(_) => first_literal(&tokens),
        };
        (
            code_of(&variant.ident.to_string()),
            said(&text, &values, variant),
        )
    };
    rows.expect("the enum Refusal").iter().map(row).collect()
}

fn first_literal(tokens: &str) -> (String, String) {
    let (literal, values) = tokens.split_once("\" ,").unwrap_or((tokens, ""));
    let text = syn::parse_str::<LitStr>(&format!("{literal}\"")).unwrap();
    (text.value(), values.to_owned())
}

/// The template of a sentence: a hole without a name has the name of the value that fills it.
fn said(text: &str, values: &str, variant: &syn::Variant) -> String {
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

/// `NotYourTurn` is `NOT_YOUR_TURN`.
fn code_of(variant: &str) -> String {
    let mut code = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !code.is_empty() {
            code.push('_');
        }
        code.push(letter.to_ascii_uppercase());
    }
    code
}

/// The paragraphs that the code names where it refuses: `Refusal::PileEmpty { .. }.at("DOM-6.10")`.
fn cited(folder: &Path, prefix: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = Found::default();
    for path in sources(folder) {
        let mut file = read(&path);
        let mut literals = Literals {
            prefix: &format!("{prefix}-"),
            rules: BTreeSet::new(),
        };
        literals.visit_file_mut(&mut file);
        found.of_file = literals.rules;
        found.visit_file_mut(&mut file);
    }
    found.rules
}

/// All files of a ruleset but its tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("tests") && !path.ends_with("audit") {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

#[derive(Default)]
struct Found {
    rules: BTreeMap<String, BTreeSet<String>>,
    /// The paragraphs that are handed to functions of the file at hand.
    of_file: BTreeSet<String>,
}

fn text(literal: &Lit) -> Option<String> {
    if let Lit::Str(text) = literal {
        Some(text.value())
    } else {
        None
    }
}

/// The ids of rules among the literals of a file.
struct Literals<'a> {
    prefix: &'a str,
    rules: BTreeSet<String>,
}

impl VisitMut for Literals<'_> {
    fn visit_lit_mut(&mut self, literal: &mut Lit) {
        let number = text(literal).filter(|text| text.starts_with(self.prefix));
        self.rules.extend(number.filter(|text| !text.contains(' ')));
    }
}

impl VisitMut for Found {
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        if call.method == "at" {
            let mut named = Named::default();
            named.visit_expr_mut(&mut call.receiver);
            let rules = match call.args.first() {
                Some(Expr::Lit(rule)) => text(&rule.lit).into_iter().collect(),
                // A name: one of the paragraphs that the file cites.
                _ => self.of_file.clone(),
            };
            for code in named.codes {
                self.rules.entry(code).or_default().extend(rules.clone());
            }
        }
        visit_expr_method_call_mut(self, call);
    }
}

/// The variants of `Refusal` that an expression names.
#[derive(Default)]
struct Named {
    codes: Vec<String>,
}

impl VisitMut for Named {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let path = if let Expr::Path(named) = &*expression {
            Some(&named.path)
        } else if let Expr::Struct(made) = &*expression {
            Some(&made.path)
        } else {
            None
        };
        let segments = path.map(|path| path.segments.iter().map(|part| part.ident.to_string()));
        if let Some([of, variant]) = segments.map(Iterator::collect::<Vec<_>>).as_deref()
            && of == "Refusal"
        {
            self.codes.push(code_of(variant));
        }
        visit_expr_mut(self, expression);
    }
}

/// The paragraphs of the rule document that name a code; sections and rows of tables only where no
/// paragraph does.
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
