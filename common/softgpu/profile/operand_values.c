/* SPDX-License-Identifier: MIT */
/* Constants and offsets among the values of x86-64 instructions, as objdump
 * writes them. */
#include "operand_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The registers of the first eight numbers, without prefix and suffix; a call
 * keeps bx and bp. */
static const char *const old_registers[] = {"ax", "bx", "cx", "dx",
                                            "si", "di", "bp", "sp"};
enum { AX = 0, BX = 1, DX = 3, BP = 6, SP = 7, FIRST_NEW = 8, FIRST_KEPT = 12 };

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Number of a register such as "%r12d" or "%eax"; -1: none of these. */
static int register_number(const char *text)
{
    char name[8] = "";

    if (sscanf(text, "%%%7[a-z0-9]", name) != 1)
        return -1;
    if (name[0] == 'r' && name[1] >= '0' && name[1] <= '9') {
        const int n = atoi(name + 1);

        return n >= FIRST_NEW && n < VALUE_REGISTERS ? n : -1;
    }
    for (int i = 0; i < FIRST_NEW; i++) {
        const char *found = strstr(name, old_registers[i]);

        if (found && found - name <= 1)
            return i;
        if (name[0] == old_registers[i][0] && (name[1] == 'l' || name[1] == 'h')
            && !name[2] && i < 4)
            return i;
    }
    return -1;
}

/* Register, or slot of the frame: "-0x38(%rbp)". */
int operand_place(const char *operand)
{
    char *end;
    long offset;

    if (*operand == '%')
        return register_number(operand);
    offset = strtol(operand, &end, 16);
    if (end == operand || strcmp(end, "(%rbp)") != 0 || offset >= 0
        || -offset / 4 >= VALUE_SLOTS)
        return -1;
    return VALUE_REGISTERS + (int)(-offset / 4);
}

static enum value value_of(const struct values *v, const char *operand)
{
    const int place = operand_place(operand);

    if (*operand == '$')
        return VALUE_CONSTANT;
    return place < 0 ? VALUE_VARIABLE : (enum value)v->place[place];
}

static enum value joined(enum value a, enum value b)
{
    if (a == b)
        return a;
    return a == VALUE_VARIABLE || b == VALUE_VARIABLE ? VALUE_VARIABLE
                                                      : VALUE_OFFSET;
}

/* Split "a(b,c),d" at the commas outside of parentheses. */
static void split_operands(struct operation *o, const char *text)
{
    size_t n = 0;

    for (int depth = 0; *text && *text != '#' && *text != '<'; text++) {
        depth += (*text == '(') - (*text == ')');
        if (*text == ' ' || (*text == ',' && !depth)) {
            o->count += *text == ',' && o->count < VALUE_OPERANDS - 1;
            n = *text == ',' ? 0 : n;
        } else if (n + 1 < sizeof o->operand[0])
            o->operand[o->count][n++] = *text;
    }
    o->count += o->operand[o->count][0] != 0;
}

struct operation parse_operation(const char *text)
{
    struct operation o = {.count = 0};
    int at = 0;

    sscanf(text, "%15s %n", o.name, &at);
    split_operands(&o, text + at);
    if (is_jump(&o))
        o.target = strtoull(o.operand[0], NULL, 16);
    return o;
}

bool is_jump(const struct operation *o)
{
    return o->name[0] == 'j';
}

bool is_conditional_jump(const struct operation *o)
{
    return is_jump(o) && !begins(o->name, "jmp");
}

static bool clears_register(const struct operation *o)
{
    return begins(o->name, "xor") && o->count == 2
           && strcmp(o->operand[0], o->operand[1]) == 0;
}

bool sets_constant(const struct operation *o)
{
    return clears_register(o)
           || (begins(o->name, "mov") && o->count == 2
               && o->operand[0][0] == '$');
}

int target_place(const struct operation *o)
{
    if (!o->count || begins(o->name, "cmp") || begins(o->name, "test"))
        return -1;
    return operand_place(o->operand[o->count - 1]);
}

void forget_call_registers(struct values *v)
{
    for (int i = 0; i < FIRST_KEPT; i++)
        if (i != BX && i != BP && i != SP)
            v->place[i] = VALUE_VARIABLE;
    v->flags = VALUE_VARIABLE;
}

bool join_values(struct values *to, const struct values *from)
{
    const struct values was = *to;

    if (!from->reached)
        return false;
    if (!to->reached)
        *to = *from;
    for (int i = 0; i < VALUE_REGISTERS + VALUE_SLOTS; i++)
        to->place[i] = (uint8_t)joined(to->place[i], from->place[i]);
    to->flags = (uint8_t)joined(to->flags, from->flags);
    return memcmp(&was, to, sizeof was) != 0;
}

