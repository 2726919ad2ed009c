/* The stopwatch. START begins and stops it, LAP writes the time on the console; while it is stopped, LAP sets it to
 * zero. */
#include <nudge.h>

#include <stdio.h>

#include "picture.h"

enum { ADDRESS = 0x3C, DEBOUNCE_US = 5000, REFRESH_US = 100000 };

struct button {
	nudge_part part;
	bool is_down;
	uint64_t changed_at;
};

struct stopwatch {
	nudge_part oled, led;
	struct button start, lap;
	struct picture picture;
	bool is_running;
	/* Microseconds that were measured before the last start, and its time. */
	uint64_t measured, started_at, drawn_at;
};

static void commands(const struct stopwatch *watch, const uint8_t *bytes, size_t count)
{
	uint8_t message[32] = { 0x00 };
	for (size_t at = 0; at < count; at++)
		message[at + 1] = bytes[at];
	nudge_i2c_write(watch->oled, ADDRESS, message, count + 1);
}

static void begin(const struct stopwatch *watch)
{
	/* Multiplex ratio, offset, start line, charge pump, horizontal addressing, mirrored as on most modules. */
	static const uint8_t INIT[] = { 0xAE, 0xD5, 0x80, 0xA8, 0x3F, 0xD3, 0x00, 0x40, 0x8D, 0x14, 0x20, 0x00, 0xA1, 0xC8,
					0xDA, 0x12, 0x81, 0x8F, 0xD9, 0xF1, 0xDB, 0x40, 0xA4, 0xA6, 0xAF };
	commands(watch, INIT, sizeof INIT);
}

static void show(struct stopwatch *watch)
{
	static const uint8_t WHOLE[] = { 0x21, 0, WIDTH - 1, 0x22, 0, PAGES - 1 };
	commands(watch, WHOLE, sizeof WHOLE);
	for (int page = 0; page < PAGES; page++) {
		uint8_t message[1 + WIDTH] = { 0x40 };
		for (int column = 0; column < WIDTH; column++)
			message[1 + column] = watch->picture.pages[page][column];
		nudge_i2c_write(watch->oled, ADDRESS, message, sizeof message);
	}
}

static uint64_t time_of(const struct stopwatch *watch)
{
	return watch->measured + (watch->is_running ? nudge_now_us() - watch->started_at : 0);
}

static void format(uint64_t time, char *text, size_t size)
{
	unsigned tenths = (unsigned)(time / 100000);
	snprintf(text, size, "%02u:%02u.%u", tenths / 600, tenths / 10 % 60, tenths % 10);
}

static void draw(struct stopwatch *watch)
{
	uint64_t time = time_of(watch);
	char text[24];
	format(time, text, sizeof text);
	picture_clear(&watch->picture);
	picture_text(&watch->picture, 22, 16, 2, text);
	picture_text(&watch->picture, 22, 44, 1, watch->is_running ? "RUNNING" : "STOPPED");
	/* A bar that grows to the right within each second. */
	picture_fill(&watch->picture, 0, 60, (int)(time % 1000000 * WIDTH / 1000000), 4);
	show(watch);
	watch->drawn_at = nudge_now_us();
}

/* Returns whether a press has begun. */
static bool is_pressed(struct button *button)
{
	uint64_t now = nudge_now_us();
	bool is_down = !nudge_read(button->part);
	if (is_down == button->is_down || now - button->changed_at < DEBOUNCE_US)
		return false;
	button->is_down = is_down;
	button->changed_at = now;
	return is_down;
}

static void start_or_stop(struct stopwatch *watch)
{
	watch->measured = time_of(watch);
	watch->is_running = !watch->is_running;
	watch->started_at = nudge_now_us();
	nudge_write(watch->led, watch->is_running);
}

static void lap(struct stopwatch *watch)
{
	char time[24], line[32];
	if (!watch->is_running) {
		watch->measured = 0;
		return;
	}
	format(time_of(watch), time, sizeof time);
	snprintf(line, sizeof line, "LAP %s", time);
	nudge_log(line);
}

void stopwatch(void)
{
	struct stopwatch *watch = nudge_memory(sizeof *watch);
	watch->oled = nudge_i2c("LCD");
	watch->led = nudge_led("RUN");
	watch->start.part = nudge_input("START");
	watch->lap.part = nudge_input("LAP");
	begin(watch);
	draw(watch);
	for (;;) {
		bool changes = false;
		if (is_pressed(&watch->start)) {
			start_or_stop(watch);
			changes = true;
		}
		if (is_pressed(&watch->lap)) {
			lap(watch);
			changes = true;
		}
		if (changes || (watch->is_running && nudge_now_us() - watch->drawn_at >= REFRESH_US))
			draw(watch);
		nudge_delay_us(1000);
	}
}
