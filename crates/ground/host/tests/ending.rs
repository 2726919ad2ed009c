//! Tests a process that is about to exit, in a separate test binary, because the ending cannot be
//! undone.

use std::fs;
use std::io::Write;

use host::output_files::{Output, OutputError, remove_unfinished};

#[test]
fn unfinished_outputs_are_removed_and_no_output_can_begin() {
    let root = tempfile::tempdir().unwrap();
    let old = root.path().join("old.png");
    fs::write(&old, "old").unwrap();
    let mut files = vec![
        Output::new(&old).replace(true).create().unwrap(),
        Output::new(root.path().join("new/deep/a.vcd")).create().unwrap(),
    ];
    for file in &mut files {
        file.write_all(b"half").unwrap();
    }
    remove_unfinished();
    let left: Vec<_> =
        fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, std::slice::from_ref(&old));
    let dropped = files.pop();
    for file in files {
        assert!(matches!(file.commit(), Err(OutputError::Ending { .. })));
    }
    drop(dropped);
    assert!(matches!(Output::new(root.path().join("b")).create(), Err(OutputError::Ending { .. })));
    assert_eq!(fs::read(&old).unwrap(), b"old");
}
