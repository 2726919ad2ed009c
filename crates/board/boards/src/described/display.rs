//! The display of a described board: its controller's table, and the mounting of its panel.

use std::path::Path;

use board_file::bus::Bus;
use board_file::panels::Panel;
use board_file::parts::{Display, Mirror, Rotation, Subpixels};
use board_file::rule_names::RuleName;
use hal_mock::board::DisplayConfig;
use ili9341_model::{Region, Wires};
use panel_tables::{self, Family, ILI9341, Module, Mounting, Rule, Table, read};

use super::BoardFiles;
use super::error::DescribedError;

/// Returns the display. Tables that are files are in `folder`, and `hash` gets their content.
pub(super) fn config(
    display: &Display,
    permit: &[RuleName],
    folder: &Path,
    files: &mut dyn BoardFiles,
    hash: &mut impl FnMut(&[u8]),
) -> Result<DisplayConfig, DescribedError> {
    let table = match &display.panel {
        // Every panel of board files has a table, which a test checks.
        Panel::BuiltIn(panel) => panel_tables::by_name(panel.name).unwrap_or(&ILI9341),
        Panel::Table(path) => own_table(&folder.join(path), files, hash)?,
    };
    let module = module(display, table)?;
    let is_serial = matches!(display.bus, Bus::Spi4 | Bus::Spi3);
    let wires = Wires {
        is_serial,
        has_reset: display.rst.is_some(),
        is_filter_known: display.subpixels.is_some(),
    };
    let is_permitted = |rule: &&Rule| permit.iter().any(|RuleName(name)| *name == rule.name());
    let permitted = Rule::ALL.iter().filter(is_permitted).fold(0, |bits, rule| bits | rule.bit());
    Ok(DisplayConfig { table, module, wires, permitted })
}

/// Returns the whole panel.
pub(super) fn panel(display: &DisplayConfig) -> Region {
    let (width, height) = display.module.size();
    let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    Region { x: 0, y: 0, width: side(width), height: side(height) }
}

fn own_table(
    path: &Path,
    files: &mut dyn BoardFiles,
    hash: &mut impl FnMut(&[u8]),
) -> Result<&'static Table, DescribedError> {
    let unreadable = |source| DescribedError::TableUnreadable { path: path.to_owned(), source };
    let bytes = files.data(path, read::SIZE_MAX + 1).map_err(unreadable)?;
    hash(&bytes);
    let text = String::from_utf8_lossy(&bytes);
    read::load(&text).map_err(|source| DescribedError::Table { path: path.to_owned(), source })
}

/// Returns the mounting of the panel.
fn module(display: &Display, table: &Table) -> Result<Module, DescribedError> {
    let (offset, usual) = (display.offset, &table.module);
    let size = display
        .size
        .map_or((usual.columns.into(), usual.lines.into()), |size| (size.width, size.height));
    let fits = |first: u32, length: u32, limit: u16| {
        first.checked_add(length).is_some_and(|end| length > 0 && end <= limit.into())
    };
    if !fits(offset.x, size.0, table.columns) || !fits(offset.y, size.1, table.lines) {
        return Err(DescribedError::Glass {
            size,
            offset: (offset.x, offset.y),
            title: table.title.to_string(),
            columns: table.columns,
            lines: table.lines,
        });
    }
    // The glass fits into the memory, whose sides have at most 512 pixels.
    let short = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
    Ok(Module {
        columns: short(size.0),
        lines: short(size.1),
        first_column: short(offset.x),
        first_line: short(offset.y),
        mounting: mounting(table, display.rotation, display.mirror),
        is_bgr: match display.subpixels {
            None => usual.is_bgr,
            Some(order) => order == Subpixels::Bgr,
        },
        ..*usual
    })
}

