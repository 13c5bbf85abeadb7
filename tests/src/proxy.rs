//! A TCP proxy that fails as networks do: it cuts connections, stalls them, or cuts them after the request has passed
//! and before its response.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpSocket, TcpStream, lookup_host};
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// The treatment of traffic by the proxy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// All traffic passes.
    #[default]
    Open,
    /// Traffic waits until the mode changes.
    Stalled,
    /// New connections are closed at once.
    Closed,
    /// Requests pass, but the first bytes of a response cut the connection.
    OneWay,
    /// Requests pass, and the connection is cut after this many bytes of responses.
    UpTo(usize),
}

/// The orders for the connections of a proxy.
#[derive(Clone, Copy, Default)]
struct Orders {
    way: Way,
    /// The number of times that all connections were cut.
    cuts: u64,
}

/// A running proxy, stopped when dropped.
#[derive(Debug)]
pub struct Proxy {
    address: String,
    target: Arc<Mutex<String>>,
    orders: watch::Sender<Orders>,
    accepting: AbortHandle,
}

impl std::fmt::Debug for Orders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} after {} cuts", self.way, self.cuts)
    }
}

impl Proxy {
    /// Starts a proxy on a free port in front of this address.
    ///
    /// # Panics
    /// If there is no free port.
    pub async fn before(target: &str) -> Proxy {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("a bound address").to_string();
        let target = Arc::new(Mutex::new(target.to_owned()));
        let orders = watch::Sender::default();
        let accepting = tokio::spawn(accept(listener, Arc::clone(&target), orders.clone()));
        Proxy {
            address,
            target,
            orders,
            accepting: accepting.abort_handle(),
        }
    }

    /// Returns the address on which the proxy listens, `host:port`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Directs new connections to another address.
    pub fn lead_to(&self, target: &str) {
        target.clone_into(&mut self.target.lock());
    }

    /// Changes the treatment of traffic from now on.
    pub fn set(&self, way: Way) {
        self.orders.send_modify(|orders| orders.way = way);
    }

    /// Cuts all open connections.
    pub fn cut(&self) {
        self.orders.send_modify(|orders| orders.cuts += 1);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.cut();
    }
}

async fn accept(listener: TcpListener, target: Arc<Mutex<String>>, orders: watch::Sender<Orders>) {
    while let Ok((client, from)) = listener.accept().await {
        let orders = orders.subscribe();
        if orders.borrow().way == Way::Closed {
            continue;
        }
        let target = target.lock().clone();
        tokio::spawn(async move {
            if let Ok(server) = connect(from.ip(), &target).await {
                relay(client, server, orders).await;
            }
        });
    }
}

/// Connects from the client's own IP address, because servers distinguish anonymous clients by their addresses.
async fn connect(from: IpAddr, target: &str) -> io::Result<TcpStream> {
    let target = lookup_host(target).await?.next();
    let target = target.ok_or_else(|| io::Error::from(io::ErrorKind::AddrNotAvailable))?;
    let socket = if target.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    if from.is_ipv4() == target.is_ipv4() {
        socket.bind(SocketAddr::new(from, 0))?;
    }
    socket.connect(target).await
}

/// Forwards bytes until one side ends, then ends the other side too.
async fn relay(client: TcpStream, server: TcpStream, mut orders: watch::Receiver<Orders>) {
    // Without this option the test is merely slower.
    let _slower = (client.set_nodelay(true), server.set_nodelay(true));
    let cuts = orders.borrow().cuts;
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let requests = pump(from_client, to_server, Bytes::OfRequests, orders.clone());
    let replies = pump(from_server, to_client, Bytes::OfReplies, orders.clone());
    tokio::select! {
        () = requests => {}
        () = replies => {}
        _ = orders.wait_for(|orders| orders.cuts != cuts) => {}
    }
}

/// The direction of the traffic.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bytes {
    OfRequests,
    OfReplies,
}

async fn pump(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    bytes: Bytes,
    mut orders: watch::Receiver<Orders>,
) {
    let mut buffer = vec![0; 16 * 1_024];
    let mut passed = 0;
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        let moving = orders.wait_for(|orders| orders.way != Way::Stalled).await;
        let Ok(way) = moving.map(|orders| orders.way) else {
            return;
        };
        passed += read;
        let is_end = match way {
            Way::OneWay => true,
            Way::UpTo(most) => passed > most,
            Way::Open | Way::Stalled | Way::Closed => false,
        };
        let is_cut = is_end && bytes == Bytes::OfReplies;
        if is_cut || to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    /// Starts an echo server that counts the received bytes.
    async fn echo() -> (String, watch::Receiver<usize>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (count, counted) = watch::channel(0);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let count = count.clone();
                tokio::spawn(async move {
                    let mut buffer = [0; 64];
                    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                        count.send_modify(|count| *count += read);
                        let _gone = stream.write_all(&buffer[..read]).await;
                    }
                });
            }
        });
        (address, counted)
    }

    async fn ask(stream: &mut TcpStream) -> Option<[u8; 4]> {
        stream.write_all(b"ping").await.ok()?;
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).await.ok()?;
        Some(answer)
    }

    #[tokio::test]
    async fn bytes_pass_stall_and_are_cut() {
        let (address, mut counted) = echo().await;
        let proxy = Proxy::before(&address).await;
        let connect = || TcpStream::connect(proxy.address().to_owned());
        let mut stream = connect().await.unwrap();
        assert_eq!(ask(&mut stream).await, Some(*b"ping"));

        proxy.set(Way::Stalled);
        let stalled = timeout(Duration::from_millis(100), ask(&mut stream)).await;
        assert!(stalled.is_err());
        proxy.set(Way::Open);
        let mut late = [0; 4];
        stream.read_exact(&mut late).await.unwrap();

        proxy.set(Way::OneWay);
        let before = *counted.borrow();
        assert_eq!(ask(&mut stream).await, None);
        counted
            .wait_for(|count| *count == before + 4)
            .await
            .unwrap();

        proxy.set(Way::Open);
        let mut stream = connect().await.unwrap();
        assert_eq!(ask(&mut stream).await, Some(*b"ping"));
        proxy.cut();
        assert_eq!(ask(&mut stream).await, None);
        proxy.set(Way::Closed);
        assert_eq!(ask(&mut connect().await.unwrap()).await, None);
    }
}
