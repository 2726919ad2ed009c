//! The pending, active and enabled exceptions, and which of them is taken next: sections B1.5 and
//! B3.4 of the architecture manual.
//!
//! Exceptions have their numbers in IPSR: interrupt 0 is exception 16. The lowest value is
//! the highest priority; among equals the lowest number wins.

use super::exception::Exception;

/// The priority of thread mode: below every exception's.
const NONE: i16 = 4;
const COUNT: usize = 48;

#[derive(Clone, Debug)]
pub(super) struct Nvic {
    /// Bit n: exception n is pending.
    pending: u64,
    /// Bit n: exception n is active: being handled, or preempted.
    active: u64,
    /// Bit n: exception n is enabled. System exceptions always are.
    enabled: u64,
    /// Interrupt lines as last sampled.
    lines: u32,
    /// Priorities, 0 to 3, of the exceptions whose priority can be set.
    priorities: [u8; COUNT],
}

const FIRST_INTERRUPT: usize = 16;
const SYSTEM: u64 = (1 << FIRST_INTERRUPT) - 1;

impl Default for Nvic {
    fn default() -> Self {
        Self { pending: 0, active: 0, enabled: SYSTEM, lines: 0, priorities: [0; COUNT] }
    }
}

impl Nvic {
    /// Sets the level of the lines. A rising edge makes an interrupt pending. Returns true if one
    /// became pending.
    pub(super) fn set_lines(&mut self, lines: u32) -> bool {
        let rising = lines & !self.lines;
        self.lines = lines;
        self.pend_mask(u64::from(rising) << FIRST_INTERRUPT)
    }

    /// Makes an exception pending. Returns true if it was not pending before.
    pub(super) fn pend(&mut self, exception: Exception) -> bool {
        self.pend_mask(1 << exception.number())
    }

    pub(super) fn pend_mask(&mut self, mask: u64) -> bool {
        let news = mask & !self.pending != 0;
        self.pending |= mask;
        news
    }

    /// Clears the pending state of the exceptions whose line is not high.
    pub(super) fn unpend_mask(&mut self, mask: u64) {
        self.pending &= !mask | u64::from(self.lines) << FIRST_INTERRUPT;
    }

    pub(super) fn is_pending(&self, exception: Exception) -> bool {
        self.pending & 1 << exception.number() != 0
    }

    pub(super) fn pending_interrupts(&self) -> u32 {
        (self.pending >> FIRST_INTERRUPT) as u32
    }

    pub(super) fn enabled_interrupts(&self) -> u32 {
        (self.enabled >> FIRST_INTERRUPT) as u32
    }

    pub(super) fn enable(&mut self, interrupts: u32) {
        self.enabled |= u64::from(interrupts) << FIRST_INTERRUPT;
    }

    pub(super) fn disable(&mut self, interrupts: u32) {
        self.enabled &= !(u64::from(interrupts) << FIRST_INTERRUPT);
    }

    /// Returns the priority field of an exception, 0 to 3.
    pub(super) fn field(&self, number: usize) -> u8 {
        self.priorities[number]
    }

    pub(super) fn set_field(&mut self, number: usize, priority: u8) {
        self.priorities[number] = priority & 3;
    }

    pub(super) fn priority(&self, exception: Exception) -> i16 {
        match exception {
            Exception::NMI => -2,
            Exception::HARD_FAULT => -1,
            _ => self.priorities[exception.number() as usize].into(),
        }
    }

    /// The execution priority without PRIMASK.
    fn active_priority(&self) -> i16 {
        bits(self.active).map(|exception| self.priority(exception)).min().unwrap_or(NONE)
    }

    /// The execution priority: PRIMASK raises it to 0.
    pub(super) fn execution_priority(&self, primask: bool) -> i16 {
        let active = self.active_priority();
        if primask { active.min(0) } else { active }
    }

    /// Returns the pending and enabled exception that would be taken first.
    pub(super) fn first(&self) -> Option<Exception> {
        bits(self.pending & self.enabled).min_by_key(|exception| self.priority(*exception))
    }

