//! The commands of the ILI9341: datasheet V1.11, chapter 8, with name, section and number of
//! arguments. The module does not know their effects.

/// Data that follow a command byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// Argument bytes, between the first and the second number.
    Arguments(u8, u8),
    /// Pixels, any number.
    Pixels,
    /// The host clocks a register out.
    Register,
    /// The host clocks pixels out.
    Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Command {
    /// Name in the datasheet.
    pub(super) name: &'static str,
    /// Section of the datasheet, or `-` if the datasheet does not have the command.
    pub(super) section: &'static str,
    pub(super) follows: Follows,
}

pub(super) const NOP: u8 = 0x00;
pub(super) const SWRESET: u8 = 0x01;
pub(super) const RDDID: u8 = 0x04;
pub(super) const RDDST: u8 = 0x09;
pub(super) const RDDPM: u8 = 0x0A;
pub(super) const RDDMADCTL: u8 = 0x0B;
pub(super) const RDDCOLMOD: u8 = 0x0C;
pub(super) const RDDIM: u8 = 0x0D;
pub(super) const RDDSM: u8 = 0x0E;
pub(super) const RDDSDR: u8 = 0x0F;
pub(super) const SLPIN: u8 = 0x10;
pub(super) const SLPOUT: u8 = 0x11;
pub(super) const PTLON: u8 = 0x12;
pub(super) const NORON: u8 = 0x13;
pub(super) const DINVOFF: u8 = 0x20;
pub(super) const DINVON: u8 = 0x21;
pub(super) const DISPOFF: u8 = 0x28;
pub(super) const DISPON: u8 = 0x29;
pub(super) const CASET: u8 = 0x2A;
pub(super) const PASET: u8 = 0x2B;
pub(super) const RAMWR: u8 = 0x2C;
pub(super) const RAMRD: u8 = 0x2E;
pub(super) const PLTAR: u8 = 0x30;
pub(super) const VSCRDEF: u8 = 0x33;
pub(super) const TEOFF: u8 = 0x34;
pub(super) const TEON: u8 = 0x35;
pub(super) const MADCTL: u8 = 0x36;
pub(super) const VSCRSADD: u8 = 0x37;
pub(super) const IDMOFF: u8 = 0x38;
pub(super) const IDMON: u8 = 0x39;
pub(super) const PIXSET: u8 = 0x3A;
pub(super) const WRITE_MEMORY_CONTINUE: u8 = 0x3C;
pub(super) const READ_MEMORY_CONTINUE: u8 = 0x3E;
pub(super) const WRDISBV: u8 = 0x51;
pub(super) const RDDISBV: u8 = 0x52;
pub(super) const WRCTRLD: u8 = 0x53;
pub(super) const RDCTRLD: u8 = 0x54;
pub(super) const WRCABC: u8 = 0x55;
pub(super) const RDCABC: u8 = 0x56;
pub(super) const WRCABCMB: u8 = 0x5E;
pub(super) const RDCABCMB: u8 = 0x5F;
pub(super) const DISCTRL: u8 = 0xB6;
pub(super) const RDID4: u8 = 0xD3;
pub(super) const SPI_READ_INDEX: u8 = 0xD9;
pub(super) const RDID1: u8 = 0xDA;
pub(super) const RDID2: u8 = 0xDB;
pub(super) const RDID3: u8 = 0xDC;
pub(super) const IFCTL: u8 = 0xF6;

/// Data that follow each command byte; `None` if there is no such command.
static FOLLOWS: [Option<Follows>; 256] = {
    let mut all = [None; 256];
    let mut code = 0;
    while code < all.len() {
        if let Some(command) = lookup(code as u8) {
            all[code] = Some(command.follows);
        }
        code += 1;
    }
    all
};

/// Returns the `follows` of [`lookup`], without the rest: most transfers are commands, and need
/// nothing else.
pub(super) fn follows(code: u8) -> Option<Follows> {
    FOLLOWS[usize::from(code)]
}

const fn exactly(count: u8) -> Follows {
    Follows::Arguments(count, count)
}

