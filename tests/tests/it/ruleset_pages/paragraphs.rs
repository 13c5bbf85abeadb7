//! The paragraphs that each refusal cites, read from the code: `Refusal::PileEmpty { .. }.citing("DOM-6.10")`, whether
//! the paragraph is a literal, bound to a name, or passed to the function that refuses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::iter::{once, repeat};
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, ExprCall, ExprMethodCall, FieldValue, File, FnArg, ImplItemFn, Item, ItemConst, ItemFn,
    Lit, Local, Macro, Member, Pat, Signature, Token, UseTree,
};

use super::refusals::{code_of, read};

/// Checks outside the rulesets: the function, its code, and the position of the paragraph among its arguments.
const COMMON: [(&str, &str, usize); 4] = [
    ("table::pending_decision", "GAME_OVER", 3),
    ("table::pending_decision", "NOT_YOUR_TURN", 4),
    ("table::wrong_decision", "WRONG_DECISION", 2),
    ("table::player_count", "INVALID_PLAYER_COUNT", 2),
];

/// Returns every code with the paragraphs that it is refused by.
pub(super) fn cited(folder: &Path, prefix: &str) -> BTreeMap<String, BTreeSet<String>> {
    let prefix = format!("{prefix}-");
    let mut finder = CitationFinder {
        prefix: prefix.clone(),
        ..CitationFinder::default()
    };
    for path in sources(folder) {
        let mut file = read(&path);
        let mut literals = Literals {
            prefix: &prefix,
            rules: BTreeSet::new(),
        };
        literals.visit_file_mut(&mut file);
        finder.of_file = literals.rules;
        finder.file = FileScope::of(&path, &file);
        finder.visit_file_mut(&mut file);
    }
    finder.follow()
}

/// Returns all files of a ruleset except its tests.
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

/// A parameter of a function: the function's name, and the position after `self`.
type Parameter = (String, usize);

/// The source of a paragraph.
#[derive(Clone)]
enum Source {
    Rule(String),
    /// The values that callers pass for a parameter, or the value of a constant or a field.
    Parameter(Parameter),
}

/// The names that a file defines or imports. Functions and constants of the same name are distinguished by their
/// modules.
#[derive(Default)]
struct FileScope {
    module: String,
    /// The modules of imported names.
    imported: BTreeMap<String, String>,
}

impl FileScope {
    fn of(path: &Path, file: &File) -> Self {
        let stem = |path: &Path| {
            path.file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
        };
        let module = match stem(path) {
            Some(stem) if stem != "mod" => stem,
            _ => path.parent().and_then(stem).unwrap_or_default(),
        };
        let mut imported = BTreeMap::new();
        for item in &file.items {
            if let Item::Use(import) = item {
                imports(&import.tree, "", &mut imported);
            }
        }
        Self { module, imported }
    }

    /// Returns the module of a name without a path.
    fn module_of(&self, name: &str) -> &str {
        self.imported.get(name).unwrap_or(&self.module)
    }

    /// Returns the qualified name of a function or a constant, from the end of its path.
    fn qualified(&self, path: &syn::Path) -> Option<String> {
        let mut segments = path
            .segments
            .iter()
            .rev()
            .map(|part| part.ident.to_string());
        let name = segments.next()?;
        let module = match segments.next() {
            Some(of) if of == "self" || of == "Self" => self.module.clone(),
            // A function of a type is defined in the type's module.
            Some(of) if of.starts_with(char::is_uppercase) => self.module_of(&of).to_owned(),
            Some(module) => module,
            None => self.module_of(&name).to_owned(),
        };
        Some(format!("{module}::{name}"))
    }
}

fn imports(tree: &UseTree, module: &str, imported: &mut BTreeMap<String, String>) {
    match tree {
        UseTree::Path(path) => imports(&path.tree, &path.ident.to_string(), imported),
        UseTree::Name(name) => {
            imported.insert(name.ident.to_string(), module.to_owned());
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                imports(tree, module, imported);
            }
        }
        UseTree::Rename(_) | UseTree::Glob(_) => {}
    }
}

/// Returns a field as a parameter that every struct literal passes.
fn field(member: &Member) -> Parameter {
    let name = match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(position) => position.index.to_string(),
    };
    (format!(".{name}"), 0)
}

/// The function that is being read.
#[derive(Default)]
struct Scope {
    name: String,
    parameters: Vec<String>,
    /// The names that are bound to paragraphs.
    bound: BTreeMap<String, Vec<Source>>,
}

#[derive(Default)]
struct CitationFinder {
    /// The codes, each with the source of its paragraph.
    refused: Vec<(Vec<String>, Source)>,
    /// The paragraphs that the current file cites.
    of_file: BTreeSet<String>,
    scope: Scope,
    file: FileScope,
    /// The prefix of rule ids.
    prefix: String,
    /// The values that are passed to parameters.
    handed: Vec<(Parameter, Source)>,
}

impl CitationFinder {
    /// Resolves every parameter to the paragraphs that are passed to it.
    fn follow(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut rules_by_code = BTreeMap::<String, BTreeSet<String>>::new();
        for (codes, source) in &self.refused {
            let rules = match source {
                Source::Rule(rule) => BTreeSet::from([rule.clone()]),
                Source::Parameter(parameter) => self.brought(parameter),
            };
            for code in codes {
                rules_by_code
                    .entry(code.clone())
                    .or_default()
                    .extend(rules.clone());
            }
        }
        rules_by_code
    }

