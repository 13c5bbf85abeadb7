//! nginx in front of a server, with a pool of connections to it, as ingress controllers configure it.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::redis::free_port;

/// A running nginx, stopped when dropped.
#[derive(Debug)]
pub struct Nginx {
    child: Child,
    address: String,
    _folder: TempDir,
}

impl Nginx {
    /// Starts nginx in front of this address. Its defaults apply, so it buffers and compresses nothing of its own accord
    /// but what they say; it keeps connections to the server for a minute.
    ///
    /// # Panics
    /// If nginx is not installed or does not start.
    #[must_use]
    pub fn before(upstream: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().display();
        let address = format!("127.0.0.1:{}", free_port());
        let config = format!(
            "daemon off; worker_processes 1; pid {path}/pid; error_log {path}/error.log;\n\
             events {{}}\n\
             http {{\n\
               access_log off;\n\
               client_body_temp_path {path}/body; proxy_temp_path {path}/proxy; fastcgi_temp_path {path}/fastcgi;\n\
               uwsgi_temp_path {path}/uwsgi; scgi_temp_path {path}/scgi;\n\
               upstream gamekeeper {{ server {upstream}; keepalive 8; keepalive_timeout 60s; }}\n\
               server {{\n\
                 listen {address};\n\
                 location / {{\n\
                   proxy_pass http://gamekeeper; proxy_http_version 1.1; proxy_set_header Connection '';\n\
                   proxy_set_header Host localhost; proxy_next_upstream off;\n\
                 }}\n\
               }}\n\
             }}\n"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, config).expect("a configuration");
        let child = Command::new("nginx")
            .arg("-c")
            .arg(&file)
            .stderr(Stdio::null())
            .spawn()
            .expect("nginx, from the package of this name");
        for _ in 0..500 {
            if TcpStream::connect(&address).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Self {
            child,
            address,
            _folder: folder,
        }
    }

    /// Returns the address of nginx, `host:port`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The process that was started ends the one that serves.
        if let Some(pid) = rustix::process::Pid::from_raw(self.child.id().cast_signed()) {
            let _gone = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let _ended = self.child.wait();
    }
}
