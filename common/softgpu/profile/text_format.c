/* SPDX-License-Identifier: MIT */
/* Numbers and names as text. */
#include "text_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A comma before every third digit from the end. */
const char *format_count(struct text_buffer *buffer, uint64_t value)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = buffer->text;

    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return buffer->text;
}

/* Three significant digits: the model is not more precise. */
const char *format_time(struct text_buffer *buffer, double us)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double value = us * 1000;
    int unit = 0;

    while (unit < 3 && value >= 999.5) {
        value /= 1000;
        unit++;
    }
    snprintf(buffer->text, sizeof buffer->text, "%.3g %s", value, units[unit]);
    return buffer->text;
}

const char *format_dim3(struct text_buffer *buffer, dim3 d)
{
    int n = snprintf(buffer->text, sizeof buffer->text, "%u", d.x);

    if (d.y > 1 || d.z > 1)
        n += snprintf(buffer->text + n, sizeof buffer->text - (size_t)n,
                      " x %u", d.y);
    if (d.z > 1)
        snprintf(buffer->text + n, sizeof buffer->text - (size_t)n, " x %u",
                 d.z);
    return buffer->text;
}

const char *format_si(struct text_buffer *buffer, double value,
                      const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    int i = 0;

    for (; i < 5 && fabs(value) >= 999.5; i++)
        value /= 1000;
    snprintf(buffer->text, sizeof buffer->text, "%.3g %s%s", value, prefixes[i],
             unit);
    return buffer->text;
}

/* Control characters of ASCII, and C1 controls, which are C2 80 to C2 9F in
 * UTF-8. */
static int is_control(const unsigned char *c)
{
    return *c < 0x20 || *c == 0x7f
           || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

const char *format_fitted(struct text_buffer *buffer, uint64_t value,
                          const char *unit, int columns)
{
    const char *text = format_count(buffer, value);

    return strlen(text) <= (size_t)columns
               ? text
               : format_si(buffer, (double)value, unit);
}

const char *format_printable(struct text_buffer *buffer, const char *text,
                             int max_bytes)
{
    const unsigned char *from = (const unsigned char *)(text ? text : "?");
    int length = (int)strlen((const char *)from), n = 0;

    if (max_bytes > 120)
        max_bytes = 120;
    if (length > max_bytes)
        length = max_bytes - 3;
    for (; n < length; n++)
        buffer->text[n] = from[n] == '\t'       ? ' '
                     : is_control(from + n) ? '?'
                                            : (char)from[n];
    /* do not cut a UTF-8 character in two */
    while (from[length] && n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80)
        n--;
    strcpy(buffer->text + n, from[length] ? "..." : "");
    return buffer->text;
}

const char *path_basename(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path ? path : "?";
}

/* An unknown ceiling is its own label. */
const char *ceiling_label(const char *name)
{
    static const char *const words[][2] = {
        {"launch", "launch overhead"},
        {"issue", "issue slots"},
        {"fp", "floating-point units"},
        {"lsu", "load/store units"},
        {"shared", "shared memory"},
        {"l2", "L2 bandwidth"},
        {"dram", "DRAM bandwidth"},
        {"atomics", "atomics"},
        {"latency", "latency"},
    };

    for (size_t i = 0; name && i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], name) == 0)
            return words[i][1];
    return name ? name : "unknown";
}

const char *occupancy_limit_label(enum occupancy_limit limit)
{
    switch (limit) {
    case BY_BLOCKS: return "blocks per SM";
    case BY_REGISTERS: return "registers";
    case BY_SHARED: return "shared memory";
    default: return "threads per SM";
    }
}

const char *format_group(struct text_buffer *buffer,
                         const struct kernel_profile *k,
                         const struct launch_group *group)
{
    const int is_rest = group - k->groups == MAX_LAUNCH_GROUPS - 1;

    snprintf(buffer->text, sizeof buffer->text,
             "%s%s launch%s, %sgrid %s, block %s",
             format_count(BUFFER, group->launches), is_rest ? " other" : "",
             group->launches == 1 ? "" : "es", is_rest ? "first " : "",
             format_dim3(BUFFER, group->grid),
             format_dim3(BUFFER, group->block));
    return buffer->text;
}

static int by_time(const void *left, const void *right)
{
    const struct launch_group *a = *(const struct launch_group *const *)left,
                              *b = *(const struct launch_group *const *)right;

    return a->us != b->us ? (a->us < b->us) - (a->us > b->us)
                          : (a > b) - (a < b);
}

size_t longest_launch_groups(const struct kernel_profile *k,
                             const struct launch_group **list)
{
    for (size_t i = 0; i < k->group_count; i++)
        list[i] = &k->groups[i];
    qsort(list, k->group_count, sizeof *list, by_time);
    return k->group_count;
}
