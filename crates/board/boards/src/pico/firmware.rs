//! The program built by `make firmware`: its path, and whether the symbols of any program indicate
//! a heap. This module does not know the format of a program's file; [`Program`] reads it.

use std::path::{Path, PathBuf};

use hal_mock::Heap;
use rp2040_emulator::program::{Program, ProgramError};

/// Path of the program built by `make firmware`, in Cargo's target folder.
pub const FIRMWARE: &str = "firmware/nudge-pico.elf";

/// Function names of the allocators of Rust, of C's libraries and of FreeRTOS.
const ALLOCATORS: [&str; 10] = [
    "__rust_alloc",
    "__rust_alloc_zeroed",
    "__rust_realloc",
    "__rg_alloc",
    "malloc",
    "_malloc_r",
    "calloc",
    "realloc",
    "_sbrk",
    "pvPortMalloc",
];

/// Reason why the program of `make firmware` cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum FirmwareError {
    /// The program has not been built.
    #[error(
        "there is no target/{FIRMWARE}; build it with `make firmware`, or name another program: \
         the board `pico=FILE`"
    )]
    NotBuilt,
    /// The program's file cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// Returns the file built last by `make firmware`; `None` if there is none.
pub fn path() -> Option<PathBuf> {
    // Programs are in Cargo's target folder, tests up to three folders deeper.
    let folders = std::env::current_exe().unwrap_or_default();
    let beside = folders.ancestors().skip(1).take(4).map(|folder| folder.join(FIRMWARE));
    let here = Path::new("target").join(FIRMWARE);
    beside.chain([here]).find(|path| path.is_file())
}

/// Loads the program built last by `make firmware`.
///
/// # Errors
/// If it has not been built, or cannot be loaded.
pub fn built() -> Result<Program, FirmwareError> {
    let path = path().ok_or(FirmwareError::NotBuilt)?;
    Ok(Program::load(&path)?)
}

/// Returns whether `program` contains an allocator, according to its functions' names.
pub fn heap(program: &Program) -> Heap {
    heap_of(program.symbols().names())
}

/// Derives the use of a heap from a program's function names. Link-time optimisation may inline an
/// allocator; its callers are then still named after Rust's crate `alloc`.
fn heap_of<'a>(names: impl Iterator<Item = &'a str>) -> Heap {
    let mut any = false;
    for name in names {
        any = true;
        let last = name.rsplit("::").next().unwrap_or(name);
        let of_alloc = ["alloc::", "<alloc::"].iter().any(|start| name.starts_with(start))
            || name.contains(" alloc::")
            || name.contains("GlobalAlloc");
        if of_alloc || ALLOCATORS.contains(&last) {
            return Heap::Present { symbol: name.to_owned() };
        }
    }
    if any {
        Heap::Absent
    } else {
        Heap::Unknown(
            "its program has no symbols; give it the ELF as the compiler made it, the board `pico=ELF`"
                .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use hal_mock::Heap;

    use super::heap_of;

    #[test]
    fn an_allocator_is_recognised_by_its_name_or_its_callers() {
        for name in [
            "malloc",
            "__rust_alloc",
            "__rustc::__rust_alloc",
            "alloc::raw_vec::finish_grow",
            "<alloc::string::String as core::fmt::Write>::write_str",
            "<embedded_alloc::LlffHeap as core::alloc::global::GlobalAlloc>::alloc",
        ] {
            let names = ["Reset", name, "main"];
            assert_eq!(heap_of(names.into_iter()), Heap::Present { symbol: name.into() });
        }
    }

    #[test]
    fn no_allocator_and_no_names_are_distinguished() {
        let names = ["Reset", "firmware::allocate_rows", "core::alloc::layout", "mallocate"];
        assert_eq!(heap_of(names.into_iter()), Heap::Absent);
        assert!(matches!(heap_of([].into_iter()), Heap::Unknown(_)));
    }
}
