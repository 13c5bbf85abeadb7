//! The messages of a ruleset's service file as Rust types that are generic over the ruleset's own messages.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;

use prost_build::{Config, Module};
use prost_types::{FileDescriptorProto, FileDescriptorSet};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Generics, Ident, ItemEnum, ItemStruct, Path, Token, parse_quote};

/// What every ruleset defines for itself.
const OWN: [&str; 6] = [
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

/// The types among these items and their modules.
fn paths(items: &[syn::Item], within: &str) -> Vec<String> {
    let paths_of = |item: &syn::Item| match item {
        syn::Item::Struct(item) => vec![format!("{within}{}", item.ident)],
        syn::Item::Enum(item) => vec![format!("{within}{}", item.ident)],
        syn::Item::Mod(module) => {
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
    pub fn names_in(&self, file: &FileDescriptorProto) -> Result<String, Box<dyn Error>> {
        let package = file.package();
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
                const PACKAGE: &'static str = \"{package}\";
                const SERVICE: &'static str = \"{package}.{service}\";
                {own}
            }}

            pub use {ruleset}_service_client::{service}Client as Client;\n"
        );
        let messages = format!("{}::Messages", module(file));
        for path in &self.types {
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
        Ok(prettyplease::unparse(&syn::parse_file(&code)?))
    }
}
