use super::{POINTS, Point};

const WORDS: usize = POINTS / 64;

/// A set of points as a bit set; iterates in index order (top row first).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// The set without members.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// Puts `p` into the set.
    #[inline]
    pub fn insert(&mut self, p: Point) {
        self.0[p.index() / 64] |= 1 << (p.index() % 64);
    }

    /// Takes `p` out of the set.
    #[inline]
    pub fn remove(&mut self, p: Point) {
        self.0[p.index() / 64] &= !(1 << (p.index() % 64));
    }

    /// Puts `p` in, or takes a member out.
    #[inline]
    pub fn toggle(&mut self, p: Point) {
        self.0[p.index() / 64] ^= 1 << (p.index() % 64);
    }

    /// True if `p` is a member.
    #[inline]
    pub fn contains(&self, p: Point) -> bool {
        self.0[p.index() / 64] >> (p.index() % 64) & 1 != 0
    }

    /// True if there is no member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// Number of members.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The member with the lowest index.
    #[inline]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// Members of both sets.
    #[inline]
    #[must_use]
    pub fn intersection(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Members of either set.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Members of this set that are not in `other`.
    #[inline]
    #[must_use]
    pub fn difference(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Members, lowest index first.
    #[inline]
    pub fn iter(&self) -> Iter {
        Iter {
            words: self.0,
            word: 0,
        }
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for p in points {
            self.insert(p);
        }
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        set.extend(points);
        set
    }
}

impl IntoIterator for &PointSet {
    type Item = Point;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

/// Iterator over the members of a [`PointSet`].
pub struct Iter {
    words: [u64; WORDS],
    word: usize,
}

impl Iterator for Iter {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.word < WORDS {
            let bits = self.words[self.word];
            if bits != 0 {
                self.words[self.word] = bits & (bits - 1);
                return Some(Point::from_index(
                    self.word * 64 + bits.trailing_zeros() as usize,
                ));
            }
            self.word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order() {
        let points = [Point::new(3, 0), Point::new(0, 1), Point::new(21, 21)];
        let mut set: PointSet = points.iter().rev().copied().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), points);
        assert_eq!(set.len(), 3);
        set.toggle(points[0]);
        set.remove(points[1]);
        assert_eq!(set.first(), Some(points[2]));
        assert!(!set.contains(points[0]) && set.contains(points[2]));
    }
}
