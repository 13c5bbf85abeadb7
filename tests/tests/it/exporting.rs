//! A record that is cut on its way to its reader.

use std::io::{BufRead, BufReader, Read, read_to_string};
use std::thread;

use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::proxy::{Proxy, Way};
use gamekeeper_tests::server::Gamekeeperd;

#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_is_cut_goes_on_where_it_was() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let proxy = Proxy::before(server.address()).await;
    let cli = Cli::at(server.address());
    let created = cli.out("create mythotopia Ada Bob --seed 1 -o json");
    let created: serde_json::Value = serde_json::from_str(&created).unwrap();
    let id = created["game"]["gameId"].as_str().unwrap();
    let _played = cli.out("bot last --seat 1,2 --choices 1 --until-version 500");
    let command = format!("export {id} --with-states");
    let whole = cli.out(&command);

    // A small part of what these tables take together.
    proxy.set(Way::UpTo(100_000));
    let mut export = Cli::at(proxy.address()).spawn(&command);
    let record = export.stdout.take().unwrap();
    let reading = thread::spawn(move || read_to_string(record).unwrap());
    let mut notices = BufReader::new(export.stderr.take().unwrap());
    let mut said = String::new();
    notices.read_line(&mut said).unwrap();
    assert!(said.contains("trying again"), "nothing was cut: {said}");
    proxy.set(Way::Open);
    notices.read_to_string(&mut said).unwrap();
    assert!(export.wait().unwrap().success(), "{said}");
    let found = reading.join().unwrap();
    assert!(found == whole, "the record has a gap or a repetition");
}
