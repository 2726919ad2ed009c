//! Embeds the page's bundle, `web/bundle/{engine.wasm.gz,page.js,page.css}`, in the library. `make
//! page` builds the bundle, and it is stored in the source tree: a build needs neither node nor
//! WebAssembly. Without the files the library has no bundle.
//!
//! `NUDGE_PAGE` names another folder with the three files.

use std::path::{Path, PathBuf};
use std::{env, fs};

const FILES: [&str; 3] = ["engine.wasm.gz", "page.js", "page.css"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=NUDGE_PAGE");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let folder = match env::var_os("NUDGE_PAGE") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
            .join("../../../web/bundle"),
    };
    let files = FILES.map(|name| folder.join(name));
    if files.iter().all(|file| file.is_file()) {
        for file in &files {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    } else if folder.is_dir() {
        // Cargo notices when a file appears in the folder. A missing file would rebuild this crate,
        // and all that depends on it, each time.
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    let bundle = match files.map(|file| fs::read(file).ok()) {
        [Some(engine), Some(script), Some(style)] => {
            let (script, style) = (inline(script, "script"), inline(style, "style"));
            write(&out.join("engine.wasm.gz"), &engine);
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

/// Returns a file's text for embedding in an element; panics if the text would end the element.
fn inline(bytes: Vec<u8>, element: &str) -> String {
    let text = String::from_utf8(bytes).expect("the page's sources are UTF-8");
    let end = format!("</{element}");
    assert!(!text.to_lowercase().contains(&end), "the page's {element} contains `{end}`");
    text
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
