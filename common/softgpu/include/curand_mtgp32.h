/* SPDX-License-Identifier: MIT */
/** @file
 *  cuRAND's generator MTGP32 (M. Saito, M. Matsumoto, "Variants of Mersenne
 *  Twister Suitable for Graphic Processors", ACM Trans. Math. Softw. 39, 2013):
 *  its parameters, as hosts and kernels have them, and a block's state.
 */
#ifndef SOFTGPU_CURAND_MTGP32_H
#define SOFTGPU_CURAND_MTGP32_H
#define CURAND_MTGP32_H /* programs ask for it */

#include "softgpu/push_macros.h"

#define MTGPDC_MEXP 11213 /**< the period is 2^11213 - 1 */
#define MTGPDC_N 351      /**< words of the recurrence */
#define MTGPDC_FLOOR_2P 256 /**< threads of a block, at most */
#define MTGPDC_CEIL_2P 512  /**< the power of two above MTGPDC_N */
#define MTGPDC_PARAM_TABLE mtgp32dc_params_fast_11213 /**< all parameters */
#define MTGP32_STATE_SIZE 1024       /**< words of a state, a ring */
#define MTGP32_STATE_MASK 1023       /**< of an index in the ring */
#define CURAND_NUM_MTGP32_PARAMS 200 /**< parameter sets */
#define MEXP 11213                   /**< MTGPDC_MEXP */
#define THREAD_NUM MTGPDC_FLOOR_2P   /**< threads of a block, at most */
#define LARGE_SIZE (THREAD_NUM * 3)  /**< three turns of a block */
#define TBL_SIZE 16                  /**< words of a table */

#ifdef __cplusplus
extern "C" {
#endif

/** One parameter set. */
struct mtgp32_params_fast {
    int mexp;                     /**< MTGPDC_MEXP */
    int pos;                      /**< place of the picked word */
    int sh1, sh2;                 /**< shifts */
    unsigned tbl[TBL_SIZE];       /**< of the recurrence */
    unsigned tmp_tbl[TBL_SIZE];   /**< of the tempering to 32 bits */
    unsigned flt_tmp_tbl[TBL_SIZE]; /**< of the tempering to a float */
    unsigned mask;                /**< of the oldest word */
    unsigned char poly_sha1[21];  /**< zeros here: a digest, which generates
                                       nothing */
};
/** One parameter set. */
typedef struct mtgp32_params_fast mtgp32_params_fast_t;

/** All parameter sets, in device memory. */
struct mtgp32_kernel_params {
    unsigned pos_tbl[CURAND_NUM_MTGP32_PARAMS];
    unsigned param_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
    unsigned temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
    unsigned single_temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
    unsigned sh1_tbl[CURAND_NUM_MTGP32_PARAMS];
    unsigned sh2_tbl[CURAND_NUM_MTGP32_PARAMS];
    unsigned mask[1];
};
/** All parameter sets, in device memory. */
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

/** State of one block. */
struct curandStateMtgp32 {
    unsigned s[MTGP32_STATE_SIZE]; /**< a ring */
    int offset;                    /**< of the oldest word in the ring */
    int pIdx;                      /**< parameter set */
    mtgp32_kernel_params_t *k;     /**< device */
};
/** State of one block. */
typedef struct curandStateMtgp32 curandStateMtgp32_t;

/** Write the published parameter sets, without their digests.
 *  @param[out] sets  host, CURAND_NUM_MTGP32_PARAMS of them */
void softgpu_mtgp_parameters(mtgp32_params_fast_t *sets);

/** A word of the recurrence before its table: of the oldest word x1, the next
 *  one x2, and the picked word y. */
static inline unsigned softgpu_mtgp_sum(unsigned x1, unsigned x2, unsigned y,
                                        unsigned mask, unsigned sh1,
                                        unsigned sh2)
{
    const unsigned x = (x1 & mask) ^ x2;
    return x ^ x << sh1 ^ y >> sh2;
}

/** The place in a tempering table of the word before the picked one. */
static inline unsigned softgpu_mtgp_temper(unsigned t)
{
    t ^= t >> 16;
    return (t ^ t >> 8) % TBL_SIZE;
}

/** The first MTGPDC_N words of a seed. */
static inline void softgpu_mtgp_seed(unsigned *words,
                                     const mtgp32_params_fast_t *set,
                                     unsigned seed)
{
    const unsigned hidden = set->tbl[4] ^ set->tbl[8] << 16;
    unsigned fill = hidden + (hidden >> 16);
    fill = (fill + (fill >> 8)) % 256 * 0x01010101u;
    words[0] = seed;
    words[1] = hidden;
    for (unsigned i = 1; i < MTGPDC_N; i++)
        words[i] = (i == 1 ? hidden : fill)
                   ^ (1812433253u * (words[i - 1] ^ words[i - 1] >> 30) + i);
}

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
