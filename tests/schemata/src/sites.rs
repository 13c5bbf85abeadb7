//! The sites of a file at which mutants can be inserted.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::mutant::Genre;

/// A site of mutants.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) genre: Genre,
    /// The code that the mutant replaces, according to the list of mutants.
    pub(crate) key: Range<usize>,
    /// The code that the switch encloses. Empty for a body and for an arm without a guard, where the switch is inserted
    /// before the code.
    pub(crate) whole: Range<usize>,
    /// The reason why no switch is possible here. `None` if one is possible.
    pub(crate) fixed: Option<&'static str>,
}

/// Finds the sites of a file; an outer site precedes those within it.
pub(crate) fn sites(text: &str) -> syn::Result<Vec<Site>> {
    let mut finder = Finder {
        sites: Vec::new(),
        fixed: None,
    };
    finder.visit_file(&syn::parse_file(text)?);
    Ok(finder.sites)
}

struct Finder {
    sites: Vec<Site>,
    fixed: Option<&'static str>,
}

const CONSTANT: &str = "computed when the program is built";
const OPAQUE: &str = "the function returns a type without a name";
const CONDITION: &str = "a condition that binds names";

impl Finder {
    fn add(&mut self, genre: Genre, key: Range<usize>, whole: Range<usize>) {
        let fixed = self.fixed;
        self.sites.push(Site {
            genre,
            key,
            whole,
            fixed,
        });
    }

    /// Visits code that is evaluated at compile time, with the reason why it cannot be switched (`Some`), or code that
    /// is evaluated at run time (`None`).
    fn within(&mut self, fixed: Option<&'static str>, look: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.fixed, fixed);
        look(self);
        self.fixed = before;
    }

    fn function(
        &mut self,
        signature: &syn::Signature,
        block: &syn::Block,
        look: impl FnOnce(&mut Self),
    ) {
        let fixed = signature.constness.map(|_| CONSTANT);
        if let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) {
            let opaque = is_opaque(&signature.output).then_some(OPAQUE);
            let begin = block.brace_token.span.open().byte_range().end;
            self.within(fixed.or(opaque), |finder| {
                let key = bytes(first).start..bytes(last).end;
                finder.add(Genre::FnValue, key, begin..begin);
            });
        }
        self.within(fixed, look);
    }
}

fn bytes(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Returns whether a type is unnamed, entirely or in part.
fn is_opaque(output: &syn::ReturnType) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_return_type(output);
    search.0
}

/// Returns whether a chain of `&&` binds names.
fn binds(expression: &syn::Expr) -> bool {
    if let syn::Expr::Binary(binary) = expression {
        return binds(&binary.left) || binds(&binary.right);
    }
    matches!(expression, syn::Expr::Let(_))
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block, |finder| {
            visit::visit_item_fn(finder, item);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block, |finder| {
            visit::visit_impl_item_fn(finder, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block, |finder| {
                visit::visit_trait_item_fn(finder, item);
            });
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.within(Some(CONSTANT), |finder| {
            visit::visit_item_const(finder, item);
        });
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.within(Some(CONSTANT), |finder| {
            visit::visit_item_static(finder, item);
        });
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.within(Some(CONSTANT), |finder| {
            visit::visit_impl_item_const(finder, item);
        });
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.within(Some(CONSTANT), |finder| {
            visit::visit_trait_item_const(finder, item);
        });
    }

    fn visit_expr_const(&mut self, block: &'ast syn::ExprConst) {
        self.within(Some(CONSTANT), |finder| {
            visit::visit_expr_const(finder, block);
        });
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.within(Some(CONSTANT), |finder| {
            visit::visit_variant(finder, variant);
        });
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        self.within(Some(CONSTANT), |finder| {
            visit::visit_generic_argument(finder, argument);
        });
    }

    fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
        self.within(Some(CONSTANT), |finder| {
            visit::visit_type_array(finder, array);
        });
    }

    fn visit_expr_repeat(&mut self, array: &'ast syn::ExprRepeat) {
        self.visit_expr(&array.expr);
        self.within(Some(CONSTANT), |finder| finder.visit_expr(&array.len));
    }

    /// A closure is evaluated at run time, even one in a constant.
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.within(None, |finder| visit::visit_expr_closure(finder, closure));
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let chain = matches!(binary.op, syn::BinOp::And(_));
        let bound = chain && (binds(&binary.left) || binds(&binary.right));
        let fixed = self.fixed.or(bound.then_some(CONDITION));
        self.within(fixed, |finder| {
            finder.add(Genre::BinaryOperator, bytes(&binary.op), bytes(binary));
        });
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        self.add(Genre::UnaryOperator, bytes(&unary.op), bytes(unary));
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let key = bytes(arm);
        match &arm.guard {
            Some((_, guard)) => {
                self.add(Genre::MatchArm, key, bytes(guard));
                self.add(Genre::MatchArmGuard, bytes(guard), bytes(guard));
            }
            None => {
                let end = bytes(&arm.pat).end;
                self.add(Genre::MatchArm, key, end..end);
            }
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, expression: &'ast syn::ExprStruct) {
        for field in expression.fields.pairs() {
            self.add(Genre::StructField, bytes(&field), bytes(expression));
        }
        visit::visit_expr_struct(self, expression);
    }
}
