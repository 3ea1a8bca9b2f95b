/* SPDX-License-Identifier: MIT */
/* A value is followed backwards, from copy to sum, to the lines that computed
 * its terms.  Two values with the same terms are a constant apart. */
#include "pointer_distance.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = 2, MAX_DEPTH = 12 };

/** What a line gave to a place, times a factor. */
struct term {
    size_t line; /**< its number + 1; 0: the value at the function's begin */
    int place;
    long factor;
};

/** A sum of terms; what is added as a constant does not matter. */
struct sum {
    struct term terms[MAX_TERMS];
    int count;
};

static struct sum value_before(const struct operation *operations,
                               size_t before, int place, int depth);

/* Does a call change the register? */
static bool is_lost(const struct operation *o, int place)
{
    struct values v = {.reached = true};

    if (strncmp(o->name, "call", 4) != 0 || place >= VALUE_REGISTERS)
        return false;
    forget_call_registers(&v);
    return v.place[place] == VALUE_VARIABLE;
}

static struct sum single(size_t line, int place)
{
    return (struct sum){.terms = {{line, place, 1}}, .count = 1};
}

/* Add a register of an address to the sum.  @return whether it has room */
static bool add_register(struct sum *s, const struct operation *operations,
                         size_t before, const char *name, long factor,
                         int depth)
{
    const int place = operand_place(name);
    struct sum one;

    if (place < 0)
        return false;
    one = value_before(operations, before, place, depth);
    if (s->count + one.count > MAX_TERMS)
        return false;
    for (int i = 0; i < one.count; i++) {
        one.terms[i].factor *= factor;
        s->terms[s->count++] = one.terms[i];
    }
    return true;
}

/* The sum that "8(%rax,%rbx,4)" stands for.  @return false: of other parts */
static bool sum_of_address(struct sum *s, const struct operation *operations,
                           size_t line, int depth)
{
    char base[8], index[8];
    const int scale =
        address_registers(operations[line].operand[0], base, index);

    return scale
           && (!*base || add_register(s, operations, line, base, 1, depth))
           && (!*index
               || add_register(s, operations, line, index, scale, depth));
}

/* What the line gave to the place. */
static struct sum sum_of_line(const struct operation *operations, size_t line,
                              int place, int depth)
{
    const struct operation *o = &operations[line];
    struct sum s = {.count = 0};

    if (depth && o->count == 2 && strncmp(o->name, "mov", 3) == 0
        && add_register(&s, operations, line, o->operand[0], 1, depth - 1))
        return s;
    s.count = 0;
    if (depth && strncmp(o->name, "lea", 3) == 0
        && sum_of_address(&s, operations, line, depth - 1))
        return s;
    if (depth && o->count == 2 && o->operand[0][0] == '$'
        && (strncmp(o->name, "add", 3) == 0 || strncmp(o->name, "sub", 3) == 0))
        return value_before(operations, line, place, depth - 1);
    return single(line + 1, place);
}

static struct sum value_before(const struct operation *operations,
                               size_t before, int place, int depth)
{
    for (size_t i = before; i--;) {
        if (is_lost(&operations[i], place))
            return single(i + 1, place);
        if (!is_jump(&operations[i]) && target_place(&operations[i]) == place)
            return sum_of_line(operations, i, place, depth);
    }
    return single(0, place);
}

static bool is_same_term(const struct term *a, const struct term *b)
{
    return a->line == b->line && a->place == b->place
           && a->factor == b->factor;
}

bool is_constant_distance(const struct operation *operations, size_t before,
                          int a, int b)
{
    const struct sum x = value_before(operations, before, a, MAX_DEPTH);
    const struct sum y = value_before(operations, before, b, MAX_DEPTH);
    const struct term *p = x.terms, *q = y.terms;

    if (x.count != y.count)
        return false;
    if (x.count == 1)
        return is_same_term(p, q);
    return (is_same_term(p, q) && is_same_term(p + 1, q + 1))
           || (is_same_term(p, q + 1) && is_same_term(p + 1, q));
}
