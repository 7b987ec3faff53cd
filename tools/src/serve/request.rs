//! Requests in HTTP/1.1: the head, within limits of size and time.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::response::Status;

/// Most bytes of a head.
const MAX_HEAD: usize = 16 << 10;
/// Most header lines.
const MAX_HEADERS: usize = 64;
/// Time for the whole head.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Time for the whole body.
const BODY_TIME: Duration = Duration::from_secs(60);

/// The head of a request, and the bytes read after it.
#[derive(Debug)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// The path without a query.
    pub path: String,
    /// The query without its question mark; may be empty.
    pub query: String,
    headers: Vec<(String, String)>,
    /// Bytes after the head that came with the head.
    rest: Vec<u8>,
}

impl Request {
    /// Reads a head.
    ///
    /// # Errors
    /// With the status to answer: the head is malformed, too large, or did not come in time. `None`
    /// if nobody is there to answer.
    pub fn read(stream: &mut TcpStream) -> Result<Request, Option<Status>> {
        let deadline = Instant::now() + HEAD_TIME;
        let mut bytes = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            let read = read_before(stream, &mut buffer, deadline).map_err(|error| {
                let is_late = error.kind() == io::ErrorKind::TimedOut;
                is_late.then_some(Status::REQUEST_TIMEOUT)
            })?;
            if read == 0 {
                return Err(None);
            }
            bytes.extend_from_slice(&buffer[..read]);
            if let Some(request) = Request::parse(&bytes).map_err(Some)? {
                return Ok(request);
            }
        }
    }

    /// The request in `bytes`; `None` while its head is not complete.
    fn parse(bytes: &[u8]) -> Result<Option<Request>, Status> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let length = match parsed.parse(bytes) {
            // The read that completes a head may go beyond the limit.
            Ok(httparse::Status::Complete(length)) if length > MAX_HEAD => {
                return Err(Status::HEAD_TOO_LARGE);
            }
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if bytes.len() > MAX_HEAD => {
                return Err(Status::HEAD_TOO_LARGE);
            }
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(Status::HEAD_TOO_LARGE),
            Err(_) => return Err(Status::BAD_REQUEST),
        };
        let mut named = Vec::new();
        for header in parsed.headers.iter() {
            let value = std::str::from_utf8(header.value).map_err(|_| Status::BAD_REQUEST)?;
            named.push((header.name.to_string(), value.trim().to_string()));
        }
        let target = parsed.path.unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Ok(Some(Request {
            method: parsed.method.unwrap_or_default().to_string(),
            path: path.to_string(),
            query: query.to_string(),
            headers: named,
            rest: bytes[length..].to_vec(),
        }))
    }

    /// The values of the header `name`, given in lower case.
    pub fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self
            .headers
            .iter()
            .filter(move |(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }

    /// The value of a header that comes exactly once. `None` also for a repeated header: another
    /// reader of the request may take another of its values.
    pub fn header<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        let mut values = self.headers(name);
        let value = values.next();
        value.filter(|_| values.next().is_none())
    }

    /// True if a list in a header has the word, in any letter case.
    pub fn lists(&self, name: &str, word: &str) -> bool {
        self.headers(name)
            .flat_map(|value| value.split(','))
            .any(|listed| listed.trim().eq_ignore_ascii_case(word))
    }

    /// The value of a field of the query, without its escapes.
    pub fn field(&self, name: &str) -> Option<String> {
        let fields = self
            .query
            .split('&')
            .filter_map(|field| field.split_once('='));
        let value = fields.into_iter().find(|(known, _)| *known == name)?.1;
        Some(unescaped(value))
    }

    /// Reads the body; the head gives its length.
    ///
    /// # Errors
    /// With the status to answer: the head does not give exactly one length, or has a
    /// Transfer-Encoding too, the length is above `most`, or the body did not come in time.
    pub fn body(&self, stream: &mut TcpStream, most: usize) -> Result<Vec<u8>, Status> {
        // Another reader of the request would take the encoding for the body's end.
        // Source: RFC 9112, section 6.3.
        if self.headers("transfer-encoding").next().is_some() {
            return Err(Status::BAD_REQUEST);
        }
        let length = self
            .header("content-length")
            .ok_or(Status::LENGTH_REQUIRED)?;
        let length: u64 = length.parse().map_err(|_| Status::BAD_REQUEST)?;
        if length > most as u64 {
            return Err(Status::TOO_LARGE);
        }
        let length = length as usize;
        let deadline = Instant::now() + BODY_TIME;
        let mut body = self.rest.clone();
        let mut buffer = vec![0; 64 << 10];
        while body.len() < length {
            match read_before(stream, &mut buffer, deadline) {
                Ok(0) => return Err(Status::BAD_REQUEST),
                Ok(read) => body.extend_from_slice(&buffer[..read]),
                Err(_) => return Err(Status::REQUEST_TIMEOUT),
            }
        }
        body.truncate(length);
        Ok(body)
    }

    /// The bytes read after the head.
    pub fn into_rest(self) -> Vec<u8> {
        self.rest
    }

    #[cfg(test)]
    pub fn for_tests(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let named = headers
            .iter()
            .map(|&(name, value)| (name.to_string(), value.to_string()));
        Request {
            method: method.to_string(),
            path: path.to_string(),
            query: String::new(),
            headers: named.collect(),
            rest: Vec::new(),
        }
    }
}

/// Reads the available bytes, and waits for them until `deadline` at most.
fn read_before(stream: &mut TcpStream, buffer: &mut [u8], deadline: Instant) -> io::Result<usize> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // The name of a timeout depends on the system.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(io::ErrorKind::TimedOut.into());
            }
            result => return result,
        }
    }
}

/// A value of a query without its escapes: `%20`, and `+` for a blank.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(if first == b'+' { b' ' } else { first });
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_and_garbage_is_refused() {
        let head =
            b"POST /convert?name=a%20b.lib&x=1 HTTP/1.1\r\nHost: h\r\nX: 1\r\nX: 2\r\n\r\nbody";
        let request = Request::parse(head).unwrap().unwrap();
        assert_eq!((&*request.method, &*request.path), ("POST", "/convert"));
        assert_eq!(request.field("name").as_deref(), Some("a b.lib"));
        assert_eq!(request.headers("x").collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(
            (request.header("host"), request.header("x")),
            (Some("h"), None)
        );
        assert_eq!(request.rest, b"body");
        assert!(Request::parse(b"GET / HTTP/1.1\r\nHo").unwrap().is_none());
        assert_eq!(
            Request::parse(b"\x16\x03\x01\0\0").unwrap_err(),
            Status::BAD_REQUEST
        );
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(65));
        assert_eq!(
            Request::parse(many.as_bytes()).unwrap_err(),
            Status::HEAD_TOO_LARGE
        );
        for end in ["", "\r\n\r\n"] {
            let long = format!("GET / HTTP/1.1\r\na: {}{end}", "b".repeat(MAX_HEAD));
            let refused = Request::parse(long.as_bytes()).unwrap_err();
            assert_eq!(refused, Status::HEAD_TOO_LARGE);
        }
    }

    #[test]
    fn escapes_are_read() {
        assert_eq!(unescaped("%E4%BA%94+%2Bx%"), "五 +x%");
        assert_eq!(unescaped("%zz%4"), "%zz%4");
    }
}
