//! The paragraphs that refuse, read from the code: `Refusal::PileEmpty { .. }.at("DOM-6.10")`, be the
//! paragraph written there, bound to a name, or handed to the function that refuses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, ExprCall, ExprMethodCall, FnArg, ImplItemFn, ItemFn, Lit, Local, Pat, Signature, Token,
};

use super::refusals::{code_of, read};

/// Every code with the paragraphs that refuse with it.
pub(super) fn cited(folder: &Path, prefix: &str) -> BTreeMap<String, BTreeSet<String>> {
    let prefix = format!("{prefix}-");
    let mut found = Found {
        prefix: prefix.clone(),
        ..Found::default()
    };
    for path in sources(folder) {
        let mut file = read(&path);
        let mut literals = Literals {
            prefix: &prefix,
            rules: BTreeSet::new(),
        };
        literals.visit_file_mut(&mut file);
        found.of_file = literals.rules;
        found.visit_file_mut(&mut file);
    }
    found.follow()
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

/// A parameter of a function: its name, and the place among those after `self`.
type Parameter = (String, usize);

/// What stands where a paragraph is wanted.
enum Source {
    Rule(String),
    Parameter(Parameter),
}

/// A function while it is read.
#[derive(Default)]
struct Scope {
    name: String,
    parameters: Vec<String>,
    /// Names that are bound to texts.
    texts: BTreeMap<String, String>,
}

#[derive(Default)]
struct Found {
    rules: BTreeMap<String, BTreeSet<String>>,
    /// The paragraphs that the file at hand cites.
    of_file: BTreeSet<String>,
    scope: Scope,
    /// How ids of rules begin.
    prefix: String,
    /// Codes that are refused with what a parameter brings, with what the file cites.
    by_parameter: Vec<(Parameter, Vec<String>, BTreeSet<String>)>,
    /// What is handed to which parameter.
    handed: Vec<(Parameter, Source)>,
}

impl Found {
    /// Where every parameter is followed to the paragraphs that callers hand over.
    fn follow(mut self) -> BTreeMap<String, BTreeSet<String>> {
        for (parameter, codes, of_file) in std::mem::take(&mut self.by_parameter) {
            let mut rules = self.brought(&parameter);
            if rules.is_empty() {
                rules = of_file;
            }
            for code in codes {
                self.rules.entry(code).or_default().extend(rules.clone());
            }
        }
        self.rules
    }

    /// The paragraphs that come to a parameter, by way of others too.
    fn brought(&self, parameter: &Parameter) -> BTreeSet<String> {
        let (mut rules, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut next = vec![parameter];
        while let Some(parameter) = next.pop() {
            if !seen.insert(parameter) {
                continue;
            }
            for (_, source) in self.handed.iter().filter(|(to, _)| to == parameter) {
                match source {
                    Source::Rule(rule) => {
                        rules.insert(rule.clone());
                    }
                    Source::Parameter(from) => next.push(from),
                }
            }
        }
        rules
    }

    fn source(&self, expression: &Expr) -> Option<Source> {
        if let Expr::Lit(literal) = expression {
            let rule = text(&literal.lit).filter(|text| text.starts_with(&self.prefix));
            return rule.map(Source::Rule);
        }
        let Expr::Path(path) = expression else {
            return None;
        };
        let name = path.path.get_ident()?.to_string();
        if let Some(text) = self.scope.texts.get(&name) {
            return Some(Source::Rule(text.clone()));
        }
        let place = self.scope.parameters.iter().position(|one| *one == name)?;
        Some(Source::Parameter((self.scope.name.clone(), place)))
    }

    fn hand(&mut self, function: &str, arguments: &Punctuated<Expr, Token![,]>) {
        for (place, argument) in arguments.iter().enumerate() {
            let source = self.source(argument);
            let to = (function.to_owned(), place);
            self.handed.extend(source.map(|source| (to, source)));
        }
    }

    fn enter(&mut self, signature: &Signature) -> Scope {
        let named = |argument: &FnArg| match argument {
            FnArg::Receiver(_) => None,
            FnArg::Typed(typed) => {
                let name = if let Pat::Ident(named) = &*typed.pat {
                    named.ident.to_string()
                } else {
                    String::new()
                };
                Some(name)
            }
        };
        let scope = Scope {
            name: signature.ident.to_string(),
            parameters: signature.inputs.iter().filter_map(named).collect(),
            texts: BTreeMap::new(),
        };
        std::mem::replace(&mut self.scope, scope)
    }

    fn refuses(&mut self, call: &mut ExprMethodCall) {
        let mut named = Named::default();
        named.visit_expr_mut(&mut call.receiver);
        let rules = match call.args.first().and_then(|rule| self.source(rule)) {
            Some(Source::Rule(rule)) => BTreeSet::from([rule]),
            Some(Source::Parameter(parameter)) => {
                let of_file = self.of_file.clone();
                self.by_parameter.push((parameter, named.codes, of_file));
                return;
            }
            // A field: one of the paragraphs that the file cites.
            None => self.of_file.clone(),
        };
        for code in named.codes {
            self.rules.entry(code).or_default().extend(rules.clone());
        }
    }
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
    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        let outer = self.enter(&function.sig);
        visit_mut::visit_item_fn_mut(self, function);
        self.scope = outer;
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        let outer = self.enter(&function.sig);
        visit_mut::visit_impl_item_fn_mut(self, function);
        self.scope = outer;
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && let Expr::Lit(literal) = &*init.expr
            && let Some(text) = text(&literal.lit)
        {
            self.scope.texts.insert(name.ident.to_string(), text);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        if let Expr::Path(function) = &*call.func
            && let Some(last) = function.path.segments.last()
        {
            self.hand(&last.ident.to_string(), &call.args);
        }
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        if call.method == "at" {
            self.refuses(call);
        } else {
            self.hand(&call.method.to_string(), &call.args);
        }
        visit_mut::visit_expr_method_call_mut(self, call);
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
        visit_mut::visit_expr_mut(self, expression);
    }
}
