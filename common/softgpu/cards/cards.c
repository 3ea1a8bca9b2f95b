/* SPDX-License-Identifier: MIT */
/** @file
 *  The table of cards.
 *
 *  Sources.  Compute capability, threads, blocks and shared memory: the table
 *  "Technical specifications per compute capability" of the CUDA C++
 *  programming guide.  SMs, memory, bus and bandwidth: NVIDIA's data sheet or
 *  architecture white paper, named at each card.  Clocks, usable bytes and L2
 *  as the driver reports them (deviceQuery).  link_gbs: the bandwidth of
 *  pinned copies in practice, 80-85 % of the link: PCIe 3 x16 12, PCIe 4 x16
 *  25, PCIe 5 x16 53.  peer_gbs: NVLink of the data sheet, one direction (half
 *  the advertised number), or PCIe.
 *
 *  For modeled times.  Lanes: the programming guide's table "Throughput of
 *  native arithmetic instructions".  Tensor cores: peak of the white paper
 *  per SM and clock, dense, half with float sums.  l1_bytes: the tuning
 *  guide of each architecture.  Measured values, by pointer chasing and by
 *  reading a buffer that fits L2, are in the files a100*, h100_pcie, h200,
 *  a40, l40 and v100 of github.com/te42kyfo/gpu-benches (gpu-latency,
 *  gpu-l2-cache, gpu-cache, gpu-small-kernels); T4's are in Jia et al.,
 *  "Dissecting the NVidia Turing T4 GPU via microbenchmarking" (2019).  Where
 *  a card was not measured, the value of the most similar card is used, and a
 *  comment at the card says so.  l1_rate: Jia et al. (V100, T4) and Luo et al.
 *  (A100, RTX 4090, Hopper PCIe), loads of 4 bytes per lane; cc 8.6 as 8.9, an
 *  estimate.  shared_cycles: the same sources and Luo et al.,
 *  "Benchmarking and dissecting the Nvidia Hopper GPU architecture" (2024).
 */
#include "card.h"

#include <stdio.h>
#include <string.h>

#define KB 1024u
#define MB (1024u * 1024u)

/* Shared memory depends only on the compute capability. */
#define CC_7_0                                                              \
    .major = 7, .minor = 0, .shared_block = 48 * KB,                        \
    .shared_optin = 96 * KB, .shared_sm = 96 * KB, .shared_reserved = 0,    \
    .threads_sm = 2048, .blocks_sm = 32, .fp32_lanes = 64,                  \
    .fp16_lanes = 128, .tensor_fma = 512, .l1_bytes = 128 * KB,             \
    .l1_rate = 108.3
#define CC_7_5                                                              \
    .major = 7, .minor = 5, .shared_block = 48 * KB,                        \
    .shared_optin = 64 * KB, .shared_sm = 64 * KB, .shared_reserved = 0,    \
    .threads_sm = 1024, .blocks_sm = 16, .fp32_lanes = 64,                  \
    .fp16_lanes = 128, .tensor_fma = 512, .l1_bytes = 96 * KB,              \
    .l1_rate = 58.8
#define CC_8_0                                                              \
    .major = 8, .minor = 0, .shared_block = 48 * KB,                        \
    .shared_optin = 163 * KB, .shared_sm = 164 * KB,                        \
    .shared_reserved = 1 * KB, .threads_sm = 2048, .blocks_sm = 32,         \
    .fp32_lanes = 64, .fp16_lanes = 256, .tensor_fma = 1024,                \
    .l1_bytes = 192 * KB, .l1_rate = 99.5
#define CC_8_6                                                              \
    .major = 8, .minor = 6, .shared_block = 48 * KB,                        \
    .shared_optin = 99 * KB, .shared_sm = 100 * KB,                         \
    .shared_reserved = 1 * KB, .threads_sm = 1536, .blocks_sm = 16,         \
    .fp32_lanes = 128, .fp16_lanes = 128, .tensor_fma = 256,                \
    .l1_bytes = 128 * KB, .l1_rate = 63.7
#define CC_8_9                                                              \
    .major = 8, .minor = 9, .shared_block = 48 * KB,                        \
    .shared_optin = 99 * KB, .shared_sm = 100 * KB,                         \
    .shared_reserved = 1 * KB, .threads_sm = 1536, .blocks_sm = 24,         \
    .fp32_lanes = 128, .fp16_lanes = 128, .tensor_fma = 256,                \
    .l1_bytes = 128 * KB, .l1_rate = 63.7
