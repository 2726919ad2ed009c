/* A firmware in C or C++ on a virtual board of nudge: docs/library.md, "C and C++".
 *
 * Parts have the names of the board file. A name that the board does not have, and a part that is used as
 * another kind, end the board with a message. No function returns an error code for them.
 *
 * Time is virtual: delays and transfers pass it, reading an input takes 1 us. The firmware's main function
 * never returns. If the board loses its power, the function that waits does not return, and nothing after it is
 * executed: destructors of C++ objects on the stack are not called.
 *
 * A program has several boards, which may run at the same time. A static variable with NUDGE_STATE belongs to
 * each board: it has its initial value at each power-on. Other static variables are shared by all boards,
 * and keep their values when the power fails. NUDGE_STATE is there on systems with ELF, such as Linux;
 * elsewhere a firmware has its state on the stack, or in `nudge_memory`.
 */
#ifndef NUDGE_H
#define NUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __ELF__
/* `NUDGE_STATE static int count = 1;` */
#define NUDGE_STATE __attribute__((section("nudge_state")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A part of the board. */
typedef uint32_t nudge_part;

/* The lines of a display on the bus `spi4`. */
enum nudge_line { NUDGE_SPI, NUDGE_DC, NUDGE_RESET, NUDGE_BACKLIGHT };

/* A [[button]] or a [[switch]], for nudge_read. */
nudge_part nudge_input(const char *name);
/* An [[led]] of the kind `plain` or `pwm`, for nudge_write. */
nudge_part nudge_led(const char *name);
/* A line of a [[display]] on `spi4`: NUDGE_SPI for nudge_spi_write, the others for nudge_write. */
nudge_part nudge_display(const char *name, enum nudge_line line);
/* The I2C bus of a [[display]] or an [[i2c_device]]. */
nudge_part nudge_i2c(const char *name);
/* The SPI of a [[spi_flash]] or an [[sd_card]], for nudge_spi_select and nudge_spi_transfer. */
nudge_part nudge_memory_spi(const char *name);
/* The contact of an [[sd_card]] with `detect`, for nudge_read: low while a card is inserted. */
nudge_part nudge_card_detect(const char *name);

/* Returns whether the level is high. */
bool nudge_read(nudge_part input);
void nudge_write(nudge_part output, bool high);
void nudge_spi_write(nudge_part spi, const void *bytes, size_t count);
/* The chip select of a memory: low while it is selected. */
void nudge_spi_select(nudge_part memory, bool selected);
/* Sends `count` bytes to a memory and receives as many: FFh is sent if `sent` is NULL, and nothing is stored if
 * `received` is NULL. They may be the same bytes. */
void nudge_spi_transfer(nudge_part memory, const void *sent, void *received, size_t count);
/* These return whether a device has acknowledged its 7-bit address. */
bool nudge_i2c_write(nudge_part i2c, uint8_t address, const void *bytes, size_t count);
bool nudge_i2c_read(nudge_part i2c, uint8_t address, void *bytes, size_t count);

/* The first [[console]]. Reading does not wait; it returns the number of bytes that had arrived. */
void nudge_uart_write(const void *bytes, size_t count);
size_t nudge_uart_read(void *bytes, size_t count);
/* Writes a line on the console. */
void nudge_log(const char *line);

void nudge_delay_us(uint32_t microseconds);
/* The time since power-on. */
uint64_t nudge_now_us(void);
/* Random bits, which the seed of the trace determines. */
uint32_t nudge_random(void);
/* Returns `size` bytes of zeros, which are freed when the power fails. */
void *nudge_memory(size_t size);

#ifdef __cplusplus
}
#endif

#endif
