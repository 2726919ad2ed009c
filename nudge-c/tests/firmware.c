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
