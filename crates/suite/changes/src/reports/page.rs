//! A comparison as a page: one HTML file that needs no other file and no network. Each group of
//! equal differences has one pair of pictures, with the difference boxed and enlarged.
//!
//! **Invariant:** all text from files passes through [`escaped`]. The page's content security
//! policy forbids it all network access.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use escape::html::escaped;
use escape::terminal::plain;
use host::output_files::{Output, OutputError, OutputFile};
use ili9341_model::Region;
use runner::{PAGE_LIST_SCRIPT, PAGE_STYLE, quoted};
use virtual_time::spoken;

use super::{
    closing, companions, console_change, count, examples, first_seen, headline, how_often,
    sections, thousands,
};
use crate::summary::{Group, Summary};

const STYLE: &str = include_str!("page/changes.css");
const SCRIPT: &str = include_str!("page/changes.js");
/// Number of groups that are open at first.
const OPEN_AT_FIRST: usize = 12;
/// Maximum number of picture bytes on a page; browsers stay fast below it.
const PICTURE_BYTES_MAX: usize = 24 << 20;

const BEGINNING: &str = "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
    <meta name=generator content=\"nudge replay --against\">\n";

/// Opens `DIR/index.html` before anything runs. An earlier page of the kind is replaced.
///
/// # Errors
/// If the file cannot be written, or is of another kind and `force` is false.
pub fn open(folder: &Path, force: bool) -> Result<OutputFile, OutputError> {
    host::output_files::create_folder(folder)?;
    let is_page = |head: &[u8]| head.starts_with(BEGINNING.as_bytes());
    Output::new(folder.join("index.html")).replace_like(is_page).replace(force).create()
}

/// Writes the page into `file`, moves it into place and returns its path. `board` is the `--board`
/// argument of the commands on the page, if any.
///
/// # Errors
/// If the page cannot be written.
pub fn write(
    mut file: OutputFile,
    summary: &Summary,
    board: Option<&str>,
) -> Result<PathBuf, OutputError> {
    let path = file.path().to_owned();
    file.fill(head(summary).as_bytes())?;
    let mut bytes = 0;
    for (number, group) in summary.groups.iter().enumerate() {
        file.fill(card(group, number, board, &mut bytes).as_bytes())?;
    }
    file.fill(tail(summary).as_bytes())?;
    file.commit()?;
    Ok(path)
}

fn head(summary: &Summary) -> String {
    let said = headline(summary);
    let firmware = ["before", "after"].iter().zip(&summary.firmware).map(|(side, firmware)| {
        format!("<p class=firmware><b>{side}</b> {}</p>\n", text(firmware))
    });
    let sum = |number: u64, [one, more]: [&str; 2]| {
        let what = if number == 1 { one } else { more };
        format!("<li><b>{}</b> {what}</li>", thousands(number))
    };
    format!(
        "{BEGINNING}<meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; img-src data:; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=color-scheme content=\"light dark\">\n\
         <title>nudge replay --against: {said}</title>\n<style>\n{PAGE_STYLE}\n{STYLE}</style>\n</head>\n\
         <body>\n<header>\n<div class=top><h1>What the change alters</h1>\
         <button type=button id=theme aria-label=\"Light or dark\">◐</button></div>\n\
         <p class=said>{said}</p>\n<ul class=sums>{}{}{}{}</ul>\n{}\
         <form id=filter role=search><label>Filter <input id=text type=search \
         placeholder=\"part of a text or a path\" autocomplete=off></label>\n\
         <span class=keys><kbd>/</kbd> filter <kbd>n</kbd> <kbd>p</kbd> next, previous change\
         </span></form>\n</header>\n<main>\n<ol id=groups>\n",
        sum(summary.groups.len() as u64, ["cause", "causes"]),
        sum(summary.frames_changed, ["settled frame", "settled frames"]),
        sum(summary.traces_changed, ["trace", "traces"]),
        sum(
            summary.console.iter().map(|group| group.lines).sum(),
            ["console line", "console lines"]
        ),
        firmware.collect::<String>(),
    )
}

