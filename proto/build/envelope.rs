//! The messages of a ruleset's service file as Rust types that are generic over the ruleset's own messages.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;

use prost_build::{Config, Module};
use prost_types::{FileDescriptorProto, FileDescriptorSet};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Expr, Generics, Ident, Item, ItemEnum, ItemStruct, Path, Token, Type, parse_quote,
};

/// What every ruleset defines for itself.
pub const OWN: [&str; 6] = [
    "Options",
    "Action",
    "Event",
    "View",
    "Catalogue",
    "RefusalDetail",
];

/// The types, compiled.
pub struct Envelopes {
    pub code: String,
    /// All public types, with their path.
    types: Vec<String>,
    /// The names of those that are generic.
    generic: BTreeSet<String>,
}

/// Compiles the messages of this file.
pub fn compile(
    model: &FileDescriptorProto,
    all: &FileDescriptorSet,
    mut config: Config,
) -> Result<Envelopes, Box<dyn Error>> {
    config.extern_path(".gamekeeper.v1", "crate::gamekeeper::v1");
    for own in OWN {
        config.extern_path(format!(".{}.{own}", model.package()), format!("M::{own}"));
    }
    let module = |file: &FileDescriptorProto| {
        let is_model = file.name() == model.name();
        Module::from_parts([if is_model { "envelope" } else { "other" }])
    };
    let files = all.file.iter().map(|file| (module(file), file.clone()));
    let mut compiled = config.generate(files.collect())?;
    let code = compiled.remove(&module(model)).unwrap_or_default();

    let mut file = syn::parse_file(&code)?;
    let mut mark = Mark::default();
    // A type is generic when one of its fields is; each round finds those around the last.
    while mark.again(&mut file) {}
    let types = paths(&file.items, "");
    add_packing(&mut file.items, &mark.generic);
    let (code, generic) = (prettyplease::unparse(&file), mark.generic);
    Ok(Envelopes {
        code,
        types,
        generic,
    })
}

/// Gives the parameter `M` to all types that speak of it.
#[derive(Default)]
struct Mark {
    generic: BTreeSet<String>,
    speaks_of_it: bool,
}

impl Mark {
    fn again(&mut self, file: &mut syn::File) -> bool {
        let before = self.generic.len();
        self.visit_file_mut(file);
        self.generic.len() > before
    }

    fn mark(&mut self, name: &Ident, generics: &mut Generics, attributes: &mut [Attribute]) {
        if std::mem::take(&mut self.speaks_of_it) {
            *generics = parse_quote!(<M: crate::envelope::Messages>);
            self.generic.insert(name.to_string());
            attributes.iter_mut().for_each(derive_what_holds_for_all);
        }
    }
}

