//! Watches in the generated servers.

use syn::Type;
use syn::visit_mut::{self, VisitMut};

/// What watches are answered with, in the package of all rulesets.
const WATCHES: [&str; 2] = ["WatchGameResponse", "WatchGamesResponse"];

/// The compiled code of the shared package, in which servers answer watches with messages that were written before:
/// one is sent to many.
pub(crate) fn with_written_watches(code: &str) -> syn::Result<String> {
    let mut file = syn::parse_file(code)?;
    let servers = file.items.iter_mut().filter_map(|item| match item {
        syn::Item::Mod(module) if module.ident.to_string().ends_with("_server") => Some(module),
        _ => None,
    });
    servers.for_each(|server| SendWritten.visit_item_mod_mut(server));
    Ok(prettyplease::unparse(&file))
}

struct SendWritten;

impl VisitMut for SendWritten {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if let Type::Path(path) = ty
            && let Some(last) = path.path.segments.last()
            && WATCHES.iter().any(|name| last.ident == name)
        {
            *ty = syn::parse_quote!(crate::Written<#path>);
        }
    }
}
