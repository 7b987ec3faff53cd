//! The rules read off the record of an opening from its first step to its last, one function for
//! each rule, without any state kept between the steps.

use crate::openings::{Choice, NamedOpening, OpeningRule, Player};
use crate::types::{Color, Point};

use Player::{First, Second};

/// Everything decided so far, and by whom.
#[derive(Debug)]
pub struct Record {
    rule: OpeningRule,
    width: i32,
    height: i32,
    steps: Vec<(Player, Choice)>,
}

/// Why reading stopped.
enum Stop {
    /// The record ends before the rule does.
    Unfinished,
    /// The rule does not allow what the record says.
    Illegal,
}

type Read<T> = Result<T, Stop>;
type Turn = fn(i32, i32) -> (i32, i32);

impl Record {
    pub fn new(rule: OpeningRule, width: u32, height: u32) -> Record {
        Record {
            rule,
            width: width as i32,
            height: height as i32,
            steps: Vec::new(),
        }
    }

    pub fn add(&mut self, player: Player, choice: Choice) {
        self.steps.push((player, choice));
    }

    /// True if `player` may decide so now.
    pub fn allows(&self, player: Player, choice: &Choice) -> bool {
        let mut steps = self.steps.clone();
        steps.push((player, choice.clone()));
        let mut reader = Reader::new(self, &steps);
        let legal = !matches!(reader.read(self.rule), Err(Stop::Illegal));
        legal && reader.place == steps.len()
    }

    /// Player who holds Black in the end, if the record is one of a whole opening.
    pub fn end(&self) -> Option<Player> {
        Reader::new(self, &self.steps).read(self.rule).ok()
    }
}

struct Reader<'a> {
    steps: &'a [(Player, Choice)],
    place: usize,
    width: i32,
    height: i32,
    /// Black stones stand at even places, white ones at odd places.
    stones: Vec<Point>,
}

