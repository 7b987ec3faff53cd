//! Threads that make batches, and the order of writing the batches.

use std::io::{self, Write};
use std::panic::resume_unwind;
use std::str::FromStr;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Batches of a lane that wait to be written.
const AHEAD: usize = 4;

/// A thread that makes batches. Of `n` lanes each takes every `n`-th block from its first one on.
/// Written `BLOCK:READ`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Its first block, counted through all passes.
    pub block: u32,
    /// Batches of that block read before, now left out.
    pub read: usize,
}

impl FromStr for Lane {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Lane, &'static str> {
        let numbers = text.split_once(':');
        let lane = numbers.and_then(|(block, read)| {
            Some(Lane {
                block: block.parse().ok()?,
                read: read.parse().ok()?,
            })
        });
        lane.ok_or("not of the form BLOCK:READ, such as 0:0")
    }
}

/// The taker of a lane's batches.
pub struct Outlet {
    sender: SyncSender<Vec<u8>>,
    left_out: usize,
}

/// The reader wants no more batches.
pub struct Closed;

impl Outlet {
    /// Hands on the bytes of a batch; waits for a slower reader.
    pub fn put(&mut self, batch: Vec<u8>) -> Result<(), Closed> {
        if self.left_out > 0 {
            self.left_out -= 1;
            return Ok(());
        }
        self.sender.send(batch).map_err(|_| Closed)
    }
}

/// Runs `produce` for each lane in a thread of its own and writes their batches, one of each lane
/// in turns, beginning with lane `turn`. A lane that has ended is passed over.
///
/// # Errors
/// When the output fails.
///
/// # Panics
/// When `produce` panics: with one lane fewer the rest would be in another order.
pub fn write_in_turns(
    lanes: &[Lane],
    turn: usize,
    output: &mut impl Write,
    produce: impl Fn(Lane, &mut Outlet) -> Result<(), Closed> + Sync,
) -> io::Result<()> {
    let produce = &produce;
    std::thread::scope(|scope| {
        let start = |&lane: &Lane| {
            let (sender, receiver) = sync_channel(AHEAD);
            let thread = scope.spawn(move || {
                let mut outlet = Outlet {
                    sender,
                    left_out: lane.read,
                };
                // An early end of the reading is no error.
                let _ = produce(lane, &mut outlet);
            });
            Some((receiver, thread))
        };
        let mut running: Vec<Option<(Receiver<Vec<u8>>, _)>> = lanes.iter().map(start).collect();
        let mut turn = turn % lanes.len();
        while running.iter().any(Option::is_some) {
            if let Some((receiver, thread)) = running[turn].take() {
                if let Ok(batch) = receiver.recv() {
                    output.write_all(&batch)?;
                    running[turn] = Some((receiver, thread));
                } else if let Err(panic) = thread.join() {
                    resume_unwind(panic);
                }
            }
            turn = (turn + 1) % lanes.len();
        }
        output.flush()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(lanes: &[Lane], turn: usize) -> Vec<u8> {
        let mut output = Vec::new();
        let count = lanes.len() as u32;
        write_in_turns(lanes, turn, &mut output, |lane, outlet| {
            // Block b has 1 + b % 3 batches.
            for block in (lane.block..7).step_by(count as usize) {
                for number in 0..=block % 3 {
                    outlet.put(vec![10 * block as u8 + number as u8])?;
                }
            }
            Ok(())
        })
        .unwrap();
        output
    }

    fn lanes(text: &str) -> Vec<Lane> {
        text.split(',').map(|lane| lane.parse().unwrap()).collect()
    }

    #[test]
    fn lanes_take_turns_and_leave_out_what_was_read() {
        let one = [0, 10, 11, 20, 21, 22, 30, 40, 41, 50, 51, 52, 60];
        assert_eq!(written(&lanes("0:0"), 0), one);
        assert_eq!(written(&lanes("2:1"), 5), one[4..]);
        let three = written(&lanes("0:0,1:0,2:0"), 0);
        assert_eq!(three, [0, 10, 20, 30, 11, 21, 60, 40, 22, 41, 50, 51, 52]);
        // Behind five batches: lane 0 has finished two blocks, lane 1 one, lane 2 a batch.
        assert_eq!(written(&lanes("6:0,4:0,2:1"), 2), three[5..]);
        for wrong in ["", "1", "1:", "a:b", "-1:0"] {
            assert!(wrong.parse::<Lane>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_output_that_fails_ends_all_lanes() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let endless = |_: Lane, outlet: &mut Outlet| loop {
            outlet.put(vec![1])?;
        };
        let two = lanes("0:0,1:0");
        let error = write_in_turns(&two, 0, &mut Full, endless).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    #[should_panic(expected = "lane 1 fails")]
    fn a_lane_that_panics_ends_all_lanes() {
        let endless_but_one = |lane: Lane, outlet: &mut Outlet| loop {
            assert_ne!(lane.block, 1, "lane 1 fails");
            outlet.put(vec![1])?;
        };
        let _ = write_in_turns(&lanes("0:0,1:0"), 0, &mut io::sink(), endless_but_one);
    }
}
