//! The functions that C calls, and the call of C.
//!
//! Each function runs its work, catches any panic of it (an error of a pin, or the end of the power, with
//! which `linked` unwinds the firmware), and returns whether the firmware continues. If not, `boundary.c`
//! leaves the firmware with `longjmp`, and the panic continues in [`run`], on the other side of C.
#![expect(unsafe_code, reason = "C calls and is called")]

use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::slice;

use linked::{Application, Pins, blocking};

use crate::board::{Board, KINDS};
use crate::statics;

/// Main function of a firmware.
type Main = unsafe extern "C" fn();

unsafe extern "C" {
    fn nudge_boundary_run(firmware: Main, begins: extern "C" fn(*mut c_void)) -> bool;
}

thread_local! {
    /// The board whose firmware runs on this thread. While a function here works, it is `None`: the
    /// firmware may be suspended, and that of another board may run.
    static CURRENT: RefCell<Option<Rc<Board>>> = const { RefCell::new(None) };
}

/// Makes an application of a function in C.
///
/// # Safety
/// `main` uses the memory of its own variables, of `nudge_memory`, and what it gets from the C library, and
/// may be left inside any function of `nudge.h`. Static variables that it changes have `NUDGE_STATE`, or are
/// not used by several threads at once, each of which may run a board.
pub unsafe fn application(main: Main) -> Application {
    blocking(move |pins| run(main, pins))
}

fn run(main: Main, pins: Pins) {
    let board = Rc::new(Board::new(pins));
    board.statics.enter();
    CURRENT.set(Some(Rc::clone(&board)));
    // SAFETY: the caller of `application` answers for `main`; `begins` is called with a valid pointer.
    let is_left = unsafe { nudge_boundary_run(main, begins) };
    CURRENT.set(None);
    board.statics.leave();
    let ended = board.ended.take();
    if is_left && let Some(ended) = ended {
        resume_unwind(ended);
    }
}

extern "C" fn begins(exit: *mut c_void) {
    CURRENT.with_borrow(|board| {
        if let Some(board) = board {
            board.exit.set(exit);
        }
    });
}

/// Runs `work` on the board of the running firmware; `None` if the firmware ends.
fn on_board<T>(work: impl FnOnce(&Board) -> T) -> Option<T> {
    let board = CURRENT.take()?;
    board.statics.leave();
    let result = catch_unwind(AssertUnwindSafe(|| work(&board)));
    let result = result.map_err(|ended| board.ended.replace(Some(ended))).ok();
    board.statics.enter();
    CURRENT.set(Some(board));
    result
}

/// Stores the result of `work` and returns true, or returns false if the firmware ends.
///
/// # Safety
/// `result` can be written.
unsafe fn stored<T>(result: *mut T, work: impl FnOnce(&Board) -> T) -> bool {
    let Some(value) = on_board(work) else { return false };
    // SAFETY: see above.
    unsafe { result.write(value) };
    true
}

/// Returns the text at `text`; `None` for a null pointer.
///
/// # Safety
/// `text` is null or a string that ends with a zero.
unsafe fn text_at(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: see above.
    let text = unsafe { CStr::from_ptr(text) };
    Some(text.to_string_lossy().into_owned())
}

/// Returns the bytes at `bytes`; a null pointer has none. Those of variables that another board may have
/// before the caller returns to C are copied.
///
/// # Safety
/// `bytes` is null or has `count` bytes that C does not change before the caller returns to it.
unsafe fn bytes_at<'a>(bytes: *const u8, count: usize) -> Cow<'a, [u8]> {
    if bytes.is_null() {
        return Cow::Borrowed(&[]);
    }
    // SAFETY: see above.
    let borrowed = unsafe { slice::from_raw_parts(bytes, count) };
    if statics::has(bytes) { Cow::Owned(borrowed.to_vec()) } else { Cow::Borrowed(borrowed) }
}

/// Calls `work` on the board with room for `count` bytes; a null pointer has no room. Copies to `bytes` as
/// many as it returns beside the result. Stores the result and returns true, or returns false if the
/// firmware ends.
///
/// # Safety
/// `bytes` is null or has room for `count` bytes, which C does not use before the caller returns to it.
/// `result` can be written.
unsafe fn filled(
    bytes: *mut u8,
    count: usize,
    result: *mut u64,
    work: impl FnOnce(&Board, &mut [u8]) -> (u64, usize),
) -> bool {
    let mut room = vec![0; if bytes.is_null() { 0 } else { count }];
    let Some((value, read)) = on_board(|board| work(board, &mut room)) else { return false };
    let read = room.get(..read).unwrap_or(&room);
    if !read.is_empty() {
        // SAFETY: see above; a null pointer has no room.
        unsafe { bytes.copy_from_nonoverlapping(read.as_ptr(), read.len()) };
    }
    // SAFETY: see above.
    unsafe { result.write(value) };
    true
}

