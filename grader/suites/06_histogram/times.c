/* SPDX-License-Identifier: MIT */
/* How often each byte is counted: which of them are left out, which are there
 * several times, whatever their values are. */
#include "counts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Some of the bytes, by how often they are counted. */
struct byte_set {
    const unsigned *times; /**< of each byte */
    size_t n;              /**< bytes */
    bool (*has)(unsigned times);
};

static bool is_left_out(unsigned times)
{
    return times == 0;
}

static bool is_once(unsigned times)
{
    return times == 1;
}

static bool is_repeated(unsigned times)
{
    return times > 1;
}

static void append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, DIAGNOSIS_SIZE - used, format, arguments);
    va_end(arguments);
}

/* The first byte of the set from `i` on; n: there is none. */
static size_t next_of(const struct byte_set *s, size_t i)
{
    while (i < s->n && !s->has(s->times[i]))
        i++;
    return i;
}

static size_t count_of(const struct byte_set *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->n; i++)
        count += s->has(s->times[i]);
    return count;
}

/* The bytes behind the run that begins at `i`. */
static size_t end_of_run(const struct byte_set *s, size_t i)
{
    while (i < s->n && s->has(s->times[i]))
        i++;
    return i;
}

/* Is the set `length` bytes from `first` on, and again every `period`? */
static bool is_periodic(const struct byte_set *s, size_t first, size_t length,
                        size_t period)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->has(s->times[i])
            != (i >= first && (i - first) % period < length))
            return false;
    return true;
}

/* "in[2], in[6], in[10], ...: every 4th byte", "in[8] to in[15]" */
static void append_set(char *text, const struct byte_set *s)
{
    enum { SHOWN = 3 };
    const size_t first = next_of(s, 0), end = end_of_run(s, first);
    const size_t second = next_of(s, end), length = end - first;
    size_t shown = 0;

    if (second < s->n && next_of(s, end_of_run(s, second)) < s->n
        && is_periodic(s, first, length, second - first)) {
        if (length == 1)
            append(text, "in[%zu] and each %zu bytes further on", first,
                   second - first);
        else
            append(text, "in[%zu] to in[%zu] and each %zu bytes further on",
                   first, end - 1, second - first);
        return;
    }
    for (size_t i = first; i < s->n && shown < SHOWN; shown++) {
        const size_t run = end_of_run(s, i), next = next_of(s, run);

        append(text, "%s", shown == 0 ? "" : next < s->n ? ", " : " and ");
        append(text, run - i == 1 ? "in[%zu]" : "in[%zu] to in[%zu]", i,
               run - 1);
        i = next;
        if (shown + 1 == SHOWN && next < s->n)
            append(text, ", ...");
    }
}

/* " counted 2, 3, 4, ... times" */
static void append_numbers(char *text, const struct byte_set *s)
{
    enum { SHOWN = 3 };
    size_t shown = 0;

    append(text, " counted ");
    for (size_t i = next_of(s, 0); i < s->n && shown < SHOWN; shown++) {
        append(text, "%s%u", shown ? ", " : "", s->times[i]);
        i = next_of(s, i + 1);
    }
    append(text, count_of(s) > SHOWN ? ", ... times" : " times");
}

/* What is counted otherwise: of bytes that are nearly all left out, the
 * others. */
static void say_times(const unsigned *times, size_t n, char *text)
{
    const struct byte_set lost = {times, n, is_left_out},
                          once = {times, n, is_once},
                          more = {times, n, is_repeated};
    const size_t lost_count = count_of(&lost), once_count = count_of(&once),
                 more_count = count_of(&more);
    const size_t first = next_of(&more, 0);
    bool is_same = true;

    for (size_t i = first; i < n; i++)
        is_same = is_same && (times[i] < 2 || times[i] == times[first]);
    *text = 0;
    if (lost_count == n) {
        append(text, "none of the %zu byte%s is counted", n, n == 1 ? "" : "s");
        return;
    }
    if (once_count && !more_count && lost_count > once_count) {
        append(text, "of %zu bytes only %zu %s counted: ", n, once_count,
               once_count == 1 ? "is" : "are");
        append_set(text, &once);
        return;
    }
    if (lost_count) {
        append_set(text, &lost);
        append(text, lost_count == 1 ? " is not counted" : " are not counted");
    }
    if (more_count) {
        append(text, lost_count ? ", and " : "");
        append_set(text, &more);
        append(text, more_count == 1 ? " is" : " are");
        if (is_same && times[first] == 2)
            append(text, " counted twice");
        else if (is_same)
            append(text, " counted %u times", times[first]);
        else
            append_numbers(text, &more);
    }
}

