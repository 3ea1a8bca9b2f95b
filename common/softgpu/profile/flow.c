/* SPDX-License-Identifier: MIT */
/* Bourdoncle's recursive algorithm; ranks are given out from the last. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

enum { INDEX = 4 * FLOW_MOST, DONE = UINT16_MAX };

/** The order in the making. */
struct maker {
    struct flow *flow;
    uint16_t stack[FLOW_MOST]; /* visited, their loop not yet known */
    uint32_t top;
    uint16_t visits, rank;
};

int flow_clear(struct flow *f)
{
    if (!f->nodes) {
        f->nodes = malloc(FLOW_MOST * sizeof *f->nodes);
        f->index = malloc(INDEX * sizeof *f->index);
    }
    if (!f->nodes || !f->index) {
        flow_free(f);
        return -1;
    }
    memset(f->index, 0, INDEX * sizeof *f->index);
    memset(&f->nodes[0], 0, sizeof f->nodes[0]);
    f->count = 1;
    f->changed = false;
    return 0;
}

uint16_t flow_node(struct flow *f, uint64_t code)
{
    uint32_t at = (uint32_t)(code * 0x9e3779b97f4a7c15u >> 40) % INDEX;

    for (; f->index[at]; at = (at + 1) % INDEX)
        if (f->nodes[f->index[at]].code == code)
            return f->index[at];
    if (f->count == FLOW_MOST)
        return 0;
    memset(&f->nodes[f->count], 0, sizeof f->nodes[0]);
    f->nodes[f->count].code = code;
    f->index[at] = (uint16_t)f->count;
    f->changed = true;
    return (uint16_t)f->count++;
}

void flow_enter(struct flow *f, uint16_t node)
{
    f->changed |= !f->nodes[node].entry;
    f->nodes[node].entry = true;
}

/* Sorted by address, so that the order does not depend on who came first. */
void flow_edge(struct flow *f, uint16_t from, uint16_t to)
{
    struct flow_node *n = &f->nodes[from];
    uint8_t i = n->nexts;

    for (uint8_t j = 0; j < n->nexts; j++)
        if (n->next[j] == to)
            return;
    if (!from || !to || n->nexts == FLOW_NEXT)
        return;
    for (; i > 0 && f->nodes[n->next[i - 1]].code > f->nodes[to].code; i--)
        n->next[i] = n->next[i - 1];
    n->next[i] = to;
    n->nexts++;
    f->changed = true;
}

static uint16_t visit(struct maker *m, uint16_t v);

static void give_rank(struct maker *m, uint16_t v)
{
    m->flow->nodes[v].rank = m->rank--;
}

/* All of the loop with this head, in front of what follows it. */
static void loop(struct maker *m, uint16_t head)
{
    const struct flow_node *n = &m->flow->nodes[head];

    for (uint8_t i = 0; i < n->nexts; i++)
        if (!m->flow->nodes[n->next[i]].number)
            visit(m, n->next[i]);
    give_rank(m, head);
}

/* Take the loop's blocks off the stack, to be visited again without head. */
static void forget(struct maker *m, uint16_t head)
{
    uint16_t v;

    while ((v = m->stack[--m->top]) != head)
        m->flow->nodes[v].number = 0;
}

/* The smallest number that v leads back to. */
static uint16_t visit(struct maker *m, uint16_t v)
{
    struct flow_node *n = &m->flow->nodes[v];
    uint16_t head = n->number = ++m->visits;
    bool loops = false;

    m->stack[m->top++] = v;
    for (uint8_t i = 0; i < n->nexts; i++) {
        uint16_t back = m->flow->nodes[n->next[i]].number;

        if (!back)
            back = visit(m, n->next[i]);
        if (back <= head) {
            head = back;
            loops = true;
        }
    }
    if (head != n->number)
        return head;
    forget(m, v);
    n->number = DONE;
    if (loops)
        loop(m, v);
    else
        give_rank(m, v);
    return head;
}

/* The unvisited node with the smallest address; 0: none. */
static uint16_t next_root(const struct flow *f, bool entries)
{
    uint16_t best = 0;

    for (uint16_t i = 1; i < f->count; i++)
        if (!f->nodes[i].number && (f->nodes[i].entry || !entries)
            && (!best || f->nodes[i].code < f->nodes[best].code))
            best = i;
    return best;
}

void flow_order(struct flow *f)
{
    struct maker *m;
    uint16_t root;

    if (!f->changed || !(m = malloc(sizeof *m)))
        return;
    f->changed = false;
    *m = (struct maker){.flow = f, .rank = (uint16_t)(f->count - 1)};
    for (uint32_t i = 0; i < f->count; i++)
        f->nodes[i].number = 0;
    while ((root = next_root(f, true)) || (root = next_root(f, false)))
        visit(m, root);
    free(m);
}

void flow_free(struct flow *f)
{
    free(f->nodes);
    free(f->index);
    memset(f, 0, sizeof *f);
}
