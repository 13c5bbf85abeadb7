//! Appends to games in an embedded store until it is killed, and prints what is stored after each commit is confirmed.
//!
//! `store_writer DIRECTORY GAMES`: each line is a game and a version.

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use gamekeeper_store::{Committed, GameId, GameStore};
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_tests::writing::{new_game, next_commit};
use gamekeeperd::stores::{StoreConfig, open};
use uuid::Uuid;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let directory = args.next().ok_or("which directory?")?;
    let games: u32 = args.next().ok_or("how many games?")?.parse()?;
    let config = EmbeddedConfig::new(directory);

    let store = open(StoreConfig::Embedded(config)).await?;
    let writers: Vec<_> = (0..games)
        .map(|_| tokio::spawn(write(Arc::clone(&store), Uuid::now_v7())))
        .collect();
    for writer in writers {
        writer.await?;
    }
    Ok(())
}

async fn write(store: Arc<dyn GameStore>, id: GameId) {
    if store.create(new_game(id)).await.is_err() {
        return;
    }
    say(id, 1);
    for expected in 1.. {
        match store.commit(&next_commit(id, expected)).await {
            Ok(Committed::Done) => say(id, expected + 1),
            Ok(_) | Err(_) => return,
        }
    }
}

/// Prints a line with a single write, so that none is torn. When the test is over, nobody reads the line.
fn say(id: GameId, version: u64) {
    let _nobody = std::io::stdout().write_all(format!("{id} {version}\n").as_bytes());
}
