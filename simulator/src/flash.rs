//! `nudge flash`: the saved games and logs in a flash image, as text files and back.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use boards::flash_files::{Content, Contents, Found, Image, file_name, kind_name, name, name_of};
use boards::saved_text::FILE_BYTES_MAX;
use firmware_core::rules::Player;
use firmware_core::storage::{Scores, Settings};
use firmware_core::systems::SYSTEMS;
use hal_mock::trace::did_you_mean;
use runner::Exit;

use crate::cli::{FlashExportArgs, FlashImage, FlashImportArgs, FlashVerb};

/// Carries out a verb of `nudge flash`.
pub fn flash(verb: FlashVerb, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let done = match verb {
        FlashVerb::Ls(args) => ls(&args),
        FlashVerb::Export(args) => export(&args),
        FlashVerb::Import(args) => import(&args),
    };
    match done {
        Ok(said) => {
            out.write_all(said.as_bytes())?;
            Ok(Exit::Passed)
        }
        Err(message) => {
            writeln!(err, "nudge: {message}")?;
            Ok(Exit::Usage)
        }
    }
}

/// The table of what is in the image.
fn ls(FlashImage { image }: &FlashImage) -> Result<String, String> {
    let Contents { found, damaged, room, settings, scores } = open(image)?.contents()?;
    let mut lines = vec![row("kind", "name", "system", "moves", "bytes")];
    for Found { name, kind, bytes, content } in &found {
        let (kind, name, bytes) = (kind_name(*kind), name.as_str(), bytes.to_string());
        lines.push(match content {
            Ok(content) => {
                let system = content.game().map_or("unknown", |game| game.system().name);
                row(kind, name, system, &content.moves().to_string(), &bytes)
            }
            Err(_) => row(kind, name, "damaged", "-", &bytes),
        });
    }
    if damaged > 0 {
        lines.push(format!("{damaged} more cannot be read"));
    }
    lines.push(String::new());
    lines.push(match settings {
        Ok(settings) => format!("settings  {}", told_settings(&settings)),
        Err(error) => format!("settings  cannot be read: {error}"),
    });
    lines.push(match scores {
        Ok(scores) => format!("scores    {}", told_scores(&scores)),
        Err(error) => format!("scores    cannot be read: {error}"),
    });
    lines.push(format!("room      {room} bytes for another game or log\n"));
    Ok(lines.join("\n"))
}

fn row(kind: &str, name: &str, system: &str, moves: &str, bytes: &str) -> String {
    format!("{kind:<8}  {name:<8}  {system:<10}  {moves:>6}  {bytes:>6}")
}

fn told_settings(settings: &Settings) -> String {
    let on_off = |on| if on { "on" } else { "off" };
    let first = match settings.first {
        None => "open",
        Some(Player::Bottom) => "bottom",
        Some(Player::Top) => "top",
    };
    let (players, level) = (settings.players.name(), settings.level.name());
    format!(
        "game {}, seed {}, first {first}, stones {}, bidirectional {}, players {players}, level \
         {level}, thoughts {}, sound {}",
        settings.game.system().name,
        settings.seed,
        settings.stones,
        on_off(settings.bidirectional),
        on_off(settings.thoughts),
        on_off(settings.sound)
    )
}

/// Bottom's total and Top's, for each system.
fn told_scores(scores: &Scores) -> String {
    let told = SYSTEMS.map(|system| {
        let [bottom, top] = scores.of(system.game);
        format!("{} {bottom}-{top}", system.name)
    });
    told.join(", ")
}

/// Writes saved games and logs as text files; what was written.
fn export(args: &FlashExportArgs) -> Result<String, String> {
    let image = args.image.display();
    let mut found = open(&args.image)?.contents()?.found;
    if let Some(wanted) = &args.name {
        let wanted = name(wanted)?;
        let names: Vec<String> = found.iter().map(|found| found.name.to_string()).collect();
        found.retain(|found| found.name == wanted);
        if found.is_empty() {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let near = did_you_mean(wanted.as_str(), &names);
            return Err(format!("{image}: no saved game or log is called {wanted}{near}"));
        }
    }
    if found.is_empty() {
        return Err(format!("{image}: there is no saved game and no log in it"));
    }
    // Everything is looked at before the first file is written.
    let mut texts = Vec::new();
    for Found { name, kind, content, .. } in &found {
        let path = args.out.join(file_name(*kind, *name));
        if !args.force && fs::symlink_metadata(&path).is_ok() {
            let path = path.display();
            return Err(format!("{path}: is there already; overwrite it by --force"));
        }
        if let Ok(content) = content {
            texts.push((path, content.to_text()));
        }
    }
    fs::create_dir_all(&args.out)
        .map_err(|error| format!("{}: cannot be made: {error}", args.out.display()))?;
    let mut said = String::new();
    for (path, text) in &texts {
        write_file(path, text, args.force)?;
        said.push_str(&format!("wrote {}\n", path.display()));
    }
    match found.iter().find_map(|found| found.content.as_ref().err().map(|why| (found, why))) {
        None => Ok(said),
        Some((Found { name, kind, .. }, why)) => {
            let kind = kind_name(*kind);
            let others = if texts.is_empty() { "" } else { "; the others were written" };
            Err(format!("{image}: the {kind} {name} cannot be read: {why}{others}"))
        }
    }
}

/// Writes a file that, unless `over`, must not be there even by now.
fn write_file(path: &Path, text: &str, over: bool) -> Result<(), String> {
    let mut options = OpenOptions::new();
    if over {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let written =
        options.write(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}

/// Puts text files into the image; what is in it now.
fn import(args: &FlashImportArgs) -> Result<String, String> {
    if args.name.is_some() && args.files.len() > 1 {
        return Err("--name names one file; import several one by one".into());
    }
    let mut image = Image::open(&args.image)?.unwrap_or_else(Image::factory_new);
    let mut put: BTreeSet<String> = BTreeSet::new();
    let mut said = String::new();
    for path in &args.files {
        let content = content(path)?;
        let name = match &args.name {
            Some(given) => name(given)?,
            None => name_of(path)?,
        };
        let kind = kind_name(content.kind());
        let shown = path.display();
        if !put.insert(file_name(content.kind(), name)) {
            return Err(format!("{shown}: another of these files is the {kind} {name} as well"));
        }
        if !args.force && image.has(content.kind(), name)? {
            let image = args.image.display();
            return Err(format!(
                "{image}: there is a {kind} {name} already; replace it by --force"
            ));
        }
        image.put(name, &content)?;
        said.push_str(&format!("{shown}: is the {kind} {name}\n"));
    }
    image.keep(&args.image)?;
    Ok(said)
}

/// What the text file at `path` says.
fn content(path: &Path) -> Result<Content, String> {
    let name = path.display().to_string();
    let mut text = String::new();
    File::open(path)
        // One byte more than allowed, so that the parser sees that it is too much.
        .and_then(|file| file.take(FILE_BYTES_MAX as u64 + 1).read_to_string(&mut text))
        .map_err(|error| format!("{name}: cannot be read: {error}"))?;
    Content::from_text(&name, &text)
}

/// The image in a file that is there.
fn open(path: &Path) -> Result<Image, String> {
    Image::open(path)?.ok_or_else(|| format!("{}: no such file", path.display()))
}
