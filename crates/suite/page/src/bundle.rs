//! The output of `make page`, which `build.rs` embeds in this program.

use std::io::{self, Read};

use flate2::read::GzDecoder;
use thiserror::Error;

/// The machine and the page around it. It refers to no other file or server.
#[derive(Clone, Copy, Debug)]
pub struct Bundle {
    /// The machine: WebAssembly, compressed with gzip.
    pub engine: &'static [u8],
    pub script: &'static str,
    pub style: &'static str,
}

static BUNDLE: Option<Bundle> = include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// The reason why there is no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BundleError {
    /// The page did not exist when this program was compiled.
    #[error(
        "this nudge was built without its page; in a checkout of nudge run `make page`, then build \
         it again"
    )]
    Absent,
    /// The page was built from other sources than this program.
    #[error(
        "the page in this nudge was built from other firmware sources; run `make page`, then build \
         nudge again"
    )]
    Stale,
}

impl Bundle {
    /// Returns the bundle of this program.
    ///
    /// # Errors
    /// [`BundleError::Absent`] if the program was compiled without one.
    pub fn find() -> Result<Self, BundleError> {
        BUNDLE.ok_or(BundleError::Absent)
    }

    /// Returns the bundle of this program if its machine contains `mark`, the hash of the sources
    /// that the machine was built from.
    ///
    /// # Errors
    /// If there is no bundle, or it was built from other sources.
    pub fn find_with(mark: &str) -> Result<Self, BundleError> {
        let bundle = Self::find()?;
        if bundle.holds(mark) { Ok(bundle) } else { Err(BundleError::Stale) }
    }

    /// Returns whether the machine's bytes contain `mark`.
    fn holds(&self, mark: &str) -> bool {
        self.module().is_ok_and(|module| {
            module.windows(mark.len().max(1)).any(|bytes| bytes == mark.as_bytes())
        })
    }

    /// Returns the machine uncompressed, as a browser compiles it.
    ///
    /// # Errors
    /// If the machine cannot be decompressed.
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
    fn a_machine_of_other_sources_is_recognised_by_its_hash() {
        let engine: &'static [u8] = compressed(b"\0asm ... 1f0c5b8e27d94a63 ...").leak();
        let bundle = Bundle { engine, script: "", style: "" };
        assert!(bundle.holds("1f0c5b8e27d94a63"));
        assert!(!bundle.holds("1f0c5b8e27d94a64"));
    }

    #[test]
    fn the_page_refers_to_no_other_file_or_server() {
        let Ok(bundle) = Bundle::find() else { return };
        assert!(bundle.module().unwrap().starts_with(b"\0asm"));
        for text in [bundle.script, bundle.style] {
            assert!(!text.contains("https://") && !text.contains("@import"), "another place");
        }
    }
}
