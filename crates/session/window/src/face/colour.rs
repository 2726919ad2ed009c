//! The colours: matt green PCB, white silk-screen, cream and vermilion caps, amber for active
//! parts. A pressed button also differs in shape and brightness, never in hue alone.

pub(super) const BOARD_TOP: u32 = 0x15_4A38;
pub(super) const BOARD_BOTTOM: u32 = 0x0E_3629;
pub(super) const BOARD_EDGE: u32 = 0x2A_6B54;
pub(super) const COPPER: u32 = 0x1F_5E48;
pub(super) const GOLD: u32 = 0xC9_A45C;
pub(super) const SILK: u32 = 0xEE_F3EA;
pub(super) const SILK_DIM: u32 = 0xA5_C2B4;
pub(super) const BEZEL_TOP: u32 = 0x2B_2E33;
pub(super) const BEZEL_BOTTOM: u32 = 0x15_171A;
pub(super) const GLASS: u32 = 0x05_0607;
pub(super) const METAL_TOP: u32 = 0x50_5459;
pub(super) const METAL_BOTTOM: u32 = 0x2A_2D31;
pub(super) const METAL_EDGE: u32 = 0x80_858B;
pub(super) const CAP_LIGHT: u32 = 0xFB_F7EA;
pub(super) const CAP_DARK: u32 = 0xCF_C8B4;
pub(super) const CAP_INK: u32 = 0x23_2A2B;
pub(super) const RESET_LIGHT: u32 = 0xEE_6A33;
pub(super) const RESET_DARK: u32 = 0xB5_400F;
pub(super) const RESET_INK: u32 = 0xFF_FFFF;
pub(super) const ACTIVE: u32 = 0xFF_C247;
pub(super) const LAMP_OFF: u32 = 0x3A_3A34;
pub(super) const BLACK: u32 = 0x00_0000;
pub(super) const WHITE: u32 = 0xFF_FFFF;

/// Colours of the surroundings of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    Dark,
    Light,
}

impl Theme {
    /// Returns the colour of the background around the board, `0x00RRGGBB`.
    pub fn backdrop(self) -> u32 {
        match self {
            Self::Dark => 0x22_262B,
            Self::Light => 0xE4_E7EA,
        }
    }

    /// Returns the colour of text on that background.
    pub(super) fn ink(self) -> u32 {
        match self {
            Self::Dark => 0xE6_EAED,
            Self::Light => 0x1B_2024,
        }
    }

    /// Returns the colour of less important text. Its contrast with the background is at least
    /// 4.5:1.
    pub(super) fn dim(self) -> u32 {
        match self {
            Self::Dark => 0xA4_ACB4,
            Self::Light => 0x4D_565E,
        }
    }

    /// Returns the colour of active parts.
    pub(super) fn active(self) -> u32 {
        match self {
            Self::Dark => ACTIVE,
            Self::Light => 0x8A_5200,
        }
    }

    /// Returns the colour of sunken areas, such as the pane.
    pub(super) fn sunken(self) -> u32 {
        match self {
            Self::Dark => 0x14_171A,
            Self::Light => 0xF7_F8F9,
        }
    }

    /// Returns the opposite theme.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Dark => Self::Light,
            Self::Light => Self::Dark,
        }
    }
}
