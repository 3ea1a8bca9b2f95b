/* SPDX-License-Identifier: MIT */
/* Bytes that a call wrote beside its arrays. */
#include "overrun.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "state.h"
#include "suite.h"

#define OUTSIDE "wrote outside of `%s`, before its start or past its end"

/* Can only copies and host code have written to this array? */
static bool is_host_only(const struct facts *facts, const struct arg *arg)
{
    return !arg->on_device && facts->counted && !facts->managed_bytes
           && !facts->graph_launches && !suite_state.sparse;
}

/* What to look for where this array was left. */
static const char *hint_of(const struct facts *facts, const struct arg *arg,
                           const char *name)
{
    if (is_host_only(facts, arg))
        return facts->d2h_bytes > arg->bytes
               ? "A copy counts bytes: the number of elements times the size "
                 "of one, as sizeof(float), not of a pointer, which has 8 "
                 "bytes."
               : "The array is in host memory, where only copies and host code "
                 "write: does each copy, from its destination on, end in the "
                 "array? An offset of a typed pointer counts elements, a copy "
                 "bytes.";
    return strstr(name, "work")
               ? "A workspace has as many bytes as the contract, or a function "
                 "of your file, says: do they hold all parts, for all images "
                 "or elements? An index counts elements, not bytes."
               : "Does a thread past the end store: is a bounds check missing, "
                 "or that of another dimension, or does a float4 cross the "
                 "end? An index, or an offset of a typed pointer, counts "
                 "elements; a copy counts bytes.";
}

void suite_check_overrun(void)
{
    const struct facts *facts = &suite_state.reply.facts;
    const unsigned i = (unsigned)ffs((int)facts->overrun) - 1;
    const struct arg *arg;
    char name[48], copied[128] = "";

    if (!facts->overrun)
        return;
    if (i >= suite_state.frame.count) { /* no array that the suite knows */
        suite_fail(WRONG, "wrote outside of an array");
        return;
    }
    arg = &suite_state.frame.arg[i];
    parameter_name(suite_state.parameters ? suite_state.parameters
                                          : suite_state.lab->prototype,
                   i, name, sizeof name);
    /* with several outputs the others' copies may be the longer ones */
    if (is_host_only(facts, arg) && arg->bytes == suite_output_bytes(false)
        && facts->d2h_bytes > arg->bytes)
        snprintf(copied, sizeof copied, ": %llu bytes were copied from the "
                 "device to the host, and it has %zu",
                 (unsigned long long)facts->d2h_bytes, (size_t)arg->bytes);
    suite_fail(WRONG, OUTSIDE "%s", name, copied);
    suite_hint(suite_state.overrun_hint ? suite_state.overrun_hint
                                        : hint_of(facts, arg, name));
}
