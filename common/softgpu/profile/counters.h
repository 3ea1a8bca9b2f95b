/* SPDX-License-Identifier: MIT */
/** @file
 *  The counters of a kernel, and of each of its source lines.
 *
 *  A counter is a sum over all launches of the kernel.  If only some blocks
 *  were sampled, it is a sum over these (struct kernel_profile has their
 *  number).  The unit is one *warp instruction*: lanes of a warp that execute
 *  the same access for the same time belong to one.  Rules, for sm_80 and
 *  sm_90:
 *
 *  Global memory.  One request per warp instruction.  A sector is an aligned
 *  chunk of 32 bytes; each one that the lanes access counts once.  The ideal
 *  is the number of sectors if the accessed bytes were packed:
 *  ceil(bytes / 32).
 *
 *  A load takes wavefronts in L1, one a clock: L1 looks up the tags of four
 *  lines of 128 bytes in a clock (NVIDIA, developer forum, topic 49571, reply
 *  14, for Volta; topic 312884), and reads its lines from the same 32 banks
 *  that shared memory has, by the same rule: Nsight Compute counts conflicts
 *  of global loads, too
 *  (l1tex__data_bank_conflicts_pipe_lsu_mem_global_op_ld).  Each line spans
 *  all banks, so lanes that read one column of lines take turns.
 *  Asynchronous copies bypass the banks.
 *
 *  A load waits for L2 if L1 misses one of its sectors, or has only just
 *  missed it, for the same instruction of another warp.
 *
 *  Shared memory.  32 banks of 4 bytes.  Lanes of up to 4 bytes are served in
 *  one pass, of 8 bytes in two half-warps, of 16 bytes in four quarter-warps.
 *  A pass takes as many wavefronts as there are distinct words in the bank
 *  with most of them.  The ideal is one wavefront per pass with an active
 *  lane; each further one is a bank conflict.
 *
 *  Joined shared loads.  nvcc merges shared loads of neighboring words into
 *  one vector load when their loop is unrolled.  A shared load is counted as
 *  joined if all of this holds: an earlier load of the warp was of the words
 *  right before, in the same aligned 16 bytes, for every lane; no shared store
 *  and no barrier came in between.  Requests and wavefronts count joined loads
 *  as well.  What a vector load saves, of these or in the source, is counted
 *  beside them: the quarters of a warp take turns, and two quarters are served
 *  together where lanes share their addresses in pairs (l and l ^ 1, or l and
 *  l ^ 2).
 *
 *  Barriers.  A barrier waits idly for what its warps began to copy since
 *  their last shared load or their last barrier: a tile is copied, waited for,
 *  used.  If a tile is used while the next one is copied, there is a shared
 *  load in between.  This counter belongs to the barrier's line.  A load to a
 *  register is ahead of the tile in use by the same rule: the warp loads from
 *  shared memory before its next barrier.  Such loads belong to the line of
 *  that shared load.
 *
 *  Blocks run side by side, launches do not: of each launch the requests of
 *  the block that makes most of them are the part that cannot be spread.
 *
 *  Atomics have requests and sectors of their own.  Lanes with the same
 *  address are serialized, one per pass.
 *
 *  Phases are those of barriers in memory (cuda::barrier, cuda::latch, a tile
 *  of several warps, an mbarrier) for which a thread of the block has waited,
 *  and barriers of the grid.  The time of such a wait is not modeled.
 *  A thread arrives once, and the last one completes the phase: more arrivals
 *  are atomics that count something.
 *
 *  Source: CUDA C++ Programming Guide and Best Practices Guide, "Coalesced
 *  access to global memory" and "Shared memory and memory banks".  The metric
 *  names are Nsight Compute's.
 */
#ifndef SOFTGPU_COUNTERS_H
#define SOFTGPU_COUNTERS_H

#include <stdint.h>

