// Loaded before the C library: the Nth write, sync or truncation of a database file, or change of its name, fails once with a
// given error, or kills the process for the error 0; and its name is printed on standard error.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_due_at(const char *path, const char *name) {
  static int calls = 0;
  if (strstr(path, ".db") == NULL) return 0;
  if (++calls != atoi(getenv("FAIL_AT"))) return 0;
  dprintf(2, "%s\n", name);
  errno = atoi(getenv("FAIL_WITH"));
  if (errno == 0) raise(SIGKILL);
  return 1;
}

static int is_due(int file, const char *name) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_due_at(path, name);
}

#define FAILING_NAME(name, declared, given)                     \
  int name declared {                                           \
    static int(*real) declared;                                 \
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, #name); \
    return is_due_at(path, #name) ? -1 : real given;            \
  }

FAILING_NAME(rename, (const char *path, const char *to), (path, to))
FAILING_NAME(link, (const char *path, const char *to), (path, to))
FAILING_NAME(unlink, (const char *path), (path))

#define FAILING(result, name, declared, given)                  \
  result name declared {                                        \
    static result(*real) declared;                              \
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, #name); \
    return is_due(file, #name) ? -1 : real given;               \
  }

FAILING(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
FAILING(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
FAILING(int, fsync, (int file), (file))
FAILING(int, fdatasync, (int file), (file))
FAILING(int, ftruncate, (int file, off_t length), (file, length))
FAILING(int, ftruncate64, (int file, off64_t length), (file, length))
