/* SPDX-License-Identifier: MIT */
/* Levels 2 and 3 by OpenBLAS: accesses, checks, submission. */
#include "fortran.h"

#include <limits.h>

/* --- accesses ------------------------------------------------------------- */

/* How an array is accessed; 0: not at all. */
static enum softgpu_use use_of(const struct blas_fortran *f,
                               unsigned parameter)
{
    const bool is_scaled_by_zero =
        f->g.alpha && blas_scalar_complex(&f->alpha) == 0;

    if (!(parameter & BLAS_IS_WRITTEN))
        return is_scaled_by_zero ? 0 : SOFTGPU_READS;
    if (blas_is_family(f->routine, "trmm")
        || (blas_is_family(f->routine, "trsm") && is_scaled_by_zero))
        return SOFTGPU_WRITES;
    if (!f->g.beta && is_scaled_by_zero)
        return 0;
    if (f->g.beta && blas_scalar_complex(&f->beta) == 0)
        return SOFTGPU_WRITES;
    return SOFTGPU_READS | SOFTGPU_WRITES;
}

/* Declare an array argument. */
static void declare(const struct blas_fortran *f, unsigned parameter)
{
    const enum blas_parameter which = parameter & 31;
    const enum softgpu_use use = use_of(f, parameter);

    if (!use)
        return;
    if (which == BLAS_X || which == BLAS_Y) {
        const struct blas_vector v = blas_vector_of(f->routine, &f->g, which);

        blas_vector_array(which == BLAS_X ? "x" : "y", &v, use);
    } else if (which >= BLAS_A && which <= BLAS_C) {
        static const char *const names[] = {"A", "B", "C"};
        const struct blas_operand *o = blas_matrix_operand(&f->g, which);
        const struct blas_array array = {.name = o->ld ? names[which - BLAS_A]
                                                       : "AP",
                                         .ptr = o->ptr, .ld = o->ld,
                                         .type = f->routine->type,
                                         .use = use};
        const struct blas_shape shape =
            blas_shape_of(f->routine, &f->g, which);

        blas_declare_shape(&array, &shape, &f->g);
    }
}

/* Declare an array of pointers. */
static void declare_pointers(const struct blas_fortran *f, int which)
{
    const struct softgpu_array array = {
        .name = "an array of pointers", .ptr = f->batch.each[which],
        .row = (size_t)f->batch.count * sizeof(void *), .rows = 1,
        .use = SOFTGPU_READS};

    if (array.ptr)
        softgpu_library_array(&array);
}

static void arrays(const void *self)
{
    const struct blas_fortran *f = self;

    blas_scalar_array("alpha", &f->alpha);
    blas_scalar_array("beta", &f->beta);
    for (int i = 0; f->batch.count && i < 3; i++)
        declare_pointers(f, i);
    for (int64_t m = 0; m < blas_max(1, f->batch.count); m++) {
        const struct blas_fortran one = blas_fortran_member(f, m);

        for (size_t i = 0; f->routine->parameters[i] != BLAS_END; i++)
            declare(&one, f->routine->parameters[i]);
    }
}

/* --- checks and submission ------------------------------------------------ */

/* op(A) is A, A^T or A^H; symmetric products have no A^H, Hermitian ones no
 * A^T. */
static bool is_legal_operation(const struct blas_routine *routine,
                               cublasOperation_t op)
{
    const bool is_update = blas_find_parameter(routine, BLAS_C) >= 0
                           && blas_find_parameter(routine, BLAS_SIDE) < 0;
    const bool is_hermitian = routine->family[0] == 'h';

    if (!blas_is_operation(op))
        return false;
    return !is_update || !blas_is_complex(routine->type)
           || op != (is_hermitian ? CUBLAS_OP_T : CUBLAS_OP_C);
}

/* Is the leading dimension large enough? */
static bool is_legal_matrix(const struct blas_fortran *f,
                            enum blas_parameter which)
{
    const struct blas_shape s = blas_shape_of(f->routine, &f->g, which);

    return s.form == BLAS_PACKED
           || blas_matrix_operand(&f->g, which)->ld >= blas_max(1, s.height);
}

/* Is the argument one that the call can take? */
static bool is_legal(const struct blas_fortran *f, enum blas_parameter which)
{
    const struct blas_arguments *g = &f->g;

    switch (which) {
    case BLAS_TRANS:
        return is_legal_operation(f->routine, g->trans);
    case BLAS_SIDE:
        return (unsigned)g->side <= CUBLAS_SIDE_RIGHT;
    case BLAS_UPLO:
        return (unsigned)g->uplo <= CUBLAS_FILL_MODE_UPPER;
    case BLAS_DIAG:
        return (unsigned)g->diag <= CUBLAS_DIAG_UNIT;
    case BLAS_ALPHA:
        return g->alpha != NULL;
    case BLAS_BETA:
        return g->beta != NULL;
    case BLAS_X:
        return g->x.ld != 0;
    case BLAS_Y:
        return g->y.ld != 0;
    case BLAS_A:
    case BLAS_B:
    case BLAS_C:
        return is_legal_matrix(f, which);
    default:
        return true;
    }
}

