/* The functions of nudge.h. Each calls a function in Rust that does the work and returns whether the firmware
 * continues. If not, the firmware is left here, with longjmp: no panic crosses its frames. */
#include "nudge.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

bool nudge_rust_part(uint32_t kind, const char *name, uint64_t *result);
bool nudge_rust_read(nudge_part part, uint64_t *result);
bool nudge_rust_write(nudge_part part, bool high);
bool nudge_rust_spi_write(nudge_part part, const void *bytes, size_t count);
bool nudge_rust_spi_select(nudge_part part, bool selected);
bool nudge_rust_spi_transfer(nudge_part part, const void *sent, void *received, size_t count);
bool nudge_rust_i2c_write(nudge_part part, uint8_t address, const void *bytes, size_t count, uint64_t *result);
bool nudge_rust_i2c_read(nudge_part part, uint8_t address, void *bytes, size_t count, uint64_t *result);
bool nudge_rust_uart_write(const void *bytes, size_t count);
bool nudge_rust_uart_read(void *bytes, size_t count, uint64_t *result);
bool nudge_rust_log(const char *line);
bool nudge_rust_delay_us(uint32_t microseconds);
bool nudge_rust_now_us(uint64_t *result);
bool nudge_rust_random(uint64_t *result);
bool nudge_rust_memory(size_t size, void **result);
/* The place to which the running firmware is left; it is null outside of a firmware. */
void *nudge_rust_exit(void);

#ifdef NUDGE_STATE
/* The linker defines them for a section of this name. */
extern char __start_nudge_state[] __attribute__((weak));
extern char __stop_nudge_state[] __attribute__((weak));
#endif

/* Returns the static variables with NUDGE_STATE. */
void *nudge_boundary_state(size_t *size)
{
#ifdef NUDGE_STATE
	if (__start_nudge_state != NULL) {
		*size = (size_t)(__stop_nudge_state - __start_nudge_state);
		return __start_nudge_state;
	}
#endif
	*size = 0;
	return NULL;
}

/* Runs a firmware. Returns whether it was left. */
bool nudge_boundary_run(void (*firmware)(void), void (*begins)(void *exit))
{
	jmp_buf exit;
	if (setjmp(exit) != 0)
		return true;
	begins(&exit);
	firmware();
	return false;
}

static void unless(bool continues)
{
	if (continues)
		return;
	jmp_buf *exit = nudge_rust_exit();
	if (exit == NULL) {
		fputs("nudge: a function of nudge.h was called outside of the firmware: by another thread, or without power\n",
		      stderr);
		abort();
	}
	longjmp(*exit, 1);
}

enum { INPUT = 4, LED, I2C, MEMORY, DETECT };

static nudge_part part(uint32_t kind, const char *name)
{
	uint64_t result = 0;
	unless(nudge_rust_part(kind, name, &result));
	return (nudge_part)result;
}

nudge_part nudge_input(const char *name) { return part(INPUT, name); }
nudge_part nudge_led(const char *name) { return part(LED, name); }
nudge_part nudge_display(const char *name, enum nudge_line line) { return part((uint32_t)line, name); }
nudge_part nudge_i2c(const char *name) { return part(I2C, name); }
nudge_part nudge_memory_spi(const char *name) { return part(MEMORY, name); }
nudge_part nudge_card_detect(const char *name) { return part(DETECT, name); }

bool nudge_read(nudge_part input)
{
	uint64_t result = 0;
	unless(nudge_rust_read(input, &result));
	return result != 0;
}

void nudge_write(nudge_part output, bool high) { unless(nudge_rust_write(output, high)); }

void nudge_spi_write(nudge_part spi, const void *bytes, size_t count)
{
	unless(nudge_rust_spi_write(spi, bytes, count));
}

void nudge_spi_select(nudge_part memory, bool selected) { unless(nudge_rust_spi_select(memory, selected)); }

void nudge_spi_transfer(nudge_part memory, const void *sent, void *received, size_t count)
{
	unless(nudge_rust_spi_transfer(memory, sent, received, count));
}

bool nudge_i2c_write(nudge_part i2c, uint8_t address, const void *bytes, size_t count)
{
	uint64_t result = 0;
	unless(nudge_rust_i2c_write(i2c, address, bytes, count, &result));
	return result != 0;
}

bool nudge_i2c_read(nudge_part i2c, uint8_t address, void *bytes, size_t count)
{
	uint64_t result = 0;
	unless(nudge_rust_i2c_read(i2c, address, bytes, count, &result));
	return result != 0;
}

void nudge_uart_write(const void *bytes, size_t count) { unless(nudge_rust_uart_write(bytes, count)); }

size_t nudge_uart_read(void *bytes, size_t count)
{
	uint64_t result = 0;
	unless(nudge_rust_uart_read(bytes, count, &result));
	return (size_t)result;
}

void nudge_log(const char *line) { unless(nudge_rust_log(line)); }
void nudge_delay_us(uint32_t microseconds) { unless(nudge_rust_delay_us(microseconds)); }

uint64_t nudge_now_us(void)
{
	uint64_t result = 0;
	unless(nudge_rust_now_us(&result));
	return result;
}

uint32_t nudge_random(void)
{
	uint64_t result = 0;
	unless(nudge_rust_random(&result));
	return (uint32_t)result;
}

void *nudge_memory(size_t size)
{
	void *result = NULL;
	unless(nudge_rust_memory(size, &result));
	return result;
}
