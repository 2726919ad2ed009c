//! The static variables of firmware in C that each board has for itself: those with `NUDGE_STATE`.
//!
//! They are in one section of the program. While the firmware of a board executes C, it has the lock of the
//! section, and the section has the values of that board. The values are exchanged only when another board
//! executes next. Without such variables nothing is locked.
#![expect(unsafe_code, reason = "the variables belong to C")]

use std::cell::RefCell;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

unsafe extern "C" {
    /// Returns the section, and its size in bytes; 0 without variables.
    fn nudge_boundary_state(size: *mut usize) -> *mut u8;
}

/// Values of the variables of a board; empty before it has executed.
type Values = Arc<Mutex<Vec<u8>>>;

/// The section.
struct Section {
    /// Values of the variables in the program's file.
    initial: Option<Vec<u8>>,
    /// The board whose values are in the section.
    owner: Option<Values>,
}

static SECTION: Mutex<Section> = Mutex::new(Section { initial: None, owner: None });

/// The variables of one board.
#[derive(Default)]
pub(crate) struct Statics {
    values: Values,
    /// The lock, while the firmware executes C.
    held: RefCell<Option<MutexGuard<'static, Section>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn section() -> (*mut u8, usize) {
    let mut size = 0;
    // SAFETY: the function is in `boundary.c`, and `size` can be written.
    let begin = unsafe { nudge_boundary_state(&mut size) };
    (begin, size)
}

/// Returns whether bytes of C begin in the section, so that they may change while C does not execute.
pub(crate) fn has(bytes: *const u8) -> bool {
    let (begin, size) = section();
    (begin as usize..begin as usize + size).contains(&(bytes as usize))
}

impl Statics {
    /// Begins the execution of C: waits for the lock, and gives the section this board's values.
    pub(crate) fn enter(&self) {
        let (begin, size) = section();
        if size == 0 {
            return;
        }
        let mut guard = locked(&SECTION);
        // SAFETY: the section has `size` bytes, which only the holder of the lock uses.
        let variables = unsafe { slice::from_raw_parts_mut(begin, size) };
        let Section { initial, owner } = &mut *guard;
        let initial = initial.get_or_insert_with(|| variables.to_vec());
        let is_owner = owner.as_ref().is_some_and(|owner| Arc::ptr_eq(owner, &self.values));
        if !is_owner {
            if let Some(last) = owner.replace(Arc::clone(&self.values)) {
                *locked(&last) = variables.to_vec();
            }
            let own = locked(&self.values);
            variables.copy_from_slice(if own.is_empty() { initial } else { &own });
        }
        self.held.replace(Some(guard));
    }

    /// Ends the execution of C.
    pub(crate) fn leave(&self) {
        self.held.take();
    }
}