/// Returns a group's card: what differs, the counts, the first occurrence, and the pictures.
fn card(group: &Group, number: usize, board: Option<&str>, bytes: &mut usize) -> String {
    let open = if number < OPEN_AT_FIRST { " open" } else { "" };
    let example = &group.example;
    let mut card = format!(
        "<li class=group id=c{}><details{open}><summary><span class=often>{}</span>\
         <span class=what>{}</span></summary>\n",
        number + 1,
        how_often(group),
        text(&group.cause.to_string()),
    );
    push(&mut card, format_args!("<p class=more>{}</p>\n", text(&examples(group))));
    let size: usize = example.pictures.iter().flatten().map(|png| png.len()).sum();
    if *bytes + size > PICTURE_BYTES_MAX {
        card += "<p class=more>Its pictures are left out: there are too many for one page. \
                 <code>--filter</code> makes it smaller.</p>\n";
    } else if size > 0 {
        *bytes += size;
        let [left, top, width, height] = percents(example.region);
        // A box around the whole panel carries no information.
        let boxes = if example.region == Region::PANEL { "off" } else { "on" };
        push(
            &mut card,
            format_args!(
                "<div class=pair data-boxes={boxes} data-region=\"{}\" style=\"--l:{left:.3}%;--t:{top:.3}%;\
                 --w:{width:.3}%;--h:{height:.3}%\">\n",
                example.region
            ),
        );
        for (side, png) in ["before", "after"].iter().zip(&example.pictures) {
            let Some(png) = png else { continue };
            let png = STANDARD.encode(png);
            push(
                &mut card,
                format_args!(
                    "<figure class={side}><div class=lcd><img alt=\"The LCD {side} the change\" \
                     src=\"data:image/png;base64,{png}\"><i class=box></i></div>\
                     <figcaption>{side}</figcaption></figure>\n"
                ),
            );
        }
        card += "</div>\n";
    }
    push(&mut card, format_args!("<p class=more>First in {}.", text(&first_seen(group))));
    if group.traces > 1 {
        let others: Vec<String> = group.named.iter().skip(1).map(|name| text(name)).collect();
        let more = group.traces.saturating_sub(group.named.len() as u64);
        let more =
            if more > 0 { format!(" and {}", count(more, "more trace")) } else { String::new() };
        push(&mut card, format_args!(" Also in {}{more}.", others.join(", ")));
    }
    card += "</p>\n";
    for line in companions(group) {
        push(&mut card, format_args!("<p class=more>{}</p>\n", text(&line)));
    }
    if example.pictures[1].is_some() {
        let board = board.map(|board| format!(" --board {}", quoted(board))).unwrap_or_default();
        let trace = group.named.first().map(|name| quoted(name)).unwrap_or_default();
        let at = spoken(example.at.since_start()).replace(' ', "");
        let Region { x, y, width, height } = example.region;
        let pixel = format!("{},{}", x + width / 2, y + height / 2);
        let command = format!("nudge trace why {trace} --at {at} --pixel {pixel}{board}");
        push(
            &mut card,
            format_args!(
                "<p class=again><span>What drew it</span> <code>{}</code> \
                 <button type=button class=copy>Copy</button></p>\n",
                text(&command)
            ),
        );
    }
    card + "</details></li>\n"
}

fn percents(region: Region) -> [f64; 4] {
    let part = |length: u16, of: u16| f64::from(length) * 100.0 / f64::from(of);
    let Region { width, height, .. } = Region::PANEL;
    [
        part(region.x, width),
        part(region.y, height),
        part(region.width, width),
        part(region.height, height),
    ]
}

fn tail(summary: &Summary) -> String {
    let mut tail = "</ol>\n<p id=none hidden>Nothing matches the filter.</p>\n".to_owned();
    if summary.groups.is_empty() {
        tail += "<p class=empty>No settled frame differs.</p>\n";
    }
    if !summary.console.is_empty() {
        tail += "<section class=other><h2>Console lines</h2>\n<table>\n";
        for group in &summary.console {
            push(
                &mut tail,
                format_args!(
                    "<tr><td>{}</td><td>{} of {}; first in {}</td></tr>\n",
                    text(&console_change(&group.change)),
                    count(group.lines, "line"),
                    count(group.traces, "trace"),
                    text(&group.first)
                ),
            );
        }
        tail += "</table></section>\n";
    }
    for section in sections(summary) {
        let (heading, sum) = (section.heading, text(&section.sum));
        push(
            &mut tail,
            format_args!("<section class=other><h2>{heading}</h2><p>{sum}</p>\n<table>\n"),
        );
        for (path, words) in &section.rows {
            let (path, words) = (text(path), text(words));
            push(&mut tail, format_args!("<tr><td class=name>{path}</td><td>{words}</td></tr>\n"));
        }
        tail += "</table></section>\n";
    }
    for line in closing(summary) {
        push(&mut tail, format_args!("<p class=more>{}</p>\n", text(&line)));
    }
    push(
        &mut tail,
        format_args!("</main>\n<script>\n{PAGE_LIST_SCRIPT}{SCRIPT}</script>\n</body>\n</html>\n"),
    );
    tail
}

/// Returns text from a file on one line, escaped.
fn text(text: &str) -> String {
    escaped(&plain(text))
}

fn push(card: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = card.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn page(summary: &Summary) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = open(&folder.path().join("page"), false).unwrap();
        let path = write(file, summary, Some("pico=a b.elf")).unwrap();
        // The next run replaces the page.
        drop(open(&folder.path().join("page"), false).unwrap());
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn file_text_is_never_markup_and_the_page_is_self_contained() {
        let page = page(&samples::summary("<script>x</script>\"'&"));
        assert_eq!(page.matches("<script").count(), 1, "{page}");
        for text in [STYLE, SCRIPT, PAGE_STYLE] {
            assert!(!text.contains("http") && !text.contains("@import") && !text.contains("url("));
        }
        assert_eq!(page.matches("src=\"data:image/png;base64,").count(), 4);
        assert!(page.contains("--l:3.125%;--t:8.333%;--w:9.375%;--h:3.333%"), "{page}");
        let command = "--at 1.5s --pixel 25,24 --board &#39;pico=a b.elf&#39;</code>";
        assert!(page.contains(command), "{page}");
    }

    #[test]
    fn one_of_a_kind_is_counted_in_the_singular() {
        let mut summary = samples::summary("x");
        (summary.frames_changed, summary.console[0].lines) = (1, 1);
        let page = page(&summary);
        for sum in ["2</b> causes", "1</b> settled frame", "1</b> trace", "1</b> console line"] {
            assert!(page.contains(&format!("<li><b>{sum}</li>")), "{sum}: {page}");
        }
    }

    #[test]
    fn a_page_without_changes_reports_none() {
        let page = page(&Summary { traces: 3, frames: 9, ..Summary::default() });
        assert!(page.contains("No settled frame differs."), "{page}");
        assert!(page.contains("nothing differs in 3 traces with 9 settled frames"), "{page}");
    }
}
