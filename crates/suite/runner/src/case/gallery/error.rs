//! Reasons why a golden frame, a chain of frames or an artifact failed.

use core::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use reading::golden::{Mismatch, PngError, Relation};
use trace::lfs::IS_A_POINTER;

use host::{Exit, output_files::OutputError};

use super::chain::ChainDifference;

/// Reason why something in a gallery failed. Its text is the sentence for the report.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GalleryError {
    /// A file or a folder cannot be written or removed.
    #[error(transparent)]
    Write(#[from] OutputError),
    /// A picture cannot be written.
    #[error(transparent)]
    WritePicture(PngError),
    /// A chain's file cannot be written.
    #[error(transparent)]
    WriteChain(Box<dyn Error + Send + Sync>),
    /// The folder of the goldens exists, but cannot be read.
    #[error("{}: {source}", path.display())]
    ReadFolder { path: PathBuf, source: io::Error },
    /// Two frames of one name differ, and the first has just been blessed.
    #[error(
        "expected frame {name} again, but the LCD shows another than when it was blessed further \
         up; give the two frames two names"
    )]
    BlessedBefore { name: String },
    /// The frame on the LCD differs from the golden.
    #[error(
        "expected frame {name} ({}), but {mismatch}{}{}",
        golden.display(),
        relation.map_or_else(String::new, |relation| format!("; {relation}")),
        see(artifact.as_deref(), ", and .actual and .expected beside it")
    )]
    FrameDiffers {
        name: String,
        golden: PathBuf,
        mismatch: Box<Mismatch>,
        /// Transformation that makes the frame of the golden, if there is one.
        relation: Option<Relation>,
        /// Picture of the difference.
        artifact: Option<PathBuf>,
    },
    /// The golden does not exist.
    #[error(
        "expected frame {name}, but there is no golden {}{}\nif that is right, keep it: {bless}",
        golden.display(),
        see(artifact.as_deref(), " for what the LCD shows")
    )]
    NoGolden {
        name: String,
        golden: PathBuf,
        /// Picture of the frame on the LCD.
        artifact: Option<PathBuf>,
        /// Command that writes the golden.
        bless: String,
    },
    /// The golden exists, but cannot be read.
    #[error("{source}; restore the golden, or write it anew with `{bless}`")]
    UnreadableGolden {
        source: PngError,
        /// Command that writes the golden.
        bless: String,
    },
    /// The golden or the chain is a Git LFS pointer, so its content is unknown.
    #[error("{}: {IS_A_POINTER}", .0.display())]
    LfsPointer(PathBuf),
    /// The frames differ from those of the chain.
    #[error(
        "expected frames {name} ({}), but {difference}{}",
        file.display(),
        see(artifact.as_deref(), " for what it changes, and .before and .actual beside it")
    )]
    ChainDiffers {
        name: String,
        file: PathBuf,
        difference: Box<ChainDifference>,
        /// Picture of the pixels that the first differing frame changes.
        artifact: Option<PathBuf>,
    },
    /// The chain's file does not exist.
    #[error(
        "expected frames {name}, but there is no file {}; {seen} were seen\nif they are right, \
         keep them: {bless}",
        file.display()
    )]
    NoChain {
        name: String,
        file: PathBuf,
        /// Number of frames that the LCD showed.
        seen: usize,
        /// Command that writes the file.
        bless: String,
    },
    /// The chain's file exists, but cannot be read.
    #[error("{source}; restore the file, or write it anew with `{bless}`")]
    UnreadableChain {
        source: Box<dyn Error + Send + Sync>,
        /// Command that writes the file.
        bless: String,
    },
}

