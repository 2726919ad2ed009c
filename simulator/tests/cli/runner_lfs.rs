//! A checkout that has not fetched its Git LFS files has pointers in place of goldens, chains,
//! flash images and traces. Each is reported with the next step.

use std::fs;
use std::path::Path;
use std::process::Stdio;

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
                       oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n\
                       size 12345\n";
const NEXT_STEP: &str =
    "is a pointer of Git LFS, not the file itself; fetch the files with `git lfs pull`";

/// Runs `nudge` in `folder`, and checks that it fails with the exit code of wrong usage and names
/// the file.
#[track_caller]
fn refuses(folder: &Path, arguments: &str, named: &str) {
    let output = crate::command::nudge()
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert_eq!(output.status.code(), Some(2), "nudge {arguments}\n{text}");
    assert!(text.contains(&format!("{named}{NEXT_STEP}")), "nudge {arguments}\n{text}");
}

#[test]
fn a_git_lfs_pointer_is_reported_and_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("a.trace", "trace 1\n0ms power on\n1s expect frame start\n+0ms end\n");
    put("a/start.png", POINTER);
    put("b.trace", "trace 1\n0ms power on\n1s expect frames all\n+0ms end\n");
    put("b/all.frames", POINTER);
    put("c.trace", POINTER);
    put("d.trace", "trace 1\nflash d.flash\n0ms power on\n1ms end\n");
    put("d.flash", POINTER);
    for (arguments, named) in [
        ("replay a.trace", "a/start.png: "),
        ("replay a.trace --bless", "a/start.png: "),
        ("replay b.trace", "b/all.frames: "),
        ("replay b.trace --bless", "b/all.frames: "),
        ("replay c.trace", "c.trace:1:1: the file "),
        ("trace check c.trace", "c.trace:1:1: the file "),
        ("replay d.trace", "d.flash: "),
        ("trace check d.trace", "d.flash: "),
        ("flash ls d.flash", "d.flash: "),
    ] {
        refuses(folder.path(), arguments, named);
    }
    for name in ["a/start.png", "b/all.frames"] {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), POINTER);
    }
}
