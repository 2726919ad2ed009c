//! A profile as a flame graph: the width of a bar is a function's cycles, and it stands on its caller.
//!
//! Plain SVG without scripts; a browser shows a bar's function, cycles and share in a tooltip. The
//! library `inferno` is not used, because its licence differs from this project's.

use std::io::{self, Write};

use crate::profile::{Node, Profiler};

const WIDTH: f64 = 1200.0;
const ROW: usize = 18;
/// The narrowest bar that is drawn, in pixels.
const NARROWEST: f64 = 0.3;
/// The width of a letter, in pixels.
const LETTER: f64 = 7.0;

/// Writes the flame graph.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(out: &mut dyn Write, profile: &Profiler<'_>) -> io::Result<()> {
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
        // A stack of what is still to be drawn: node, row, left edge.
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
    let height = rows * ROW;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"12\">"
    )?;
    for (number, row, x, width) in bars {
        let y = height - (row + 1) * ROW;
        bar(out, &nodes[number], cycles[number], all, (x, y, width))?;
    }
    writeln!(out, "</svg>")
}

fn bar(
    out: &mut dyn Write,
    node: &Node,
    cycles: u64,
    all: u64,
    (x, y, width): (f64, usize, f64),
) -> io::Result<()> {
    let percent = cycles as f64 * 100.0 / all.max(1) as f64;
    let name = escaped(&node.name);
    let colour = hue(&node.name);
    writeln!(
        out,
        "<g><title>{name}: {cycles} cycles, {percent:.2} %</title><rect x=\"{x:.2}\" y=\"{y}\" \
         width=\"{width:.2}\" height=\"{}\" fill=\"hsl({colour},75%,65%)\"/>",
        ROW - 1
    )?;
    let letters = (width / LETTER) as usize;
    if letters >= 3 {
        let shown: String = node.name.chars().take(letters).collect();
        let (x, y) = (x + 2.0, y + 13);
        writeln!(out, "<text x=\"{x:.2}\" y=\"{y}\">{}</text>", escaped(&shown))?;
    }
    writeln!(out, "</g>")
}

/// The hue of a function, in degrees: warm, and the same in every picture.
fn hue(name: &str) -> u32 {
    name.bytes().fold(7, |hash: u32, byte| hash.wrapping_mul(31).wrapping_add(byte.into())) % 60
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