    /// Whether an exception is taken now.
    pub(super) fn preempts(&self, primask: bool) -> bool {
        // The most frequent case: no exception is pending.
        self.pending & self.enabled != 0
            && self
                .first()
                .is_some_and(|first| self.priority(first) < self.execution_priority(primask))
    }

    /// Whether an exception would be taken if PRIMASK were clear: the condition that wakes WFI.
    pub(super) fn would_preempt_without_primask(&self) -> bool {
        self.preempts(false)
    }

    pub(super) fn activate(&mut self, exception: Exception) {
        self.pending &= !(1 << exception.number());
        self.active |= 1 << exception.number();
    }

    /// Deactivates an exception. An interrupt whose line is still high becomes pending again.
    pub(super) fn deactivate(&mut self, exception: Exception) {
        self.active &= !(1 << exception.number());
        let held = u64::from(self.lines) << FIRST_INTERRUPT & 1 << exception.number();
        self.pend_mask(held);
    }

    pub(super) fn is_active(&self, exception: Exception) -> bool {
        self.active & 1 << exception.number() != 0
    }

    /// Number of active exceptions.
    pub(super) fn nesting(&self) -> u32 {
        self.active.count_ones()
    }
}

/// Returns the exceptions in a mask, lowest number first.
fn bits(mut mask: u64) -> impl Iterator<Item = Exception> {
    std::iter::from_fn(move || {
        let exception = Exception::new(mask.trailing_zeros() as u8)?;
        mask &= mask - 1;
        Some(exception)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pends interrupts with the given priorities and compares the order in which they are taken.
    #[track_caller]
    fn check(interrupts: &[(u8, u8)], order: &[u8]) {
        let mut nvic = Nvic::default();
        for &(interrupt, priority) in interrupts {
            nvic.set_field(FIRST_INTERRUPT + interrupt as usize, priority);
            nvic.enable(1 << interrupt);
            nvic.pend_mask(1 << (FIRST_INTERRUPT + interrupt as usize));
        }
        let taken: Vec<u8> = std::iter::from_fn(|| {
            let first = nvic.first()?;
            nvic.activate(first);
            nvic.deactivate(first);
            Some(first.number() - FIRST_INTERRUPT as u8)
        })
        .collect();
        assert_eq!(taken, order);
    }

    #[test]
    fn the_lowest_priority_value_comes_first_and_then_the_lowest_number() {
        check(&[(5, 2), (3, 2), (9, 0), (31, 1)], &[9, 31, 3, 5]);
    }

    #[test]
    fn a_held_line_pends_again_when_its_handler_returns() {
        let mut nvic = Nvic::default();
        let interrupt = Exception::new(20).unwrap();
        nvic.enable(1 << 4);
        assert!(nvic.set_lines(1 << 4));
        nvic.activate(interrupt);
        assert!(!nvic.is_pending(interrupt));
        nvic.deactivate(interrupt);
        assert!(nvic.is_pending(interrupt));
    }

    #[test]
    fn clearing_the_pending_state_does_not_silence_a_held_line() {
        let mut nvic = Nvic::default();
        nvic.set_lines(1);
        nvic.unpend_mask(1 << FIRST_INTERRUPT);
        assert_eq!(nvic.pending_interrupts(), 1);
        nvic.set_lines(0);
        nvic.unpend_mask(1 << FIRST_INTERRUPT);
        assert_eq!(nvic.pending_interrupts(), 0);
    }

    #[test]
    fn equal_priority_does_not_preempt() {
        let mut nvic = Nvic::default();
        nvic.enable(0b11);
        nvic.activate(Exception::new(16).unwrap());
        nvic.pend_mask(1 << 17);
        nvic.set_field(16, 1);
        nvic.set_field(17, 1);
        assert!(!nvic.preempts(false));
        nvic.set_field(17, 0);
        assert!(nvic.preempts(false));
        assert!(!nvic.preempts(true));
    }
}
