//! An export whose connection is cut.

use std::io::{BufRead, BufReader, Read, read_to_string};
use std::thread;

use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::proxy::{Proxy, Way};
use gamekeeper_tests::server::Gamekeeperd;

#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_is_cut_resumes_where_it_was() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let proxy = Proxy::before(server.address()).await;
    let cli = Cli::at(server.address());
    let created = cli.out("create mythotopia Ada Bob --seed 1 -o json");
    let created: serde_json::Value = serde_json::from_str(&created).unwrap();
    let id = created["table"]["game"]["gameId"].as_str().unwrap();
    let _played = cli.out("bot last --seat 1,2 --choices 1 --until-version 500");
    let command = format!("export {id} --with-states");
    let whole = cli.out(&command);

    // A small part of the total size of these tables.
    proxy.set(Way::UpTo(100_000));
    let mut export = Cli::at(proxy.address()).spawn(&command);
    let record = export.stdout.take().unwrap();
    let reading = thread::spawn(move || read_to_string(record).unwrap());
    let mut notices = BufReader::new(export.stderr.take().unwrap());
    let mut notice = String::new();
    notices.read_line(&mut notice).unwrap();
    assert!(notice.contains("trying again"), "nothing was cut: {notice}");
    proxy.set(Way::Open);
    notices.read_to_string(&mut notice).unwrap();
    assert!(export.wait().unwrap().success(), "{notice}");
    let exported = reading.join().unwrap();
    assert!(exported == whole, "the record has a gap or a repetition");
}
