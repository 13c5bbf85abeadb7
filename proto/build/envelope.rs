//! The messages of a ruleset's service file as Rust types that are generic over the ruleset's own messages.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;

use heck::ToSnakeCase;
use prost_build::{Config, Module};
use prost_types::{FileDescriptorProto, FileDescriptorSet};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Generics, Ident, Item, ItemEnum, ItemStruct, Path, Token, parse_quote};

use crate::packing::add_packing;

/// What every ruleset defines for itself.
pub(crate) const OWN: [&str; 6] = [
    "Options",
    "Action",
    "Event",
    "View",
    "Catalogue",
    "RefusalDetail",
];

/// The types, compiled.
pub(crate) struct Envelopes {
    pub code: String,
    /// All public types, with their path.
    types: Vec<String>,
    /// The names of those that are generic.
    generic: BTreeSet<String>,
}

/// Compiles the messages of this file.
pub(crate) fn compile(
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
    let generic = make_generic(&mut file);
    let types = paths(&file.items, "");
    add_packing(&mut file.items, &generic);
    let code = prettyplease::unparse(&file);
    Ok(Envelopes {
        code,
        types,
        generic,
    })
}

/// Gives the parameter `M` to all types that mention it, and returns their names.
fn make_generic(file: &mut syn::File) -> BTreeSet<String> {
    let mut pass = GenericPass::default();
    loop {
        let before = pass.generic.len();
        pass.visit_file_mut(file);
        // A type is generic when one of its fields is; each pass finds those around the last.
        if pass.generic.len() == before {
            return pass.generic;
        }
    }
}

/// One pass over all types.
#[derive(Default)]
struct GenericPass {
    /// The names of the types that have the parameter.
    generic: BTreeSet<String>,
    /// Have the fields of the current type mentioned the parameter?
    mentions_parameter: bool,
}

impl GenericPass {
    fn end_type(&mut self, name: &Ident, generics: &mut Generics, attributes: &mut [Attribute]) {
        if std::mem::take(&mut self.mentions_parameter) {
            *generics = parse_quote!(<M: crate::envelope::Messages>);
            self.generic.insert(name.to_string());
            attributes.iter_mut().for_each(drop_derives);
        }
    }
}

/// Drops the derives that the messages of some rulesets do not have.
fn drop_derives(attribute: &mut Attribute) {
    let traits = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    if attribute.path().is_ident("derive")
        && let Ok(traits) = traits
    {
        let dropped = ["Copy", "Eq", "Hash"];
        let kept = traits
            .iter()
            .filter(|path| !dropped.iter().any(|name| path.is_ident(name)));
        *attribute = parse_quote!(#[derive(#(#kept),*)]);
    }
}

impl VisitMut for GenericPass {
    fn visit_item_struct_mut(&mut self, item: &mut ItemStruct) {
        visit_mut::visit_fields_mut(self, &mut item.fields);
        self.end_type(&item.ident, &mut item.generics, &mut item.attrs);
    }

    fn visit_item_enum_mut(&mut self, item: &mut ItemEnum) {
        let fields = item.variants.iter_mut().map(|variant| &mut variant.fields);
        fields.for_each(|fields| visit_mut::visit_fields_mut(self, fields));
        self.end_type(&item.ident, &mut item.generics, &mut item.attrs);
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        self.mentions_parameter |= path
            .segments
            .first()
            .is_some_and(|first| first.ident == "M");
        if let Some(last) = path.segments.last_mut()
            && self.generic.contains(&last.ident.to_string())
        {
            last.arguments = syn::PathArguments::AngleBracketed(parse_quote!(<M>));
            self.mentions_parameter = true;
        }
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
pub(crate) fn module(file: &FileDescriptorProto) -> String {
    format!("crate::{}", file.package().replace('.', "::"))
}

impl Envelopes {
    /// What the module of a ruleset's package has besides its own messages: these types for its messages, and its
    /// client under the name that all rulesets use.
    pub(crate) fn names_in(
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
    pub(crate) fn packed_names(&self, names: &BTreeSet<&str>) -> Result<String, Box<dyn Error>> {
        let modules: BTreeSet<String> = names.iter().map(|name| name.to_snake_case()).collect();
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
