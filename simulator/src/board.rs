//! `nudge board`: checks, draws and imports board files.

use std::io::{self, Write};
use std::path::Path;

use board_file::{BoardFile, BoardFileError, LCD_BOARD};
use boards::described::images::{self, ImageError, ImageReport};
use host::{Exit, output_files::Output};
use serde_json::{Value as Json, json};

use crate::cli::{BoardCheckArgs, BoardImportArgs, BoardSchemaArgs, BoardShowArgs, BoardVerb};

/// Name of the built-in board in messages.
const BUILT_IN: &str = "lcd-board.board.toml";

/// Executes a verb of `nudge board`.
///
/// # Errors
/// If `out` or `err` cannot be written.
pub fn board(verb: &BoardVerb, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match verb {
        BoardVerb::Check(args) => check(args, out, err),
        BoardVerb::Show(args) => show(args, out, err),
        BoardVerb::Schema(args) => schema(args, out),
        BoardVerb::Import(args) => import(args, out, err),
    }
}

/// Returns the board of a file, or the built-in one.
fn open(file: Option<&Path>) -> Result<BoardFile, BoardFileError> {
    match file {
        Some(path) => board_file::load(path),
        None => Ok(board_file::parse(BUILT_IN, LCD_BOARD)?),
    }
}

fn check(args: &BoardCheckArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let files: Vec<Option<&Path>> = if args.files.is_empty() {
        vec![None]
    } else {
        args.files.iter().map(|path| Some(path.as_path())).collect()
    };
    let (mut exit, mut reports) = (Exit::Passed, Vec::new());
    for (at, file) in files.into_iter().enumerate() {
        let name = file.map_or(BUILT_IN.to_owned(), |path| path.display().to_string());
        let board = open(file);
        let images = match &board {
            Ok(board) => images_of(board, file),
            Err(_) => Ok(Vec::new()),
        };
        if board.is_err() || images.is_err() {
            exit = Exit::Usage;
        }
        if args.json {
            reports.push(report(&name, file, &board, &images));
            continue;
        }
        match board {
            Ok(board) => {
                let gap = if at == 0 { "" } else { "\n" };
                writeln!(out, "{gap}{name}: {}, rp2040, {} of flash", board.name.0, board.flash)?;
                write!(out, "{}", board_file::table(&board))?;
                match images {
                    Ok(images) => {
                        for image in images {
                            writeln!(out, "{image}")?;
                        }
                        for note in notes_of(&board, file) {
                            writeln!(err, "{name}: note: {note}")?;
                        }
                    }
                    Err(error) => writeln!(err, "{name}: {error}")?,
                }
            }
            Err(error) => writeln!(err, "{error}")?,
        }
    }
    if args.json {
        writeln!(out, "{:#}", Json::Array(reports))?;
    }
    Ok(exit)
}

/// Returns the notes on a board without an error.
fn notes_of(board: &BoardFile, file: Option<&Path>) -> Vec<String> {
    let folder = file.and_then(Path::parent).unwrap_or(Path::new(""));
    let program = board.program.iter().map(|program| folder.join(&program.0));
    let missing = program.filter(|path| !path.exists()).map(|path| {
        format!(
            "there is no {}; `program` is relative to the folder of the board file",
            path.display()
        )
    });
    let of_pins = board_file::notes(board).into_iter().map(|note| note.to_string());
    missing.chain(of_pins).collect()
}

/// Reads the images of the SPI flashes and SD cards of a board.
fn images_of(board: &BoardFile, file: Option<&Path>) -> Result<Vec<ImageReport>, ImageError> {
    images::images(board, file.and_then(Path::parent).unwrap_or(Path::new("")))
}

/// Returns an image as JSON.
fn image_json(image: &ImageReport) -> Json {
    let volume = image.volume.as_ref().map(|volume| {
        let entries =
            volume.entries.iter().map(|entry| json!({ "name": entry.name, "bytes": entry.bytes }));
        json!({
            "kind": volume.kind.to_string(),
            "label": volume.label,
            "entries": entries.collect::<Vec<_>>(),
            "others": volume.others,
        })
    });
    json!({
        "part": image.part,
        "path": image.path,
        "bytes": image.bytes,
        "size": image.size,
        "volume": volume,
    })
}

/// Returns the parts and images, or the errors of a file as JSON.
fn report(
    name: &str,
    file: Option<&Path>,
    board: &Result<BoardFile, BoardFileError>,
    images: &Result<Vec<ImageReport>, ImageError>,
) -> Json {
    match board {
        Ok(board) => match images {
            Ok(images) => json!({
                "file": name,
                "board": board_file::json(board),
                "images": images.iter().map(image_json).collect::<Vec<_>>(),
                "notes": notes_of(board, file),
            }),
            Err(error) => {
                json!({ "file": name, "errors": [{ "message": error.to_string() }], "more": 0 })
            }
        },
        Err(BoardFileError::Parse(errors)) => {
            let error = |error: &board_file::BoardError| {
                json!({
                    "line": error.line,
                    "column": error.column,
                    "message": error.kind.to_string(),
                })
            };
            let list: Vec<Json> = errors.list().iter().map(error).collect();
            json!({ "file": name, "errors": list, "more": errors.more() })
        }
        Err(error @ BoardFileError::Read { .. }) => {
            json!({ "file": name, "errors": [{ "message": error.to_string() }], "more": 0 })
        }
    }
}

fn show(args: &BoardShowArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match open(args.file.as_deref()) {
        Ok(board) => {
            write!(out, "{}", board_file::face_text(&board))?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "{error}")?;
            Ok(Exit::Usage)
        }
    }
}

fn schema(args: &BoardSchemaArgs, out: &mut dyn Write) -> io::Result<Exit> {
    if args.markdown {
        write!(out, "{}", board_file::reference())?;
    } else {
        writeln!(out, "{:#}", board_file::json_schema())?;
    }
    Ok(Exit::Passed)
}

fn import(args: &BoardImportArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let imported = match board_file::import::load(&args.from) {
        Ok(imported) => imported,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let path = args.output();
    let written = Output::new(&path).replace(args.force).write(imported.text.as_bytes());
    if let Err(error) = written {
        writeln!(err, "nudge: {error}")?;
        return Ok(Exit::Usage);
    }
    for loss in &imported.losses {
        writeln!(err, "not carried over: {}: {loss}", args.from.display())?;
    }
    writeln!(out, "wrote {}", path.display())?;
    // The file is checked as a person would check it: what is missing has its line.
    match board_file::parse(&path.display().to_string(), &imported.text) {
        Ok(_) => Ok(Exit::Passed),
        Err(errors) => {
            writeln!(err, "the board file is not complete yet:\n{errors}")?;
            Ok(Exit::Failed)
        }
    }
}
