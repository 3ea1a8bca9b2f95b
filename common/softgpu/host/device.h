/* SPDX-License-Identifier: MIT */
/** @file
 *  The virtual devices: identical, each the card that SOFTGPU_CARD names.
 */
#ifndef SOFTGPU_DEVICE_H
#define SOFTGPU_DEVICE_H

#include <stdint.h>

#include "common/softgpu/cards/card.h"
#include "cuda_runtime_api.h"
#include "arena.h"
#include "timeline.h"

/** Maximum of SOFTGPU_DEVICES. */
#define SOFTGPU_MAX_DEVICES 16
/** Values of enum cudaLimit. */
#define SOFTGPU_LIMITS 7

struct CUstream_st;
struct CUmemPoolHandle_st;

/** One virtual device. */
struct softgpu_device {
    int index;
    cudaError_t failure; /**< sticky error of a kernel */
    struct softgpu_arena arena;
    struct softgpu_engines engines;
    struct CUstream_st *legacy; /**< its legacy default stream */
    struct CUmemPoolHandle_st *default_pool; /**< NULL before its first use */
    struct CUmemPoolHandle_st *pool; /**< of cudaMallocAsync(), or NULL */
    size_t limits[SOFTGPU_LIMITS];
    unsigned flags;          /**< of cudaSetDeviceFlags */
    enum cudaFuncCache cache;
    uint32_t peers;          /**< bit p: may access device p */
};

/** Read the environment and initialize the devices, once.  An invalid value
 *  ends the program with one line on stderr. */
void softgpu_initialize(void);
/** 1 after softgpu_initialize(). */
int softgpu_is_initialized(void);
/** MiB of host memory for all devices, by SOFTGPU_HOST_MEMORY; 0: not set. */
int softgpu_host_memory_mib(void);
/** Number of devices. */
int softgpu_device_count(void);
/** The card that every device describes itself as. */
const struct softgpu_card *softgpu_card(void);
/** Device i, or NULL. */
struct softgpu_device *softgpu_device_at(int i);
/** This thread's current device. */
struct softgpu_device *softgpu_device(void);
/** 1 if SOFTGPU_SPARSE=1 asks for memory beyond what the host has, of which
 *  little is touched: only three blocks of each grid run. */
int softgpu_is_sparse(void);
/** 1 if SOFTGPU_POISON asks for new memory to be filled with a pattern. */
int softgpu_is_poisoning(void);
/** 1 if SOFTGPU_TF32 asks for convolutions in TF32 where their math mode allows
 *  it, as on a card. */
int softgpu_uses_tf32(void);

#endif
