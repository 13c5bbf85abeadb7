//! Envelopes of one ruleset as those of `TableService`, where the ruleset's own messages are packed.

use std::collections::BTreeSet;

use syn::{Expr, Ident, Item, Type, parse_quote};

/// Gives all generic types among these items and their modules a way to become those of `TableService`, where the
/// ruleset's own messages are packed.
pub(crate) fn add_packing(items: &mut Vec<Item>, generic: &BTreeSet<String>) {
    let mut added = Vec::new();
    for item in items.iter_mut() {
        let (name, body): (&Ident, Expr) = match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    add_packing(items, generic);
                }
                continue;
            }
            Item::Struct(item) => {
                let fields = item.fields.iter().filter_map(|field| {
                    let name = field.ident.as_ref()?;
                    let value: Expr = parse_quote!(self.#name);
                    let value = packed(&field.ty, &value, generic).unwrap_or(value);
                    Some::<syn::FieldValue>(parse_quote!(#name: #value))
                });
                let name = &item.ident;
                (name, parse_quote!(#name { #(#fields),* }))
            }
            Item::Enum(item) => {
                let name = &item.ident;
                let arms = item.variants.iter().filter_map(|variant| {
                    let (case, one): (_, Expr) = (&variant.ident, parse_quote!(one));
                    let value = packed(&variant.fields.iter().next()?.ty, &one, generic);
                    let value = value.unwrap_or(one);
                    Some::<syn::Arm>(parse_quote!(Self::#case(one) => #name::#case(#value),))
                });
                (name, parse_quote!(match self { #(#arms)* }))
            }
            _ => continue,
        };
        if generic.contains(&name.to_string()) {
            added.push(parse_quote! {
                impl<M: crate::envelope::Messages> #name<M> {
                    /// The same, with the ruleset's own messages, which are those of a package, packed.
                    pub fn packed(self, package: &str) -> #name<crate::envelope::Packed> {
                        #body
                    }
                }
            });
        }
    }
    items.extend(added);
}

/// A value of this type with all that it has of the ruleset packed; nothing: it has none.
fn packed(ty: &Type, value: &Expr, generic: &BTreeSet<String>) -> Option<Expr> {
    let Type::Path(path) = ty else {
        return None;
    };
    let (first, last) = (path.path.segments.first()?, path.path.segments.last()?);
    let name = last.ident.to_string();
    if first.ident == "M" {
        return Some(parse_quote!(crate::envelope::packed(package, #name, &#value)));
    }
    if generic.contains(&name) {
        return Some(parse_quote!(#value.packed(package)));
    }
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let Some(syn::GenericArgument::Type(inner)) = arguments.args.first() else {
        return None;
    };
    let one = packed(inner, &parse_quote!(one), generic)?;
    match name.as_str() {
        "Option" => Some(parse_quote!(#value.map(|one| #one))),
        "Vec" => Some(parse_quote!(#value.into_iter().map(|one| #one).collect())),
        _ => None,
    }
}
