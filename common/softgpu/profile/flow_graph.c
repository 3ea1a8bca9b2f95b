/* SPDX-License-Identifier: MIT */
/* Bourdoncle's recursive algorithm for a weak topological order.  Ranks are
 * assigned from the last to the first. */
#include "flow_graph.h"

#include <stdlib.h>
#include <string.h>

enum { INDEX = 4 * FLOW_MAX_BLOCKS, DONE = UINT16_MAX };

/** The state of one run. */
struct ordering {
    struct flow_graph *flow;
    uint16_t stack[FLOW_MAX_BLOCKS]; /* visited, component not known yet */
    uint32_t top;
    uint16_t visit_count, rank;
};

int flow_graph_clear(struct flow_graph *f)
{
    if (!f->nodes) {
        f->nodes = malloc(FLOW_MAX_BLOCKS * sizeof *f->nodes);
        f->index = malloc(INDEX * sizeof *f->index);
    }
    if (!f->nodes || !f->index) {
        flow_graph_free(f);
        return -1;
    }
    memset(f->index, 0, INDEX * sizeof *f->index);
    memset(&f->nodes[0], 0, sizeof f->nodes[0]);
    f->count = 1;
    f->changed = false;
    return 0;
}

uint16_t flow_graph_node(struct flow_graph *f, uint64_t code)
{
    uint32_t at = (uint32_t)(code * 0x9e3779b97f4a7c15u >> 40) % INDEX;

    for (; f->index[at]; at = (at + 1) % INDEX)
        if (f->nodes[f->index[at]].code == code)
            return f->index[at];
    if (f->count == FLOW_MAX_BLOCKS)
        return 0;
    memset(&f->nodes[f->count], 0, sizeof f->nodes[0]);
    f->nodes[f->count].code = code;
    f->index[at] = (uint16_t)f->count;
    f->changed = true;
    return (uint16_t)f->count++;
}

void flow_graph_mark_entry(struct flow_graph *f, uint16_t node)
{
    f->changed |= !f->nodes[node].entry;
    f->nodes[node].entry = true;
}

/* Successors are sorted by address, so that the order of execution on the host
 * does not change the result. */
void flow_graph_add_edge(struct flow_graph *f, uint16_t from, uint16_t to)
{
    struct flow_graph_node *n = &f->nodes[from];
    uint8_t i = n->successor_count;

    for (uint8_t j = 0; j < n->successor_count; j++)
        if (n->next[j] == to)
            return;
    if (!from || !to || n->successor_count == FLOW_MAX_SUCCESSORS)
        return;
    for (; i > 0 && f->nodes[n->next[i - 1]].code > f->nodes[to].code; i--)
        n->next[i] = n->next[i - 1];
    n->next[i] = to;
    n->successor_count++;
    f->changed = true;
}

static uint16_t visit(struct ordering *m, uint16_t v);

static void assign_rank(struct ordering *m, uint16_t v)
{
    m->flow->nodes[v].rank = m->rank--;
}

/* Order the body of a loop after its head and before what follows the loop. */
static void order_loop(struct ordering *m, uint16_t head)
{
    const struct flow_graph_node *n = &m->flow->nodes[head];

    for (uint8_t i = 0; i < n->successor_count; i++)
        if (!m->flow->nodes[n->next[i]].number)
            visit(m, n->next[i]);
    assign_rank(m, head);
}

/* Take the blocks of the loop off the stack: they are visited again, without
 * the head. */
static void unstack_component(struct ordering *m, uint16_t head)
{
    uint16_t v;

    while ((v = m->stack[--m->top]) != head)
        m->flow->nodes[v].number = 0;
}

/* Depth-first search.  @return the smallest visit number that v reaches */
static uint16_t visit(struct ordering *m, uint16_t v)
{
    struct flow_graph_node *n = &m->flow->nodes[v];
    uint16_t head = n->number = ++m->visit_count;
    bool loops = false;

    m->stack[m->top++] = v;
    for (uint8_t i = 0; i < n->successor_count; i++) {
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
    unstack_component(m, v);
    n->number = DONE;
    if (loops)
        order_loop(m, v);
    else
        assign_rank(m, v);
    return head;
}

/* The unvisited node with the smallest address; 0: none. */
static uint16_t next_root(const struct flow_graph *f, bool entries)
{
    uint16_t best = 0;

    for (uint16_t i = 1; i < f->count; i++)
        if (!f->nodes[i].number && (f->nodes[i].entry || !entries)
            && (!best || f->nodes[i].code < f->nodes[best].code))
            best = i;
    return best;
}

void flow_graph_order(struct flow_graph *f)
{
    struct ordering *m;
    uint16_t root;

    if (!f->changed || !(m = malloc(sizeof *m)))
        return;
    f->changed = false;
    *m = (struct ordering){.flow = f, .rank = (uint16_t)(f->count - 1)};
    for (uint32_t i = 0; i < f->count; i++)
        f->nodes[i].number = 0;
    while ((root = next_root(f, true)) || (root = next_root(f, false)))
        visit(m, root);
    free(m);
}

void flow_graph_free(struct flow_graph *f)
{
    free(f->nodes);
    free(f->index);
    memset(f, 0, sizeof *f);
}
