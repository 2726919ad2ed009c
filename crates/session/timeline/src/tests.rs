//! Sessions over traces of `tests/`, compared with replays that do not use this crate.

mod branches;
mod controls;
mod driven;
mod observed;
mod seeking;
mod starting;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use firmware_board::native;
use reading::text::Reader;
use virtual_time::Nanos;

use crate::{Files, Session, Setup, open};

/// Returns the settings of `native`, without flash images of traces.
pub(crate) fn setup(sees_frames: bool) -> Setup {
    Setup {
        maker: Rc::new(|trace| native::build(trace, None)),
        reader: Rc::new(Reader::new(native::fonts())),
        sees_frames,
        copied_every: Nanos::from_secs(1),
    }
}

fn traces() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/traces")
}

/// Returns the text of a trace, and the files that it includes, without its goldens.
pub(crate) fn trace(name: &str) -> (String, Files) {
    let path = traces().join(format!("{name}.trace"));
    let mut files = Files::default();
    for folder in [path.parent().expect("a folder"), &traces()] {
        for entry in std::fs::read_dir(folder).expect("the traces").flatten() {
            let file = entry.path();
            if file.extension().is_some_and(|ending| ending == "inc") {
                let name = entry.file_name().into_string().expect("a name");
                let inside = if Some(folder) == path.parent() { "" } else { "../" };
                files.insert(&format!("{inside}{name}"), std::fs::read(&file).expect("a file"));
            }
        }
    }
    (std::fs::read_to_string(&path).expect("a trace"), files)
}

/// Replays a text.
#[track_caller]
pub(crate) fn session(text: &str, files: &Files, sees_frames: bool) -> Session {
    let opened = open("some.trace", text, files, None).expect("a trace");
    Session::replay(&setup(sees_frames), opened, files).expect("a machine")
}