/// Not the messages of every ruleset can be copied, hashed or are wholly equal.
fn derive_what_holds_for_all(attribute: &mut Attribute) {
    let traits = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    if attribute.path().is_ident("derive")
        && let Ok(traits) = traits
    {
        let some = ["Copy", "Eq", "Hash"];
        let all = traits
            .iter()
            .filter(|path| !some.iter().any(|name| path.is_ident(name)));
        *attribute = parse_quote!(#[derive(#(#all),*)]);
    }
}

impl VisitMut for Mark {
    fn visit_item_struct_mut(&mut self, item: &mut ItemStruct) {
        visit_mut::visit_fields_mut(self, &mut item.fields);
        self.mark(&item.ident, &mut item.generics, &mut item.attrs);
    }

    fn visit_item_enum_mut(&mut self, item: &mut ItemEnum) {
        let fields = item.variants.iter_mut().map(|variant| &mut variant.fields);
        fields.for_each(|fields| visit_mut::visit_fields_mut(self, fields));
        self.mark(&item.ident, &mut item.generics, &mut item.attrs);
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        self.speaks_of_it |= path
            .segments
            .first()
            .is_some_and(|first| first.ident == "M");
        if let Some(last) = path.segments.last_mut()
            && self.generic.contains(&last.ident.to_string())
        {
            last.arguments = syn::PathArguments::AngleBracketed(parse_quote!(<M>));
            self.speaks_of_it = true;
        }
    }
}

/// Gives all generic types among these items and their modules a way to become those of `TableService`, where the
/// ruleset's own messages are packed.
fn add_packing(items: &mut Vec<Item>, generic: &BTreeSet<String>) {
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
                    let value = packed(&field.ty, value.clone(), generic).unwrap_or(value);
                    Some::<syn::FieldValue>(parse_quote!(#name: #value))
                });
                let name = &item.ident;
                (name, parse_quote!(#name { #(#fields),* }))
            }
            Item::Enum(item) => {
                let name = &item.ident;
                let arms = item.variants.iter().filter_map(|variant| {
                    let (case, one): (_, Expr) = (&variant.ident, parse_quote!(one));
                    let value = packed(&variant.fields.iter().next()?.ty, one.clone(), generic);
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
fn packed(ty: &Type, value: Expr, generic: &BTreeSet<String>) -> Option<Expr> {
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
    let one = packed(inner, parse_quote!(one), generic)?;
    match name.as_str() {
        "Option" => Some(parse_quote!(#value.map(|one| #one))),
        "Vec" => Some(parse_quote!(#value.into_iter().map(|one| #one).collect())),
        _ => None,
    }
}

/// The types among these items and their modules.
fn paths(items: &[Item], within: &str) -> Vec<String> {
    let paths_of = |item: &Item| match item {
        Item::Struct(item) => vec![format!("{within}{}", item.ident)],
        Item::Enum(item) => vec![format!("{within}{}", item.ident)],
        Item::Mod(module) => {
            let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
            paths(items, &format!("{within}{}::", module.ident))
        }
        _ => Vec::new(),
    };
    items.iter().flat_map(paths_of).collect()
}

/// The Rust module of a file's package.
pub fn module(file: &FileDescriptorProto) -> String {
    format!("crate::{}", file.package().replace('.', "::"))
}

impl Envelopes {
    /// What the module of a ruleset's package has besides its own messages: these types for its messages, and its
    /// client under the name that all rulesets use.
    pub fn names_in(
        &self,
        file: &FileDescriptorProto,
        all: &FileDescriptorSet,
    ) -> Result<String, Box<dyn Error>> {
        let package = file.package();
        let kinds = action_kinds(package, all);
        let ruleset = package
            .split('.')
            .nth(1)
            .ok_or("a package without a ruleset")?;
        let service = file
            .service
            .first()
            .ok_or("a ruleset without a service")?
            .name();
        let own = OWN.map(|own| format!("type {own} = {own};")).concat();
        let mut code = format!(
            "/// The messages of this package, for [envelopes](crate::envelope).
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub struct Messages;

            impl crate::envelope::Messages for Messages {{
                {own}
            }}

            impl crate::envelope::Package for Messages {{
                const NAME: &'static str = \"{package}\";
                const SERVICE: &'static str = \"{package}.{service}\";
                const ACTION_KINDS: &'static [(&'static str, &'static str)] = &{kinds:?};
            }}

            pub use {ruleset}_service_client::{service}Client as Client;\n"
        );
        code.push_str(&self.aliases(&format!("{}::Messages", module(file)), |_| true)?);
        Ok(prettyplease::unparse(&syn::parse_file(&code)?))
    }

    /// What the module of `TableService` has besides: those of these types whose message has one of these names.
    pub fn packed_names(&self, names: &BTreeSet<&str>) -> Result<String, Box<dyn Error>> {
        let modules: BTreeSet<String> = names.iter().map(|name| snake_case(name)).collect();
        let code = self.aliases("crate::envelope::Packed", |path| {
            match path.split_once("::") {
                Some((within, _)) => modules.contains(within),
                None => names.contains(path),
            }
        })?;
        Ok(prettyplease::unparse(&syn::parse_file(&code)?))
    }

    /// Names for some of the types, for the messages of one ruleset.
    fn aliases(
        &self,
        messages: &str,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<String, Box<dyn Error>> {
        let mut code = String::new();
        for path in self.types.iter().filter(|path| wanted(path)) {
            let (within, name) = path.rsplit_once("::").unwrap_or(("", path));
            let alias = if self.generic.contains(name) {
                format!("pub type {name} = crate::envelope::{path}<{messages}>;")
            } else {
                format!("pub use crate::envelope::{path};")
            };
            match within {
                "" => writeln!(code, "{alias}")?,
                within => writeln!(code, "pub mod {within} {{ {alias} }}")?,
            }
        }
        Ok(code)
    }
}

/// The fields of a package's `Action`, each with its name in JSON.
fn action_kinds<'a>(package: &str, all: &'a FileDescriptorSet) -> Vec<(&'a str, &'a str)> {
    let files = all.file.iter().filter(|file| file.package() == package);
    let messages = files.flat_map(|file| &file.message_type);
    let actions = messages.filter(|message| message.name() == "Action");
    let fields = actions.flat_map(|action| &action.field);
    fields
        .map(|field| (field.name(), field.json_name()))
        .collect()
}

/// The module of a message.
fn snake_case(name: &str) -> String {
    name.char_indices()
        .fold(String::new(), |mut text, (at, letter)| {
            if at > 0 && letter.is_ascii_uppercase() {
                text.push('_');
            }
            text.push(letter.to_ascii_lowercase());
            text
        })
}
