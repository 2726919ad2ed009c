/* A picture of one bit a pixel, as the SSD1306 has it in its memory. */
#include <stdint.h>

enum { WIDTH = 128, PAGES = 8 };

struct picture {
	/* A byte is eight pixels of a column, the upper one in bit 0. */
	uint8_t pages[PAGES][WIDTH];
};

void picture_clear(struct picture *picture);
void picture_fill(struct picture *picture, int x, int y, int width, int height);
/* Draws capital letters, digits and signs, each pixel as a square of `scale` pixels. */
void picture_text(struct picture *picture, int x, int y, int scale, const char *text);
