/* SPDX-License-Identifier: MIT */
/** @file
 *  The control flow graph of a block's threads, as far as they executed it,
 *  and the order in which a GPU executes its basic blocks after divergence.
 *
 *  Diverged lanes reconverge where their paths join.  To wait there for the
 *  other lanes is to execute basic blocks in an order in which each block
 *  comes after all its predecessors, and a whole loop before what follows the
 *  loop: a weak topological order (Bourdoncle, "Efficient chaotic iteration
 *  strategies with widenings", 1993).
 */
#ifndef SOFTGPU_FLOW_GRAPH_H
#define SOFTGPU_FLOW_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FLOW_MAX_SUCCESSORS = 6, /**< of a basic block; later ones are dropped */
    FLOW_MAX_BLOCKS = 1024,  /**< basic blocks of a graph */
};

/** A basic block. */
struct flow_graph_node {
    uint64_t code;                      /**< its address */
    uint16_t next[FLOW_MAX_SUCCESSORS]; /**< successors, by address */
    uint8_t successor_count;
    bool entry;      /**< it begins a function */
    uint16_t rank;   /**< its place in the order, from 1 */
    uint16_t number; /**< visit number while the order is computed */
};

/** The graph; all zero is an empty one. */
struct flow_graph {
    struct flow_graph_node *nodes; /**< nodes[0] is no block; its rank is 0 */
    uint16_t *index;               /**< hash table of nodes by code */
    uint32_t count;                /**< of nodes, with nodes[0] */
    bool changed;                  /**< since the order was computed */
};

/** Remove all basic blocks.  @return 0, or -1 without memory */
int flow_graph_clear(struct flow_graph *flow);
/** Find the basic block at an address, or add it.
 *  @return index of its node; 0 when there are too many blocks */
uint16_t flow_graph_node(struct flow_graph *flow, uint64_t code);
/** Mark a block as the entry of a function. */
void flow_graph_mark_entry(struct flow_graph *flow, uint16_t node);
/** Add the edge from one block to another. */
void flow_graph_add_edge(struct flow_graph *flow, uint16_t from, uint16_t to);
/** Compute the rank of each node, if the graph has changed.  The result
 *  depends on the graph alone, not on the order in which it was built. */
void flow_graph_order(struct flow_graph *flow);
/** Free the memory; the graph is empty then. */
void flow_graph_free(struct flow_graph *flow);

#endif
