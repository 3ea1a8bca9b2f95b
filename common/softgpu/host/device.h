/* SPDX-License-Identifier: MIT */
/** @file
 *  The virtual devices: all copies of the card that SOFTGPU_CARD names.
 */
#ifndef SOFTGPU_DEVICE_H
#define SOFTGPU_DEVICE_H

#include <stdint.h>

#include "../cards/card.h"
#include "cuda_runtime_api.h"
#include "arena.h"
#include "timeline.h"

#define SOFTGPU_MAX_DEVICES 16
#define SOFTGPU_LIMITS 7 /* of enum cudaLimit */

struct CUstream_st;
struct CUmemPoolHandle_st;

/** One virtual device. */
struct softgpu_device {
    int index;
    cudaError_t failure; /**< what a kernel left behind: sticky */
    struct softgpu_arena arena;
    struct softgpu_engines engines;
    struct CUstream_st *legacy;              /**< its default stream */
    struct CUmemPoolHandle_st *default_pool; /**< made when first asked for */
    struct CUmemPoolHandle_st *pool;         /**< what cudaMallocAsync uses */
    size_t limits[SOFTGPU_LIMITS];
    unsigned flags;          /**< of cudaSetDeviceFlags */
    enum cudaFuncCache cache;
    uint32_t peers;          /**< bit p: may access device p */
};

/** Read the environment and set up the devices, once.  A bad value of it ends
 *  the program with one line: there is no call to report it from. */
void softgpu_start_up(void);
/** 1 once softgpu_start_up has run. */
int softgpu_started(void);
/** How many devices. */
int softgpu_device_count(void);
/** The card they all are. */
const struct softgpu_card *softgpu_card(void);
/** Device i, or NULL. */
struct softgpu_device *softgpu_device_at(int i);
/** This thread's current device. */
struct softgpu_device *softgpu_device(void);
/** 1 when SOFTGPU_POISON says so. */
int softgpu_poison(void);

#endif
