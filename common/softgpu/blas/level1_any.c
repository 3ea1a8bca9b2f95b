/* SPDX-License-Identifier: MIT */
/* Level 1 of elements of any types, computed as complex numbers of double. */
#include <math.h>

#include "level1.h"

double blas_rotm_matrix(const struct blas_level1 *l, double h[4])
{
    const bool is_double = blas_real_type(l->x.type) == CUDA_R_64F;
    double p[5];

    for (int i = 0; i < 5; i++)
        p[i] = l->param_at ? blas_load(is_double ? CUDA_R_64F : CUDA_R_32F,
                                       l->param_at, i)
                           : l->param[i];
    h[0] = p[0] == 0 ? 1 : p[1];
    h[1] = p[0] == 1 ? 1 : p[3];
    h[2] = p[0] == 1 ? -1 : p[2];
    h[3] = p[0] == 0 ? 1 : p[4];
    return p[0];
}

/* Load element i of a vector. */
static double complex load(const struct blas_vector *v, int64_t i)
{
    return blas_load_complex(v->type, v->ptr, blas_index(v, i));
}

/* Store it. */
static void store(const struct blas_vector *v, int64_t i, double complex value)
{
    blas_store_complex(v->type, v->ptr, blas_index(v, i), value);
}

/* Apply the operation to element i; alpha and sine are those of the call. */
static void apply_element(const struct blas_level1 *l, double complex alpha,
                          double complex sine, int64_t i)
{
    const double complex x = load(&l->x, i);
    const double complex y = l->y.ptr && l->operation != BLAS_COPY
                                 ? load(&l->y, i) : 0;

    switch (l->operation) {
    case BLAS_AXPY:
        store(&l->y, i, alpha * x + y);
        break;
    case BLAS_SCAL:
        store(&l->x, i, alpha * x);
        break;
    case BLAS_COPY:
        store(&l->y, i, x);
        break;
    case BLAS_SWAP:
        store(&l->y, i, x);
        store(&l->x, i, y);
        break;
    default:
        store(&l->x, i, alpha * x + sine * y);
        store(&l->y, i, alpha * y - conj(sine) * x);
    }
}

/* rotm, of real elements. */
static void apply_rotm(const struct blas_level1 *l, int64_t first, int64_t end)
{
    double h[4];

    if (blas_rotm_matrix(l, h) == -2) /* the identity */
        return;
    for (int64_t i = first; i < end; i++) {
        const double x = creal(load(&l->x, i)), y = creal(load(&l->y, i));

        store(&l->x, i, h[0] * x + h[1] * y);
        store(&l->y, i, h[2] * x + h[3] * y);
    }
}

void blas_apply_any(const struct blas_level1 *l, int64_t first, int64_t end)
{
    const double complex alpha = blas_scalar_complex(&l->alpha);
    const double complex sine = blas_scalar_complex(&l->sine);

    if (l->operation == BLAS_ROTM) {
        apply_rotm(l, first, end);
        return;
    }
    for (int64_t i = first; i < end; i++)
        apply_element(l, alpha, sine, i);
}

double blas_magnitude(const struct blas_vector *x, int64_t i)
{
    const double complex v = load(x, i);

    return fabs(creal(v)) + fabs(cimag(v));
}

double complex blas_reduce_any(const struct blas_level1 *l)
{
    long double real = 0, imaginary = 0;

    for (int64_t i = 0; i < l->x.n; i++) {
        const double complex x = load(&l->x, i);
        const long double re = creal(x), im = cimag(x);

        if (l->operation == BLAS_NRM2) {
            real += re * re + im * im;
        } else if (l->operation == BLAS_ASUM) {
            real += fabsl(re) + fabsl(im);
        } else {
            const double complex y = load(&l->y, i);
            const long double sign = l->operation == BLAS_DOTC ? -1 : 1;

            real += re * creal(y) - sign * im * cimag(y);
            imaginary += re * cimag(y) + sign * im * creal(y);
        }
    }
    return CMPLX((double)(l->operation == BLAS_NRM2 ? sqrtl(real) : real),
                 (double)imaginary);
}
