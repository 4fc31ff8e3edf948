/* The clock of the wall is off by CLOCK_SHIFT seconds, and now and then jumps to the other side of the truth; the clock
   that only goes forward is left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long shift(void) {
  static long given, calls;
  static int known;
  if (!known) {
    const char *text = getenv("CLOCK_SHIFT");
    given = text ? atol(text) : 0;
    known = 1;
  }
  return ++calls / 50 % 2 ? -given : given;
}

int clock_gettime(clockid_t id, struct timespec *out) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real(id, out);
  if (!failed && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) out->tv_sec += shift();
  return failed;
}

int gettimeofday(struct timeval *out, void *zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
