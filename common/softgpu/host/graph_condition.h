/* SPDX-License-Identifier: MIT */
/** @file
 *  Conditions of graphs: words that kernels set, and on which a conditional
 *  node's graph runs.
 */
#ifndef SOFTGPU_GRAPH_CONDITION_H
#define SOFTGPU_GRAPH_CONDITION_H

#include "graph.h"
#include "node_spec.h"

/** A condition; its address is the program's handle. */
struct softgpu_condition;

/** Build a conditional node with empty graphs.
 *  @param[out] params  phGraph_out points to them, until the program ends */
cudaError_t
softgpu_build_conditional_node(struct softgpu_node_spec *spec,
                               struct cudaConditionalNodeParams *params);
/** A graph is launched: set the conditions that have a default. */
void softgpu_conditions_reset(const struct CUgraph_st *graph);
/** Run the graph that a node's condition selects, as often as the condition
 *  asks for. */
cudaError_t softgpu_condition_run(struct softgpu_command *command,
                                  uint64_t *now);

#endif
