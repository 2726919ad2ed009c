//! Tests the messages of the scripts that compile for another target, on a machine without rustup,
//! whose Debian has a Rust that is too old. The machine is a folder with the only programs that the
//! scripts can start: no apt-get, no rustup.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const RUSTC: &str = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'rustc VERSION (4d91de4e4 2025-02-17)'; \
                     else echo /nowhere; fi\n";

fn machine(folder: &Path, version: &str) {
    let program = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("rustc", &RUSTC.replace("VERSION", version));
    program("cargo", "#!/bin/sh\nexit 1\n");
    program("cc", "#!/bin/sh\nexit 1\n");
    let paths: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
    for name in ["cat", "dirname", "mkdir", "sed", "sh"] {
        let found = paths.iter().map(|path| path.join(name)).find(|path| path.is_file()).unwrap();
        symlink(found, folder.join(name)).unwrap();
    }
}

#[test]
fn a_too_old_rust_of_debian_is_reported_with_the_next_step() {
    let folder = tempfile::tempdir().unwrap();
    machine(folder.path(), "1.85.0");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (script, arguments, who, target) in [
        ("scripts/page.sh", &["engine"][..], "make page", "wasm32-unknown-unknown"),
        ("scripts/firmware.sh", &[], "make firmware", "thumbv6m-none-eabi"),
    ] {
        for way in ["", "debian"] {
            let output = Command::new("/bin/sh")
                .arg(script)
                .args(arguments)
                .current_dir(&root)
                .env("PATH", folder.path())
                .env("NUDGE_DEBIAN_BIN", folder.path())
                .env("NUDGE_RUST", way)
                .env("CARGO_TARGET_DIR", folder.path().join("target"))
                .stdin(Stdio::null())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(1));
            assert_eq!(
                String::from_utf8(output.stderr).unwrap(),
                format!(
                    "{who}: there is no Rust for {target}: that of this Debian is 1.85, and nudge needs {} or \
                     newer: run `rustup target add {target}`, or on Debian 12 `sudo apt-get install rustc-web \
                     cargo-web rust-web-src`, then try again.\n",
                    env!("CARGO_PKG_RUST_VERSION"),
                )
            );
        }
    }
}
