//! A record that is cut on its way to its reader.

use std::io::{BufRead, BufReader, Read};

use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::proxy::Proxy;
use gamekeeper_tests::server::Gamekeeperd;

#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_is_cut_goes_on_where_it_was() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let proxy = Proxy::before(server.address()).await;
    let cli = Cli::at(server.address());
    let created = cli.out("create mythotopia Ada Bob --seed 1 -o json");
    let created: serde_json::Value = serde_json::from_str(&created).unwrap();
    let id = created["game"]["gameId"].as_str().unwrap();
    // Together these tables are larger than what is on its way when nobody reads.
    let _played = cli.out("bot last --seat 1,2 --choices 1 --until-version 500");
    let command = format!("export {id} --with-states");
    let whole = cli.out(&command);

    let far = Cli::at(proxy.address());
    let mut export = far.spawn(&command);
    let mut reader = BufReader::new(export.stdout.take().unwrap());
    let mut found = String::new();
    reader.read_line(&mut found).unwrap();
    proxy.cut();
    reader.read_to_string(&mut found).unwrap();
    let ended = export.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    assert!(said.contains("trying again"), "nothing was cut: {said}");
    assert!(found == whole, "the record has a gap or a repetition");
}
