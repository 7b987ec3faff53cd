//! The right to talk to the server.
//!
//! Any web page opened by the user can send requests to this machine, and any name can be made to
//! lead to it. So a request has to name this server in `Host`: this stops pages that reach the
//! server under their own name. A request that works for the user also has to come from our own
//! page, by `Origin`, and to know the token. Only the user has seen the token.

use std::fmt::Write as _;

use super::request::Request;

/// Bytes of a token: 128 bits.
const TOKEN_BYTES: usize = 16;
/// Port of addresses without one.
const DEFAULT_PORT: u16 = 80;
/// Subprotocol of the WebSocket.
pub const SUBPROTOCOL: &str = "tengen";

/// The secret of this server, for the requests.
pub struct Access {
    token: String,
    hosts: Vec<String>,
}

impl Access {
    /// Access to the server on `port`, with a new token.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn new(port: u16) -> Result<Access, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let mut token = String::new();
        for byte in bytes {
            let _ = write!(token, "{byte:02x}");
        }
        let names = ["127.0.0.1", "localhost"];
        let mut hosts = names.map(|name| format!("{name}:{port}")).to_vec();
        if port == DEFAULT_PORT {
            // Browsers leave the default port out.
            hosts.extend(names.map(str::to_string));
        }
        Ok(Access { token, hosts })
    }

    /// The token as text.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// True if the request is meant for this server: exactly one `Host`, naming this server.
    pub fn has_host(&self, request: &Request) -> bool {
        let host = request.header("host");
        host.is_some_and(|host| self.hosts.iter().any(|own| host.eq_ignore_ascii_case(own)))
    }

    /// True if our own page sent the request.
    pub fn has_origin(&self, request: &Request) -> bool {
        let origin = request.header("origin");
        let host = origin.and_then(|origin| origin.strip_prefix("http://"));
        host.is_some_and(|host| self.hosts.iter().any(|own| host == own))
    }

    /// True if `Sec-WebSocket-Protocol` offers our subprotocol and, beside it, the token.
    pub fn has_token_as_subprotocol(&self, request: &Request) -> bool {
        let offers = request
            .headers("sec-websocket-protocol")
            .flat_map(|value| value.split(','))
            .map(str::trim);
        let (mut knows_us, mut knows_token) = (false, false);
        for offer in offers {
            knows_us |= offer == SUBPROTOCOL;
            knows_token |= self.is_token(offer);
        }
        knows_us && knows_token
    }

    /// True if `Authorization` has the token.
    pub fn has_bearer(&self, request: &Request) -> bool {
        let value = request.header("authorization");
        let bearer = value.and_then(|value| value.strip_prefix("Bearer "));
        bearer.is_some_and(|token| self.is_token(token.trim()))
    }

    /// Compares all bytes in any case, so that the time does not tell the number of right ones.
    fn is_token(&self, text: &str) -> bool {
        let (own, other) = (self.token.as_bytes(), text.as_bytes());
        let differ = own.iter().zip(other).fold(0, |bits, (a, b)| bits | (a ^ b));
        own.len() == other.len() && differ == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(headers: &[(&str, &str)]) -> Request {
        Request::for_tests("GET", "/", headers)
    }

    #[test]
    fn tokens_differ_and_only_the_own_one_is_known() {
        let (access, other) = (Access::new(80).unwrap(), Access::new(80).unwrap());
        assert_eq!(access.token().len(), 32);
        assert_ne!(access.token(), other.token());
        assert!(access.is_token(access.token()));
        for wrong in [
            "",
            &access.token()[1..],
            &format!("{}0", access.token()),
            other.token(),
        ] {
            assert!(!access.is_token(wrong));
        }
    }

    #[test]
    fn hosts_and_origins_are_ours_alone() {
        let default = Access::new(80).unwrap();
        for text in ["127.0.0.1", "localhost", "127.0.0.1:80"] {
            assert!(default.has_host(&request(&[("Host", text)])));
            let origin = format!("http://{text}");
            assert!(default.has_origin(&request(&[("Origin", &origin)])));
        }
        let access = Access::new(8080).unwrap();
        let host = |text| access.has_host(&request(&[("Host", text)]));
        assert!(host("127.0.0.1:8080") && host("LocalHost:8080"));
        for wrong in [
            "127.0.0.1",
            "127.0.0.1:8081",
            "evil.example:8080",
            "",
            "127.0.0.1:8080.evil",
        ] {
            assert!(!host(wrong), "{wrong}");
        }
        assert!(!access.has_host(&request(&[])));
        let two = [("Host", "127.0.0.1:8080"), ("host", "evil.example")];
        assert!(!access.has_host(&request(&two)));
        let origin = |text| access.has_origin(&request(&[("Origin", text)]));
        assert!(origin("http://127.0.0.1:8080") && origin("http://localhost:8080"));
        for wrong in [
            "null",
            "https://127.0.0.1:8080",
            "http://127.0.0.1:9",
            "http://evil.example",
        ] {
            assert!(!origin(wrong), "{wrong}");
        }
        assert!(!access.has_origin(&request(&[])));
    }
}
