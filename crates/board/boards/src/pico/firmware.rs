//! The program that `make firmware` builds: where it is, and what any program's symbols say of a
//! heap. It does not know what is in a program's file; [`Program`] reads it.

use std::path::{Path, PathBuf};

use hal_mock::Heap;
use rp2040_emulator::program::{Program, ProgramError};

/// Where `make firmware` puts what it builds, in Cargo's target folder.
pub const FIRMWARE: &str = "firmware/nudge-pico.elf";

/// The allocators of Rust, of C's libraries and of FreeRTOS, by their functions' names.
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

/// Why the program of `make firmware` cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum FirmwareError {
    /// It has not been built.
    #[error(
        "there is no target/{FIRMWARE}; build it with `make firmware`, or name another program: \
         `--board pico=FILE`"
    )]
    NotBuilt,
    /// Its file cannot be loaded.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// The file that `make firmware` has built last; `None` if there is none.
pub fn path() -> Option<PathBuf> {
    // Programs lie in Cargo's target folder, tests up to three folders deeper.
    let folders = std::env::current_exe().unwrap_or_default();
    let beside = folders.ancestors().skip(1).take(4).map(|folder| folder.join(FIRMWARE));
    let here = Path::new("target").join(FIRMWARE);
    beside.chain([here]).find(|path| path.is_file())
}

/// The program that `make firmware` has built last.
///
/// # Errors
/// If it has not been built, or cannot be loaded.
pub fn built() -> Result<Program, FirmwareError> {
    let path = path().ok_or(FirmwareError::NotBuilt)?;
    Ok(Program::load(&path)?)
}

/// Whether `program` has an allocator in it, by its functions' names.
pub fn heap(program: &Program) -> Heap {
    heap_of(program.symbols().names())
}

/// What the names of a program's functions say of its heap. Link-time optimisation may inline an
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
            "its program has no symbols; give it the ELF as the compiler made it, `--board pico=ELF`"
                .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use hal_mock::Heap;

    use super::heap_of;

    #[test]
    fn an_allocator_is_known_by_its_name_or_by_who_calls_it() {
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
    fn a_program_without_one_is_told_from_one_without_names() {
        let names = ["Reset", "firmware_core::allocate_cups", "core::alloc::layout", "mallocate"];
        assert_eq!(heap_of(names.into_iter()), Heap::Absent);
        assert!(matches!(heap_of([].into_iter()), Heap::Unknown(_)));
    }
}
