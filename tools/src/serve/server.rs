//! The server: limits on connections, and their answers.

use std::collections::HashMap;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::handshake::derive_accept_key;

use super::access::{Access, SUBPROTOCOL};

use super::limits::{Place, Places};
use super::page::{Page, PageError};
use super::request::Request;
use super::response::{Response, Status};
use super::socket;
use crate::host::host;
use tengen::engine::Options;
use tengen::protocol::{Confinement, Host, Source, converse};
use tengen::streams::on_one_line;
use tengen_database::Database;
use tengen_database::commands::CurrentDatabase;
use tengen_games::convert::to_sgf;

/// The port where none is chosen. Browsers keep games and settings for each address, and so for
/// each port. IANA has no service for it, and systems give none of this range to clients.
pub const USUAL_PORT: u16 = 15_225;
/// Connections at once besides those of sessions.
const MAX_CONNECTIONS: usize = 64;
/// Conversions at once: each may hold a file and its text.
const MAX_CONVERSIONS: usize = 2;
/// Most bytes of a file to convert.
const MAX_FILE: usize = 32 << 20;
/// Time in which a refused client may go on sending.
const DRAIN_TIME: Duration = Duration::from_millis(500);
/// Time for sessions to end when the server ends.
const FAREWELL: Duration = Duration::from_secs(5);

/// The resources of the server.
pub struct Settings {
    /// Port on 127.0.0.1; 0 for any free one. `None` for the usual one, or any free one where that
    /// is not available.
    pub port: Option<u16>,
    /// Address of a public board, to which the page's links lead.
    pub address: Option<String>,
    /// Sessions at once.
    pub sessions: usize,
    /// Search threads of a session.
    pub threads: usize,
    /// Memory of a session in bytes.
    pub memory: u64,
    /// Longest silence of a session, before it ends.
    pub idle: Duration,
    /// The database of all sessions.
    pub database: Option<Database>,
}

