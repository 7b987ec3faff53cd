//! `serve`, by a real WebSocket client and bare HTTP: admission, the work of a session, and its
//! end.

#[path = "../../tests/common/moves.rs"]
mod moves;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use tengen_database::{Access, Database};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::Request;
use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket};

use moves::parse_move;

/// Longest wait of a test for an expected event.
const PATIENCE: Duration = Duration::from_secs(60);

/// Servers of several tests at once would slow each other down.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A server, which ends with the test.
struct Server {
    child: Child,
    port: u16,
    token: String,
    home: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Server {
    /// A server on any free port: another may have the usual one.
    fn start(args: &[&str]) -> Server {
        Server::start_on(Some("0"), args)
    }

    fn start_on(port: Option<&str>, args: &[&str]) -> Server {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let home = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .arg("serve")
            .args(port.map(|port| ["--port", port]).into_iter().flatten())
            .args(args)
            .current_dir(home.path())
            .env_remove("RUST_LOG")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut url).unwrap();
        let address = url.trim().strip_prefix("http://127.0.0.1:").expect(&url);
        let (port, token) = address.split_once("/#").expect(&url);
        assert_eq!(token.len(), 32, "128 bits");
        Server {
            child,
            port: port.parse().unwrap(),
            token: token.to_string(),
            home,
            _turn: turn,
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A handshake as the page makes it.
    fn handshake(&self) -> Request<()> {
        let mut request = format!("ws://127.0.0.1:{}/engine", self.port)
            .into_client_request()
            .unwrap();
        let headers = request.headers_mut();
        let origin = format!("http://127.0.0.1:{}", self.port);
        headers.insert("Origin", origin.parse().unwrap());
        let protocols = format!("tengen, {}", self.token);
        headers.insert("Sec-WebSocket-Protocol", protocols.parse().unwrap());
        request
    }

    /// The status of a handshake with this header in place of the page's.
    fn refusal(&self, header: &'static str, value: &str) -> u16 {
        let mut request = self.handshake();
        request.headers_mut().insert(header, value.parse().unwrap());
        match tungstenite::client(request, self.connect()) {
            Ok(_) => 101,
            Err(error) => match error.to_string() {
                text if text.contains("403") => 403,
                text if text.contains("503") => 503,
                text => panic!("{text}"),
            },
        }
    }

    fn open(&self) -> Socket {
        self.try_open().unwrap()
    }

    /// A session, or the text of the refusal.
    fn try_open(&self) -> Result<Socket, String> {
        let opened = tungstenite::client(self.handshake(), self.connect());
        let (socket, response) = opened.map_err(|error| error.to_string())?;
        assert_eq!(response.headers()["sec-websocket-protocol"], "tengen");
        Ok(Socket(socket))
    }

    /// A session as soon as one is free.
    #[cfg(target_os = "linux")]
    fn open_when_free(&self) -> Socket {
        let start = Instant::now();
        loop {
            match self.try_open() {
                Ok(socket) => return socket,
                Err(error) => assert!(
                    error.contains("503") && start.elapsed() < PATIENCE,
                    "{error}"
                ),
            }
        }
    }

    /// The whole answer to a request sent as it is.
    fn http(&self, request: &str, body: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }

    fn get(&self, path: &str) -> Vec<u8> {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
            self.port
        );
        self.http(&request, b"")
    }

    fn convert(&self, token: &str, name: &str, body: &[u8]) -> String {
        let port = self.port;
        let request = format!(
            "POST /convert?name={name} HTTP/1.1\r\nHost: localhost:{port}\r\n\
             Origin: http://localhost:{port}\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        String::from_utf8(self.http(&request, body)).unwrap()
    }

    /// CPU time of the server so far.
    #[cfg(target_os = "linux")]
    fn cpu_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split(' ').collect();
        let ticks: u64 = fields[12].parse::<u64>().unwrap() + fields[13].parse::<u64>().unwrap();
        Duration::from_millis(ticks * 10)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A conversation over a socket.
struct Socket(WebSocket<TcpStream>);

impl Socket {
    fn send(&mut self, line: &str) -> &mut Socket {
        self.0.send(Message::text(line)).unwrap();
        self
    }

    /// The next line.
    fn line(&mut self) -> String {
        loop {
            match self.0.read().unwrap() {
                Message::Text(text) => return text.as_str().to_string(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// The next line that is no message.
    fn answer(&mut self) -> String {
        loop {
            let line = self.line();
            if !line.starts_with("MESSAGE ") {
                return line;
            }
        }
    }

    fn start(&mut self) -> &mut Socket {
        assert_eq!(self.send("START 15").answer(), "OK");
        self
    }

    /// The server's reason for closing the socket.
    fn closing(&mut self) -> Option<CloseFrame> {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame,
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

/// Tries several times, because a busy machine may be late once.
fn within(limit: Duration, mut tries: impl FnMut() -> Duration) {
    let best = (0..5).map(|_| tries()).find(|&time| time < limit);
    assert!(best.is_some(), "always later than {limit:?}");
}

#[test]
fn each_part_of_a_handshake_is_checked() {
    let server = Server::start(&[]);
    let port = server.port;
    let token = &server.token;
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1"] {
        assert_eq!(server.refusal("Host", host), 403, "{host}");
    }
    for origin in [
        "http://evil.example",
        "null",
        &format!("https://127.0.0.1:{port}"),
    ] {
        assert_eq!(server.refusal("Origin", origin), 403, "{origin}");
    }
    let wrong = token.replace(|c: char| c.is_ascii_digit(), "a") + "x";
    for protocols in [
        "tengen",
        token,
        &format!("tengen, {wrong}"),
        &format!("tengen, {}", &token[1..]),
    ] {
        assert_eq!(
            server.refusal("Sec-WebSocket-Protocol", protocols),
            403,
            "{protocols}"
        );
    }
    let mut without = server.handshake();
    without.headers_mut().remove("Origin");
    let error = tungstenite::client(without, server.connect()).unwrap_err();
    assert!(error.to_string().contains("403"), "{error}");
    assert_eq!(server.refusal("User-Agent", "anything"), 101);
    server.open();
    // A page of another name that leads here gets nothing at all.
    let foreign = server.http("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"");
    assert!(foreign.starts_with(b"HTTP/1.1 403 "));
    assert!(server.get("/engine").starts_with(b"HTTP/1.1 403 "));
}

#[test]
fn a_game_is_played() {
    let server = Server::start(&["--sessions", "2"]);
    let mut socket = server.open();
    assert!(socket.send("ABOUT").answer().starts_with("name=\"Tengen\""));
    socket.start().send("INFO max_node 300");
    assert_eq!(socket.send("BEGIN").answer(), "7,7");
    for turn in ["TURN 0,0", "TURN 14,0"] {
        assert!(parse_move(&socket.send(turn).answer()).is_some());
    }
    assert_eq!(socket.send("TURN 0,0").answer(), "ERROR that cell is taken");
    assert_eq!(
        socket.send("GARBAGE \u{1f480}").answer(),
        "UNKNOWN command GARBAGE"
    );
    // END ends the session and its socket.
    socket.send("END");
    assert!(socket.0.read().is_ok_and(|m| m.is_close()));
}

#[test]
fn a_search_stops_at_once() {
    let server = Server::start(&[]);
    let mut socket = server.open();
    socket.start().send("INFO timeout_turn -1");
    within(Duration::from_millis(200), || {
        socket
            .send("YXBOARD")
            .send("7,7,1")
            .send("8,8,2")
            .send("DONE")
            .send("YXNBEST 2");
        assert!(socket.line().starts_with("MESSAGE depth "));
        let start = Instant::now();
        assert!(parse_move(&socket.send("YXSTOP").answer()).is_some());
        start.elapsed()
    });
}

#[test]
fn a_problem_is_solved_with_its_proof() {
    let server = Server::start(&[]);
    let mut socket = server.open();
    socket.start().send("INFO timeout_turn 10000");
    socket
        .send("YXBOARD 7,7,1 0,0,2 8,7,1 2,0,2 7,8,1 4,0,2 DONE")
        .send("TENGENSOLVE vct");
    let line = socket.line();
    assert!(
        line.starts_with("MESSAGE SOLVE {\"verdict\":\"win\","),
        "{line}"
    );
    assert!(line.contains("\"sgf\":\"(;FF[4]"), "{line}");
    assert_eq!(socket.line(), "OK");
}

#[test]
fn sockets_have_sessions_of_their_own() {
    let server = Server::start(&[]);
    let (mut first, mut second) = (server.open(), server.open());
    first.start().send("INFO timeout_turn -1").send("TURN 7,7");
    assert!(first.line().starts_with("MESSAGE "));
    // The other session has no board yet, and does not wait.
    assert!(second.send("TURN 7,7").answer().starts_with("ERROR "));
    second.start().send("INFO max_node 200");
    assert!(parse_move(&second.send("TURN 7,7").answer()).is_some());
    assert!(parse_move(&first.send("YXSTOP").answer()).is_some());
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_tab_stops_its_search() {
    let server = Server::start(&["--sessions", "1"]);
    for is_polite in [true, false] {
        within(Duration::from_millis(100), || {
            let mut socket = server.open_when_free();
            socket.start().send("INFO timeout_turn -1").send("TURN 7,7");
            assert!(socket.line().starts_with("MESSAGE "));
            let start = Instant::now();
            if is_polite {
                socket.0.close(None).unwrap();
                let _ = socket.0.flush();
            }
            drop(socket);
            // Its place is free when its engine is idle.
            drop(server.open_when_free());
            start.elapsed()
        });
    }
    let before = server.cpu_time();
    std::thread::sleep(Duration::from_millis(500));
    assert!(server.cpu_time() - before < Duration::from_millis(250));
}

#[test]
fn a_close_is_answered_once_and_nothing_follows() {
    let server = Server::start(&[]);
    for is_searching in [false, true] {
        let mut socket = server.open();
        socket.start();
        if is_searching {
            socket.send("INFO timeout_turn -1").send("TURN 7,7");
            assert!(socket.line().starts_with("MESSAGE "));
        }
        let frame = CloseFrame {
            code: CloseCode::Normal,
            reason: "".into(),
        };
        socket.0.close(Some(frame)).unwrap();
        let mut rest = Vec::new();
        socket.0.get_mut().read_to_end(&mut rest).unwrap();
        assert!(rest.ends_with(&[0x88, 2, 0x03, 0xe8]), "{rest:x?}");
    }
}

#[test]
fn no_file_is_reached_but_the_database() {
    let server = Server::start(&[]);
    let path = server.home.path().join("x.db");
    let path = path.to_str().unwrap();
    let mut socket = server.open();
    socket.start();
    let words = [
        "YXSETDATABASE",
        "YXHASHDUMP",
        "YXHASHLOAD",
        "YXDBMERGE",
        "YXDBSPLIT",
        "YXDBTOTXTALL",
        "YXDBTOTXT",
        "YXDBTOPOS",
        "YXTXTTODB",
        "YXLIBTODB",
        "YXDBTOLIB",
    ];
    let refused = "ERROR files cannot be reached from here";
    for word in words {
        assert_eq!(socket.send(&format!("{word} {path}")).answer(), refused);
        assert_eq!(socket.send(word).send(path).answer(), refused);
        // Behind a block, too.
        assert_eq!(
            socket
                .send(&format!("YXBOARD 7,7,1 DONE {word} {path}"))
                .answer(),
            refused
        );
        assert_eq!(
            socket.send(&format!("ABOUT\n{word} {path}")).answer()[..5],
            *"name="
        );
        assert_eq!(socket.answer(), refused);
    }
    for line in [
        "YXDBFIX",
        "YXDBCHECK",
        "INFO folder /tmp",
        "INFO evaluator /etc/passwd",
    ] {
        assert_eq!(socket.send(line).answer(), refused, "{line}");
    }
    socket.send("INFO evaluator classical");
    // Without a database there is none, not even one of the usual name.
    socket
        .send("YXEDITTVDDATABASE 1 65 0 0")
        .send("7,7")
        .send("DONE");
    assert!(socket.answer().starts_with("ERROR The database: "));
    assert_eq!(socket.send("YXSHOWFORBID").answer(), "FORBID .");
    assert_eq!(std::fs::read_dir(server.home.path()).unwrap().count(), 0);
}

#[test]
fn all_boards_share_the_database() {
    let server = Server::start(&["--database", "own.db"]);
    let (mut first, mut second) = (server.open(), server.open());
    first.start();
    second.start();
    first
        .send("YXEDITTEXTDATABASE \"five\"")
        .send("7,7")
        .send("DONE");
    first.send("ABOUT").answer();
    second.send("YXQUERYDATABASETEXT").send("7,7").send("DONE");
    assert_eq!(second.line(), "MESSAGE DATABASE TEXT \"five\"");
    first
        .send("INFO database_readonly 1")
        .send("YXQUERYDATABASETEXT 7,7 DONE");
    assert_eq!(first.line(), "MESSAGE DATABASE TEXT \"five\"");
}

#[test]
fn a_database_that_is_read_only_stays_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let own = home.path().join("read.db");
    drop(Database::open(&own).unwrap());
    let server = Server::start(&["--read-only", "--database", own.to_str().unwrap()]);
    let mut socket = server.open();
    socket
        .start()
        .send("INFO max_depth 11")
        .send("YXBOARD 7,7,1 8,8,2 DONE");
    let answer = socket.send("YXNBEST 1");
    // Deep enough to be kept, without a message.
    loop {
        let line = answer.line();
        assert!(!line.contains("database"), "{line}");
        if parse_move(&line).is_some() {
            break;
        }
    }
    let last = socket.send("ABOUT").line();
    assert!(last.starts_with("name="), "{last}");
}

#[test]
fn sessions_are_counted_and_idle_ones_end() {
    let server = Server::start(&["--sessions", "2", "--idle", "2s"]);
    let (mut first, second) = (server.open(), server.open());
    assert_eq!(server.refusal("User-Agent", "x"), 503);
    drop(second);
    let deadline = Instant::now() + PATIENCE;
    while server.refusal("User-Agent", "x") != 101 {
        assert!(Instant::now() < deadline);
    }
    let start = Instant::now();
    let frame = first.closing();
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(frame.unwrap().reason.as_str(), "idle for too long");
}

#[test]
fn garbage_and_slow_clients_hurt_nobody() {
    let server = Server::start(&["--sessions", "3"]);
    let mut good = server.open();
    // Heads that never end, and a TLS greeting: the server speaks no TLS.
    let slow: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
    for mut stream in &slow {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    }
    assert!(
        server
            .http("\x16\x03\x01\r\n\r\n", b"")
            .starts_with(b"HTTP/1.1 400 ")
    );
    let long = format!("GET / HTTP/1.1\r\nHost: {}", "x".repeat(20_000));
    assert!(server.http(&long, b"").starts_with(b"HTTP/1.1 431 "));
    assert!(
        server
            .http("BREW / HTTP/1.1\r\nHost: x\r\n\r\n", b"")
            .starts_with(b"HTTP/1.1 403 ")
    );
    // A message that is too long or no text ends its socket alone.
    let mut long = server.open();
    let _ = long.0.send(Message::text("x".repeat(200_000)));
    let reason = long.closing().map(|frame| frame.reason.to_string());
    assert!(matches!(reason.as_deref(), Some("message too long") | None));
    let mut binary = server.open();
    binary.0.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(
        binary.closing().unwrap().reason.as_str(),
        "only text is understood"
    );
    // Bytes that are no frames.
    let mut stream = server.open();
    stream.0.get_mut().write_all(&[0xff; 64]).unwrap();
    assert!(matches!(
        stream.0.read(),
        Err(Error::Protocol(_)) | Err(_) | Ok(Message::Close(_))
    ));
    // A client that asks and never reads.
    let mut deaf = server.open();
    deaf.start();
    for _ in 0..2_000 {
        deaf.send("TRACEBOARD");
    }
    good.start().send("INFO max_node 200");
    assert!(parse_move(&good.send("TURN 7,7").answer()).is_some());
    assert!(server.get("/").starts_with(b"HTTP/1.1 200 "));
}

#[test]
fn the_page_comes_with_strict_headers() {
    let server = Server::start(&[]);
    let answer = String::from_utf8_lossy(&server.get("/")).into_owned();
    let (head, _) = answer.split_once("\r\n\r\n").unwrap();
    for header in [
        "Content-Type: text/html; charset=utf-8",
        "Content-Encoding: gzip",
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src \
         'self' blob: data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src \
         'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Embedder-Policy: require-corp",
        "Cross-Origin-Resource-Policy: same-origin",
    ] {
        assert!(head.lines().any(|line| line == header), "{header}\n{head}");
    }
    for path in [
        "/none",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/index.html.gz",
    ] {
        assert!(server.get(path).starts_with(b"HTTP/1.1 404 "), "{path}");
    }
    let post = format!("POST / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
    assert!(server.http(&post, b"").starts_with(b"HTTP/1.1 405 "));
}

#[test]
fn without_a_port_the_usual_one_is_taken_where_it_is_free() {
    const USUAL_PORT: u16 = 15_225;
    let held = TcpListener::bind(("127.0.0.1", USUAL_PORT));
    let server = Server::start_on(None, &[]);
    assert_ne!(server.port, USUAL_PORT);
    server.open();
    drop(server);
    // Without the port another server on this machine has it.
    let Ok(held) = held else { return };
    drop(held);
    for _ in 0..2 {
        let server = Server::start_on(None, &[]);
        assert_eq!(server.port, USUAL_PORT);
        server.open();
    }
}

#[test]
fn the_page_gets_the_address_of_a_public_board() {
    let board = |args: &[&str]| {
        let answer = Server::start(args).get("/");
        let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        let mut text = String::new();
        GzDecoder::new(&answer[head.unwrap() + 4..])
            .read_to_string(&mut text)
            .unwrap();
        text
    };
    let place = |address: &str| format!("<meta name=\"tengen-address\" content=\"{address}\" />");
    assert!(board(&[]).contains(&place("")));
    let named = board(&["--address", "https://board.example/?a=\"1\"&b=<"]);
    let written = "https://board.example/?a=&quot;1&quot;&amp;b=&lt;";
    assert!(named.contains(&place(written)), "{named}");
    for wrong in [
        "board.example",
        "ftp://a",
        "https://",
        "http:// a",
        "javascript:1",
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["serve", "--address", wrong])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("begins with https:// or http://"), "{error}");
    }
}

#[test]
fn files_are_converted_for_those_who_know_the_token() {
    let server = Server::start(&[]);
    let token = server.token.clone();
    let answer = server.convert(&token, "a.txt", b"h8 i9");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.ends_with(";B[hh];W[ig])\n"), "{answer}");
    let answer = server.convert(&token, "a.lib", b"no library");
    assert!(answer.starts_with("HTTP/1.1 422 "), "{answer}");
    assert!(
        answer.ends_with("\r\n\r\nthis is no RenLib library"),
        "{answer}"
    );
    let wrong = "0".repeat(32);
    assert!(
        server
            .convert(&wrong, "a.txt", b"h8")
            .starts_with("HTTP/1.1 403 ")
    );
    let port = server.port;
    let head = format!(
        "POST /convert HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {token}\r\n"
    );
    let refused = |rest: &str| {
        let answer = server.http(&format!("{head}{rest}\r\n"), b"");
        String::from_utf8_lossy(&answer[9..12]).into_owned()
    };
    assert_eq!(refused("Content-Length: 1\r\n"), "403", "no origin");
    let origin = format!("Origin: http://localhost:{port}\r\n");
    assert_eq!(refused(&origin), "411");
    let twice = "Content-Length: 1\r\n".repeat(2);
    assert_eq!(refused(&format!("{origin}{twice}")), "411", "no one length");
    let both = "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n";
    assert_eq!(refused(&format!("{origin}{both}")), "400", "two lengths");
    assert_eq!(
        refused(&format!("{origin}Content-Length: 33554433\r\n")),
        "413"
    );
    assert_eq!(
        refused("Origin: http://evil.example\r\nContent-Length: 1\r\n"),
        "403"
    );
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_all_sessions() {
    let mut server = Server::start(&["--database", "own.db"]);
    let mut socket = server.open();
    socket
        .start()
        .send("YXEDITTEXTDATABASE \"five\" 7,7 DONE")
        .send("INFO timeout_turn -1")
        .send("TURN 7,7");
    assert!(socket.line().starts_with("MESSAGE "));
    let start = Instant::now();
    let pid = server.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert!(server.child.wait().unwrap().success());
    assert!(start.elapsed() < Duration::from_secs(5));
    // Only a closed database can be read without a change to its file.
    let database = Database::open_existing(&server.home.path().join("own.db"), Access::Read);
    assert!(database.is_ok(), "{:?}", database.err());
}