impl Reader<'_> {
    fn new<'a>(record: &Record, steps: &'a [(Player, Choice)]) -> Reader<'a> {
        Reader {
            steps,
            place: 0,
            width: record.width,
            height: record.height,
            stones: Vec::new(),
        }
    }

    /// Reads the opening to its end and tells who holds Black.
    fn read(&mut self, rule: OpeningRule) -> Read<Player> {
        match rule {
            OpeningRule::Free => Ok(First),
            OpeningRule::SwapAfterOne => {
                self.put(First, 0..=99)?;
                self.take(Second)
            }
            OpeningRule::Swap => {
                for _ in 0..3 {
                    self.put(First, 0..=99)?;
                }
                self.take(Second)
            }
            OpeningRule::Swap2 => {
                for _ in 0..3 {
                    self.put(First, 0..=99)?;
                }
                if let Some((Second, Choice::Add(points))) = self.peek() {
                    self.place += 1;
                    for p in points {
                        self.check_free(p)?;
                        self.stones.push(p);
                    }
                    return self.take(First);
                }
                self.take(Second)
            }
            OpeningRule::Pro | OpeningRule::LongPro => {
                self.put(First, 0..=0)?;
                self.put(Second, 0..=99)?;
                let least = if rule == OpeningRule::Pro { 3 } else { 4 };
                self.put(First, least..=99)?;
                Ok(First)
            }
            OpeningRule::Rif => {
                self.three_by_the_first()?;
                let black = self.take(Second)?;
                self.put(!black, 0..=99)?;
                self.fifths(black, 2)
            }
            OpeningRule::RenjuSwap => {
                self.put(First, 0..=0)?;
                self.put(Second, 0..=1)?;
                self.put(First, 0..=2)?;
                let black = self.take(Second)?;
                self.put(!black, 0..=99)?;
                self.fifths(black, 2)
            }
            OpeningRule::Yamaguchi => {
                self.three_by_the_first()?;
                let most = (self.width * self.height - 4) / 4;
                let count = self.declare(First, most.min(255) as u8)?;
                let black = self.take(Second)?;
                self.put(!black, 0..=99)?;
                self.fifths(black, count)
            }
            OpeningRule::Tarannikov => {
                let black = self.swaps_up_to_three()?;
                self.put(!black, 0..=3)?;
                let black = self.take(black)?;
                self.put(black, 0..=4)?;
                self.take(!black)
            }
            OpeningRule::Taraguchi | OpeningRule::Taraguchi10 => {
                let count = if rule == OpeningRule::Taraguchi {
                    5
                } else {
                    10
                };
                let black = self.swaps_up_to_three()?;
                self.put(!black, 0..=3)?;
                if let Some((_, Choice::Offer(_))) = self.peek() {
                    return self.fifths(black, count);
                }
                let black = self.take(black)?;
                self.put(black, 0..=4)?;
                self.take(!black)
            }
            OpeningRule::Soosorv8 => {
                self.three_by_the_first()?;
                let black = self.take(Second)?;
                self.put(!black, 0..=99)?;
                let count = self.declare(!black, 8)?;
                let black = self.take(black)?;
                self.fifths(black, count)
            }
            OpeningRule::Designated { opening, fifths } => {
                self.given(opening);
                let black = self.take(Second)?;
                self.put(!black, 0..=99)?;
                self.fifths(black, fifths)
            }
        }
    }

    fn given(&mut self, opening: NamedOpening) {
        let points = opening.points(self.width as u8, self.height as u8);
        self.stones.extend(points);
    }

    fn three_by_the_first(&mut self) -> Read<()> {
        self.put(First, 0..=0)?;
        self.put(First, 0..=1)?;
        self.put(First, 0..=2)
    }

    /// Three stones with a swap after each, and who holds Black then.
    fn swaps_up_to_three(&mut self) -> Read<Player> {
        self.put(First, 0..=0)?;
        let black = self.take(Second)?;
        self.put(!black, 0..=1)?;
        let black = self.take(black)?;
        self.put(black, 0..=2)?;
        self.take(!black)
    }

    fn peek(&self) -> Option<(Player, Choice)> {
        self.steps.get(self.place).cloned()
    }

    fn next(&mut self, player: Player) -> Read<Choice> {
        let (who, choice) = self.peek().ok_or(Stop::Unfinished)?;
        self.place += 1;
        if who == player {
            Ok(choice)
        } else {
            Err(Stop::Illegal)
        }
    }

    /// A stone at one of these distances from the centre.
    fn put(&mut self, player: Player, distances: std::ops::RangeInclusive<i32>) -> Read<()> {
        let Choice::Put(p) = self.next(player)? else {
            return Err(Stop::Illegal);
        };
        self.check_free(p)?;
        let dx = i32::from(p.x()) - self.width / 2;
        let dy = i32::from(p.y()) - self.height / 2;
        if !distances.contains(&dx.abs().max(dy.abs())) {
            return Err(Stop::Illegal);
        }
        self.stones.push(p);
        Ok(())
    }

    fn check_free(&self, p: Point) -> Read<()> {
        let inside = i32::from(p.x()) < self.width && i32::from(p.y()) < self.height;
        if inside && !self.stones.contains(&p) {
            Ok(())
        } else {
            Err(Stop::Illegal)
        }
    }

    /// Player who holds Black after `player` has taken a colour.
    fn take(&mut self, player: Player) -> Read<Player> {
        match self.next(player)? {
            Choice::Take(Color::Black) => Ok(player),
            Choice::Take(Color::White) => Ok(!player),
            _ => Err(Stop::Illegal),
        }
    }

    fn declare(&mut self, player: Player, most: u8) -> Read<u8> {
        match self.next(player)? {
            Choice::Declare(count) if (1..=most).contains(&count) => Ok(count),
            _ => Err(Stop::Illegal),
        }
    }

    /// `black` offers and the other keeps.
    fn fifths(&mut self, black: Player, count: u8) -> Read<Player> {
        let Choice::Offer(points) = self.next(black)? else {
            return Err(Stop::Illegal);
        };
        let mut shapes: Vec<Vec<(i32, i32, usize)>> = Vec::new();
        for &p in &points {
            self.check_free(p)?;
            let shape = self.shape_with(p);
            if shapes.contains(&shape) {
                return Err(Stop::Illegal);
            }
            shapes.push(shape);
        }
        if points.len() != usize::from(count) {
            return Err(Stop::Illegal);
        }
        match self.next(!black)? {
            Choice::Keep(p) if points.contains(&p) => {
                self.stones.push(p);
                Ok(black)
            }
            _ => Err(Stop::Illegal),
        }
    }

    /// The five stones with `p` as the last, the same for all their turned, mirrored and shifted
    /// images: of all of these pushed to the upper left, the first in order.
    fn shape_with(&self, p: Point) -> Vec<(i32, i32, usize)> {
        let stones: Vec<(i32, i32, usize)> = self
            .stones
            .iter()
            .chain([&p])
            .enumerate()
            .map(|(i, s)| (i32::from(s.x()), i32::from(s.y()), i % 2))
            .collect();
        let turns: [Turn; 8] = [
            |x, y| (x, y),
            |x, y| (-x, y),
            |x, y| (x, -y),
            |x, y| (-x, -y),
            |x, y| (y, x),
            |x, y| (-y, x),
            |x, y| (y, -x),
            |x, y| (-y, -x),
        ];
        turns
            .into_iter()
            .map(|turn| {
                let turned = stones.iter().map(|&(x, y, color)| {
                    let (x, y) = turn(x, y);
                    (x, y, color)
                });
                let turned: Vec<_> = turned.collect();
                let left = turned.iter().map(|s| s.0).min().unwrap_or(0);
                let top = turned.iter().map(|s| s.1).min().unwrap_or(0);
                let shifted = turned.iter().map(|&(x, y, c)| (x - left, y - top, c));
                let mut shape: Vec<_> = shifted.collect();
                shape.sort();
                shape
            })
            .min()
            .unwrap_or_default()
    }
}
