//! The file that is flashed: where it is, and what it is by its content.

use std::fmt;
use std::path::{Path, PathBuf};

use hal_mock::Heap;
use rp2040_emulator::image::{Image, ImageError};

use rp2040_emulator::program;

/// Where `make firmware` puts what it builds, in Cargo's target folder.
pub const FIRMWARE: &str = "firmware/nudge-pico.elf";

/// What the allocators of Rust, of C's libraries and of FreeRTOS are called.
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

/// A program for the RP2040.
#[derive(Debug)]
pub struct Program {
    /// What is loaded.
    pub image: Image,
    /// Where it was found.
    pub path: PathBuf,
}

/// Why there is no program, as a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError(String);

impl fmt::Display for ProgramError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ProgramError {}

impl Program {
    /// Reads an ELF or UF2 file, or a raw image of the flash.
    ///
    /// # Errors
    /// If it cannot be read, or is no program for the RP2040.
    pub fn read(path: &Path) -> Result<Self, ProgramError> {
        let name = path.display();
        let bytes = program::read(path)
            .map_err(|error| ProgramError(format!("{name} cannot be read: {error}")))?;
        let image = match Image::parse(&bytes) {
            // A raw image begins with the second stage of booting, which a core checks by its
            // sum before it is run.
            Err(ImageError::Unknown) => Image::from_bin(&bytes),
            image => image,
        };
        let image = image.map_err(|error| ProgramError(format!("{name}: {error}")))?;
        Ok(Self { image, path: path.to_owned() })
    }

    /// The firmware that `make firmware` has built last.
    ///
    /// # Errors
    /// If it has not been built, or cannot be read.
    pub fn built() -> Result<Self, ProgramError> {
        // Programs and tests lie in Cargo's target folder, the latter deeper.
        let folders = std::env::current_exe().unwrap_or_default();
        let beside = folders.ancestors().skip(1).take(4).map(|folder| folder.join(FIRMWARE));
        let here = Path::new("target").join(FIRMWARE);
        match beside.chain([here]).find(|path| path.is_file()) {
            Some(path) => Self::read(&path),
            None => Err(ProgramError(format!(
                "there is no target/{FIRMWARE}; build it with `make firmware`, or name another \
                 program: `--board pico=FILE`"
            ))),
        }
    }

    /// Whether it has an allocator in it, by its functions' names.
    pub fn heap(&self) -> Heap {
        heap(self.image.symbols.names())
    }

    /// An address with the function that it is in.
    pub fn describe(&self, address: u32) -> String {
        self.image.symbols.describe(address).to_string()
    }
}

/// What the names of a program's functions tell of its heap. Behind link-time optimisation an
/// allocator may be inlined; what calls it is then still named after Rust's crate `alloc`.
fn heap<'a>(names: impl Iterator<Item = &'a str>) -> Heap {
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

    use super::heap;

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
            assert_eq!(heap(names.into_iter()), Heap::Present { symbol: name.into() });
        }
    }

    #[test]
    fn a_program_without_one_is_told_from_one_without_names() {
        let names = ["Reset", "firmware_core::allocate_cups", "core::alloc::layout", "mallocate"];
        assert_eq!(heap(names.into_iter()), Heap::Absent);
        assert!(matches!(heap([].into_iter()), Heap::Unknown(_)));
    }
}