    /// Returns the paragraphs that reach a parameter, directly or through others.
    fn brought(&self, parameter: &Parameter) -> BTreeSet<String> {
        let (mut rules, mut visited) = (BTreeSet::new(), BTreeSet::new());
        let mut next = vec![parameter];
        while let Some(parameter) = next.pop() {
            if !visited.insert(parameter) {
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

    fn sources(&self, expression: &Expr) -> Vec<Source> {
        if let Expr::Path(path) = expression {
            return self.named(&path.path);
        }
        if let Expr::Field(of) = expression {
            return vec![Source::Parameter(field(&of.member))];
        }
        if !matches!(expression, Expr::Lit(_) | Expr::If(_) | Expr::Match(_)) {
            return Vec::new();
        }
        let mut literals = Literals {
            prefix: &self.prefix,
            rules: BTreeSet::new(),
        };
        literals.visit_expr_mut(&mut expression.clone());
        literals.rules.into_iter().map(Source::Rule).collect()
    }

    fn named(&self, path: &syn::Path) -> Vec<Source> {
        if let Some(name) = path.get_ident() {
            if let Some(bound) = self.scope.bound.get(&name.to_string()) {
                return bound.clone();
            }
            let position = self.scope.parameters.iter().position(|one| name == one);
            if let Some(position) = position {
                return vec![Source::Parameter((self.scope.name.clone(), position))];
            }
        }
        let constant = self.file.qualified(path).map(|name| (name, 0));
        constant.map(Source::Parameter).into_iter().collect()
    }

    fn hand(&mut self, function: &str, arguments: &Punctuated<Expr, Token![,]>) {
        for (position, argument) in arguments.iter().enumerate() {
            self.give(&(function.to_owned(), position), argument);
        }
    }

    /// Binds a name to a value, alone or in a tuple.
    fn bind(&mut self, pattern: &Pat, value: &Expr) {
        if let (Pat::Tuple(names), Expr::Tuple(values)) = (pattern, value) {
            for (name, value) in names.elems.iter().zip(&values.elems) {
                self.bind(name, value);
            }
        } else if let Pat::Ident(name) = pattern {
            let sources = self.sources(value);
            self.scope.bound.insert(name.ident.to_string(), sources);
        }
    }

    fn give(&mut self, to: &Parameter, value: &Expr) {
        let sources = self.sources(value).into_iter();
        self.handed
            .extend(sources.map(|source| (to.clone(), source)));
    }

    /// Enters a function; `name` is its name at the call sites.
    fn enter(&mut self, name: String, signature: &Signature) -> Scope {
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
            name,
            parameters: signature.inputs.iter().filter_map(named).collect(),
            bound: BTreeMap::new(),
        };
        std::mem::replace(&mut self.scope, scope)
    }

    fn refuses(&mut self, call: &mut ExprMethodCall) {
        let mut named = Named::default();
        named.visit_expr_mut(&mut call.receiver);
        let sources = call.args.first().map(|rule| self.sources(rule));
        let sources = sources.filter(|sources| !sources.is_empty());
        // If the source cannot be followed, any paragraph that the file cites counts.
        let of_file = self.of_file.iter().cloned().map(Source::Rule);
        for source in sources.unwrap_or_else(|| of_file.collect()) {
            self.refused.push((named.codes.clone(), source));
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

/// The rule ids among the literals of a file.
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

impl VisitMut for CitationFinder {
    /// Reads `options!`: first the paragraph for the number of players, then one for each option.
    fn visit_macro_mut(&mut self, called: &mut Macro) {
        if called.path.is_ident("options") {
            let tokens = called.tokens.to_string();
            let literals = tokens
                .split('"')
                .filter(|text| text.starts_with(&self.prefix));
            let codes = once("INVALID_PLAYER_COUNT").chain(repeat("INVALID_OPTION"));
            for (rule, code) in literals.zip(codes) {
                let source = Source::Rule(rule.to_owned());
                self.refused.push((vec![code.to_owned()], source));
            }
        }
        visit_mut::visit_macro_mut(self, called);
    }

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        let name = format!("{}::{}", self.file.module, function.sig.ident);
        let outer = self.enter(name, &function.sig);
        visit_mut::visit_item_fn_mut(self, function);
        self.scope = outer;
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        let name = if function.sig.receiver().is_some() {
            format!(".{}()", function.sig.ident)
        } else {
            format!("{}::{}", self.file.module, function.sig.ident)
        };
        let outer = self.enter(name, &function.sig);
        visit_mut::visit_impl_item_fn_mut(self, function);
        self.scope = outer;
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Some(init) = &local.init {
            self.bind(&local.pat, &init.expr);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_item_const_mut(&mut self, item: &mut ItemConst) {
        let constant = (format!("{}::{}", self.file.module, item.ident), 0);
        self.give(&constant, &item.expr);
        visit_mut::visit_item_const_mut(self, item);
    }

    fn visit_field_value_mut(&mut self, value: &mut FieldValue) {
        self.give(&field(&value.member), &value.expr);
        visit_mut::visit_field_value_mut(self, value);
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        if let Expr::Path(function) = &*call.func
            && let Some(name) = self.file.qualified(&function.path)
        {
            self.hand(&name, &call.args);
            for (_, code, position) in COMMON.iter().filter(|(function, ..)| *function == name) {
                for source in self.sources(&call.args[*position]) {
                    self.refused.push((vec![(*code).to_owned()], source));
                }
            }
        }
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        if call.method == "citing" {
            self.refuses(call);
        } else {
            self.hand(&format!(".{}()", call.method), &call.args);
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
