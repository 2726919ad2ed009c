/* Firmware of the tests. */
#include <nudge.h>
#include <stdio.h>

static int runs;

/* Toggles the LED each millisecond, and says how often it was started. */
void test_blinks(void)
{
	unsigned *count = nudge_memory(sizeof *count);
	nudge_part led = nudge_led("L");
	runs++;
	for (;;) {
		nudge_write(led, ++*count % 2 == 1);
		nudge_delay_us(1000);
	}
}

#ifdef NUDGE_STATE
NUDGE_STATE static unsigned blinks = 7;
NUDGE_STATE static char text[80];

/* Counts in static variables, and says the count on the console each millisecond. */
void test_counts_in_statics(void)
{
	for (;;) {
		int length = snprintf(text, sizeof text, "%u blinks, a line that does not fit into the FIFO\n", ++blinks);
		nudge_uart_write(text, (size_t)length);
		nudge_delay_us(1000);
	}
}

/* Echoes what was typed, by way of a static variable. */
void test_echoes_by_statics(void)
{
	for (;;) {
		size_t count = nudge_uart_read(text, sizeof text);
		nudge_delay_us(1000);
		nudge_uart_write(text, count);
	}
}
#endif

void test_asks_for_a_missing_part(void)
{
	nudge_delay_us(5);
	nudge_input("GOO");
}

void test_asks_with_null(void) { nudge_input(NULL); }

void test_writes_to_an_input(void) { nudge_write(nudge_input("GO"), true); }

void test_uses_no_part(void) { nudge_read(77); }

void test_returns(void) {}

/* Waits for a press and echoes what was typed. */
void test_echoes(void)
{
	nudge_part go = nudge_input("GO");
	nudge_part display = nudge_i2c("LCD");
	char byte;
	nudge_log(nudge_i2c_write(display, 0x3D, "", 1) ? "there" : "nothing at 3D");
	for (;;) {
		while (nudge_uart_read(&byte, 1) == 1)
			nudge_uart_write(&byte, 1);
		if (!nudge_read(go))
			nudge_log("GO");
		nudge_delay_us(10000);
	}
}

/* Says what a flash and a card answer, and keeps a byte in the flash. */
void test_uses_memories(void)
{
	char line[80];
	nudge_part flash = nudge_memory_spi("LOG");
	nudge_part card = nudge_memory_spi("CARD");
	nudge_part contact = nudge_card_detect("CARD");
	uint8_t id[4] = {0x9F};
	nudge_spi_select(flash, true);
	nudge_spi_transfer(flash, id, id, sizeof id);
	nudge_spi_select(flash, false);
	snprintf(line, sizeof line, "flash %02x%02x%02x", id[1], id[2], id[3]);
	nudge_log(line);

	static const uint8_t enable[] = {0x06};
	nudge_spi_select(flash, true);
	nudge_spi_transfer(flash, enable, NULL, sizeof enable);
	nudge_spi_select(flash, false);
	static const uint8_t program[] = {0x02, 0, 0, 0, 0x5A};
	nudge_spi_select(flash, true);
	nudge_spi_transfer(flash, program, NULL, sizeof program);
	nudge_spi_select(flash, false);
	nudge_delay_us(10000);
	static const uint8_t read[] = {0x03, 0, 0, 0};
	uint8_t byte = 0;
	nudge_spi_select(flash, true);
	nudge_spi_transfer(flash, read, NULL, sizeof read);
	nudge_spi_transfer(flash, NULL, &byte, 1);
	nudge_spi_select(flash, false);
	snprintf(line, sizeof line, "byte %02x", byte);
	nudge_log(line);

	/* 80 clocks without chip select, then CMD0, whose answer follows after at most eight bytes. */
	nudge_spi_transfer(card, NULL, NULL, 10);
	static const uint8_t reset[] = {0x40, 0, 0, 0, 0, 0x95};
	nudge_spi_select(card, true);
	nudge_spi_transfer(card, reset, NULL, sizeof reset);
	uint8_t answer = 0xFF;
	for (int tries = 0; tries < 8 && answer == 0xFF; tries++)
		nudge_spi_transfer(card, NULL, &answer, 1);
	nudge_spi_select(card, false);
	snprintf(line, sizeof line, "card %02x, %s", answer, nudge_read(contact) ? "absent" : "inserted");
	nudge_log(line);
	for (;;)
		nudge_delay_us(1000000);
}

void test_asks_for_a_missing_contact(void) { nudge_card_detect("OLD"); }

void test_selects_a_display(void) { nudge_spi_select(nudge_i2c("LCD"), true); }