/// Returns the place to which the running firmware is left; null outside of a firmware.
#[unsafe(no_mangle)]
extern "C" fn nudge_rust_exit() -> *mut c_void {
    CURRENT
        .with_borrow(|board| board.as_ref().map_or(std::ptr::null_mut(), |board| board.exit.get()))
}

// The functions below are called by `boundary.c` alone, with the arguments of `nudge.h` and the address of
// a variable for the result.

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_part(kind: u32, name: *const c_char, result: *mut u64) -> bool {
    let Some(kind) = KINDS.get(kind as usize) else { return false };
    // SAFETY: see above.
    let name = unsafe { text_at(name) };
    // SAFETY: see above.
    unsafe { stored(result, |board| board.part(*kind, name).into()) }
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_read(part: u32, result: *mut u64) -> bool {
    // SAFETY: see above.
    unsafe { stored(result, |board| board.read(part).into()) }
}

#[unsafe(no_mangle)]
extern "C" fn nudge_rust_write(part: u32, is_high: bool) -> bool {
    on_board(|board| board.write(part, is_high)).is_some()
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_spi_write(part: u32, bytes: *const u8, count: usize) -> bool {
    // SAFETY: see above.
    let bytes = unsafe { bytes_at(bytes, count) };
    on_board(|board| board.spi_write(part, &bytes)).is_some()
}

#[unsafe(no_mangle)]
extern "C" fn nudge_rust_spi_select(part: u32, is_selected: bool) -> bool {
    on_board(|board| board.spi_select(part, is_selected)).is_some()
}

/// # Safety
/// See above; `sent` is null or has `count` bytes, which may be those of `received`.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_spi_transfer(
    part: u32,
    sent: *const u8,
    received: *mut u8,
    count: usize,
) -> bool {
    let mut bytes = vec![0xFF; count];
    if !sent.is_null() {
        // SAFETY: see above.
        bytes.copy_from_slice(unsafe { slice::from_raw_parts(sent, count) });
    }
    if on_board(|board| board.spi_transfer(part, &mut bytes)).is_none() {
        return false;
    }
    if !received.is_null() {
        // SAFETY: see above.
        unsafe { received.copy_from_nonoverlapping(bytes.as_ptr(), count) };
    }
    true
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_i2c_write(
    part: u32,
    address: u8,
    bytes: *const u8,
    count: usize,
    result: *mut u64,
) -> bool {
    // SAFETY: see above.
    let bytes = unsafe { bytes_at(bytes, count) };
    // SAFETY: see above.
    unsafe { stored(result, |board| board.i2c_write(part, address, &bytes).into()) }
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_i2c_read(
    part: u32,
    address: u8,
    bytes: *mut u8,
    count: usize,
    result: *mut u64,
) -> bool {
    // SAFETY: see above.
    unsafe {
        filled(bytes, count, result, |board, room| {
            let is_answered = board.i2c_read(part, address, room);
            (is_answered.into(), if is_answered { room.len() } else { 0 })
        })
    }
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_uart_write(bytes: *const u8, count: usize) -> bool {
    // SAFETY: see above.
    let bytes = unsafe { bytes_at(bytes, count) };
    on_board(|board| board.uart_write(&bytes)).is_some()
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_uart_read(bytes: *mut u8, count: usize, result: *mut u64) -> bool {
    // SAFETY: see above.
    unsafe {
        filled(bytes, count, result, |board, room| {
            let read = board.uart_read(room);
            (read as u64, read)
        })
    }
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_log(line: *const c_char) -> bool {
    // SAFETY: see above.
    let line = unsafe { text_at(line) };
    on_board(|board| board.log(line)).is_some()
}

#[unsafe(no_mangle)]
extern "C" fn nudge_rust_delay_us(microseconds: u32) -> bool {
    on_board(|board| board.delay_us(microseconds)).is_some()
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_now_us(result: *mut u64) -> bool {
    // SAFETY: see above.
    unsafe { stored(result, Board::now_us) }
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_random(result: *mut u64) -> bool {
    // SAFETY: see above.
    unsafe { stored(result, |board| board.random().into()) }
}

/// # Safety
/// See above.
#[unsafe(no_mangle)]
unsafe extern "C" fn nudge_rust_memory(size: usize, result: *mut *mut c_void) -> bool {
    // SAFETY: see above.
    unsafe { stored(result, |board| board.memory(size)) }
}