/* Do these numbers give the counts of a call? */
static bool explain_call(const struct counts *c, const unsigned *times, int k)
{
    double excess[BINS];

    add_differences(c, k, excess);
    for (size_t i = 0; i < c->input->n; i++)
        excess[k < CALLS ? byte_of(i, k) : c->input->in[i]] -=
            (double)times[i] - 1;
    for (size_t b = 0; b < BINS; b++)
        if (excess[b] != 0)
            return false;
    return true;
}

/* All bytes that have the same digit in this call are counted as often. */
static bool set_times(const struct counts *c, int call, unsigned *times)
{
    enum { MOST = 1 << 20 };
    double count[BINS] = {0};

    for (size_t i = 0; i < c->input->n; i++)
        count[byte_of(i, call)]++;
    for (size_t i = 0; i < c->input->n; i++) {
        const unsigned char digit = byte_of(i, call);
        const double ratio = c->got[call][digit] / count[digit];

        if (!(ratio < MOST) || ratio != (double)(unsigned)ratio)
            return false;
        times[i] = (unsigned)ratio;
    }
    return explain_call(c, times, call) && explain_call(c, times, CALLS);
}

/* The same, if that is so in the other calls, too; of bytes that all differ, it
 * is said if equal ones are counted otherwise. */
static bool say_by_digit(const struct counts *c, int call, unsigned *times,
                         char *text)
{
    bool is_same = true;

    if (!set_times(c, call, times))
        return false;
    for (int k = 0; k < CALLS; k++)
        is_same = is_same && explain_call(c, times, k);
    if (!is_same && (call > 0 || c->input->n > BINS))
        return false;
    say_times(times, c->input->n, text);
    if (!is_same)
        append(text, ", if no two neighbors are equal; of %zu bytes that are "
               "all equal %.0f are counted", c->input->n,
               c->got[CALLS - 1][BINS - 1]);
    return true;
}

bool histogram_find_times(const struct counts *c, char *text)
{
    unsigned *times = malloc((c->input->n + 1) * sizeof *times);
    bool found = false;

    for (int call = 0; times && call < 2 && !found; call++)
        found = say_by_digit(c, call, times, text);
    free(times);
    return found;
}

static double sum_of(const struct counts *c, int k)
{
    double excess[BINS], sum = 0;

    add_differences(c, k, excess);
    for (size_t b = 0; b < BINS; b++)
        sum += excess[b];
    return sum;
}

bool histogram_find_moved(const struct counts *c, char *text)
{
    for (int k = 0; k <= CALLS; k++)
        if (sum_of(c, k) != 0)
            return false;
    snprintf(text, DIAGNOSIS_SIZE, "the bins add up to %zu, as they should, "
             "whatever the bytes are: each byte is counted, but some in the "
             "bin of another value", c->input->n);
    return true;
}

bool histogram_find_rest(const struct counts *c, char *text)
{
    double first[BINS], excess[BINS], sum = 0;
    size_t wrong = 0;

    add_differences(c, CALLS, first);
    for (int k = 0; k < CALLS; k++) {
        add_differences(c, k, excess);
        if (memcmp(first, excess, sizeof first))
            return false;
    }
    for (size_t b = 0; b < BINS; b++) {
        if (first[b] < 0)
            return false;
        wrong += first[b] > 0;
        sum += first[b];
    }
    if (wrong < 2)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "the bins have %.0f too many, the same ones "
             "whatever the bytes of the call are: counts that an earlier call "
             "left in memory are added", sum);
    return true;
}
