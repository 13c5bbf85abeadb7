//! `gamekeeper erase-user`

use std::io::IsTerminal;

use gamekeeper_proto::gamekeeper::v1::EraseUserRequest;
use gamekeeper_proto::raw::game_result::Result::Problem;

use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// User, as the front end's own id
    #[arg(value_name = "USER")]
    user: String,
    /// Key of labels to remove from the user's games. Can be repeated
    #[arg(long = "label", value_name = "KEY")]
    labels: Vec<String>,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    if !args.yes && !confirm(output, &args.user)? {
        notice(format_args!("Nothing was erased."));
        return Ok(());
    }
    let (mut erased, mut failed, mut page_token) = (0, Vec::new(), String::new());
    loop {
        let request = EraseUserRequest {
            user: args.user.clone(),
            labels: args.labels.clone(),
            page_size: 0,
            page_token,
        };
        let page = session.call(&request).await?;
        erased += page.erased;
        for game in page.failed {
            if let Some(Problem(problem)) = game.result {
                notice(format_args!("game {}: {}", game.game_id, problem.message));
            }
            failed.push(game.game_id);
        }
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    if output.is_json() {
        return output.line(serde_json::json!({ "erased": erased, "failed": failed }));
    }
    output.line(format!(
        "User {} is erased from {erased} games; {} could not be changed.",
        args.user,
        failed.len()
    ))
}

fn confirm(output: Output, user: &str) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        return Err(Failure::Usage(
            "erasing is permanent: repeat with --yes".to_owned(),
        ));
    }
    output.prompt(format_args!("Erase user {user} permanently? [y/N] "))?;
    let mut typed = String::new();
    std::io::stdin()
        .read_line(&mut typed)
        .map_err(|error| Failure::io("the standard input", &error))?;
    Ok(matches!(typed.trim(), "y" | "Y" | "yes"))
}
