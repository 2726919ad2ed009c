//! What `make page` has built, as `build.rs` found it.

use std::io::{self, Read};

use flate2::read::GzDecoder;
use thiserror::Error;

/// The machine and the page around it. Names no place outside of itself.
#[derive(Clone, Copy, Debug)]
pub struct Bundle {
    /// The machine: WebAssembly, compressed with gzip.
    pub engine: &'static [u8],
    /// The page's script.
    pub script: &'static str,
    /// The page's style sheet.
    pub style: &'static str,
}

static FOUND: Option<Bundle> = include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// Why there is no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoBundle {
    /// It was not there when this program was compiled.
    #[error(
        "this nudge was built without its page; in a checkout of nudge run `make page`, then build \
         it again"
    )]
    Absent,
    /// It was built from other sources than this program.
    #[error(
        "the page in this nudge was built from other firmware sources; run `make page`, then build \
         nudge again"
    )]
    Stale,
}

impl Bundle {
    /// The bundle of this program.
    ///
    /// # Errors
    /// [`NoBundle::Absent`] if it was compiled without one.
    pub fn find() -> Result<Self, NoBundle> {
        FOUND.ok_or(NoBundle::Absent)
    }

    /// The same, if its machine has `mark` in it: the hash of the sources that it was built from.
    ///
    /// # Errors
    /// If there is none, or it is of other sources.
    pub fn find_with(mark: &str) -> Result<Self, NoBundle> {
        let bundle = Self::find()?;
        if bundle.holds(mark) { Ok(bundle) } else { Err(NoBundle::Stale) }
    }

    /// Whether the machine's bytes contain `mark`.
    fn holds(&self, mark: &str) -> bool {
        self.module().is_ok_and(|module| {
            module.windows(mark.len().max(1)).any(|bytes| bytes == mark.as_bytes())
        })
    }

    /// The machine as a browser compiles it.
    ///
    /// # Errors
    /// If it cannot be decompressed.
    pub fn module(&self) -> io::Result<Vec<u8>> {
        let mut module = Vec::new();
        GzDecoder::new(self.engine).read_to_end(&mut module)?;
        Ok(module)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::compressed;

    #[test]
    fn a_machine_of_other_sources_is_told_by_its_hash() {
        let engine: &'static [u8] = compressed(b"\0asm ... 1f0c5b8e27d94a63 ...").leak();
        let bundle = Bundle { engine, script: "", style: "" };
        assert!(bundle.holds("1f0c5b8e27d94a63"));
        assert!(!bundle.holds("1f0c5b8e27d94a64"));
    }

    #[test]
    fn what_was_built_is_one_page_without_other_places() {
        let Ok(bundle) = Bundle::find() else { return };
        assert!(bundle.module().unwrap().starts_with(b"\0asm"));
        for text in [bundle.script, bundle.style] {
            assert!(!text.contains("https://") && !text.contains("@import"), "another place");
        }
    }
}
