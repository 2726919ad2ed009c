//! Tests that need two processes: a lock that ends with its process, and a full disk.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use host::output_files::{FileLock, LockError, Log, Output};

/// Environment variable with the file for a process that [`child`] starts.
const FILE: &str = "NUDGE_PROCESS_TEST_FILE";

/// Returns a command that runs one test of this test program on `file`.
fn child(test: &str, file: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(FILE, file).stdin(Stdio::null());
    command
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Holds the lock until it is killed; does nothing except in the process that [`holder`] starts.
#[test]
fn holds_the_lock() {
    if let Some(file) = env::var_os(FILE) {
        let _lock = FileLock::acquire(Path::new(&file)).unwrap();
        println!("\nlocked");
        loop {
            std::thread::park();
        }
    }
}

/// Starts a process that holds the lock.
fn holder(file: &Path) -> Child {
    let mut process = child("holds_the_lock", file).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "locked"));
    process
}

#[test]
fn a_lock_excludes_others_until_dropped_and_leaves_no_file() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("new/flash.bin");
    let lock = FileLock::acquire(&path).unwrap();
    assert!(matches!(FileLock::acquire(&path), Err(LockError::Held { .. })));
    // The file is replaced while it is locked: the lock remains.
    Output::new(&path).write(b"old").unwrap();
    Output::new(&path).replace(true).write(b"new").unwrap();
    let error = FileLock::acquire(&path).unwrap_err();
    assert!(error.to_string().ends_with("flash.bin: is in use by another program"), "{error}");
    drop(lock);
    assert_eq!(names(&root.path().join("new")), ["flash.bin"]);
    drop(FileLock::acquire(&path).unwrap());

    let nothing = root.path().join("empty/flash.bin");
    drop(FileLock::acquire(&nothing).unwrap());
    assert!(!root.path().join("empty").exists(), "a folder that was made for it");
}

#[test]
fn a_lock_ends_with_its_process() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("flash.bin");
    let mut process = holder(&path);
    assert!(matches!(FileLock::acquire(&path), Err(LockError::Held { .. })));
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(names(root.path()), ["flash.bin.lock"], "it had no time to remove it");
    drop(FileLock::acquire(&path).unwrap());
    assert!(names(root.path()).is_empty());
}

#[test]
fn a_file_that_is_not_a_lock_file_is_kept_and_locks_nothing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("flash.bin");
    fs::create_dir(root.path().join("flash.bin.lock")).unwrap();
    let error = FileLock::acquire(&path).unwrap_err();
    assert!(error.to_string().contains("flash.bin.lock: cannot be locked: "), "{error}");
    fs::remove_dir(root.path().join("flash.bin.lock")).unwrap();
    fs::write(root.path().join("flash.bin.lock"), "a list").unwrap();
    drop(FileLock::acquire(&path).unwrap());
    assert_eq!(fs::read(root.path().join("flash.bin.lock")).unwrap(), b"a list");
}

#[cfg(unix)]
#[test]
fn a_link_has_the_lock_of_its_target() {
    let root = tempfile::tempdir().unwrap();
    let (path, link) = (root.path().join("flash.bin"), root.path().join("link.bin"));
    fs::write(&path, "flash").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let _lock = FileLock::acquire(&link).unwrap();
    assert!(matches!(FileLock::acquire(&path), Err(LockError::Held { .. })));
}

/// Writes lines until one fails; does nothing except in the process of the test below.
#[test]
fn writes_lines() {
    if let Some(file) = env::var_os(FILE) {
        let mut log = Log::create(Path::new(&file)).unwrap();
        let error =
            (0..10_000).find_map(|at| log.add(format!("{at}ms press B1\n").as_bytes()).err());
        let again = log.add(b"more\n").unwrap_err();
        println!("\nfirst: {}\nthen: {again}", error.unwrap());
    }
}

#[cfg(unix)]
#[test]
fn a_log_on_a_full_disk_ends_with_its_last_whole_line() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("win.trace");
    // A limit of the file size makes a write fail in its middle, as a full disk does.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$@\"", "sh"])
        .arg(env::current_exe().unwrap())
        .args(["--exact", "writes_lines", "--nocapture"])
        .env(FILE, &path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("win.trace: cannot be written: File too large"), "{said}");
    assert!(said.contains("then: ") && said.contains("an earlier write to it failed"), "{said}");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let wanted: Vec<String> = (0..lines.len()).map(|at| format!("{at}ms press B1")).collect();
    assert!(text.ends_with('\n') && lines.len() > 50, "{} lines", lines.len());
    assert_eq!(lines, wanted);
    // No line that had room is truncated.
    let next = format!("{}ms press B1\n", lines.len());
    assert!(
        [2_048, 4_096].iter().any(|room| text.len() <= *room && text.len() + next.len() > *room)
    );
}

/// Runs in the process that [`a_program_starts_itself_after_its_file_was_replaced`] starts.
#[cfg(target_os = "linux")]
#[test]
fn replaces_its_file_and_starts_itself() {
    let Some(file) = env::var_os(FILE) else { return };
    fs::remove_file(&file).unwrap();
    fs::write(&file, "another program").unwrap();
    let own = host::own_program().unwrap();
    let status = Command::new(own).args(["--list", "--format", "terse"]).status().unwrap();
    assert!(status.success(), "{status}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_starts_itself_after_its_file_was_replaced() {
    let root = tempfile::tempdir().unwrap();
    let copy = root.path().join("program");
    fs::copy(env::current_exe().unwrap(), &copy).unwrap();
    let mut process = Command::new(&copy);
    process.args(["--exact", "replaces_its_file_and_starts_itself"]).env(FILE, &copy);
    let output = process.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
