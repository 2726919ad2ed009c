/* The clock fails once: loaded into the program by LD_PRELOAD, this makes the next look at a clock fail as soon as the file
 * that CLOCK_FAULT names is there. Rust's standard library panics then, in whatever thread looks. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int is_over;

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const char *file = getenv("CLOCK_FAULT");
    if (file && !access(file, F_OK) && !__atomic_exchange_n(&is_over, 1, __ATOMIC_SEQ_CST)) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_clock_gettime, clock, time);
}
