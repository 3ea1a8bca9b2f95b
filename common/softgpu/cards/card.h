/* SPDX-License-Identifier: MIT */
/** @file
 *  The cards that the software GPU can describe itself as.
 */
#ifndef SOFTGPU_CARD_H
#define SOFTGPU_CARD_H

#include <stddef.h>
#include <stdint.h>

/** One card: the numbers for limits, occupancy and modeled times. */
struct softgpu_card {
    const char *key;          /**< value of SOFTGPU_CARD */
    const char *name;         /**< name in CUDA */
    int major, minor;         /**< compute capability */
    int sms;                  /**< number of streaming multiprocessors */
    int clock_khz;            /**< boost clock */
    int memory_khz;           /**< memory clock, half the data rate */
    int bus_bits;             /**< width of the memory bus */
    int fp64_ratio;           /**< throughput of float over that of double */
    int copy_engines;         /**< independent directions of copies */
    int ecc;                  /**< 1: ECC memory */
    uint64_t memory_bytes;    /**< global memory */
    uint32_t l2_bytes;        /**< L2 cache */
    uint32_t shared_block;    /**< max shared memory per block by default */
    uint32_t shared_optin;    /**< max per block with the attribute set */
    uint32_t shared_sm;       /**< per SM */
    uint32_t shared_reserved; /**< used by the system in each block */
    int threads_sm;           /**< max resident threads per SM */
    int blocks_sm;            /**< max resident blocks per SM */
    double dram_gbs;          /**< GB/s of memory, from the data sheet */
    double link_gbs;          /**< GB/s of pinned copies, each direction */
    double peer_gbs;          /**< GB/s to another such card */
    /* for modeled times; throughput per SM and clock */
    int fp32_lanes;           /**< float operations; an FMA counts as one */
    int fp16_lanes;           /**< the same for half, packed in pairs */
    int tensor_fma;           /**< half multiply-adds of the tensor cores */
    uint32_t l1_bytes;        /**< L1 and shared memory together, per SM */
    double l1_rate;           /**< bytes per SM and clock from L1, measured
                                   with loads of 4 bytes per lane */
    double l2_gbs;            /**< GB/s from L2, measured */
    int l1_cycles;            /**< latency of a load from L1, in clocks */
    int l2_cycles;            /**< from L2 */
    int dram_cycles;          /**< from memory */
    int shared_cycles;        /**< from shared memory */
    int launch_ns;            /**< between two empty kernels */
};

/** Registers per SM, and the maximum per block: 65,536 on all cards since
 *  compute capability 5.2 (programming guide, technical specifications). */
#define SOFTGPU_REGISTERS 65536
/** Partitions of an SM, each with a quarter of its warps and registers and a
 *  warp scheduler that issues one instruction per clock (white papers). */
#define SOFTGPU_PARTITIONS 4
/** Special functions per SM and clock, on all these cards (programming guide,
 *  throughput of native arithmetic instructions). */
#define SOFTGPU_SPECIAL_LANES 16

/** The card with this key, or NULL. */
const struct softgpu_card *softgpu_find_card(const char *key);

/** Write all keys, separated by ", ", into a text of n bytes. */
void softgpu_list_cards(char *text, size_t n);

#endif
