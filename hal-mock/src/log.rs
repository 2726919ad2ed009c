//! An append-only log whose copies share their entries.
//!
//! Entries are stored in immutable chunks behind [`Arc`]. A clone copies the list of chunks and the
//! entries of the last, unfinished one: a machine's copies share what they have in common. A log
//! with a limit is a ring that drops its oldest chunk. The index of an entry counts from the first
//! entry ever pushed and never changes. The module knows no board.

use std::collections::VecDeque;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

/// Size of a chunk in bytes: a clone copies at most this and one entry.
const CHUNK: usize = 8 << 10;

/// An entry of a [`Log`].
pub trait Entry: Clone {
    /// Returns the number of bytes that the entry takes, with its heap memory.
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

impl Entry for u8 {}

/// An append-only log. See the module's documentation.
#[derive(Debug)]
pub struct Log<T> {
    chunks: VecDeque<Chunk<T>>,
    /// Entries after the last chunk.
    last: Vec<T>,
    last_bytes: usize,
    /// Index of the oldest entry that is stored.
    first: usize,
    /// Number of entries that were pushed.
    end: usize,
    /// Bytes of all stored entries, and their limit.
    bytes: usize,
    limit: usize,
}

#[derive(Debug)]
struct Chunk<T> {
    /// Index of the first entry.
    first: usize,
    bytes: usize,
    entries: Arc<[T]>,
}

impl<T> Clone for Chunk<T> {
    fn clone(&self) -> Self {
        Self { entries: Arc::clone(&self.entries), ..*self }
    }
}

impl<T: Clone> Clone for Log<T> {
    fn clone(&self) -> Self {
        Self { chunks: self.chunks.clone(), last: self.last.clone(), ..*self }
    }
}

impl<T: Entry> Default for Log<T> {
    fn default() -> Self {
        Self::with_limit(usize::MAX)
    }
}

/// Logs with the same indices and entries are equal, whatever their chunks.
impl<T: Entry + PartialEq> PartialEq for Log<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.first, self.end) == (other.first, other.end) && self.iter().eq(other.iter())
    }
}