#define CC_9_0                                                              \
    .major = 9, .minor = 0, .shared_block = 48 * KB,                        \
    .shared_optin = 227 * KB, .shared_sm = 228 * KB,                        \
    .shared_reserved = 1 * KB, .threads_sm = 2048, .blocks_sm = 32,         \
    .fp32_lanes = 128, .fp16_lanes = 256, .tensor_fma = 2048,               \
    .l1_bytes = 256 * KB, .l1_rate = 125.8

static const struct softgpu_card cards[] = {
    /* H200 data sheet: 141 GB HBM3e, 4.8 TB/s, NVLink 900 GB/s, PCIe 5; usable
     * bytes by nvidia-smi (NVIDIA/cuda-samples issue 311); L2: 96 slices of
     * 640 KB (accel-sim-framework issue 534).  Latencies: H100 PCIe's */
    {.key = "h200", .name = "NVIDIA H200", CC_9_0, .sms = 132,
     .clock_khz = 1980000, .memory_khz = 3201000, .bus_bits = 6144,
     .fp64_ratio = 2, .copy_engines = 3, .ecc = 1,
     .memory_bytes = 143771ull * MB, .l2_bytes = 60 * MB, .dram_gbs = 4800,
     .link_gbs = 53, .peer_gbs = 450,
     .l2_gbs = 9700, .l1_cycles = 34, .l2_cycles = 265, .dram_cycles = 658,
     .shared_cycles = 29, .launch_ns = 2500},
    /* H100 SXM5 data sheet: 80 GB HBM3, 3.35 TB/s, NVLink 900 GB/s, PCIe 5;
     * white paper: 132 SMs, 50 MB of L2; clocks, bus and copy engines by
     * deviceQuery (thamada/nvidia-smi).  L2: 6,900 GB/s measured on the PCIe
     * card's 114 SMs at 1,755 MHz, by SMs and clock */
    {.key = "h100", .name = "NVIDIA H100 80GB HBM3", CC_9_0, .sms = 132,
     .clock_khz = 1980000, .memory_khz = 2619000, .bus_bits = 5120,
     .fp64_ratio = 2, .copy_engines = 3, .ecc = 1,
     .memory_bytes = 81079ull * MB, .l2_bytes = 50 * MB, .dram_gbs = 3350,
     .link_gbs = 53, .peer_gbs = 450,
     .l2_gbs = 9000, .l1_cycles = 34, .l2_cycles = 265, .dram_cycles = 658,
     .shared_cycles = 29, .launch_ns = 2500},
    /* A100 SXM4 40 GB data sheet: 1,555 GB/s, NVLink 600 GB/s, PCIe 4; white
     * paper: 108 SMs, 1,410 MHz, 40 MB of L2.  L2 rate: the 80 GB card's */
    {.key = "a100", .name = "NVIDIA A100-SXM4-40GB", CC_8_0, .sms = 108,
     .clock_khz = 1410000, .memory_khz = 1215000, .bus_bits = 5120,
     .fp64_ratio = 2, .copy_engines = 3, .ecc = 1,
     .memory_bytes = 40337ull * MB, .l2_bytes = 40 * MB, .dram_gbs = 1555,
     .link_gbs = 25, .peer_gbs = 300,
     .l2_gbs = 5400, .l1_cycles = 36, .l2_cycles = 213, .dram_cycles = 574,
     .shared_cycles = 29, .launch_ns = 2700},
    /* GeForce RTX 4090: Ada white paper: 128 SMs, 2,520 MHz, 24 GB, 384 bits
     * at 21 Gb/s = 1,008 GB/s, 72 MB of L2; PCIe 4.  L2 rate and latencies:
     * L40's, the same chip */
    {.key = "rtx4090", .name = "NVIDIA GeForce RTX 4090", CC_8_9, .sms = 128,
     .clock_khz = 2520000, .memory_khz = 10501000, .bus_bits = 384,
     .fp64_ratio = 64, .copy_engines = 2, .ecc = 0,
     .memory_bytes = 24217ull * MB, .l2_bytes = 72 * MB, .dram_gbs = 1008,
     .link_gbs = 25, .peer_gbs = 25,
     .l2_gbs = 5200, .l1_cycles = 36, .l2_cycles = 277, .dram_cycles = 632,
     .shared_cycles = 30, .launch_ns = 2100},
    /* RTX A6000 data sheet: 10,752 cores = 84 SMs, 48 GB, 384 bits at 16 Gb/s
     * = 768 GB/s, PCIe 4, NVLink 112.5 GB/s; GA102 white paper: 6 MB of L2.
     * Clock: 38.7 TFLOP/s of the data sheet.  L2 rate and launches: A40's, the
     * same chip.  Latencies as for RTX 3060 */
    {.key = "a6000", .name = "NVIDIA RTX A6000", CC_8_6, .sms = 84,
     .clock_khz = 1800000, .memory_khz = 8001000, .bus_bits = 384,
     .fp64_ratio = 64, .copy_engines = 2, .ecc = 1,
     .memory_bytes = 48685ull * MB, .l2_bytes = 6 * MB, .dram_gbs = 768,
     .link_gbs = 25, .peer_gbs = 56,
     .l2_gbs = 2430, .l1_cycles = 36, .l2_cycles = 223, .dram_cycles = 477,
     .shared_cycles = 29, .launch_ns = 2100},
    /* GeForce RTX 3060 12 GB product page: 3,584 cores = 28 SMs, 1,777 MHz,
     * 192 bits at 15 Gb/s = 360 GB/s; PCIe 4; L2 2,304 KB (deviceQuery).  L2
     * rate: A40's 2,430 GB/s by bus and clock.  Latencies: what Accel-Sim's
     * configuration SM86_RTX3070 puts to L2 (187) and memory (254) */
    {.key = "rtx3060", .name = "NVIDIA GeForce RTX 3060", CC_8_6, .sms = 28,
     .clock_khz = 1777000, .memory_khz = 7501000, .bus_bits = 192,
     .fp64_ratio = 64, .copy_engines = 2, .ecc = 0,
     .memory_bytes = 12036ull * MB, .l2_bytes = 2304 * KB, .dram_gbs = 360,
     .link_gbs = 25, .peer_gbs = 25,
     .l2_gbs = 1240, .l1_cycles = 36, .l2_cycles = 223, .dram_cycles = 477,
     .shared_cycles = 29, .launch_ns = 2100},
    /* T4 data sheet: 16 GB GDDR6, 320 GB/s, PCIe 3; Turing white paper: 40
     * SMs, 1,590 MHz, 4 MB of L2.  Memory latency: L2's and RTX 3060's way
     * from there, both GDDR6 */
    {.key = "t4", .name = "Tesla T4", CC_7_5, .sms = 40,
     .clock_khz = 1590000, .memory_khz = 5001000, .bus_bits = 256,
     .fp64_ratio = 32, .copy_engines = 3, .ecc = 1,
     .memory_bytes = 14930ull * MB, .l2_bytes = 4 * MB, .dram_gbs = 320,
     .link_gbs = 12, .peer_gbs = 12,
     .l2_gbs = 1270, .l1_cycles = 32, .l2_cycles = 188, .dram_cycles = 442,
     .shared_cycles = 19, .launch_ns = 2200},
    /* V100 SXM2 data sheet: 16 GB HBM2, 900 GB/s, NVLink 300 GB/s, PCIe 3;
     * white paper: 80 SMs, 1,530 MHz, 6 MB of L2 */
    {.key = "v100", .name = "Tesla V100-SXM2-16GB", CC_7_0, .sms = 80,
     .clock_khz = 1530000, .memory_khz = 877000, .bus_bits = 4096,
     .fp64_ratio = 2, .copy_engines = 3, .ecc = 1,
     .memory_bytes = 16160ull * MB, .l2_bytes = 6 * MB, .dram_gbs = 900,
     .link_gbs = 12, .peer_gbs = 150,
     .l2_gbs = 2540, .l1_cycles = 30, .l2_cycles = 214, .dram_cycles = 436,
     .shared_cycles = 19, .launch_ns = 2200},
};

#define CARDS (sizeof cards / sizeof cards[0])

const struct softgpu_card *softgpu_find_card(const char *key)
{
    for (size_t i = 0; i < CARDS; i++)
        if (!strcmp(cards[i].key, key))
            return &cards[i];
    return NULL;
}

void softgpu_list_cards(char *text, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < CARDS && at < n; i++)
        at += (size_t)snprintf(text + at, n - at, "%s%s", i ? ", " : "",
                               cards[i].key);
}
