/* SPDX-License-Identifier: MIT */
/** @file
 *  The parameter sets of cuRAND's MTGP32.
 */
#ifndef SOFTGPU_CURAND_MTGP32DC_P_11213_H
#define SOFTGPU_CURAND_MTGP32DC_P_11213_H
#define CURAND_MTGP32DC_P_11213_H /* programs ask for it */

#include "curand_mtgp32.h"

/** Number of sets. */
static const int mtgpdc_params_11213_num __attribute__((unused)) =
    CURAND_NUM_MTGP32_PARAMS;

/** All sets; they are written before the program's own initializers run. */
static mtgp32_params_fast_t
    mtgp32dc_params_fast_11213[CURAND_NUM_MTGP32_PARAMS];

/** Write them. */
__attribute__((constructor(101))) static void softgpu_fill_mtgp_sets(void)
{
    softgpu_mtgp_parameters(mtgp32dc_params_fast_11213);
}

#endif