/// Returns the direction in which a viewer sees the memory of a glass that is mirrored first and
/// then turned clockwise. A glass of one bit a pixel is turned from the position of the common module
/// in `table`, which is upright with the commands that nearly all programs send (A1h and C8h); the
/// memory of other panels is upright itself, and a program chooses its orientation by MADCTL.
fn mounting(table: &Table, rotation: Rotation, mirror: Mirror) -> Mounting {
    // A glass that is turned by a right angle shows its lines as columns: the first line is on the
    // right if it is turned to the right, and the first column at the bottom if to the left.
    let (is_landscape, columns, lines) = match rotation {
        Rotation::None => (false, false, false),
        Rotation::Half => (false, true, true),
        Rotation::Right => (true, false, true),
        Rotation::Left => (true, true, false),
    };
    let usual = match table.family {
        Family::Pages => table.module.mounting,
        Family::Dcs => Mounting { is_landscape: false, mirrors_x: false, mirrors_y: false },
    };
    let columns = columns ^ (mirror == Mirror::Horizontal) ^ usual.mirrors_x;
    let lines = lines ^ (mirror == Mirror::Vertical) ^ usual.mirrors_y;
    let (mirrors_x, mirrors_y) = if is_landscape { (lines, columns) } else { (columns, lines) };
    Mounting { is_landscape, mirrors_x, mirrors_y }
}

#[cfg(test)]
mod tests {
    use std::io;

    use rp2040_emulator::program::{Program, ProgramError};

    use super::*;

    fn display(keys: &str) -> Display {
        let text = format!(
            "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\nbus = \"spi4\"\n\
             sck = \"GP18\"\nmosi = \"GP19\"\ndc = \"GP20\"\n{keys}\n"
        );
        board_file::parse("x", &text).unwrap().display.remove(0)
    }

    fn of(keys: &str) -> Result<Module, DescribedError> {
        let config =
            config(&display(keys), &[], Path::new(""), &mut super::super::DiskFiles, &mut |_| {});
        config.map(|config| config.module)
    }

    /// A folder whose every file is the table of the ST7789.
    struct OwnTable;

    impl BoardFiles for OwnTable {
        fn program(&mut self, path: &Path) -> Result<Program, ProgramError> {
            Program::load(path)
        }

        fn data(&mut self, _: &Path, _: usize) -> io::Result<Vec<u8>> {
            Ok(include_bytes!("../../../panel-tables/panels/st7789.toml").to_vec())
        }
    }

    #[test]
    fn the_lcd_board_has_the_reference_module() {
        let display = &board_file::lcd_board().display[0];
        let config =
            config(display, &[], Path::new(""), &mut super::super::DiskFiles, &mut |_| {}).unwrap();
        assert_eq!(config, DisplayConfig::default());
    }

    #[test]
    fn a_glass_has_its_size_offset_and_rotation() {
        let module = of("panel = \"st7789\"\nsize = \"240x240 px\"\noffset = \"0,80 px\"\n\
                         rotation = \"180 deg\"");
        let module = module.unwrap();
        assert_eq!(module.size(), (240, 240));
        assert_eq!((module.first_line, module.mounting.mirrors_x), (80, true));
        assert!(module.is_inverted, "that of the table");
        let module = of("panel = \"ssd1306\"\nrotation = \"270 deg\"").unwrap();
        assert_eq!(module.size(), (64, 128));
        assert!(module.mounting.mirrors_x && !module.mounting.mirrors_y);
        let module = of("panel = \"ssd1306\"").unwrap();
        assert_eq!(module.mounting, panel_tables::by_name("ssd1306").unwrap().module.mounting);
    }

    #[test]
    fn a_panel_that_cannot_be_is_refused_with_the_next_step() {
        let keys = "panel = \"own.toml\"\nsize = \"240x240 px\"\noffset = \"0,81 px\"";
        let error = config(&display(keys), &[], Path::new(""), &mut OwnTable, &mut |_| {});
        assert_eq!(
            error.unwrap_err().to_string(),
            "the glass of 240x240 px at 0,81 is larger than the memory of the ST7789, 240x320; \
             `size` is that of the unrotated glass"
        );
        let error = of("panel = \"none.toml\"\nsize = \"1x1 px\"").unwrap_err().to_string();
        assert!(error.starts_with("the table of the panel, none.toml, cannot be read"), "{error}");
    }

    #[test]
    fn every_panel_of_board_files_has_a_table() {
        for panel in board_file::panels::PANELS {
            let table = panel_tables::by_name(panel.name).expect(panel.name);
            let memory = (u32::from(table.columns), u32::from(table.lines));
            assert_eq!(memory, (panel.size.width, panel.size.height), "{}", panel.name);
        }
    }
}
