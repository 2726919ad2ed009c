//! The buses between a chip and a display.

use crate::table::words;

words! {
    /// Bus of a display.
    Bus {
        /// SPI with a pin for data or command.
        Spi4 = "spi4",
        /// SPI with nine bits a word, the first of which is data or command.
        Spi3 = "spi3",
        /// I2C.
        I2c = "i2c",
        /// Eight data lines, the 8080 interface.
        Parallel8 = "parallel8",
    }
}
