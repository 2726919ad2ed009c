//! Files in the folder that a studio was opened for: names of files, and how they are read and
//! written.
//!
//! A name never leads out of the folder: not by `..`, not as an absolute path, not by a symbolic
//! link.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use host::output_files::{Output, OutputError, goldens_of};
use host::sandbox::{Sandbox, SandboxError};
use reading::golden::{PngFault, decode_png, encode_png};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::BODY_BYTES_MAX;

/// Extensions of the files that a page may request.
const READABLE: [&str; 6] = ["trace", "inc", "png", "frames", "flash", "bin"];

/// Folder of a studio, and its trace.
#[derive(Clone, Debug)]
pub struct TraceFolder {
    sandbox: Sandbox,
    file: Option<PathBuf>,
}

/// Reason why a file was not read or written.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    #[error("{0}: leads out of the folder that this studio was opened for")]
    Outside(String),
    #[error("{0}: is a symbolic link, or lies behind one, which this studio does not follow")]
    Link(String),
    #[error("a name of a file has no NUL")]
    Nul,
    #[error("{name}: must be named {expected}")]
    Kind { name: String, expected: &'static str },
    #[error("there is no file {0}")]
    Missing(String),
    #[error("{0} has more than {limit} MiB", limit = BODY_BYTES_MAX >> 20)]
    TooLarge(String),
    #[error("{0}: is open in no trace: this studio has a live board")]
    NoTrace(String),
    #[error("{name}: the picture cannot be read: {fault}")]
    NoPicture { name: String, fault: PngFault },
    #[error("the trace is no UTF-8 text")]
    NoText,
    #[error("the file has changed since this page read it; reload it first")]
    Changed,
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl FileError {
    /// Returns the status of HTTP.
    pub fn status(&self) -> u16 {
        match self {
            Self::Outside(_) | Self::Link(_) => 403,
            Self::Nul | Self::Kind { .. } | Self::NoPicture { .. } | Self::NoText => 400,
            Self::Missing(_) | Self::NoTrace(_) => 404,
            Self::TooLarge(_) => 413,
            Self::Changed | Self::Output(OutputError::Exists { .. }) => 409,
            Self::Output(OutputError::Io { .. }) | Self::Io(_) => 500,
            Self::Output(_) => 400,
        }
    }
}

impl TraceFolder {
    /// Opens the folder of the trace in `file`.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub fn of_trace(file: &Path) -> io::Result<Self> {
        let folder = match file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Ok(Self { sandbox: Sandbox::new(folder)?, file: Some(file.to_owned()) })
    }

    /// Opens `folder` for a live board, whose branches are saved in it.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub fn of_folder(folder: &Path) -> io::Result<Self> {
        Ok(Self { sandbox: Sandbox::new(folder)?, file: None })
    }

    /// Returns the trace's path, as it was named.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Returns a hash of the trace's file; `None` without a file.
    pub(crate) fn modified(&self) -> Option<String> {
        let bytes = host::input_files::read(self.file()?, BODY_BYTES_MAX).ok()?;
        Some(content_hash(&bytes))
    }

    /// Replaces the trace, if the hash of its file is `expected`.
    pub(crate) fn write_trace(&self, text: &[u8], expected: &str) -> Result<String, FileError> {
        let file = self.file().ok_or_else(|| FileError::NoTrace("the trace".into()))?;
        std::str::from_utf8(text).map_err(|_| FileError::NoText)?;
        if self.modified().as_deref() != Some(expected) {
            return Err(FileError::Changed);
        }
        Output::trace(file).replace(true).durable().write(text)?;
        Ok(content_hash(text))
    }

    /// Writes a new trace into the folder, and returns its name.
    pub(crate) fn save(&self, name: &str, text: &[u8]) -> Result<String, FileError> {
        std::str::from_utf8(text).map_err(|_| FileError::NoText)?;
        if Path::new(name).file_name() != Some(name.as_ref()) {
            return Err(FileError::Outside(name.to_owned()));
        }
        require_extension(name, &["trace"], "*.trace")?;
        let path = self.place(name)?;
        Output::trace(&path).write(text)?;
        Ok(name.to_owned())
    }

    /// Writes a golden frame of the trace: `win/NAME.png` for `win.trace`.
    pub(crate) fn bless(&self, name: &str, png: &[u8]) -> Result<(), FileError> {
        let file = self.file().ok_or_else(|| FileError::NoTrace(name.to_owned()))?;
        require_extension(name, &["png"], "*.png")?;
        let goldens = goldens_of(file)?;
        let folder = Path::new(goldens.file_name().unwrap_or_default());
        let path = self.place(name)?;
        let in_goldens = Path::new(name).strip_prefix(folder);
        if !in_goldens.is_ok_and(|rest| rest.file_name() == Some(rest.as_os_str())) {
            return Err(FileError::Outside(name.to_owned()));
        }
        let frame = decode_png(io::Cursor::new(png))
            .map_err(|fault| FileError::NoPicture { name: name.to_owned(), fault })?;
        if frame.pixels().is_empty() {
            return Err(FileError::Kind { name: name.to_owned(), expected: "after a picture" });
        }
        // Encoded again, so that the bytes are those that `nudge replay --bless` writes.
        Ok(Output::golden(&path).replace(true).write(&encode_png(&frame))?)
    }

    /// Returns the bytes of a file in the folder or below.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        require_extension(name, &READABLE, "as traces and their files are")?;
        let path = self.place(name)?;
        match host::input_files::read(&path, BODY_BYTES_MAX) {
            Ok(bytes) if bytes.len() > BODY_BYTES_MAX => Err(FileError::TooLarge(name.to_owned())),
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(FileError::Missing(name.to_owned()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the path of `name` in the folder.
    fn place(&self, name: &str) -> Result<PathBuf, FileError> {
        if name.contains('\0') {
            return Err(FileError::Nul);
        }
        self.sandbox.place(name).map_err(|error| match error {
            SandboxError::Outside(_) => FileError::Outside(name.to_owned()),
            SandboxError::Link(_) => FileError::Link(name.to_owned()),
        })
    }
}

/// Accepts `name` if its extension is one of `extensions`.
fn require_extension(
    name: &str,
    extensions: &[&str],
    expected: &'static str,
) -> Result<(), FileError> {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    if extension.is_some_and(|extension| extensions.contains(&extension)) {
        return Ok(());
    }
    Err(FileError::Kind { name: name.to_owned(), expected })
}

/// Returns a hash of the bytes. A time would not do: two changes may have the same.
fn content_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ili9341_model::Frame;

    use super::*;

    /// A folder `in` with the trace `win.trace`, beside a folder `out`.
    fn trace_folder() -> (tempfile::TempDir, TraceFolder) {
        let root = tempfile::tempdir().unwrap();
        for folder in ["in/win", "out"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        fs::write(root.path().join("in/win.trace"), "trace 1\n").unwrap();
        fs::write(root.path().join("out/secret.trace"), "trace 1\n").unwrap();
        let folder = TraceFolder::of_trace(&root.path().join("in/win.trace")).unwrap();
        (root, folder)
    }

    #[track_caller]
    fn status<T: core::fmt::Debug>(result: Result<T, FileError>) -> u16 {
        result.unwrap_err().status()
    }

    fn png() -> Vec<u8> {
        encode_png(&Frame::filled(4, 3, 0x0000_8000))
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let (root, folder) = trace_folder();
        let absolute = root.path().join("out/secret.trace").display().to_string();
        for name in ["../out/secret.trace", "win/../../out/secret.trace", &absolute, "..", "", "."]
        {
            let found = status(folder.read(name));
            assert!([400, 403].contains(&found), "{name}: {found}");
            assert!([400, 403].contains(&status(folder.save(name, b"trace 1\n"))), "{name}");
            assert!([400, 403].contains(&status(folder.bless(name, &png()))), "{name}");
        }
        for name in ["../out/a.png", "win/../../a.png", "other/a.png", "a.png", "win/in/a.png"] {
            assert_eq!(status(folder.bless(name, &png())), 403, "{name}");
        }
        assert_eq!(fs::read_dir(root.path().join("out")).unwrap().count(), 1);
    }

    #[test]
    fn a_name_with_a_nul_is_the_requests_fault() {
        let (_root, folder) = trace_folder();
        for name in ["a\0.trace", "\0.trace", "win\0/start.trace"] {
            assert_eq!(status(folder.read(name)), 400, "{name:?}");
            assert_eq!(
                status(folder.save(name, b"trace 1\n")),
                if name.contains('/') { 403 } else { 400 },
                "{name:?}"
            );
        }
        assert_eq!(status(folder.bless("win/a\0.png", &png())), 400);
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_of_the_folder() {
        use std::os::unix::fs::symlink;
        let (root, folder) = trace_folder();
        let out = root.path().join("out");
        symlink(out.join("secret.trace"), root.path().join("in/link.trace")).unwrap();
        symlink(&out, root.path().join("in/far")).unwrap();
        symlink(out.join("new.trace"), root.path().join("in/new.trace")).unwrap();
        symlink(out.join("a.png"), root.path().join("in/win/a.png")).unwrap();
        for name in ["link.trace", "far/secret.trace"] {
            assert_eq!(status(folder.read(name)), 403, "{name}");
        }
        assert_eq!(status(folder.save("new.trace", b"trace 1\n")), 403);
        assert_eq!(status(folder.bless("win/a.png", &png())), 403);
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
    }

    #[test]
    fn a_trace_is_replaced_only_if_the_page_has_read_it() {
        let (root, folder) = trace_folder();
        let file = root.path().join("in/win.trace");
        let first = folder.modified().unwrap();
        let second = folder.write_trace(b"trace 1\n# second\n", &first).unwrap();
        assert_eq!(folder.modified(), Some(second.clone()));
        // Another page, or an editor.
        fs::write(&file, "trace 1\n# by hand\n").unwrap();
        assert_eq!(status(folder.write_trace(b"trace 1\n# third\n", &second)), 409);
        assert_eq!(fs::read_to_string(&file).unwrap(), "trace 1\n# by hand\n");
        assert_eq!(status(folder.write_trace(b"\xFF", &folder.modified().unwrap())), 400);
        fs::remove_file(&file).unwrap();
        assert_eq!(status(folder.write_trace(b"trace 1\n", &first)), 409);
        assert!(!file.exists());
    }

    #[test]
    fn a_branch_is_a_new_file() {
        let (root, folder) = trace_folder();
        assert_eq!(folder.save("branch.trace", b"trace 1\n").unwrap(), "branch.trace");
        assert_eq!(status(folder.save("branch.trace", b"trace 1\n# other\n")), 409);
        assert_eq!(status(folder.save("branch.png", b"trace 1\n")), 400);
        assert_eq!(status(folder.save("win/branch.trace", b"trace 1\n")), 403);
        assert_eq!(status(folder.save("...trace", b"trace 1\n")), 400);
        let kept = fs::read_to_string(root.path().join("in/branch.trace")).unwrap();
        assert_eq!(kept, "trace 1\n");
    }

    #[test]
    fn a_golden_is_a_picture_beside_its_trace() {
        let (root, folder) = trace_folder();
        folder.bless("win/start.png", &png()).unwrap();
        assert_eq!(fs::read(root.path().join("in/win/start.png")).unwrap(), png());
        assert_eq!(status(folder.bless("win/start.png", b"no picture")), 400);
        assert_eq!(status(folder.bless("win/start.txt", &png())), 400);
        assert_eq!(folder.read("win/start.png").unwrap(), png());
        assert_eq!(status(folder.read("win/none.png")), 404);
        assert_eq!(status(folder.read("win")), 400);
        let live = TraceFolder::of_folder(&root.path().join("in")).unwrap();
        assert_eq!(status(live.bless("win/start.png", &png())), 404);
        assert_eq!(status(live.write_trace(b"trace 1\n", "")), 404);
        assert_eq!(live.modified(), None);
        live.save("live.trace", b"trace 1\n").unwrap();
    }
}
