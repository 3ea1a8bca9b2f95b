/* SPDX-License-Identifier: MIT */
/** @file
 *  ldmatrix and mma.m16n8k16.  Which lane holds which element is from the PTX
 *  ISA, sections "ldmatrix" and "Matrix Fragments for mma.m16n8k16".
 */
#ifndef SOFTGPU_PTX_MATRIX_H
#define SOFTGPU_PTX_MATRIX_H

#include <cstring>

#include "../wmma_product.h"
#include "fragments.h"

template <int count>
SOFTGPU_FN void ptx_ldmatrix(unsigned *r, const void *s_row)
{
    softgpu::ptx::load_matrix<count, false>(r, s_row);
}

template <int count>
SOFTGPU_FN void ptx_ldmatrix_trans(unsigned *r, const void *s_row)
{
    softgpu::ptx::load_matrix<count, true>(r, s_row);
}

template <typename T>
SOFTGPU_NO_INSTRUMENT void ptx_mma(float *d, const unsigned *a,
                                   const unsigned *b)
{
    softgpu::ptx::factor_a<16, 16, T> fa;
    softgpu::ptx::factor_b<16, 8, T> fb;
    softgpu::wmma::sum<16, 8, float> sum;

    const void *const site = __builtin_return_address(0);
    SOFTGPU_OPERAND(*(const float (*)[4])d, 1, site);
    SOFTGPU_OPERAND(*(const unsigned (*)[4])a, 0, site);
    SOFTGPU_OPERAND(*(const unsigned (*)[2])b, 0, site);
    (void)site;
    std::memcpy((void *)fa.x, a, sizeof fa.x);
    std::memcpy((void *)fb.x, b, sizeof fb.x);
    std::memcpy(sum.x, d, sizeof sum.x);
    softgpu::wmma::multiply_by_warp(fa, fb, sum, sum, false);
    std::memcpy(d, sum.x, sizeof sum.x);
}

#endif
