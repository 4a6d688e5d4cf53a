/* A wall clock that somebody sets while programs run: preloaded, it is off by as many seconds as the file $STEPS says. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long step(void) {
    const char *name = getenv("STEPS");
    char text[32] = "";
    int fd = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        if (read(fd, text, sizeof text - 1) < 0) {
            text[0] = 0;
        }
        close(fd);
    }
    return strtol(text, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    int status = (int)syscall(SYS_clock_gettime, clock, at);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        at->tv_sec += step();
    }
    return status;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int status = clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return status;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) {
        *at = now.tv_sec;
    }
    return now.tv_sec;
}
