//! The exports of the WebAssembly module: memory that the page fills, requests, pixels.
//!
//! The page passes addresses; each is looked up in the table of the page's allocations, so that a
//! wrong address is an error and no memory is read through it.
#![allow(unsafe_code, reason = "exported names; nothing here reads through a pointer")]

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::Engine;

/// Maximum size of one allocation in bytes, larger than any program or picture.
const ALLOCATION_MAX: u32 = 128 << 20;

struct Module {
    engine: Engine,
    /// Memory allocated by the page, by its address.
    lent: BTreeMap<usize, Vec<u8>>,
    /// The last answer: its length as u32, then its text.
    answer: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::new(Module {
        engine: Engine::new(),
        lent: BTreeMap::new(),
        answer: Vec::new(),
    });
}

/// Calls `act` with the module; `None` in a nested call, which no page can make.
fn with<T>(act: impl FnOnce(&mut Module) -> T) -> Option<T> {
    MODULE.with(|module| module.try_borrow_mut().ok().map(|mut module| act(&mut module)))
}

/// Allocates memory for the page and returns its address; 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_alloc(len: u32) -> usize {
    let mut memory = Vec::new();
    if len > ALLOCATION_MAX || memory.try_reserve_exact(len.max(1) as usize).is_err() {
        return 0;
    }
    memory.resize(len.max(1) as usize, 0_u8);
    let at = memory.as_ptr().expose_provenance();
    with(|module| module.lent.insert(at, memory)).map_or(0, |_| at)
}

/// Frees memory of the page.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_free(ptr: usize, len: u32) {
    with(|module| module.take(ptr as u64, u64::from(len)));
}

/// Executes the request at `ptr` and returns the address of the answer: its length as u32, then its
/// text.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_call(ptr: usize, len: u32) -> usize {
    let answered = with(|module| {
        let request = module.lent.get(&ptr).filter(|memory| memory.len() == len as usize).cloned();
        let Module { engine, lent, answer } = module;
        let text = engine.call(&request.unwrap_or_default(), &mut |ptr, len| take(lent, ptr, len));
        answer.clear();
        answer.extend_from_slice(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
        answer.extend_from_slice(&text);
        answer.as_ptr().expose_provenance()
    });
    answered.unwrap_or_default()
}

/// Returns the address of the picture at a session's current time; 0 if there is no such session.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_pixels(session: u32) -> usize {
    let shown = with(|module| {
        let pixels = module.engine.pixels(u64::from(session));
        pixels.map_or(0, |pixels| pixels.as_ptr().expose_provenance())
    });
    shown.unwrap_or_default()
}

/// Returns the address of the picture of a display after the first one at a session's current time; 0
/// if there is no such session or display.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_display_pixels(session: u32, display: u32) -> usize {
    let shown = with(|module| {
        let display = usize::try_from(display).unwrap_or_default();
        let pixels = module.engine.display_pixels(u64::from(session), display);
        pixels.map_or(0, |pixels| pixels.as_ptr().expose_provenance())
    });
    shown.unwrap_or_default()
}

impl Module {
    fn take(&mut self, ptr: u64, len: u64) -> Option<Vec<u8>> {
        take(&mut self.lent, ptr, len)
    }
}

/// Takes the memory that was allocated at `ptr` with `len` bytes from the page; `None` if there is
/// none.
fn take(lent: &mut BTreeMap<usize, Vec<u8>>, ptr: u64, len: u64) -> Option<Vec<u8>> {
    let ptr = usize::try_from(ptr).ok()?;
    let fits = lent.get(&ptr).is_some_and(|memory| memory.len() as u64 == len.max(1));
    let mut memory = lent.remove(&ptr).filter(|_| fits)?;
    memory.truncate(usize::try_from(len).ok()?);
    Some(memory)
}
