/* SPDX-License-Identifier: MIT */
/* An instrumented build copies a vector by one access of its whole size.  This
 * file is compiled with -fsanitize=thread and -DSOFTGPU_INSTRUMENTED, and
 * linked without the sanitizer: the functions below are its callbacks. */
#ifdef WATCHER
#include "check.h"

static int accesses[17]; /* by size: number of accesses */
static int others;

/* A callback for reads or writes of this size. */
#define SEEN(name, bytes)                                                 \
    extern "C" void __tsan_##name##bytes(void *) { accesses[bytes]++; }   \
    extern "C" void __tsan_unaligned_##name##bytes(void *)                \
    {                                                                     \
        accesses[bytes]++;                                                \
    }
#define SEEN_ALL(name) \
    SEEN(name, 2) SEEN(name, 4) SEEN(name, 8) SEEN(name, 16)
SEEN_ALL(read)
SEEN_ALL(write)
#define OTHER(name) extern "C" void __tsan_##name(void *, uint64_t) { others++; }
OTHER(read1)
OTHER(write1)
OTHER(read_range)
OTHER(write_range)
extern "C" void __tsan_vptr_update(void **, void *) {}
extern "C" void __tsan_init(void) {}
extern "C" void __tsan_func_entry(void *) {}
extern "C" void __tsan_func_exit(void) {}
extern "C" void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    others++;
    return memcpy(to, from, bytes);
}

void copies(int which); /* below, in the instrumented part */

/* A copy, its number of accesses (reads and writes) and their size. */
static const struct { const char *what; int bytes, times; } cases[] = {
    {"float4", 16, 2}, {"double4", 16, 4}, {"uchar4", 4, 2}, {"half2", 4, 2},
    {"float2", 8, 2},  {"short2", 4, 2},   {"longlong2", 16, 2},
    {"float4 through a local", 16, 2},
};

int main(void)
{
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        memset(accesses, 0, sizeof accesses);
        others = 0;
        copies(i);
        int total = others;
        for (int n : accesses)
            total += n;
        CHECK(accesses[cases[i].bytes] == cases[i].times
                  && total == cases[i].times,
              "%s: %d accesses of %d bytes, %d in all", cases[i].what,
              accesses[cases[i].bytes], cases[i].bytes, total);
    }
    return print_counts();
}
#else
#include "cuda_fp16.h"
#include "vector_functions.h"

template <typename T> __attribute__((noinline)) void copy(T *to, const T *from)
{
    *to = *from;
}
__attribute__((noinline)) void through_local(float4 *to, const float4 *from)
{
    float4 v = *from;
    v.x *= 2;
    *to = v;
}

alignas(32) static char from[32], to[32];
#define COPY(n, T) \
    case n: copy((T *)to, (const T *)from); break
void copies(int which)
{
    switch (which) {
        COPY(0, float4);
        COPY(1, double4);
        COPY(2, uchar4);
        COPY(3, half2);
        COPY(4, float2);
        COPY(5, short2);
        COPY(6, longlong2);
    case 7: through_local((float4 *)to, (const float4 *)from); break;
    }
}
#endif