impl<T: Entry> Log<T> {
    /// Creates a log that stores at most about `limit` bytes of entries: the newest. At least the
    /// newest entry is stored.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            chunks: VecDeque::new(),
            last: Vec::new(),
            last_bytes: 0,
            first: 0,
            end: 0,
            bytes: 0,
            limit,
        }
    }

    /// Changes the limit, and drops entries beyond it.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.drop_oldest();
    }

    /// Returns the index of the oldest entry that is stored; entries before it were dropped.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Returns the number of entries that were pushed: one more than the index of the newest.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Returns whether no entry is stored.
    pub fn is_empty(&self) -> bool {
        self.first == self.end
    }

    /// Returns the number of bytes that the stored entries take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: T) {
        let bytes = entry.bytes();
        self.last.push(entry);
        self.end += 1;
        self.last_bytes += bytes;
        self.bytes += bytes;
        if self.last_bytes >= CHUNK {
            self.seal();
        }
        if self.bytes > self.limit {
            self.drop_oldest();
        }
    }

    /// Makes a chunk of the entries after the last chunk.
    fn seal(&mut self) {
        let first = self.end - self.last.len();
        let bytes = std::mem::take(&mut self.last_bytes);
        // The vector keeps its capacity for the next chunk.
        let entries = self.last.drain(..).collect();
        self.chunks.push_back(Chunk { first, bytes, entries });
    }

    fn drop_oldest(&mut self) {
        while self.bytes > self.limit {
            let newest = self.chunks.len() == 1 && self.last.is_empty();
            let Some(chunk) = self.chunks.front().filter(|_| !newest) else { return };
            self.first = chunk.first + chunk.entries.len();
            self.bytes -= chunk.bytes;
            self.chunks.pop_front();
        }
    }

    /// Returns the entry at `index`; `None` if it was dropped or has not been pushed.
    pub fn get(&self, index: usize) -> Option<&T> {
        if index < self.first {
            return None;
        }
        let behind = self.end - self.last.len();
        if index >= behind {
            return self.last.get(index - behind);
        }
        let after = self.chunks.partition_point(|chunk| chunk.first <= index);
        let chunk = self.chunks.get(after.checked_sub(1)?)?;
        chunk.entries.get(index - chunk.first)
    }

    /// Returns the newest entry.
    pub fn last(&self) -> Option<&T> {
        self.end.checked_sub(1).and_then(|index| self.get(index))
    }

    /// Returns the stored entries, from the oldest on.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.range(..)
    }

    /// Returns the stored entries whose indices are in `range`, from the oldest on.
    pub fn range(&self, range: impl RangeBounds<usize>) -> impl DoubleEndedIterator<Item = &T> {
        let from = match range.start_bound() {
            Bound::Included(from) => *from,
            Bound::Excluded(from) => from.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let until = match range.end_bound() {
            Bound::Included(until) => until.saturating_add(1),
            Bound::Excluded(until) => *until,
            Bound::Unbounded => usize::MAX,
        };
        let (from, until) = (from.max(self.first), until.min(self.end));
        let skipped =
            self.chunks.partition_point(|chunk| chunk.first + chunk.entries.len() <= from);
        let behind = self.end - self.last.len();
        let chunks = self.chunks.range(skipped..).map(|chunk| (chunk.first, &*chunk.entries));
        chunks.chain([(behind, self.last.as_slice())]).flat_map(move |(first, entries)| {
            let at = |index: usize| index.saturating_sub(first).min(entries.len());
            entries[at(from)..at(until).max(at(from))].iter()
        })
    }

    /// Returns the index of the first stored entry for which `is_before` is false, or
    /// [`end`](Self::end). The entries for which it is true must come first.
    pub fn partition_point(&self, mut is_before: impl FnMut(&T) -> bool) -> usize {
        let starts =
            self.chunks.partition_point(|chunk| chunk.entries.first().is_some_and(&mut is_before));
        let behind = self.end - self.last.len();
        if self.last.first().is_some_and(&mut is_before) {
            return behind + self.last.partition_point(is_before);
        }
        match starts.checked_sub(1).and_then(|nth| self.chunks.get(nth)) {
            Some(chunk) => chunk.first + chunk.entries.partition_point(is_before),
            None => self.first,
        }
    }

    /// Appends the entries of `other` from index [`end`](Self::end) on. Entries that `other` has
    /// dropped are missing: the indices skip them.
    pub fn catch_up(&mut self, other: &Self) {
        self.skip_to(other.first);
        for entry in other.range(self.end..) {
            self.push(entry.clone());
        }
    }

    /// Makes `index` the index of the next entry, and drops all entries if that skips some. Does
    /// nothing if as many entries have been pushed.
    pub fn skip_to(&mut self, index: usize) {
        if index > self.end {
            self.truncate(self.first);
            (self.first, self.end) = (index, index);
        }
    }

    /// Returns the index up to which both logs have the same entries, as far as both store them.
    pub fn same_until(&self, other: &Self) -> usize
    where
        T: PartialEq,
    {
        let (mut from, until) = (self.first.max(other.first), self.end.min(other.end));
        // Shared chunks are equal.
        for chunk in &self.chunks {
            if chunk.first + chunk.entries.len() <= from {
                continue;
            }
            let place = other.chunks.partition_point(|their| their.first < chunk.first);
            let shared = other.chunks.get(place).is_some_and(|their| {
                their.first == chunk.first && Arc::ptr_eq(&their.entries, &chunk.entries)
            });
            if !shared || chunk.first > from {
                break;
            }
            from = chunk.first + chunk.entries.len();
        }
        let pairs = self.range(from..until).zip(other.range(from..until));
        from.min(until) + pairs.take_while(|(one, other)| one == other).count()
    }

    /// Removes the entries from index `end` on.
    pub fn truncate(&mut self, end: usize) {
        let end = end.max(self.first);
        if end >= self.end {
            return;
        }
        let behind = self.end - self.last.len();
        if end >= behind {
            self.last.truncate(end - behind);
        } else {
            let kept = self.chunks.partition_point(|chunk| chunk.first < end);
            self.last = match kept.checked_sub(1).and_then(|nth| self.chunks.get(nth)) {
                Some(chunk) => {
                    chunk.entries[..(end - chunk.first).min(chunk.entries.len())].to_vec()
                }
                None => Vec::new(),
            };
            self.chunks.truncate(kept.saturating_sub(1));
        }
        self.end = end;
        self.last_bytes = self.last.iter().map(Entry::bytes).sum();
        self.bytes = self.last_bytes + self.chunks.iter().map(|chunk| chunk.bytes).sum::<usize>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry that takes 100 bytes: 82 of them fill a chunk.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Number(usize);

    impl Entry for Number {
        fn bytes(&self) -> usize {
            100
        }
    }

    fn log(count: usize, limit: usize) -> Log<Number> {
        let mut log = Log::with_limit(limit);
        (0..count).for_each(|nth| log.push(Number(nth)));
        log
    }

    #[test]
    fn entries_keep_their_indices_in_a_list_and_in_a_ring() {
        for limit in [usize::MAX, 50_000, 20_000, 1] {
            let log = log(1_000, limit);
            let all: Vec<usize> = log.iter().map(|number| number.0).collect();
            assert_eq!(all, (log.first()..1_000).collect::<Vec<_>>(), "{limit}");
            for index in 0..1_001 {
                let found = log.get(index).map(|number| number.0);
                assert_eq!(found, (log.first()..1_000).contains(&index).then_some(index));
                let point = log.partition_point(|number| number.0 < index);
                assert_eq!(point, index.clamp(log.first(), 1_000), "{limit}");
            }
            let range = log.range(300..=905).map(|number| number.0);
            assert!(range.eq(log.first().max(300)..906), "{limit}");
            assert_eq!(log.range(990..2_000).next_back(), Some(&Number(999)));
            assert_eq!(log.last(), Some(&Number(999)));
            assert_eq!(log.range(1_000..).count() + log.range(7..7).count(), 0);
        }
        assert_eq!(log(1_000, usize::MAX).first(), 0);
        assert!(log(0, 9).is_empty() && log(0, 9).last().is_none());
    }

    #[test]
    fn a_ring_stays_below_its_limit_and_has_its_newest_entry() {
        for count in 1..2_000 {
            let log = log(count, 30_000);
            assert!(log.bytes() <= 30_000 && log.bytes() == log.iter().count() * 100, "{count}");
        }
        assert_eq!(log(2_000, 1).last(), Some(&Number(1_999)));
        let mut log = log(2_000, usize::MAX);
        log.set_limit(30_000);
        assert!(log.bytes() <= 30_000 && log.first() > 1_600);
    }

    #[test]
    fn a_clone_shares_its_chunks_and_goes_its_own_way() {
        let mut log = log(1_000, usize::MAX);
        let mut clone = log.clone();
        let shared = |one: &Log<Number>, other: &Log<Number>| {
            let pairs = one.chunks.iter().zip(&other.chunks);
            pairs.filter(|(one, other)| Arc::ptr_eq(&one.entries, &other.entries)).count()
        };
        assert_eq!((shared(&log, &clone), log.last.len()), (12, 16));
        log.push(Number(1));
        clone.push(Number(2));
        assert_eq!((log.get(1_000), clone.get(1_000)), (Some(&Number(1)), Some(&Number(2))));
        assert_ne!(log, clone);
        clone.truncate(1_000);
        log.truncate(1_000);
        assert_eq!(log, clone);
    }

    #[test]
    fn a_log_is_cut_at_any_index_and_continues() {
        for limit in [usize::MAX, 30_000] {
            for end in 0..1_001 {
                let mut cut = log(1_000, limit);
                let first = cut.first();
                cut.truncate(end);
                let end = end.max(first);
                assert_eq!((cut.first(), cut.end()), (first, end));
                assert_eq!(cut.bytes(), (end - first) * 100);
                cut.push(Number(7));
                assert_eq!((cut.get(end), cut.iter().count()), (Some(&Number(7)), end - first + 1));
            }
        }
    }

    #[test]
    fn logs_are_the_same_until_they_differ() {
        let one = log(1_000, usize::MAX);
        for end in [0, 1, 81, 82, 83, 500, 990, 1_000] {
            let mut other = one.clone();
            other.truncate(end);
            assert_eq!(one.same_until(&other), end);
            other.push(Number(7_000));
            other.push(Number(7_001));
            assert_eq!((one.same_until(&other), other.same_until(&one)), (end, end));
        }
        let ring = log(1_000, 30_000);
        assert_eq!((one.same_until(&ring), ring.same_until(&one)), (1_000, 1_000));
        assert_eq!(log(5, usize::MAX).same_until(&ring), 5);
    }

    #[test]
    fn a_log_catches_up_with_another_one() {
        let mut one = log(10, usize::MAX);
        one.catch_up(&log(1_000, usize::MAX));
        assert_eq!(one, log(1_000, usize::MAX));
        let ring = log(2_000, 30_000);
        one.catch_up(&ring);
        assert_eq!(one, ring, "the entries between are dropped");
        one.catch_up(&log(5, usize::MAX));
        assert_eq!(one, ring);
    }
}