/// Returns the command with that code, or `None` if neither the datasheet has it nor drivers send
/// it.
pub(super) const fn lookup(code: u8) -> Option<Command> {
    use Follows::{Memory, Pixels, Register};
    let (name, section, follows) = match code {
        NOP => ("NOP", "8.2.1", exactly(0)),
        SWRESET => ("SWRESET", "8.2.2", exactly(0)),
        RDDID => ("RDDIDIF", "8.2.3", Register),
        RDDST => ("RDDST", "8.2.4", Register),
        RDDPM => ("RDDPM", "8.2.5", Register),
        RDDMADCTL => ("RDDMADCTL", "8.2.6", Register),
        RDDCOLMOD => ("RDDCOLMOD", "8.2.7", Register),
        RDDIM => ("RDDIM", "8.2.8", Register),
        RDDSM => ("RDDSM", "8.2.9", Register),
        RDDSDR => ("RDDSDR", "8.2.10", Register),
        SLPIN => ("SPLIN", "8.2.11", exactly(0)),
        SLPOUT => ("SLPOUT", "8.2.12", exactly(0)),
        PTLON => ("PTLON", "8.2.13", exactly(0)),
        NORON => ("NORON", "8.2.14", exactly(0)),
        DINVOFF => ("DINVOFF", "8.2.15", exactly(0)),
        DINVON => ("DINVON", "8.2.16", exactly(0)),
        0x26 => ("GAMSET", "8.2.17", exactly(1)),
        DISPOFF => ("DISPOFF", "8.2.18", exactly(0)),
        DISPON => ("DISPON", "8.2.19", exactly(0)),
        CASET => ("CASET", "8.2.20", exactly(4)),
        PASET => ("PASET", "8.2.21", exactly(4)),
        RAMWR => ("RAMWR", "8.2.22", Pixels),
        0x2D => ("RGBSET", "8.2.23", exactly(128)),
        RAMRD => ("RAMRD", "8.2.24", Memory),
        PLTAR => ("PLTAR", "8.2.25", exactly(4)),
        VSCRDEF => ("VSCRDEF", "8.2.26", exactly(6)),
        TEOFF => ("TEOFF", "8.2.27", exactly(0)),
        TEON => ("TEON", "8.2.28", exactly(1)),
        MADCTL => ("MADCTL", "8.2.29", exactly(1)),
        VSCRSADD => ("VSCRSADD", "8.2.30", exactly(2)),
        IDMOFF => ("IDMOFF", "8.2.31", exactly(0)),
        IDMON => ("IDMON", "8.2.32", exactly(0)),
        PIXSET => ("PIXSET", "8.2.33", exactly(1)),
        WRITE_MEMORY_CONTINUE => ("Write_Memory_Continue", "8.2.34", Pixels),
        READ_MEMORY_CONTINUE => ("Read_Memory_Continue", "8.2.35", Memory),
        0x44 => ("Set_Tear_Scanline", "8.2.36", exactly(2)),
        0x45 => ("Get_Scanline", "8.2.37", Register),
        WRDISBV => ("WRDISBV", "8.2.38", exactly(1)),
        RDDISBV => ("RDDISBV", "8.2.39", Register),
        WRCTRLD => ("WRCTRLD", "8.2.40", exactly(1)),
        RDCTRLD => ("RDCTRLD", "8.2.41", Register),
        WRCABC => ("WRCABC", "8.2.42", exactly(1)),
        RDCABC => ("RDCABC", "8.2.43", Register),
        WRCABCMB => ("Write CABC Minimum Brightness", "8.2.44", exactly(1)),
        RDCABCMB => ("Read CABC Minimum Brightness", "8.2.45", Register),
        RDID1 => ("RDID1", "8.2.46", Register),
        RDID2 => ("RDID2", "8.2.47", Register),
        RDID3 => ("RDID3", "8.2.48", Register),
        0xB0 => ("IFMODE", "8.3.1", exactly(1)),
        0xB1 => ("FRMCTR1", "8.3.2", exactly(2)),
        0xB2 => ("FRMCTR2", "8.3.3", exactly(2)),
        0xB3 => ("FRMCTR3", "8.3.4", exactly(2)),
        0xB4 => ("INVTR", "8.3.5", exactly(1)),
        0xB5 => ("PRCTR", "8.3.6", exactly(4)),
        // The fourth argument (PCDIV) matters only with an external clock; most drivers omit it.
        DISCTRL => ("DISCTRL", "8.3.7", Follows::Arguments(3, 4)),
        0xB7 => ("ETMOD", "8.3.8", exactly(1)),
        // The command list gives the next five commands an empty first argument; their sections do
        // not.
        0xB8 => ("Backlight Control 1", "8.3.9", Follows::Arguments(1, 2)),
        0xB9 => ("Backlight Control 2", "8.3.10", Follows::Arguments(1, 2)),
        0xBA => ("Backlight Control 3", "8.3.11", Follows::Arguments(1, 2)),
        0xBB => ("Backlight Control 4", "8.3.12", Follows::Arguments(1, 2)),
        0xBC => ("Backlight Control 5", "8.3.13", Follows::Arguments(1, 2)),
        0xBE => ("Backlight Control 7", "8.3.14", exactly(1)),
        0xBF => ("Backlight Control 8", "8.3.15", exactly(1)),
        0xC0 => ("PWCTRL 1", "8.3.16", exactly(1)),
        0xC1 => ("PWCTRL 2", "8.3.17", exactly(1)),
        0xC5 => ("VMCTRL1", "8.3.18", exactly(2)),
        0xC7 => ("VMCTRL2", "8.3.19", exactly(1)),
        0xD0 => ("NVMWR", "8.3.20", exactly(2)),
        0xD1 => ("NVMPKEY", "8.3.21", exactly(3)),
        0xD2 => ("RDNVM", "8.3.22", Register),
        RDID4 => ("RDID4", "8.3.23", Register),
        0xE0 => ("PGAMCTRL", "8.3.24", exactly(15)),
        0xE1 => ("NGAMCTRL", "8.3.25", exactly(15)),
        0xE2 => ("DGAMCTRL1", "8.3.26", exactly(16)),
        0xE3 => ("DGAMCTRL2", "8.3.27", exactly(64)),
        // Only the first argument concerns a serial host; some drivers stop there.
        IFCTL => ("IFCTL", "8.3.28", Follows::Arguments(1, 3)),
        0xCB => ("Power control A", "8.4.1", exactly(5)),
        0xCF => ("Power control B", "8.4.2", exactly(3)),
        0xE8 => ("Driver timing control A", "8.4.3", exactly(3)),
        0xE9 => ("Driver timing control A", "8.4.4", exactly(3)),
        0xEA => ("Driver timing control B", "8.4.5", exactly(2)),
        0xED => ("Power on sequence control", "8.4.6", exactly(4)),
        0xF2 => ("Enable 3G", "8.4.7", exactly(1)),
        0xF7 => ("Pump ratio control", "8.4.8", exactly(1)),
        // Not in the datasheet, but in the vendor's initialisation and so in most drivers.
        0xCA => ("vendor CAh", "-", exactly(3)),
        SPI_READ_INDEX => ("vendor D9h, SPI read index", "-", exactly(1)),
        0xEF => ("vendor EFh", "-", exactly(3)),
        _ => return None,
    };
    Some(Command { name, section, follows })
}
