/* Fingers and gamepads for a program that uses SDL 2, without the devices: loaded into it by LD_PRELOAD, this reads lines
 * from the pipe that NUDGE_TEST_DEVICES names and has SDL report what they say. The program takes them as those of real
 * devices: gamepads are SDL's virtual joysticks, fingers come through its queue of events.
 *
 *   pad attach | pad detach | pad down N | pad up N      N: SDL_GameControllerButton
 *   finger down|up|move ID X Y                           X, Y: shares of the window, 0 to 1
 *   mouse down X Y                                       what SDL makes of a touch besides, in pixels
 *
 * What the program has seen of a gamepad is written to the file of the pipe's name with ".done" behind it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* SDL_events.h, SDL_joystick.h, SDL.h of SDL 2 */
enum { GAMECONTROLLER = 0x2000, MOUSE_DOWN = 0x401, FINGER_DOWN = 0x700, FINGER_UP, FINGER_MOTION };
enum { TYPE_GAMECONTROLLER = 1, AXES = 6, BUTTONS = 15 };

typedef union {
    struct {
        uint32_t type, timestamp;
        int64_t touch, finger;
        float x, y, dx, dy, pressure;
        uint32_t window;
    } finger;
    struct {
        uint32_t type, timestamp, window, which;
        uint8_t button, state, clicks, padding;
        int32_t x, y;
    } mouse;
    uint8_t room[128];
} event;

static uint32_t (*was_init)(uint32_t);
static int (*push)(event *);
static int (*attach)(int, int, int, int);
static int (*detach)(int);
static void *(*open_joystick)(int);
static int (*set_button)(void *, int, uint8_t);
static int32_t (*instance_of)(void *);
static void *(*controller_of)(int32_t);
static uint8_t (*is_down)(void *, int);

static void *run(void *pipe)
{
    while (!was_init(GAMECONTROLLER))
        usleep(10000);
    char line[200], what[20], seen[4096];
    snprintf(seen, sizeof seen, "%s.done", (char *)pipe);
    FILE *lines = fopen(pipe, "r+"), *done = fopen(seen, "a");
    int pad = -1, number;
    int32_t instance = -1;
    void *joystick = NULL;
    long id;
    float x, y;
    while (lines && done && fgets(line, sizeof line, lines)) {
        event sent;
        memset(&sent, 0, sizeof sent);
        if (!strcmp(line, "pad attach\n")) {
            pad = attach(TYPE_GAMECONTROLLER, AXES, BUTTONS, 0);
            joystick = open_joystick(pad);
            instance = instance_of(joystick);
            while (!controller_of(instance))
                usleep(1000);
            fputs(line, done);
        } else if (!strcmp(line, "pad detach\n")) {
            detach(pad);
        } else if (sscanf(line, "pad %19s %d", what, &number) == 2) {
            uint8_t down = !strcmp(what, "down");
            set_button(joystick, number, down);
            while (is_down(controller_of(instance), number) != down)
                usleep(1000);
            fputs(line, done);
        } else if (sscanf(line, "finger %19s %ld %f %f", what, &id, &x, &y) == 4) {
            sent.finger.type = !strcmp(what, "down") ? FINGER_DOWN : !strcmp(what, "up") ? FINGER_UP : FINGER_MOTION;
            sent.finger.touch = 1;
            sent.finger.finger = id;
            sent.finger.x = x;
            sent.finger.y = y;
            sent.finger.pressure = 1;
            push(&sent);
        } else if (sscanf(line, "mouse down %f %f", &x, &y) == 2) {
            sent.mouse.type = MOUSE_DOWN;
            sent.mouse.which = UINT32_MAX;
            sent.mouse.button = sent.mouse.state = sent.mouse.clicks = 1;
            sent.mouse.x = (int32_t)x;
            sent.mouse.y = (int32_t)y;
            push(&sent);
        } else {
            fprintf(stderr, "devices: %s", line);
        }
        fflush(done);
    }
    return NULL;
}

__attribute__((constructor)) static void start(void)
{
    char *pipe = getenv("NUDGE_TEST_DEVICES");
    *(void **)&was_init = dlsym(RTLD_DEFAULT, "SDL_WasInit");
    *(void **)&push = dlsym(RTLD_DEFAULT, "SDL_PushEvent");
    *(void **)&attach = dlsym(RTLD_DEFAULT, "SDL_JoystickAttachVirtual");
    *(void **)&detach = dlsym(RTLD_DEFAULT, "SDL_JoystickDetachVirtual");
    *(void **)&open_joystick = dlsym(RTLD_DEFAULT, "SDL_JoystickOpen");
    *(void **)&set_button = dlsym(RTLD_DEFAULT, "SDL_JoystickSetVirtualButton");
    *(void **)&instance_of = dlsym(RTLD_DEFAULT, "SDL_JoystickInstanceID");
    *(void **)&controller_of = dlsym(RTLD_DEFAULT, "SDL_GameControllerFromInstanceID");
    *(void **)&is_down = dlsym(RTLD_DEFAULT, "SDL_GameControllerGetButton");
    pthread_t thread;
    /* A program without SDL, such as the shell that starts the other, has no devices. */
    if (pipe && was_init && push && attach && detach && open_joystick && set_button && instance_of && controller_of && is_down)
        pthread_create(&thread, NULL, run, pipe);
}