/** X(field and JSON key, Nsight Compute's metric or "", description) */
#define SOFTGPU_COUNTERS(X)                                                    \
    X(global_load_requests,                                                    \
      "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",                       \
      "requests: global load instructions")                                    \
    X(global_load_sectors,                                                     \
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",                        \
      "sectors accessed by these requests")                                    \
    X(global_load_wavefronts, "", "their wavefronts in L1, without TMA's")     \
    X(global_load_waiting, "", "loads to registers that wait for L2")          \
    X(global_load_ahead, "", "loads to registers ahead of the tile in use")    \
    X(global_load_ideal, "", "the ideal: their bytes, packed into sectors")    \
    X(global_load_bytes, "", "distinct bytes that the lanes access")           \
    X(global_load_async, "", "of the requests, asynchronous copies")           \
    X(global_load_bulk, "", "of these, sectors that TMA copies")               \
    X(global_store_requests,                                                   \
      "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",                       \
      "requests: global store instructions")                                   \
    X(global_store_sectors,                                                    \
      "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",                        \
      "sectors accessed by these requests")                                    \
    X(global_store_ideal, "", "the ideal: their bytes, packed into sectors")   \
    X(global_store_bytes, "", "distinct bytes that the lanes access")          \
    X(global_atomic_requests, "", "requests: global atomics")                  \
    X(global_atomic_sectors, "", "sectors accessed by these requests")         \
    X(global_atomic_passes, "", "passes: most lanes at one address")           \
    X(global_atomic_hottest, "", "lanes of atomics in the busiest kilobyte")   \
    X(global_busiest_requests, "", "requests of the block with most of them")  \
    X(shared_load_requests, "", "requests: shared load instructions")          \
    X(shared_load_wavefronts,                                                  \
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",                  \
      "wavefronts of these requests")                                          \
    X(shared_load_conflicts,                                                   \
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",              \
      "bank conflicts: wavefronts beyond the ideal")                           \
    X(shared_load_joined, "", "requests that nvcc merges with another")        \
    X(shared_load_saved, "", "wavefronts that vector loads save")              \
    X(shared_store_requests, "", "requests: shared store instructions")        \
    X(shared_store_wavefronts,                                                 \
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",                  \
      "wavefronts of these requests")                                          \
    X(shared_store_conflicts,                                                  \
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",              \
      "bank conflicts: wavefronts beyond the ideal")                           \
    X(shared_atomic_requests, "", "requests: shared atomics")                  \
    X(shared_atomic_passes, "", "passes: most lanes at one address")           \
    X(local_requests, "", "requests to local memory")                          \
    X(constant_requests, "", "requests: constant load instructions")           \
    X(constant_passes, "", "distinct words of each request")                   \
    X(constant_replays, "", "passes beyond one a request")                     \
    X(barriers, "", "barriers, once per block")                                \
    X(barrier_phases, "", "phases of other barriers, once per block")          \
    X(barrier_arrivals, "", "arrivals at a phase, beyond two a thread")        \
    X(waited_copies, "", "copies that barriers wait for")                      \
    X(warp_calls, "", "shuffles, votes, __syncwarp, once per warp")            \
    X(warp_instructions, "smsp__inst_executed.sum", "warp instructions")       \
    X(thread_instructions,                                                     \
      "smsp__thread_inst_executed.sum", "thread instructions")                 \
    X(branches, "", "conditional branches, once per warp")                     \
    X(branches_divergent, "", "of these, divergent ones")                      \
    X(flop_half, "", "half and bf16 operations")                               \
    X(flop_float, "", "float operations; an FMA is 2")                         \
    X(flop_double, "", "double operations; an FMA is 2")                       \
    X(flop_special, "", "square roots, divisions, exponentials")               \
    X(flop_tensor, "", "tensor core operations; an FMA is 2")                  \
    X(integer_instructions, "", "integer instructions, once per thread")       \
    X(l2_read_sectors, "lts__t_sectors_op_read.sum", "sectors read from L2")   \
    X(l2_write_sectors,                                                        \
      "lts__t_sectors_op_write.sum", "sectors written to L2")                  \
    X(dram_read_bytes, "dram__bytes_read.sum", "bytes read from DRAM")         \
    X(dram_write_bytes, "dram__bytes_write.sum", "bytes written to DRAM")

/** The counters; all start at 0. */
struct counters {
#define X(name, metric, description) uint64_t name;
    SOFTGPU_COUNTERS(X)
#undef X
};

/** Add the counters of b to a. */
static inline void counters_add(struct counters *a, const struct counters *b)
{
#define X(name, metric, description) a->name += b->name;
    SOFTGPU_COUNTERS(X)
#undef X
}

#endif
