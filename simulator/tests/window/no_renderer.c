/* Preloaded into the program: no software renderer can present its pixels directly, as on Wayland.
 * NUDGE_TEST_RENDERERS names a file that has a line for each renderer that was requested. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *SDL_CreateRenderer(void *window, int index, uint32_t flags) {
    void *(*create)(void *, int, uint32_t) = dlsym(RTLD_NEXT, "SDL_CreateRenderer");
    const char *(*hint)(const char *) = dlsym(RTLD_NEXT, "SDL_GetHint");
    int (*error)(const char *, ...) = dlsym(RTLD_NEXT, "SDL_SetError");
    const char *path = getenv("NUDGE_TEST_RENDERERS");
    const char *direct = hint("SDL_FRAMEBUFFER_ACCELERATION");
    int refused = (flags & 1) && direct && strcmp(direct, "0") == 0;
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "%s\n", refused ? "refused" : "made");
        fclose(file);
    }
    if (refused) {
        error("no framebuffer");
        return NULL;
    }
    return create(window, index, flags);
}
