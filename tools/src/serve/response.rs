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

/// The status of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// 200
    Ok,
    /// 400
    BadRequest,
    /// 403
    Forbidden,
    /// 404
    NotFound,
    /// 405
    MethodNotAllowed,
    /// 408
    RequestTimeout,
    /// 411
    LengthRequired,
    /// 413
    TooLarge,
    /// 422
    Unprocessable,
    /// 426
    UpgradeRequired,
    /// 431
    HeadTooLarge,
    /// 503
    Unavailable,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Status::Ok => "200 OK",
            Status::BadRequest => "400 Bad Request",
            Status::Forbidden => "403 Forbidden",
            Status::NotFound => "404 Not Found",
            Status::MethodNotAllowed => "405 Method Not Allowed",
            Status::RequestTimeout => "408 Request Timeout",
            Status::LengthRequired => "411 Length Required",
            Status::TooLarge => "413 Content Too Large",
            Status::Unprocessable => "422 Unprocessable Content",
            Status::UpgradeRequired => "426 Upgrade Required",
            Status::HeadTooLarge => "431 Request Header Fields Too Large",
            Status::Unavailable => "503 Service Unavailable",
        }
    }
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
            self.status.line(),
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