int address_registers(const char *operand, char base[8], char index[8])
{
    const char *open = strchr(operand, '(');
    int scale = 1;

    *base = *index = 0;
    if (!open)
        return 0;
    if (open[1] == ',')
        sscanf(open + 2, "%7[%a-z0-9],%d", index, &scale);
    else
        sscanf(open + 1, "%7[%a-z0-9],%7[%a-z0-9],%d", base, index, &scale);
    return scale;
}

static enum value address_value(const struct values *v, const char *operand)
{
    char base[8], index[8];
    enum value a = VALUE_CONSTANT, b = VALUE_CONSTANT;

    if (!address_registers(operand, base, index))
        return VALUE_VARIABLE;
    if (strcmp(base, "%rip") == 0 || strcmp(base, "%rbp") == 0)
        a = VALUE_INVARIANT;
    else if (*base)
        a = value_of(v, base);
    if (*index)
        b = value_of(v, index);
    return joined(a, b);
}

/* Values of all operands together; of one alone if it is both. */
static enum value operands_value(const struct operation *o,
                                 const struct values *v)
{
    const int sources = o->count == 3 ? 2 : o->count; /* imul $3,%rax,%rbx */
    enum value all = value_of(v, o->operand[0]);

    for (int i = 1; i < sources; i++)
        all = joined(all, value_of(v, o->operand[i]));
    return all;
}

static bool is_one_of(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (begins(name, *words) && (!name[strlen(*words)]
                                     || (strchr("bwlq", name[strlen(*words)])
                                         && !name[strlen(*words) + 1])))
            return true;
    return false;
}

/* The result of arithmetic: sums keep an offset apart, a multiple of such a sum
 * by a constant as well. */
static enum value result_of(const struct operation *o, const struct values *v)
{
    static const char *const sums[] = {"add", "sub", "inc", "dec", NULL};
    static const char *const multiples[] = {"shl", "sal", "imul", "neg", NULL};
    const enum value all = operands_value(o, v);
    const enum value last = value_of(v, o->operand[o->count == 3
                                                       ? 1 : o->count - 1]);
    const bool immediate = o->count == 1 || o->operand[0][0] == '$';

    if (all == VALUE_CONSTANT || all == VALUE_INVARIANT
        || is_one_of(o->name, sums))
        return all;
    if (immediate && (last == VALUE_INVARIANT || is_one_of(o->name, multiples)))
        return last;
    return VALUE_VARIABLE;
}

static void set_target(const struct operation *o, struct values *v,
                       enum value value)
{
    const int place = target_place(o);

    if (place >= 0)
        v->place[place] = (uint8_t)value;
}

static bool apply_arithmetic(const struct operation *o, struct values *v)
{
    const enum value result = clears_register(o) ? VALUE_CONSTANT
                                                 : result_of(o, v);

    v->flags = result == VALUE_CONSTANT ? VALUE_CONSTANT : VALUE_VARIABLE;
    set_target(o, v, result);
    return result != VALUE_VARIABLE && target_place(o) >= 0;
}

bool apply_operation(const struct operation *o, struct values *v)
{
    static const char *const arithmetic[] = {"add", "sub", "inc", "dec", "and",
        "or", "xor", "shl", "sal", "shr", "sar", "neg", "not", "imul", NULL};
    static const char *const silent[] = {"nop", "nopw", "nopl", "push", "pop",
        "cltq", "cwtl", "endbr64", "leave", "ret", "data16", "cs", NULL};

    if (begins(o->name, "call")) {
        forget_call_registers(v);
        return false;
    }
    if (is_conditional_jump(o))
        return v->flags == VALUE_CONSTANT;
    if (is_jump(o) || !o->count || is_one_of(o->name, silent))
        return false;
    if (begins(o->name, "cmp") || begins(o->name, "test")) {
        v->flags = (uint8_t)(operands_value(o, v) == VALUE_CONSTANT
                                 ? VALUE_CONSTANT : VALUE_VARIABLE);
        return v->flags == VALUE_CONSTANT;
    }
    if (is_one_of(o->name, arithmetic))
        return apply_arithmetic(o, v);
    if (o->count == 1 && (begins(o->name, "div") || begins(o->name, "idiv"))) {
        v->place[AX] = v->place[DX] = VALUE_VARIABLE;
        return value_of(v, o->operand[0]) == VALUE_CONSTANT;
    }
    if (begins(o->name, "lea")) {
        const enum value address = address_value(v, o->operand[0]);

        set_target(o, v, address);
        return address != VALUE_VARIABLE;
    }
    if (begins(o->name, "mov") && o->count == 2) {
        set_target(o, v, value_of(v, o->operand[0]));
        return false;
    }
    if (begins(o->name, "set") && v->flags == VALUE_CONSTANT) {
        set_target(o, v, VALUE_CONSTANT);
        return true;
    }
    set_target(o, v, VALUE_VARIABLE);
    return false;
}
