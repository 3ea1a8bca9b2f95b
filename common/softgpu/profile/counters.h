/* SPDX-License-Identifier: MIT */
/** @file
 *  What the profiler counts of a kernel, and of each of its source lines.
 *
 *  A count is a sum over all launches of the kernel (and, where only some
 *  blocks were watched, over those: struct kernel_profile says which share).
 *  The unit is one *warp instruction*: lanes of a warp that execute the same
 *  access for the same time belong together.  Rules, for sm_80 and sm_90:
 *
 *  Global memory.  A request a warp instruction; a sector is a distinct chunk
 *  of 32 bytes that its lanes touch; the ideal is how many chunks the union of
 *  the bytes would fill, packed: ceil(union / 32).
 *
 *  Shared memory.  32 banks of 4 bytes.  Lanes of up to 4 bytes go in one
 *  pass, of 8 in two half warps, of 16 in four quarter warps; a pass takes as
 *  many wavefronts as its worst bank has distinct words.  The ideal is one
 *  wavefront for each pass with an active lane; a conflict is each wavefront
 *  beyond.
 *
 *  A shared load is joined when a load of the warp shortly before, with no
 *  shared store and no barrier in between, was of the words before its own,
 *  in the same aligned 16 bytes for every lane, and each two neighbours or
 *  each two lanes two apart shared theirs: nvcc makes one instruction of
 *  such loads when their loop is unrolled.  They count in requests and
 *  wavefronts all the same.
 *
 *  A barrier waits idly for what its warps loaded or began to copy since their
 *  last shared load, or their last barrier: fill a tile, wait, use it.  Where a
 *  tile is used while the next one is on its way, a shared load comes in
 *  between.  These counters belong to the barrier's line.
 *
 *  Atomics count as requests and sectors of their own; lanes that meet at one
 *  address are done one after the other (the passes).
 *
 *  Source: CUDA C++ programming guide and best practices guide, "Coalesced
 *  access to global memory" and "Shared memory and memory banks"; the metrics'
 *  names are Nsight Compute's.
 */
#ifndef SOFTGPU_COUNTERS_H
#define SOFTGPU_COUNTERS_H

#include <stdint.h>

/** X(field and JSON key, Nsight Compute's metric or "", words) */
#define SOFTGPU_COUNTERS(X)                                                    \
    X(global_load_requests,                                                    \
      "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global loads")       \
    X(global_load_sectors,                                                     \
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "their sectors")       \
    X(global_load_ideal, "", "sectors, were they packed")                      \
    X(global_load_bytes, "", "bytes they use (union of the lanes)")            \
    X(global_load_async, "", "by copies that no register waits for")           \
    X(global_load_bulk, "", "of these, sectors of boxes that TMA copies")      \
    X(global_store_requests,                                                   \
      "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global stores")      \
    X(global_store_sectors,                                                    \
      "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "their sectors")       \
    X(global_store_ideal, "", "sectors, were they packed")                     \
    X(global_store_bytes, "", "bytes they use (union of the lanes)")           \
    X(global_atomic_requests, "", "atomics and reductions in global memory")   \
    X(global_atomic_sectors, "", "their sectors")                              \
    X(global_atomic_passes, "", "most lanes at one address, summed")           \
    X(global_atomic_hottest, "", "their lanes in the busiest kilobyte")        \
    X(shared_load_requests, "", "shared loads")                                \
    X(shared_load_wavefronts,                                                  \
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",                  \
      "their wavefronts")                                                      \
    X(shared_load_conflicts,                                                   \
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",              \
      "bank conflicts")                                                        \
    X(shared_load_joined, "", "that a wide load brings with one before")       \
    X(shared_store_requests, "", "shared stores")                              \
    X(shared_store_wavefronts,                                                 \
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",                  \
      "their wavefronts")                                                      \
    X(shared_store_conflicts,                                                  \
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",              \
      "bank conflicts")                                                        \
    X(shared_atomic_requests, "", "atomics in shared memory")                  \
    X(shared_atomic_passes, "", "most lanes at one address, summed")           \
    X(local_requests, "", "accesses to local arrays")                          \
    X(constant_requests, "", "loads from constant memory")                     \
    X(constant_passes, "", "distinct words in them")                           \
    X(barriers, "", "block-wide barriers, once a block each")                  \
    X(waited_sectors, "", "sectors of loads that a barrier waits for, idly")   \
    X(waited_copies, "", "requests of copies, likewise")                       \
    X(warp_calls, "", "shuffles, votes and __syncwarp, once a warp each")      \
    X(warp_instructions, "smsp__inst_executed.sum", "warp instructions")       \
    X(thread_instructions, "smsp__thread_inst_executed.sum",                   \
      "thread instructions")                                                   \
    X(branches, "", "branches, once a warp each")                              \
    X(branches_divergent, "", "branches whose lanes parted")                   \
    X(flop_half, "", "operations on half and bf16")                            \
    X(flop_float, "", "operations on float; a fused one counts 2")             \
    X(flop_double, "", "operations on double; a fused one counts 2")           \
    X(flop_special, "", "square roots, divisions, exponentials, ...")          \
    X(flop_tensor, "", "operations of matrix instructions")                    \
    X(integer_instructions, "", "integer and address instructions, a thread")  \
    X(l2_read_sectors, "lts__t_sectors_op_read.sum", "sectors read past L1")   \
    X(l2_write_sectors, "lts__t_sectors_op_write.sum", "sectors written past L1") \
    X(dram_read_bytes, "dram__bytes_read.sum", "bytes read from memory")       \
    X(dram_write_bytes, "dram__bytes_write.sum", "bytes written to memory")

/** The counters, all from 0. */
struct counters {
#define X(name, metric, words) uint64_t name;
    SOFTGPU_COUNTERS(X)
#undef X
};

/** Add b to a. */
static inline void counters_add(struct counters *a, const struct counters *b)
{
#define X(name, metric, words) a->name += b->name;
    SOFTGPU_COUNTERS(X)
#undef X
}

#endif
