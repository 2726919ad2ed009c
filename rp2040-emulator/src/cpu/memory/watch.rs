//! A watched part of the RAM: stores to it are reported, so that what was read from it ahead of time
//! can be read again.

use std::ops::Range;

use super::{Memory, PAGE_SIZE, RAM_BASE, WATCHED};

/// The watched addresses, and whether any of them has been stored to.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    addresses: Range<u32>,
    is_overwritten: bool,
}

impl Memory {
    /// Watches these addresses of the RAM in place of those before.
    pub(crate) fn watch(&mut self, addresses: Range<u32>) {
        self.flag_watched(|flags| flags & !WATCHED);
        self.watch = Watch { addresses, is_overwritten: false };
        self.flag_watched(|flags| flags | WATCHED);
    }

    fn flag_watched(&mut self, flag: impl Fn(u8) -> u8) {
        let Range { start, end } = self.watch.addresses;
        let Some(last) = end.checked_sub(1).filter(|last| *last >= start) else { return };
        let page = |address: u32| address.wrapping_sub(RAM_BASE) as usize / PAGE_SIZE;
        for flags in self.pages.get_mut(page(start)..=page(last)).unwrap_or_default() {
            *flags = flag(*flags);
        }
    }

    /// Returns whether any address is watched. Each instruction that is executed by itself is then
    /// followed by [`take_overwritten`](Self::take_overwritten).
    #[inline(always)]
    pub(crate) fn is_watched(&self) -> bool {
        !self.watch.addresses.is_empty()
    }

    /// Returns whether a watched address has been stored to since the last call. None is watched
    /// then.
    #[inline]
    pub(crate) fn take_overwritten(&mut self) -> bool {
        let is_overwritten = self.watch.is_overwritten;
        if is_overwritten {
            self.watch(0..0);
        }
        is_overwritten
    }

    /// Notes a store to these bytes of the RAM.
    pub(super) fn note_overwritten(&mut self, offset: u32, length: u32) {
        let Range { start, end } = self.watch.addresses;
        let first = RAM_BASE.wrapping_add(offset);
        self.watch.is_overwritten |= first < end && start < first.wrapping_add(length);
    }
}
