//! A profile as a flame graph: the width of a bar is the number of a function's cycles, and each
//! bar is above its caller.
//!
//! The graph is an SVG that needs no other file. A browser shows a bar's function, cycles and share
//! in a tooltip. Its script (`flame_graph.js`) widens a clicked bar to the whole picture, and
//! searches. A picture viewer shows the whole graph. The library `inferno` is not used, because
//! this project does not permit its licence, the CDDL.

use std::io::{self, Write};

use escape::xml::markup;

use crate::profile::{Node, Profile};

const WIDTH: f64 = 1200.0;
const ROW: usize = 18;
/// Width of the narrowest bar that is drawn, in pixels.
const NARROWEST: f64 = 0.3;
/// Width of a letter, in pixels.
const LETTER: f64 = 7.0;
/// Height of the line above the bars, in pixels.
const HEAD: usize = 24;
const STYLE: &str = ".bar{cursor:pointer}.bar:hover rect{stroke:#000}.found rect{fill:#c0f}\
                     #keys{display:none;cursor:pointer;text-decoration:underline}";
const SCRIPT: &str = include_str!("flame_graph.js");

/// Writes the flame graph.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(out: &mut dyn Write, profile: &Profile) -> io::Result<()> {
    let nodes = profile.nodes();
    let cycles = profile.inclusive();
    let all: u64 = cycles[..2].iter().sum();
    let scale = WIDTH / all.max(1) as f64;
    let mut callees: Vec<Vec<usize>> = vec![vec![]; nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            callees[parent].push(number);
        }
    }
    let mut bars = vec![];
    let mut left = 0.0;
    for core in [0, 1] {
        // Stack of the bars that are still to be drawn: node, row, left edge.
        let mut open = vec![(core, 0, left)];
        while let Some((number, row, mut x)) = open.pop() {
            let width = cycles[number] as f64 * scale;
            if width >= NARROWEST {
                bars.push((number, row, x, width));
                for &callee in &callees[number] {
                    open.push((callee, row + 1, x));
                    x += cycles[callee] as f64 * scale;
                }
            }
        }
        left += cycles[core] as f64 * scale;
    }
    let rows = bars.iter().map(|(_, row, ..)| row + 1).max().unwrap_or(1);
    let height = rows * ROW + HEAD;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"monospace\" font-size=\"12\">\n<style>{STYLE}</style>"
    )?;
    writeln!(
        out,
        "<text id=\"said\" x=\"2\" y=\"14\">{all} cycles</text>\n\
         <g id=\"keys\"><text id=\"whole\" tabindex=\"0\" role=\"button\" x=\"980\" y=\"14\">whole</text>\
         <text id=\"search\" tabindex=\"0\" role=\"button\" x=\"1100\" y=\"14\">search</text></g>"
    )?;
    for (number, row, x, width) in bars {
        let y = height - (row + 1) * ROW;
        bar(out, &nodes[number], cycles[number], all, (x, y, width))?;
    }
    writeln!(out, "<script><![CDATA[{SCRIPT}]]></script>\n</svg>")
}

fn bar(
    out: &mut dyn Write,
    node: &Node,
    cycles: u64,
    all: u64,
    (x, y, width): (f64, usize, f64),
) -> io::Result<()> {
    let percent = cycles as f64 * 100.0 / all.max(1) as f64;
    let name = markup(&node.name);
    let colour = hue(&node.name);
    writeln!(
        out,
        "<g class=\"bar\" data-x=\"{x:.2}\" data-w=\"{width:.2}\" data-n=\"{name}\" data-c=\"{cycles}\">\
         <title>{name}: {cycles} cycles, {percent:.2} %</title><rect x=\"{x:.2}\" y=\"{y}\" \
         width=\"{width:.2}\" height=\"{}\" fill=\"hsl({colour},75%,65%)\"/>",
        ROW - 1
    )?;
    let letters = (width / LETTER) as usize;
    let shown =
        if letters >= 3 { node.name.chars().take(letters).collect() } else { String::new() };
    let (x, y) = (x + 2.0, y + 13);
    writeln!(out, "<text x=\"{x:.2}\" y=\"{y}\">{}</text></g>", markup(&shown))
}

/// Returns the hue of a function, in degrees: warm, and the same in every picture.
fn hue(name: &str) -> u32 {
    name.bytes().fold(7, |hash: u32, byte| hash.wrapping_mul(31).wrapping_add(byte.into())) % 60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup_and_the_picture_searches_and_zooms() {
        let mut profile = Profile::default();
        profile
            .add(&Profile::of(&[(0, "core::<\"x\">&\n\x1b\u{202E}\u{FFFE}", 3), (2, "callee", 1)]));
        let mut out = Vec::new();
        write(&mut out, &profile).unwrap();
        let svg = String::from_utf8(out).unwrap();
        assert!(svg.contains("data-n=\"core::&lt;&quot;x&quot;&gt;&amp;\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\" data-c=\"4\""), "{svg}");
        assert!(svg.contains("data-x=\"0.00\" data-w=\"300.00\" data-n=\"callee\""), "{svg}");
        assert_eq!(svg.matches("class=\"bar\"").count(), 3, "{svg}");
        assert!(svg.contains("id=\"search\"") && !SCRIPT.contains("]]>"), "{svg}");
    }
}
