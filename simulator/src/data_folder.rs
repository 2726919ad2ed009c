//! The default file for the flash of interactive sessions: in the user's data folder.

use std::path::{Path, PathBuf};

use directories::BaseDirs;

/// `nudge/flash.bin` in the data folder: `$XDG_DATA_HOME` or `~/.local/share` on Linux,
/// `~/Library/Application Support` on macOS, `%APPDATA%` on Windows. `None` if the user has none.
pub fn flash_file() -> Option<PathBuf> {
    let folders = BaseDirs::new()?;
    // A relative path would depend on the folder in which the command is started.
    let data = Some(folders.data_dir()).filter(|folder| folder.is_absolute())?;
    Some(data.join("nudge").join("flash.bin"))
}

/// Returns the file of the user's key map, in the same folder.
pub fn keymap_file() -> Option<PathBuf> {
    flash_file().map(|flash| flash.with_file_name("keys.txt"))
}

/// Returns the file of the user's key map for the board that the board file at `path` describes:
/// its name has that of the file and a hash of the whole path, so that two boards have two files.
#[cfg(any(feature = "terminal", feature = "window"))]
pub fn keymap_file_of(path: &Path) -> Option<PathBuf> {
    let whole = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // FNV-1a, which is the same in every version of this program.
    let bytes = whole.as_os_str().as_encoded_bytes().iter();
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.trim_end_matches(".toml").trim_end_matches(".board").to_owned();
    let letters = name.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter));
    let name: String = letters.take(40).collect();
    flash_file().map(|flash| flash.with_file_name(format!("keys-{name}-{hash:016x}.txt")))
}

/// Returns the file of the look of the window when it was closed last, in the same folder.
#[cfg(feature = "window")]
pub fn window_file() -> Option<PathBuf> {
    flash_file().map(|flash| flash.with_file_name("window.txt"))
}

/// Returns the file of the list of recent sessions, in the same folder.
#[cfg(any(feature = "terminal", feature = "window"))]
pub fn recent_file() -> Option<PathBuf> {
    flash_file().map(|flash| flash.with_file_name("recent.txt"))
}

/// Returns the file of a session that is recorded without `--record`: a new file in
/// `nudge/sessions` of the data folder, or of the temporary folder if the user has no data folder.
pub fn session_file() -> PathBuf {
    let data = flash_file().and_then(|flash| flash.parent().map(Path::to_owned));
    let folder = data.unwrap_or_else(|| std::env::temp_dir().join("nudge")).join("sessions");
    let name = format!("nudge_{}_{}", host::clock::file_stamp(), std::process::id());
    folder.join(name).with_extension("trace")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::env;
    use std::process::Command;

    use super::flash_file;

    /// Variable that is set in the process that [`with`] starts.
    const CHILD: &str = "NUDGE_DATA_FOLDER_TEST";

    /// Returns the file that a process with only these variables uses.
    fn with(variables: &[(&str, &str)]) -> String {
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", "data_folder::tests::prints_the_file", "--nocapture"])
            .env_clear()
            .env(CHILD, "1")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().find_map(|line| line.split_once("flash file: "));
        line.unwrap_or_else(|| panic!("{text}")).1.to_owned()
    }

    /// Does nothing except in the process that [`with`] starts.
    #[test]
    fn prints_the_file() {
        if env::var_os(CHILD).is_some() {
            println!("flash file: {:?}", flash_file());
        }
    }

    #[test]
    fn the_flash_is_saved_in_the_data_folder_of_the_user() {
        let home = ("HOME", "/home/ada");
        let usual = "Some(\"/home/ada/.local/share/nudge/flash.bin\")";
        assert_eq!(with(&[home]), usual);
        let data = "Some(\"/data/nudge/flash.bin\")";
        assert_eq!(with(&[home, ("XDG_DATA_HOME", "/data")]), data);
        // XDG Base Directory Specification: a path that is not absolute is ignored.
        assert_eq!(with(&[home, ("XDG_DATA_HOME", "data")]), usual);
        assert_eq!(with(&[("HOME", "ada")]), "None");
    }
}
