/* SPDX-License-Identifier: MIT */
/** @file
 *  The cards that the software GPU can describe itself as.
 */
#ifndef SOFTGPU_CARD_H
#define SOFTGPU_CARD_H

#include <stddef.h>
#include <stdint.h>

/** One card: the figures that limits, occupancy and modelled times need. */
struct softgpu_card {
    const char *key;          /**< what SOFTGPU_CARD says */
    const char *name;         /**< what CUDA calls it */
    int major, minor;         /**< compute capability */
    int sms;                  /**< streaming multiprocessors */
    int clock_khz;            /**< boost clock */
    int memory_khz;           /**< memory clock, half the data rate */
    int bus_bits;             /**< memory bus */
    int fp64_ratio;           /**< float operations for one of double */
    int copy_engines;         /**< independent directions of copies */
    int ecc;                  /**< 1: ECC memory */
    uint64_t memory_bytes;    /**< global memory */
    uint32_t l2_bytes;        /**< L2 cache */
    uint32_t shared_block;    /**< shared memory a block, not opted in */
    uint32_t shared_optin;    /**< a block, opted in */
    uint32_t shared_sm;       /**< an SM */
    uint32_t shared_reserved; /**< taken by the system from each block */
    int threads_sm;           /**< resident threads an SM */
    int blocks_sm;            /**< resident blocks an SM */
    double dram_gbs;          /**< GB/s of memory, of the data sheet */
    double link_gbs;          /**< GB/s of pinned copies, each direction */
    double peer_gbs;          /**< GB/s to another such card */
    /* for modelled times; rates an SM and clock */
    int fp32_lanes;           /**< operations on float, fused ones as one */
    int fp16_lanes;           /**< the same on half, packed in pairs */
    int tensor_fma;           /**< multiply-adds of half by matrix cores */
    uint32_t l1_bytes;        /**< L1 and shared memory together, an SM */
    double l1_rate;           /**< bytes an SM and clock out of L1, by loads
                                   of 4 bytes a lane, measured */
    double l2_gbs;            /**< GB/s out of L2, measured */
    int l1_cycles;            /**< clocks until a load is back from L1, */
    int l2_cycles;            /**< from L2 */
    int dram_cycles;          /**< and from memory */
    int shared_cycles;        /**< from shared memory */
    int launch_ns;            /**< from one empty kernel to the next */
};

/** Registers of an SM and the most a block may use: 65,536 on all cards since
 *  cc 5.2 (CUDA programming guide, technical specifications). */
#define SOFTGPU_REGISTERS 65536
/** Parts of an SM, each with a quarter of its warps and registers, and a
 *  scheduler that issues one warp instruction a clock (white papers). */
#define SOFTGPU_PARTITIONS 4
/** Special functions an SM and clock, on all these cards (programming guide,
 *  throughput of native arithmetic instructions). */
#define SOFTGPU_SPECIAL_LANES 16

/** The card of this name, or NULL. */
const struct softgpu_card *softgpu_find_card(const char *key);

/** All keys with ", " between them, into text of n bytes. */
void softgpu_card_keys(char *text, size_t n);

#endif
