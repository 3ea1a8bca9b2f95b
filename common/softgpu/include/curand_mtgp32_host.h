/* SPDX-License-Identifier: MIT */
/** @file
 *  Host functions that prepare cuRAND's MTGP32 for kernels.
 */
#ifndef SOFTGPU_CURAND_MTGP32_HOST_H
#define SOFTGPU_CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H /* programs ask for it */

#include "softgpu/push_macros.h"
#include <stdlib.h>

#include "cuda_runtime_api.h"
#include "curand.h"
#include "curand_mtgp32.h"

/** Write the parameters for kernels.
 *  @param[in]  params  host, CURAND_NUM_MTGP32_PARAMS sets
 *  @param[out] p       device, all written
 *  @return CURAND_STATUS_INITIALIZATION_FAILED if the copy fails,
 *          CURAND_STATUS_ALLOCATION_FAILED without memory */
static inline curandStatus_t
curandMakeMTGP32Constants(const mtgp32_params_fast_t params[],
                          mtgp32_kernel_params_t *p)
{
    mtgp32_kernel_params_t *h = (mtgp32_kernel_params_t *)malloc(sizeof *h);
    cudaError_t error;

    if (!h)
        return CURAND_STATUS_ALLOCATION_FAILED;
    for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; i++) {
        h->pos_tbl[i] = (unsigned)params[i].pos;
        h->sh1_tbl[i] = (unsigned)params[i].sh1;
        h->sh2_tbl[i] = (unsigned)params[i].sh2;
        for (int j = 0; j < TBL_SIZE; j++) {
            h->param_tbl[i][j] = params[i].tbl[j];
            h->temper_tbl[i][j] = params[i].tmp_tbl[j];
            h->single_temper_tbl[i][j] = params[i].flt_tmp_tbl[j];
        }
    }
    h->mask[0] = params[0].mask;
    error = cudaMemcpy(p, h, sizeof *h, cudaMemcpyHostToDevice);
    free(h);
    return error ? CURAND_STATUS_INITIALIZATION_FAILED
                 : CURAND_STATUS_SUCCESS;
}

/** Write the states of n blocks; block i gets parameter set i.
 *  @param[out] s       device, n states, all written
 *  @param[in]  params  host, n sets
 *  @param[in]  k       device, the parameters of curandMakeMTGP32Constants()
 *  @param      n       at most CURAND_NUM_MTGP32_PARAMS
 *  @param      seed    its halves are combined
 *  @return as curandMakeMTGP32Constants() */
static inline curandStatus_t
curandMakeMTGP32KernelState(curandStateMtgp32_t *s,
                            mtgp32_params_fast_t params[],
                            mtgp32_kernel_params_t *k, int n,
                            unsigned long long seed)
{
    curandStateMtgp32_t *h =
        (curandStateMtgp32_t *)calloc(n > 0 ? (size_t)n : 1, sizeof *h);
    cudaError_t error;

    if (!h)
        return CURAND_STATUS_ALLOCATION_FAILED;
    for (int i = 0; i < n; i++) {
        softgpu_mtgp_seed(h[i].s, &params[i],
                          (unsigned)(seed ^ seed >> 32) + (unsigned)i + 1);
        h[i].pIdx = i;
        h[i].k = k;
    }
    error = cudaMemcpy(s, h, (size_t)(n > 0 ? n : 0) * sizeof *h,
                       cudaMemcpyHostToDevice);
    free(h);
    return error ? CURAND_STATUS_INITIALIZATION_FAILED
                 : CURAND_STATUS_SUCCESS;
}

#include "softgpu/pop_macros.h"

#endif
