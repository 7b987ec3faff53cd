//! Work that several processes share.

use std::fmt;
use std::str::FromStr;

/// One of several processes that share numbered work. The process takes the numbers, from 0, with
/// the remainder `index` after division by `count`. Written `2/8`, the second of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// From 0.
    pub index: u64,
    /// At least 1.
    pub count: u64,
}

impl Share {
    /// All of the work.
    pub const ALL: Share = Share { index: 0, count: 1 };

    /// True if the work with this number is this one's.
    pub fn has(self, number: u64) -> bool {
        number % self.count == self.index
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

/// Why a text is no share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not of the form K/N with K from 1 to N, such as 2/8")]
pub struct ParseShareError;

impl FromStr for Share {
    type Err = ParseShareError;

    fn from_str(text: &str) -> Result<Share, ParseShareError> {
        let (number, count) = text.split_once('/').ok_or(ParseShareError)?;
        let number: u64 = number.parse().map_err(|_| ParseShareError)?;
        let count = count.parse().map_err(|_| ParseShareError)?;
        match (1..=count).contains(&number) {
            true => Ok(Share {
                index: number - 1,
                count,
            }),
            false => Err(ParseShareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_and_written_and_divide_the_work() {
        let share: Share = "2/8".parse().unwrap();
        assert_eq!((share.index, share.count), (1, 8));
        assert_eq!(share.to_string(), "2/8");
        assert_eq!("1/1".parse(), Ok(Share::ALL));
        for wrong in ["0/8", "9/8", "1", "a/b", "1/0", "", "1/2/3"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
        for number in 0..20 {
            let of = (0..5).filter(|&index| Share { index, count: 5 }.has(number));
            assert_eq!(of.count(), 1);
        }
    }
}