/* Tell which argument the call cannot take. */
static cublasStatus_t refuse(const struct blas_fortran *f,
                             enum blas_parameter which)
{
    static const char *const reasons[] = {
        [BLAS_TRANS] = "trans is no operation of this call",
        [BLAS_SIDE] = "side is neither left nor right",
        [BLAS_UPLO] = "uplo is neither lower nor upper",
        [BLAS_DIAG] = "diag is neither unit nor non-unit",
        [BLAS_ALPHA] = "alpha is NULL", [BLAS_BETA] = "beta is NULL",
        [BLAS_X] = "incx is 0", [BLAS_Y] = "incy is 0"};
    char name[] = "ld?";

    if (which != BLAS_A && which != BLAS_B && which != BLAS_C)
        return blas_refuse_because(reasons[which]);
    name[2] = (char)('a' + (int)which - BLAS_A);
    return blas_refuse_ld(name, blas_matrix_operand(&f->g, which)->ld, "",
                          blas_shape_of(f->routine, &f->g, which).height);
}

/* Does the number fit Fortran's INTEGER? */
static bool fits(int64_t number)
{
    return number <= INT_MAX && number >= -INT_MAX;
}

/* Keep the factors, which are in host or device memory. */
static void keep_factors(cublasHandle_t handle, struct blas_fortran *f)
{
    const cudaDataType type = f->routine->type;
    const int alpha = blas_find_parameter(f->routine, BLAS_ALPHA);
    const int beta = blas_find_parameter(f->routine, BLAS_BETA);
    const unsigned char *flags = f->routine->parameters;

    if (alpha >= 0)
        f->alpha = blas_scalar(handle, f->g.alpha,
                               flags[alpha] & BLAS_IS_REAL
                                   ? blas_real_type(type) : type);
    if (beta >= 0)
        f->beta = blas_scalar(handle, f->g.beta,
                              flags[beta] & BLAS_IS_REAL
                                  ? blas_real_type(type) : type);
}

/* Describe the call for the stream: its run, and estimates of its cost. */
static void describe(struct blas_fortran *f)
{
    const struct blas_arguments *g = &f->g;
    const char *family = f->routine->family;
    const bool has_matrix = blas_find_parameter(f->routine, BLAS_C) >= 0;
    const double size =
        (double)g->n * (double)(g->m ? g->m : g->k ? g->k : g->n);
    const double depth =
        has_matrix || g->b.ptr
            ? (double)(g->m && g->side == CUBLAS_SIDE_LEFT ? g->m : g->n) : 1;

    f->function = blas_fortran_function(
        !strcmp(family + 2, "rkx") ? "gemm" : family, f->routine->type);
    f->call = (struct softgpu_library_call){
        .name = f->routine->name, .run = blas_fortran_run(f->routine),
        .arrays = arrays, .site = softgpu_call_site,
        .parts = (unsigned)blas_max(1, f->batch.count),
        .operations = 2 * size * depth
                      * (blas_is_complex(f->routine->type) ? 4 : 1),
        .bytes = 2 * size * (double)blas_bytes(f->routine->type)};
}

cublasStatus_t blas_fortran_batch(cublasHandle_t handle,
                                  const struct blas_routine *routine,
                                  const struct blas_arguments *g,
                                  const struct blas_batch *batch)
{
    struct blas_fortran f = {.routine = routine, .g = *g, .batch = *batch};
    const bool has_m = blas_find_parameter(routine, BLAS_M) >= 0;
    const unsigned flags = BLAS_IS_WRITTEN | BLAS_IS_REAL;

    BLAS_REQUIRE_VALUE(g->m >= 0 && g->n >= 0 && g->k >= 0 && g->kl >= 0
                       && g->ku >= 0);
    for (size_t i = 0; routine->parameters[i] != BLAS_END; i++)
        if (!is_legal(&f, routine->parameters[i] & ~flags))
            return refuse(&f, routine->parameters[i] & ~flags);
    if (g->n == 0 || (has_m && g->m == 0))
        return CUBLAS_STATUS_SUCCESS;
    BLAS_REQUIRE_SUPPORTED(fits(g->m) && fits(g->n) && fits(g->k)
                               && fits(g->kl) && fits(g->ku) && fits(g->a.ld)
                               && fits(g->b.ld) && fits(g->c.ld)
                               && fits(g->x.ld) && fits(g->y.ld)
                               && fits(batch->count),
                           "a size or an increment exceeds 31 bits");
    keep_factors(handle, &f);
    describe(&f);
    BLAS_REQUIRE_SUPPORTED(f.function, "OpenBLAS lacks this function");
    return blas_submit(handle->stream, &f, sizeof f);
}

cublasStatus_t blas_fortran(cublasHandle_t handle,
                            const struct blas_routine *routine,
                            const struct blas_arguments *g)
{
    return blas_fortran_batch(handle, routine, g, &(struct blas_batch){0});
}