impl GalleryError {
    /// Returns the golden frame or the chain that the LCD's frame was compared with.
    pub fn compared_with(&self) -> Option<&str> {
        match self {
            Self::FrameDiffers { name, .. } | Self::ChainDiffers { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Returns the artifact that shows most of the failure.
    pub fn artifact(&self) -> Option<&Path> {
        match self {
            Self::FrameDiffers { artifact, .. }
            | Self::NoGolden { artifact, .. }
            | Self::ChainDiffers { artifact, .. } => artifact.as_deref(),
            _ => None,
        }
    }

    /// Returns the exit code of the error: [`Exit::Failed`] if the LCD differs from what is
    /// expected.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Write(_)
            | Self::WritePicture(_)
            | Self::WriteChain(_)
            | Self::ReadFolder { .. }
            | Self::UnreadableGolden { .. }
            | Self::LfsPointer(_)
            | Self::UnreadableChain { .. } => Exit::Usage,
            Self::FrameDiffers { mismatch, .. } => match **mismatch {
                Mismatch::Size { .. } => Exit::Usage,
                Mismatch::Pixels(_) => Exit::Failed,
            },
            Self::BlessedBefore { .. }
            | Self::NoGolden { .. }
            | Self::ChainDiffers { .. }
            | Self::NoChain { .. } => Exit::Failed,
        }
    }
}

/// Returns a line that names the picture, or an empty text if there is none.
fn see(artifact: Option<&Path>, what: &str) -> String {
    artifact.map(|path| format!("\nsee {}{what}", path.display())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ili9341_model::frame::Region;
    use reading::golden::{Colours, Placement, chain::FrameHash, chain::Link};
    use virtual_time::Instant;

    use super::*;

    #[track_caller]
    fn check(error: &GalleryError, exit: Exit, text: &str) {
        assert_eq!((error.to_string().as_str(), error.exit()), (text, exit));
    }

    fn link(millis: u64) -> Link {
        let region = Region { x: 1, y: 2, width: 3, height: 4 };
        Link { at: Instant::from_millis(millis), hash: FrameHash(millis), changed: 7, region }
    }

    #[test]
    fn a_frame_that_differs_names_its_golden_and_its_picture() {
        let mismatch = || Mismatch::Size { actual: (320, 240), expected: (10, 10) };
        let differs = |artifact: Option<&str>| GalleryError::FrameDiffers {
            name: "end".into(),
            golden: "a/end.png".into(),
            mismatch: Box::new(mismatch()),
            relation: None,
            artifact: artifact.map(PathBuf::from),
        };
        let text = format!("expected frame end (a/end.png), but {}", mismatch());
        check(&differs(None), Exit::Usage, &text);
        let see = "\nsee out/end.diff.png, and .actual and .expected beside it";
        check(&differs(Some("out/end.diff.png")), Exit::Usage, &(text + see));
        let mut turned = differs(Some("out/end.diff.png"));
        if let GalleryError::FrameDiffers { relation, .. } = &mut turned {
            let (placement, colours) = (Placement::UpsideDown, Colours::Same);
            *relation = Some(Relation { placement, colours });
        }
        let sentence = "; it is the golden turned by 180 degrees: are MADCTL and the `rotation` of \
                        the display right?";
        let text = format!("expected frame end (a/end.png), but {}{sentence}{see}", mismatch());
        check(&turned, Exit::Usage, &text);
    }

    #[test]
    fn a_missing_golden_is_reported_with_the_command_that_writes_it() {
        let missing = |artifact: Option<&str>| GalleryError::NoGolden {
            name: "end".into(),
            golden: "a/end.png".into(),
            artifact: artifact.map(PathBuf::from),
            bless: "nudge replay a.trace --bless".into(),
        };
        check(
            &missing(None),
            Exit::Failed,
            "expected frame end, but there is no golden a/end.png\nif that is right, keep it: \
             nudge replay a.trace --bless",
        );
        check(
            &missing(Some("out/end.actual.png")),
            Exit::Failed,
            "expected frame end, but there is no golden a/end.png\nsee out/end.actual.png for \
             what the LCD shows\nif that is right, keep it: nudge replay a.trace --bless",
        );
    }

    #[test]
    fn a_frame_blessed_twice_needs_two_names() {
        check(
            &GalleryError::BlessedBefore { name: "end".into() },
            Exit::Failed,
            "expected frame end again, but the LCD shows another than when it was blessed further \
             up; give the two frames two names",
        );
    }

    #[test]
    fn a_chain_error_names_the_difference_or_the_command() {
        check(
            &GalleryError::NoChain {
                name: "all".into(),
                file: "a/all.frames".into(),
                seen: 3,
                bless: "nudge replay a.trace --bless".into(),
            },
            Exit::Failed,
            "expected frames all, but there is no file a/all.frames; 3 were seen\nif they are \
             right, keep them: nudge replay a.trace --bless",
        );
        let difference =
            Box::new(ChainDifference::Missing { number: 2, of: 2, expected: link(40) });
        let artifact = Some("out/all.diff.png".into());
        let differs = GalleryError::ChainDiffers {
            name: "all".into(),
            file: "a/all.frames".into(),
            difference,
            artifact,
        };
        check(
            &differs,
            Exit::Failed,
            "expected frames all (a/all.frames), but frame 2 of 2 did not come: expected was one \
             at 40 ms that changes 7 pixels in 1,2,3,4\nsee out/all.diff.png for what it changes, \
             and .before and .actual beside it",
        );
        check(
            &GalleryError::UnreadableChain {
                source: "a/all.frames:1: bad".into(),
                bless: "nudge replay a.trace --bless".into(),
            },
            Exit::Usage,
            "a/all.frames:1: bad; restore the file, or write it anew with `nudge replay a.trace \
             --bless`",
        );
    }

    #[test]
    fn a_file_that_cannot_be_written_is_wrong_usage() {
        let source = io::Error::new(io::ErrorKind::PermissionDenied, "denied");
        let error = GalleryError::Write(OutputError::Io { path: "out".into(), source });
        check(&error, Exit::Usage, "out: cannot be written: denied");
    }
}
