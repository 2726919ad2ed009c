//! Compares the WebAssembly module with this computer: both must give the same frames, texts, tones
//! and console lines, at the same times, for this run's part of the traces of `tests/` on `native`,
//! and a few on `pico`.
//!
//! The test needs node, `scripts/page.sh unpack` and `make firmware`: scripts/page-same.sh runs it.

#[path = "../../tests/src/part.rs"]
#[expect(dead_code, reason = "its other readers need more of it")]
mod part;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nudge_web::Engine;
use part::Part;
use serde_json::{Value, json};

/// Traces that are replayed on `pico`; short ones, because the chip is emulated.
const ON_PICO: [&str; 2] = ["backlight.trace", "faults/power-cut.trace"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the path of a file that `make` has built in Cargo's target folder.
fn built(name: &str) -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let file = target.join(name);
    assert!(
        file.is_file(),
        "there is no {}: run `scripts/page.sh unpack` and `make firmware`",
        file.display()
    );
    file
}

/// Returns the paths of the files below `folder`, with `/`.
fn files(folder: &Path) -> Vec<String> {
    let (mut folders, mut found) = (vec![String::new()], Vec::new());
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(folder.join(&below)).expect("a folder").flatten() {
            let name = format!("{below}{}", entry.file_name().to_str().expect("a name"));
            if entry.path().is_dir() {
                folders.push(format!("{name}/"));
            } else {
                found.push(name);
            }
        }
    }
    found.sort();
    found
}

/// Returns the relative path from `folder` (empty, or with a `/` at its end) to `file`; both have a
/// common root.
fn relative(folder: &str, file: &str) -> String {
    let folders: Vec<&str> = folder.split_terminator('/').collect();
    let parts: Vec<&str> = file.split('/').collect();
    let shared = folders.iter().zip(&parts).take_while(|(one, other)| one == other).count();
    "../".repeat(folders.len() - shared) + &parts[shared..].join("/")
}

/// Returns the line that `digests.mjs` writes for `trace`.
fn digest(folder: &Path, files: &[String], trace: &str, elf: Option<&[u8]>) -> String {
    let own = trace.rfind('/').map_or("", |slash| &trace[..=slash]);
    let beside = |file: &&String| file.starts_with(own) && !file[own.len()..].contains('/');
    let goldens = format!("{}/", trace.trim_end_matches(".trace"));
    let mut handed: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    let mut hand = |bytes: Vec<u8>| {
        let (ptr, len) = (handed.len() as u64 + 1, bytes.len());
        handed.insert(ptr, bytes);
        json!({"ptr": ptr, "len": len})
    };
    let read = |file: &str| fs::read(folder.join(file)).expect("a file");
    let mut included = json!({});
    for file in files.iter().filter(|file| file.ends_with(".inc")) {
        included[relative(own, file)] = json!(String::from_utf8(read(file)).expect("a text"));
    }
    let mut blobs = json!({});
    let is_blob = |file: &&String| {
        file.ends_with(".flash") && beside(file)
            || file.starts_with(&goldens) && (file.ends_with(".png") || file.ends_with(".frames"))
    };
    for file in files.iter().filter(is_blob) {
        blobs[&file[own.len()..]] = hand(read(file));
    }
    let elf = elf.map(|elf| hand(elf.to_vec()));
    let name = &trace[own.len()..];
    let text = String::from_utf8(read(trace)).expect("a text");
    let board = if elf.is_some() { "pico" } else { "native" };
    let request = json!({
        "do": "open", "board": board, "elf": elf, "name": name, "trace": text, "files": included,
        "blobs": blobs,
    });
    let mut engine = Engine::new();
    let mut ask = |request: Value| -> Value {
        let request = request.to_string().into_bytes();
        let answer = engine.call(&request, &mut |ptr, _| handed.remove(&ptr));
        serde_json::from_slice(&answer).expect("an answer is JSON")
    };
    let opened = ask(request);
    assert_eq!(opened["errors"], json!([]), "{trace}: {opened}");
    let digest = ask(json!({"do": "digest", "session": opened["session"]}));
    let fields = digest.as_object().expect("a digest").iter();
    let mut fields: Vec<String> = fields
        .map(|(name, value)| format!("{name}={}", value.to_string().trim_matches('"')))
        .collect();
    fields.sort();
    format!("{trace} {}", fields.join(" "))
}

/// Replays the traces in the module and on this computer, and compares their digests.
#[track_caller]
fn check(traces: &[String], elf: Option<PathBuf>) {
    let folder = root().join("tests/traces");
    let files = files(&folder);
    let mut node = Command::new("node");
    node.arg(root().join("web/tests/digests.mjs")).arg(built("page/engine.wasm")).arg(&folder);
    if let Some(elf) = &elf {
        node.arg(format!("pico={}", elf.display()));
    }
    let node = node.args(traces).stdout(Stdio::piped()).spawn().expect("node runs");
    let program = elf.map(|elf| fs::read(elf).expect("a program"));
    let here: Vec<String> =
        traces.iter().map(|trace| digest(&folder, &files, trace, program.as_deref())).collect();
    let there = node.wait_with_output().expect("node ends");
    assert!(there.status.success(), "{}", there.status);
    let there = String::from_utf8(there.stdout).expect("a text");
    let there: Vec<&str> = there.lines().collect();
    let differs = |(here, there): &(&String, &&str)| here != there;
    let differences: Vec<_> = here.iter().zip(&there).filter(differs).collect();
    assert!(differences.is_empty(), "{} differ: {differences:#?}", differences.len());
    assert_eq!(here.len(), there.len());
}

#[test]
fn every_trace_is_the_same_in_the_module() {
    let mut traces = files(&root().join("tests/traces"));
    traces.retain(|file| file.ends_with(".trace"));
    assert!(traces.len() > 200, "only {} traces", traces.len());
    let traces: Vec<String> = Part::of_this_run().pick(traces).collect();
    check(&traces, None);
}

#[test]
fn the_emulated_chip_is_the_same_in_the_module() {
    check(&ON_PICO.map(str::to_owned), Some(built("firmware/nudge-pico.elf")));
}
