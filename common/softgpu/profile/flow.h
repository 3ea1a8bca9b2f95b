/* SPDX-License-Identifier: MIT */
/** @file
 *  The control flow of a block's threads, as it was seen, and the order in
 *  which a card takes basic blocks when lanes have parted.
 *
 *  Lanes that parted meet again where their ways join.  To wait there for the
 *  others is to take blocks in an order in which each comes after all that lead
 *  to it, and all of a loop before what follows the loop: a weak topological
 *  order (Bourdoncle, "Efficient chaotic iteration strategies with widenings",
 *  1993).
 */
#ifndef SOFTGPU_FLOW_H
#define SOFTGPU_FLOW_H

#include <stdbool.h>
#include <stdint.h>

enum { FLOW_NEXT = 6, FLOW_MOST = 1024 };

/** A basic block. */
struct flow_node {
    uint64_t code;            /**< its address */
    uint16_t next[FLOW_NEXT]; /**< where threads went from it; the first six */
    uint8_t nexts;
    bool entry;               /**< a function began with it */
    uint16_t rank;            /**< its place in the order, from 1 */
    uint16_t number;          /**< while the order is made */
};

/** The graph; nodes[0] is nobody, of rank 0.  All zero is empty. */
struct flow {
    struct flow_node *nodes;
    uint16_t *index;  /**< hash table of nodes by code */
    uint32_t count;   /**< with nodes[0] */
    bool changed;     /**< since the order was made */
};

/** Forget the graph.  @return 0, or -1 without memory */
int flow_clear(struct flow *flow);
/** The block at this address, made if it is new; 0 when there are too many. */
uint16_t flow_node(struct flow *flow, uint64_t code);
/** A thread began a function with this block. */
void flow_enter(struct flow *flow, uint16_t node);
/** A thread went from one block to another. */
void flow_edge(struct flow *flow, uint16_t from, uint16_t to);
/** Give each node its rank, if anything has changed.  It depends on the graph
 *  alone, not on the order in which it was found. */
void flow_order(struct flow *flow);
/** Give the memory back. */
void flow_free(struct flow *flow);

#endif
