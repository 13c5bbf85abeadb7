//! A log that nobody reads.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use gamekeeper_tests::http::ask;
use gamekeeper_tests::redis::free_port;
use gamekeeper_tests::server::binary;
use rustix::process::{Pid, Signal, kill_process};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// A server whose standard error is a pipe.
struct Unread {
    child: Child,
    admin: String,
}

impl Unread {
    async fn start() -> Self {
        let [service, admin] = [(); 2].map(|()| format!("127.0.0.1:{}", free_port()));
        let mut command = Command::new(binary("gamekeeperd"));
        command.args([
            "--store=memory",
            "--listen",
            &service,
            "--admin-listen",
            &admin,
        ]);
        let child = command.stderr(Stdio::piped()).spawn().expect("it runs");
        let server = Self { child, admin };
        let begun = Instant::now();
        while TcpStream::connect(&server.admin).await.is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20));
            sleep(Duration::from_millis(20)).await;
        }
        server
    }

    async fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let asked = ask(&self.admin, method, path, body);
        timeout(Duration::from_secs(10), asked)
            .await
            .expect("an answer")
    }

    /// Makes the server log more than a pipe and its queue hold. Every change of the filter is a line with the filter.
    async fn flood(&self) {
        let filter = vec!["audit=info"; 360].join(",");
        for _ in 0..320 {
            assert_eq!(
                self.ask("PUT", "/log", &format!("info,{filter}")).await.0,
                204
            );
        }
    }

    async fn lost(&self) -> u64 {
        let (_, metrics) = self.ask("GET", "/metrics", "").await;
        let of_server = r#"gamekeeper_log_lines_lost_total{target="gamekeeperd"} "#;
        let value = metrics
            .lines()
            .find_map(|line| line.strip_prefix(of_server));
        value.map_or(0, |value| value.parse().unwrap())
    }

    /// Stops the server and returns how long it took.
    fn stop(&mut self) -> Duration {
        let begun = Instant::now();
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
        begun.elapsed()
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// Passes on each line of a log.
fn read(stderr: ChildStderr) -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            let _nobody_waits = sender.send(line);
        }
    });
    lines
}

#[tokio::test]
async fn a_log_that_nobody_reads_stops_no_call_and_names_what_is_lost_once_it_is_read() {
    let mut server = Unread::start().await;
    server.flood().await;
    assert_eq!(server.ask("GET", "/livez", "").await.0, 200);
    let lost = server.lost().await;
    assert!(lost > 0);
    let lines = read(server.child.stderr.take().unwrap());
    let mut said = 0;
    while said < lost {
        let line = lines
            .recv_timeout(Duration::from_secs(10))
            .expect("the end of the queue");
        if line.contains("lines are lost") {
            assert!(line.contains("gamekeeperd"), "{line}");
            let number = line.split("lines=").nth(1).unwrap();
            let number: String = number.chars().take_while(char::is_ascii_digit).collect();
            said += number.parse::<u64>().unwrap();
        }
    }
    assert_eq!((said, server.lost().await), (lost, lost));
    server.stop();
    let rest: Vec<String> = lines.iter().collect();
    assert!(rest.last().unwrap().contains("stopped"), "{rest:?}");
}

#[tokio::test]
async fn a_log_that_is_never_read_does_not_hold_up_the_end() {
    let mut server = Unread::start().await;
    server.flood().await;
    assert!(server.stop() < Duration::from_secs(10));
}
