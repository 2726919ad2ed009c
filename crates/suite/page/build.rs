//! Embeds the output of `make page` in the library: `page/{engine.wasm,page.js,page.css}` of the
//! target folder, the engine compressed. Without these files the library has no bundle.
//!
//! `NUDGE_PAGE` names another folder with the three files.

use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;

const FILES: [&str; 3] = ["engine.wasm", "page.js", "page.css"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=NUDGE_PAGE");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let folder = match env::var_os("NUDGE_PAGE") {
        Some(folder) => PathBuf::from(folder),
        None => target_folder(&out).join("page"),
    };
    let files = FILES.map(|name| folder.join(name));
    if files.iter().all(|file| file.is_file()) {
        for file in &files {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    } else {
        // Cargo detects a new file in an existing folder. A missing file in its list would rebuild this
        // crate, and all its dependents, in every build. A folder that cannot be created is not watched.
        let _ = fs::create_dir_all(&folder);
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    let bundle = match files.map(|file| fs::read(file).ok()) {
        [Some(engine), Some(script), Some(style)] => {
            let (script, style) = (inline(script, "script"), inline(style, "style"));
            write(&out.join("engine.wasm.gz"), &compressed(&engine));
            write(&out.join("page.js"), script.as_bytes());
            write(&out.join("page.css"), style.as_bytes());
            r#"Some(Bundle {
                engine: include_bytes!(concat!(env!("OUT_DIR"), "/engine.wasm.gz")),
                script: include_str!(concat!(env!("OUT_DIR"), "/page.js")),
                style: include_str!(concat!(env!("OUT_DIR"), "/page.css")),
            })"#
        }
        _ => "None",
    };
    write(&out.join("bundle.rs"), bundle.as_bytes());
}

/// Returns cargo's target folder: `OUT_DIR` is `PROFILE/build/page-HASH/out` in it or, for a
/// target other than the host, in a subfolder with the target's name.
fn target_folder(out: &Path) -> &Path {
    let above = |count| out.ancestors().nth(count).unwrap_or(out);
    let target = env::var_os("TARGET");
    if above(4).file_name() == target.as_deref() { above(5) } else { above(4) }
}

/// Returns a file's text for embedding in an element; panics if the text would end the element.
fn inline(bytes: Vec<u8>, element: &str) -> String {
    let text = String::from_utf8(bytes).expect("the page's sources are UTF-8");
    let end = format!("</{element}");
    assert!(!text.to_lowercase().contains(&end), "the page's {element} contains `{end}`");
    text
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all bytes")
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
