//! The line parser alone. The commands do not depend on the division of the bytes or on line ends.
//! There are at most as many commands as bytes, and the last one is `END`.

#![no_main]

use std::io::{self, Read};

use libfuzzer_sys::fuzz_target;
use tengen::protocol::commands_as_text;
use tengen_fuzz::dictionary::write_if_asked;
use tengen_tools::host::commands;

/// Bytes read a few at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = 1 + self.0.len() % 7;
        self.0.read(&mut buffer[..most])
    }
}

fuzz_target!(init: write_if_asked(), |input: &[u8]| {
    let requests = commands_as_text(commands(), input);
    assert!(requests.len() <= input.len() + 1);
    assert_eq!(requests.last().map(String::as_str), Some("END"));
    assert_eq!(commands_as_text(commands(), Trickle(input)), requests);
    let mut crlf = Vec::new();
    for &byte in input {
        crlf.extend(if byte == b'\n' {
            &b"\r\n"[..]
        } else {
            std::slice::from_ref(&byte)
        });
    }
    assert_eq!(commands_as_text(commands(), &crlf[..]), requests);
});
