//! Paths of outputs whose names come from a trace: always inside their folder, for any name of the
//! trace.

use std::path::{Component, Path, PathBuf};

use crate::output_files::OutputError;

/// Names that Windows reserves for devices, with anything after their first dot.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
/// Further device names, followed by a digit.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// Returns the folder of the golden pictures of the trace at `path`: its name without the
/// extension.
///
/// # Errors
/// If that is not a valid folder name: empty, only dots, or a device of Windows.
pub fn goldens_of(path: &Path) -> Result<PathBuf, OutputError> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // `.trace` as a whole name has no extension, so its stem is the whole name.
    if is_dots(&stem) || stem.eq_ignore_ascii_case(".trace") {
        return Err(OutputError::DotName { path: path.to_owned() });
    }
    if is_device(&stem) {
        return Err(OutputError::DeviceName { path: path.to_owned() });
    }
    Ok(path.with_extension(""))
}

/// Returns the path of `name` in `folder`; `name` may contain folders.
///
/// # Errors
/// If `name` leads out of `folder`, or if it is empty.
pub fn inside(folder: &Path, name: &Path) -> Result<PathBuf, OutputError> {
    let leads_out = |part: Component<'_>| match part {
        Component::Normal(part) => is_dots(&part.to_string_lossy()),
        _ => true,
    };
    if name.as_os_str().is_empty() || name.components().any(leads_out) {
        let (folder, name) = (folder.to_owned(), name.to_owned());
        return Err(OutputError::Outside { folder, name });
    }
    Ok(folder.join(name))
}

/// Returns whether a name consists only of dots and blanks, which Windows removes at its end.
fn is_dots(name: &str) -> bool {
    name.chars().all(|letter| matches!(letter, '.' | ' '))
}

fn is_device(stem: &str) -> bool {
    let first = stem.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let is_numbered = |device: &str| {
        let number = first.strip_prefix(device);
        number.is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
    };
    DEVICES.contains(&first.as_str()) || NUMBERED_DEVICES.into_iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(name: &str, goldens: Option<&str>) {
        let path = Path::new("t").join(name);
        let expected = goldens.map(|goldens| Path::new("t").join(goldens));
        assert_eq!(goldens_of(&path).ok(), expected, "{name}");
    }

    #[test]
    fn a_trace_without_a_name_has_no_goldens() {
        check("win.trace", Some("win"));
        check("a.b.trace", Some("a.b"));
        check("..a.trace", Some("..a"));
        check("win", Some("win"));
        check(".hidden", Some(".hidden"));
        check("console.trace", Some("console"));
        check("com10.trace", Some("com10"));
        for name in [
            ".trace",
            "..trace",
            "...trace",
            "....trace",
            ". .trace",
            " .trace",
            "CON.trace",
            "nul.trace",
            "Aux.b.trace",
            "com1.trace",
            "LPT9.trace",
            "..",
        ] {
            check(name, None);
        }
    }

    /// Generates names that try to lead out of a folder.
    fn hostile() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            "[.]{0,4}",
            "[./ ]{0,6}",
            "[a-z.]{1,6}",
            Just("..".to_owned()),
            Just("/etc".to_owned()),
            Just("..\\..".to_owned()),
            Just("C:".to_owned()),
            "\\PC{0,4}",
            Just("\u{202e}".to_owned()),
        ];
        (proptest::collection::vec(part, 1..5), prop_oneof![Just("/"), Just("")], any::<bool>())
            .prop_map(|(parts, between, extension)| {
                parts.join(between) + if extension { ".trace" } else { "" }
            })
    }

    /// Returns the path with `.` and `..` resolved.
    fn carried_out(path: &Path) -> PathBuf {
        let mut whole = PathBuf::new();
        for part in path.components() {
            match part {
                Component::ParentDir => drop(whole.pop()),
                Component::CurDir => {}
                part => whole.push(part),
            }
        }
        whole
    }

    proptest! {
        #[test]
        fn no_name_leads_out_of_its_folder(name in hostile()) {
            let folder = Path::new("/suite/artifacts");
            if let Ok(place) = inside(folder, Path::new(&name)) {
                let place = carried_out(&place);
                prop_assert!(place.starts_with(folder) && place != folder, "{}", place.display());
            }
            let trace = folder.join(&name);
            if let (Ok(goldens), Some(parent)) = (goldens_of(&trace), trace.parent()) {
                let (goldens, parent) = (carried_out(&goldens), carried_out(parent));
                prop_assert_eq!(goldens.parent(), Some(parent.as_path()), "{}", name);
            }
        }
    }
}