/// The reason why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is not available.
    #[error("port {0}: {1}")]
    Port(u16, io::Error),
    /// The system gives no random bytes.
    #[error("no token: {0}")]
    Token(#[from] getrandom::Error),
    /// The page is damaged.
    #[error(transparent)]
    Page(#[from] PageError),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// The common state of all connections.
struct Shared {
    access: Access,
    page: Page,
    idle: Duration,
    connections: Places,
    sessions: Places,
    conversions: Places,
    open: Mutex<Open>,
    is_stopped: AtomicBool,
}

/// The resources of the sessions, until the server stops.
struct Open {
    /// The share of a new session. `None` once the server stops, so that nothing holds the database
    /// then.
    share: Option<Share>,
    /// The streams of sessions by number, so that the server can end them.
    streams: HashMap<u64, TcpStream>,
    next: u64,
}

/// A session's share of the machine and of the database.
#[derive(Clone)]
struct Share {
    database: Option<Arc<Database>>,
    confinement: Confinement,
}

impl Share {
    fn host(self) -> Host {
        let database = self.database.map(CurrentDatabase::shared);
        host(database.unwrap_or_default(), Some(self.confinement))
    }
}

/// A handle that ends a server from another thread.
pub struct Stopper {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Stopper {
    /// Ends the server and its sessions.
    pub fn stop(&self) {
        self.shared.is_stopped.store(true, Ordering::Relaxed);
        // Wakes the server, which waits for a connection.
        let _ = TcpStream::connect(self.address);
    }
}

impl Server {
    /// Listens on 127.0.0.1.
    ///
    /// # Errors
    /// When the port is not available, the system gives no random bytes, or the page is damaged.
    pub fn start(settings: Settings) -> Result<Server, ServeError> {
        let bind = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let failed = |error| ServeError::Port(settings.port.unwrap_or_default(), error);
        let listener = match settings.port {
            Some(port) => bind(port),
            None => bind(USUAL_PORT).or_else(|_| bind(0)),
        }
        .map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        // The largest table of a board.
        let table = Options {
            threads: settings.threads,
            max_memory: settings.memory,
            hash_kib: Some(u64::MAX),
        };
        let shared = Shared {
            access: Access::new(address.port())?,
            page: Page::built_in()?.knowing(&[
                ("tengen-address", settings.address.unwrap_or_default()),
                ("tengen-threads", settings.threads.to_string()),
                ("tengen-table", (table.table_kib() >> 10).to_string()),
            ])?,
            idle: settings.idle,
            connections: Places::new(MAX_CONNECTIONS + settings.sessions),
            sessions: Places::new(settings.sessions),
            conversions: Places::new(MAX_CONVERSIONS),
            open: Mutex::new(Open {
                share: Some(Share {
                    database: settings.database.map(Arc::new),
                    confinement: Confinement {
                        threads: settings.threads,
                        memory: settings.memory,
                    },
                }),
                streams: HashMap::new(),
                next: 0,
            }),
            is_stopped: AtomicBool::new(false),
        };
        Ok(Server {
            listener,
            address,
            shared: Arc::new(shared),
        })
    }

    /// The port on which the server listens.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address for the user. The token stands in the fragment, which browsers never send.
    pub fn url(&self) -> String {
        format!("http://{}/#{}", self.address, self.shared.access.token())
    }

    /// A handle that ends this server from another thread.
    pub fn stopper(&self) -> Stopper {
        Stopper {
            address: self.address,
            shared: Arc::clone(&self.shared),
        }
    }

    /// Serves until the server is stopped. Returns when all sessions are over and the database is
    /// closed.
    pub fn run(self) {
        for stream in self.listener.incoming() {
            if self.shared.is_stopped.load(Ordering::Relaxed) {
                break;
            }
            let Ok(stream) = stream else {
                // The limit on open files may be reached; later some may be free.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let Some(place) = self.shared.connections.take() else {
                log::warn!("too many connections");
                continue;
            };
            let shared = Arc::clone(&self.shared);
            let spawned = thread::Builder::new()
                .name("connection".to_string())
                .spawn(move || shared.answer(stream, place));
            if let Err(error) = spawned {
                log::error!("no thread for a connection: {error}");
            }
        }
        self.shared.end_sessions();
    }
}

impl Shared {
    /// Answers the one request of a connection.
    fn answer(&self, mut stream: TcpStream, _place: Place) {
        let request = match Request::read(&mut stream) {
            Ok(request) => request,
            Err(status) => {
                if let Some(status) = status {
                    let _ = Response::text(status, "").send(&mut stream, true);
                    drain(&mut stream);
                }
                return;
            }
        };
        if !self.access.has_host(&request) {
            let text = "this server answers only to its own name";
            return refuse(&mut stream, &request, Status::FORBIDDEN, text);
        }
        match (&*request.method, &*request.path) {
            ("GET", "/engine") => self.engine(stream, request),
            ("POST", "/convert") => self.convert(&mut stream, &request),
            ("GET" | "HEAD", path) if !matches!(path, "/engine" | "/convert") => {
                self.file(&mut stream, &request, path);
            }
            _ => refuse(&mut stream, &request, Status::METHOD_NOT_ALLOWED, ""),
        }
    }

    /// A file of the page.
    fn file(&self, stream: &mut TcpStream, request: &Request, path: &str) {
        let response = match self.page.file(path) {
            Some((body, content_type)) => Response {
                status: Status::OK,
                content_type,
                is_gzip: true,
                body,
            },
            None => Response::text(Status::NOT_FOUND, "there is no such page"),
        };
        finish(stream, request, &response);
    }

    /// `POST /convert?name=FILE`: a game of any format as SGF.
    fn convert(&self, stream: &mut TcpStream, request: &Request) {
        let result = self.converted(stream, request);
        let response = match &result {
            Ok(sgf) => Response {
                content_type: "application/x-go-sgf; charset=utf-8",
                ..Response::text(Status::OK, sgf)
            },
            Err((status, why)) => Response::text(*status, why),
        };
        finish(stream, request, &response);
    }

    fn converted(
        &self,
        stream: &mut TcpStream,
        request: &Request,
    ) -> Result<String, (Status, String)> {
        if !self.access.has_origin(request) || !self.access.has_bearer(request) {
            return Err((Status::FORBIDDEN, "not from this server's page".into()));
        }
        let Some(_place) = self.conversions.take() else {
            return Err((Status::UNAVAILABLE, "other files are being read".into()));
        };
        let body = request
            .body(stream, MAX_FILE)
            .map_err(|status| (status, String::new()))?;
        let name = request.field("name").unwrap_or_default();
        let read = to_sgf(&body, &name);
        read.map_err(|why| (Status::UNPROCESSABLE, on_one_line(&why.to_string())))
    }

    /// `GET /engine`: a session of the protocol over a WebSocket.
    fn engine(&self, mut stream: TcpStream, request: Request) {
        let (place, key) = match self.admit(&request) {
            Ok(admitted) => admitted,
            Err((status, why)) => return refuse(&mut stream, &request, status, why),
        };
        let Some((number, share)) = stream.try_clone().ok().and_then(|s| self.enter(s)) else {
            let why = "the server is ending";
            return refuse(&mut stream, &request, Status::UNAVAILABLE, why);
        };
        let response = format!(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Accept: {}\r\nSec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n",
            derive_accept_key(key.as_bytes()),
        );
        let opened = stream
            .write_all(response.as_bytes())
            .and_then(|()| socket::halves(&stream, request.into_rest(), self.idle));
        match opened {
            Ok((reader, writer)) => converse(share.host(), reader, Source::Manager, writer),
            Err(error) => log::error!("a session: {error}"),
        }
        self.open().streams.remove(&number);
        // Ends a reader that still waits for a message.
        let _ = stream.shutdown(Shutdown::Both);
        drop(place);
    }

    /// A place for a session and the key of its handshake, or the answer to a refused request.
    fn admit(&self, request: &Request) -> Result<(Place, String), (Status, &'static str)> {
        if !self.access.has_origin(request) {
            return Err((Status::FORBIDDEN, "not from this server's page"));
        }
        if !self.access.has_token_as_subprotocol(request) {
            return Err((Status::FORBIDDEN, "the token is missing or wrong"));
        }
        let is_upgrade = request.lists("connection", "upgrade")
            && request.lists("upgrade", "websocket")
            && request.header("sec-websocket-version") == Some("13");
        let Some(key) = request.header("sec-websocket-key").filter(|_| is_upgrade) else {
            return Err((Status::UPGRADE_REQUIRED, "this is for WebSockets"));
        };
        let Some(place) = self.sessions.take() else {
            return Err((Status::UNAVAILABLE, "too many boards are open"));
        };
        Ok((place, key.to_string()))
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number for the session of `stream`, and its share; `None` once the server stops.
    fn enter(&self, stream: TcpStream) -> Option<(u64, Share)> {
        let mut open = self.open();
        let share = open.share.clone()?;
        let number = open.next;
        open.next += 1;
        open.streams.insert(number, stream);
        Some((number, share))
    }

    /// Ends all sessions, waits for them and closes the database.
    fn end_sessions(&self) {
        let mut open = self.open();
        let share = open.share.take();
        for stream in open.streams.values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        drop(open);
        let deadline = Instant::now() + FAREWELL;
        while self.sessions.taken() > 0 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(10));
        }
        drop(share);
    }
}

/// Refuses the request of a connection.
fn refuse(stream: &mut TcpStream, request: &Request, status: Status, why: &str) {
    finish(stream, request, &Response::text(status, why));
}

/// Sends the last answer of a connection.
fn finish(stream: &mut TcpStream, request: &Request, response: &Response) {
    if let Err(error) = response.send(stream, request.method != "HEAD") {
        log::debug!("an answer was not taken: {error}");
    }
    drain(stream);
}

/// Takes a little of the client's further bytes: while bytes wait, the system would break the
/// connection off, and the client would not see the answer.
fn drain(stream: &mut TcpStream) {
    let mut buffer = [0; 16 << 10];
    let deadline = Instant::now() + DRAIN_TIME;
    let timeout = stream.set_read_timeout(Some(DRAIN_TIME));
    while timeout.is_ok() && Instant::now() < deadline {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}
