//! Answers in HTTP/1.1. Each one ends its connection, and has the headers that keep the page to
//! itself.

use std::io::{self, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// The page's rights: only contents of this server are loaded and run.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; \
     worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Time for a client to take an answer.
const WRITE_TIME: Duration = Duration::from_secs(20);

/// The status of an answer, as it stands in the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(&'static str);

impl Status {
    pub const OK: Status = Status("200 OK");
    pub const BAD_REQUEST: Status = Status("400 Bad Request");
    pub const FORBIDDEN: Status = Status("403 Forbidden");
    pub const NOT_FOUND: Status = Status("404 Not Found");
    pub const METHOD_NOT_ALLOWED: Status = Status("405 Method Not Allowed");
    pub const REQUEST_TIMEOUT: Status = Status("408 Request Timeout");
    pub const LENGTH_REQUIRED: Status = Status("411 Length Required");
    pub const TOO_LARGE: Status = Status("413 Content Too Large");
    pub const UNPROCESSABLE: Status = Status("422 Unprocessable Content");
    pub const UPGRADE_REQUIRED: Status = Status("426 Upgrade Required");
    pub const HEAD_TOO_LARGE: Status = Status("431 Request Header Fields Too Large");
    pub const UNAVAILABLE: Status = Status("503 Service Unavailable");
}

/// An answer.
#[derive(Debug)]
pub struct Response<'a> {
    /// Its status.
    pub status: Status,
    /// Type of the body.
    pub content_type: &'a str,
    /// True if the body is compressed by gzip.
    pub is_gzip: bool,
    /// The body.
    pub body: &'a [u8],
}

impl<'a> Response<'a> {
    /// A text.
    pub fn text(status: Status, text: &'a str) -> Response<'a> {
        Response {
            status,
            content_type: "text/plain; charset=utf-8",
            is_gzip: false,
            body: text.as_bytes(),
        }
    }

    /// Sends the answer, without its body after a `HEAD`, and ends the connection.
    ///
    /// # Errors
    /// When the client does not take the answer.
    pub fn send(&self, stream: &mut TcpStream, has_body: bool) -> io::Result<()> {
        stream.set_write_timeout(Some(WRITE_TIME))?;
        let encoding = if self.is_gzip {
            "Content-Encoding: gzip\r\n"
        } else {
            ""
        };
        let head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{encoding}\
             Cache-Control: no-cache\r\nConnection: close\r\n\
             Content-Security-Policy: {CONTENT_SECURITY_POLICY}\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\n\
             Cross-Origin-Embedder-Policy: require-corp\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\n\r\n",
            self.status.0,
            self.content_type,
            self.body.len(),
        );
        let mut bytes = head.into_bytes();
        if has_body {
            bytes.extend_from_slice(self.body);
        }
        stream.write_all(&bytes)?;
        stream.flush()?;
        stream.shutdown(Shutdown::Write)
    }
}
