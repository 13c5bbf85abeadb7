//! `gamekeeper context`

use clap::Subcommand;

use crate::args::Globals;
use crate::contexts::{Context, ContextFile};
use crate::failure::Failure;
use gamekeeper_rules::table::text::Columns;

use crate::output::Output;

#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Store --server, --token-file and the TLS options under a name, and use them from now on
    Add {
        /// Name of the context
        name: String,
    },
    /// Use a context from now on
    Use {
        /// Name of the context
        name: String,
    },
    /// List the contexts; a star marks the one in use
    List,
    /// Delete a context
    Remove {
        /// Name of the context
        name: String,
    },
}

pub(crate) fn run(globals: &Globals, output: Output, args: &Args) -> Result<(), Failure> {
    let file = ContextFile::new(globals.contexts.clone())?;
    let mut stored = file.read()?;
    let missing = |name: &str| Failure::Usage(format!("there is no context {name:?}"));
    match &args.what {
        What::Add { name } => {
            stored.contexts.insert(name.clone(), Context::of(globals)?);
            name.clone_into(&mut stored.current);
        }
        What::Use { name } => {
            if !stored.contexts.contains_key(name) {
                return Err(missing(name));
            }
            name.clone_into(&mut stored.current);
        }
        What::Remove { name } => {
            if stored.contexts.remove(name).is_none() {
                return Err(missing(name));
            }
            if stored.current == *name {
                stored.current.clear();
            }
        }
        What::List => return list(output, &stored.current, &stored.contexts),
    }
    file.write(&stored)
}

fn list(
    output: Output,
    current: &str,
    contexts: &std::collections::BTreeMap<String, Context>,
) -> Result<(), Failure> {
    if output.is_json() {
        return contexts.iter().try_for_each(|(name, context)| {
            let line =
                serde_json::json!({"name": name, "current": name == current, "context": context});
            output.line(line)
        });
    }
    let mut columns = Columns::new(&["", "NAME", "SERVER", "TOKEN FILE"]);
    for (name, context) in contexts {
        let current_marker = if name == current { "*" } else { "" };
        let token = context
            .token_file
            .as_ref()
            .map_or(String::new(), |file| file.display().to_string());
        columns.row([
            current_marker.to_owned(),
            name.clone(),
            context.server.clone(),
            token,
        ]);
    }
    output.line(columns)
}
