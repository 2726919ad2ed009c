#include "picture.h"

#include <string.h>

#include "font.h"

void picture_clear(struct picture *picture) { memset(picture, 0, sizeof *picture); }

static void set(struct picture *picture, int x, int y)
{
	if (x >= 0 && x < WIDTH && y >= 0 && y < 8 * PAGES)
		picture->pages[y / 8][x] |= (uint8_t)(1u << y % 8);
}

void picture_fill(struct picture *picture, int x, int y, int width, int height)
{
	for (int down = 0; down < height; down++)
		for (int right = 0; right < width; right++)
			set(picture, x + right, y + down);
}

void picture_text(struct picture *picture, int x, int y, int scale, const char *text)
{
	for (; *text != '\0'; text++, x += 6 * scale) {
		unsigned character = (unsigned char)*text - ' ';
		if (character >= sizeof FONT / sizeof FONT[0])
			continue;
		for (int column = 0; column < 5; column++)
			for (int row = 0; row < 8; row++)
				if (FONT[character][column] >> row & 1)
					picture_fill(picture, x + column * scale, y + row * scale, scale, scale);
	}
}
