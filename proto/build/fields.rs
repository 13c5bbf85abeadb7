//! The fields of messages by name, so that a message can be written without being made first.

use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Ident, Item, LitInt, LitStr, Type, parse_quote};

/// The compiled code of a package, in which every message and every oneof has the constant `FIELDS`.
pub(crate) fn with_fields(code: &str) -> syn::Result<String> {
    let mut file = syn::parse_file(code)?;
    add_fields(&mut file.items)?;
    Ok(prettyplease::unparse(&file))
}

/// Adds the fields of the messages and oneofs among these items and their modules.
fn add_fields(items: &mut Vec<Item>) -> syn::Result<()> {
    let mut added = Vec::new();
    for item in items.iter_mut() {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    add_fields(items)?;
                }
            }
            Item::Struct(item) if derives(&item.attrs, "Message") => {
                let fields = item.fields.iter().filter_map(|field| {
                    let name = field.ident.clone()?;
                    Some(described(name, field.ty.clone(), &field.attrs))
                });
                added.extend(constant(
                    &item.ident,
                    &fields.collect::<syn::Result<Vec<_>>>()?,
                ));
            }
            Item::Enum(item) if derives(&item.attrs, "Oneof") => {
                let fields = item.variants.iter().filter_map(|variant| {
                    let ty = variant.fields.iter().next()?.ty.clone();
                    Some(described(variant.ident.clone(), ty, &variant.attrs))
                });
                added.extend(constant(
                    &item.ident,
                    &fields.collect::<syn::Result<Vec<_>>>()?,
                ));
            }
            _ => {}
        }
    }
    items.extend(added);
    Ok(())
}

fn constant(owner: &Ident, fields: &[(Ident, Type, u32)]) -> [Item; 2] {
    let names = Ident::new(&format!("FieldsOf{owner}"), owner.span());
    let typed = fields
        .iter()
        .map(|(name, ty, _)| -> syn::Field { parse_quote!(pub #name: crate::Field<#ty>) });
    let numbered = fields.iter().map(|(name, _, number)| -> syn::FieldValue {
        let number = LitInt::new(&number.to_string(), name.span());
        parse_quote!(#name: crate::Field::new(#number))
    });
    [
        parse_quote! {
            #[allow(non_snake_case)]
            pub struct #names { #(#typed),* }
        },
        parse_quote! {
            impl #owner {
                /// The fields, for those who write them one by one.
                pub const FIELDS: #names = #names { #(#numbered),* };
            }
        },
    ]
}

fn derives(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| {
        let mut found = false;
        if attribute.path().is_ident("derive") {
            // What cannot be read is no derive of ours.
            let _ = attribute.parse_nested_meta(|one| {
                let last = one.path.segments.last();
                found |= last.is_some_and(|last| last.ident == name);
                Ok(())
            });
        }
        found
    })
}

/// A field as prost describes it: its name; its type, in which `Sint32` stands for numbers that are written in zigzag;
/// and its number, 0 for a oneof, whose variants have the numbers.
fn described(
    name: Ident,
    mut ty: Type,
    attributes: &[Attribute],
) -> syn::Result<(Ident, Type, u32)> {
    let mut number = 0;
    for attribute in attributes.iter().filter(|one| one.path().is_ident("prost")) {
        attribute.parse_nested_meta(|one| {
            if one.path.is_ident("sint32") {
                Zigzag.visit_type_mut(&mut ty);
            } else if one.path.is_ident("tag") {
                let tag: LitStr = one.value()?.parse()?;
                number = tag
                    .value()
                    .parse()
                    .map_err(|error| syn::Error::new(tag.span(), error))?;
            } else if one.input.peek(syn::Token![=]) {
                one.value()?.parse::<syn::Lit>()?;
            }
            Ok(())
        })?;
    }
    Ok((name, ty, number))
}

struct Zigzag;

impl VisitMut for Zigzag {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if *ty == parse_quote!(i32) {
            *ty = parse_quote!(crate::Sint32);
        }
    }
}
