/* SPDX-License-Identifier: MIT */
/* Numbers and names as people read them. */
#include "text_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A comma before every third digit from the end. */
const char *say_count(struct words *w, uint64_t value)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = w->text;

    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return w->text;
}

/* Three digits: the model is not worth more. */
const char *say_time(struct words *w, double us)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double value = us * 1000;
    int unit = 0;

    while (unit < 3 && value >= 999.5) {
        value /= 1000;
        unit++;
    }
    snprintf(w->text, sizeof w->text, "%.3g %s", value, units[unit]);
    return w->text;
}

const char *say_shape(struct words *w, dim3 d)
{
    int n = snprintf(w->text, sizeof w->text, "%u", d.x);

    if (d.y > 1 || d.z > 1)
        n += snprintf(w->text + n, sizeof w->text - (size_t)n, " x %u", d.y);
    if (d.z > 1)
        snprintf(w->text + n, sizeof w->text - (size_t)n, " x %u", d.z);
    return w->text;
}

const char *say_scaled(struct words *w, double value, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    int i = 0;

    for (; i < 5 && fabs(value) >= 999.5; i++)
        value /= 1000;
    snprintf(w->text, sizeof w->text, "%.3g %s%s", value, prefixes[i], unit);
    return w->text;
}

/* Control characters: of ASCII, and those that UTF-8 writes as C2 80..C2 9F. */
static int is_control(const unsigned char *c)
{
    return *c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

const char *say_plain(struct words *w, const char *text, int most)
{
    const unsigned char *from = (const unsigned char *)(text ? text : "?");
    int length = (int)strlen((const char *)from), n = 0;

    if (most > 120)
        most = 120;
    if (length > most)
        length = most - 3;
    for (; n < length; n++)
        w->text[n] = from[n] == '\t'       ? ' '
                     : is_control(from + n) ? '?'
                                            : (char)from[n];
    /* do not cut a UTF-8 character in two */
    while (from[length] && n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80)
        n--;
    strcpy(w->text + n, from[length] ? "..." : "");
    return w->text;
}

const char *say_file(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path ? path : "?";
}

/* An unknown name is its own word. */
const char *say_ceiling(const char *name)
{
    static const char *const words[][2] = {
        {"launch", "starting kernels"},
        {"issue", "issuing instructions"},
        {"fp", "floating-point arithmetic"},
        {"lsu", "the load/store units"},
        {"shared", "shared memory"},
        {"l2", "the L2 cache"},
        {"dram", "memory (DRAM)"},
        {"atomics", "atomics"},
        {"latency", "latency"},
    };

    for (size_t i = 0; name && i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], name) == 0)
            return words[i][1];
    return name ? name : "nothing known";
}

const char *say_limit(enum occupancy_limit limit)
{
    switch (limit) {
    case BY_BLOCKS: return "blocks an SM";
    case BY_REGISTERS: return "registers";
    case BY_SHARED: return "shared memory";
    default: return "threads an SM";
    }
}
