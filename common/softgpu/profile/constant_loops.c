/* SPDX-License-Identifier: MIT */
/* A loop has a constant number of turns if its last jump depends on constants:
 * on what was set to immediate values before the loop, and is computed from
 * such values alone in it.  All loops are assumed to have one until a value
 * that is not constant turns up.
 *
 * The host compiler often counts by a pointer instead, up to a last value that
 * the loop does not change.  The number of turns is constant as well if both
 * are a constant apart before the loop. */
#include "constant_loops.h"

#include <stdlib.h>
#include <string.h>

#include "pointer_distance.h"

enum {
    MAX_LOOP = 2000,  /* instructions */
    MAX_BEFORE = 60,  /* instructions before it that may set its variables */
    MAX_ROUNDS = 8    /* until the values are stable */
};

/** A loop: lines first to last, the latter a jump to the former. */
struct loop {
    const struct machine_line *lines;
    const struct operation *operations; /**< of the same lines */
    size_t first, last;
    size_t entry;          /**< where it is entered from before */
    size_t bound;          /**< compares a pointer with its last value; 0: no
                                such line */
    struct values *before; /**< by line, from entry or jumps: from `first` */
};

/* The line with this address in the loop.  @return last + 1: none */
static size_t line_at(const struct loop *l, uint64_t address)
{
    size_t i = l->first;

    while (i <= l->last && l->lines[i].address != address)
        i++;
    return i;
}

/* Values at the entry: what the straight code before it has set to immediate
 * values is constant, everything else does not change. */
static void set_entry_values(struct loop *l)
{
    bool seen[VALUE_REGISTERS + VALUE_SLOTS] = {false};
    struct values *v = &l->before[l->entry - l->first];

    memset(v->place, VALUE_INVARIANT, sizeof v->place);
    v->flags = VALUE_VARIABLE;
    v->reached = true;
    for (size_t i = l->first; i-- && l->first - i < MAX_BEFORE;) {
        const struct operation *o = &l->operations[i];
        const int place = target_place(o);

        if ((o->name[0] == 'j' && i + 1 < l->first && !is_conditional_jump(o))
            || strncmp(o->name, "ret", 3) == 0)
            break;
        if (place < 0 || is_jump(o) || seen[place])
            continue;
        seen[place] = true;
        if (sets_constant(o))
            v->place[place] = VALUE_CONSTANT;
    }
}

/* The comparison right before the last jump, if it is of two values that are a
 * constant apart where the loop begins. */
static size_t find_bound(const struct loop *l)
{
    const struct operation *o =
        &l->operations[l->last > l->first ? l->last - 1 : l->last];
    int a, b;

    if (o->count != 2 || strncmp(o->name, "cmp", 3) != 0)
        return 0;
    a = operand_place(o->operand[0]);
    b = operand_place(o->operand[1]);
    return a >= 0 && b >= 0 && is_constant_distance(l->operations, l->first, a,
                                                      b)
               ? l->last - 1
               : 0;
}

/* Is the comparison of a pointer that grows by constants, and of one that the
 * loop does not change? */
static bool compares_pointers(const struct operation *o, const struct values *v)
{
    const int a = v->place[operand_place(o->operand[0])];
    const int b = v->place[operand_place(o->operand[1])];

    return a != VALUE_VARIABLE && b != VALUE_VARIABLE;
}

/* Follow the loop once.  @return whether values at a jump's target changed */
static bool follow(struct loop *l, bool *folded, bool *constant_end)
{
    struct values now = {.reached = false};
    bool changed = false;

    for (size_t i = l->first; i <= l->last; i++) {
        const struct operation *o = &l->operations[i];

        join_values(&now, &l->before[i - l->first]);
        if (!now.reached)
            continue;
        folded[i - l->first] = apply_operation(o, &now);
        if (i == l->bound && l->bound && compares_pointers(o, &now)) {
            now.flags = VALUE_CONSTANT;
            folded[i - l->first] = true;
        }
        if (is_jump(o)) {
            const size_t to = line_at(l, o->target);

            if (to <= l->last)
                changed |= join_values(&l->before[to - l->first], &now);
            *constant_end = folded[i - l->first];
            now.reached = is_conditional_jump(o);
        }
    }
    return changed;
}

/* Where the loop is entered: at its first line, or by a jump over it. */
static bool find_entry(struct loop *l)
{
    const struct operation *o = l->first ? &l->operations[l->first - 1] : NULL;

    l->entry = l->first;
    if (o && is_jump(o) && !is_conditional_jump(o))
        l->entry = line_at(l, o->target);
    return l->entry <= l->last;
}

static void fold_loop(struct loop *l, bool *folded)
{
    const size_t count = l->last - l->first + 1;
    bool *here = calloc(count, sizeof *here), constant = false;

    l->before = calloc(count, sizeof *l->before);
    if (here && l->before && find_entry(l)) {
        int rounds = 0;

        set_entry_values(l);
        l->bound = find_bound(l);
        while (follow(l, here, &constant) && ++rounds < MAX_ROUNDS)
            ;
        constant &= rounds < MAX_ROUNDS;
        for (size_t i = 0; constant && i < count; i++)
            folded[l->first + i] |= here[i];
    }
    free(here);
    free(l->before);
}

void find_constant_loops(const struct machine_line *lines, size_t count,
                         bool *folded)
{
    struct operation *operations = calloc(count + 1, sizeof *operations);

    for (size_t i = 0; operations && i < count; i++)
        operations[i] = parse_operation(lines[i].text);
    for (size_t last = 0; operations && last < count; last++) {
        struct loop l = {.lines = lines, .operations = operations,
                         .first = last, .last = last};

        if (!is_conditional_jump(&operations[last]))
            continue;
        while (l.first && l.lines[l.first].address > operations[last].target)
            l.first--;
        if (lines[l.first].address == operations[last].target
            && last - l.first < MAX_LOOP)
            fold_loop(&l, folded);
    }
    free(operations);
}
