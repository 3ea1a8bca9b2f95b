/* SPDX-License-Identifier: MIT */
/* cuSOLVER for Hermitian matrices: LAPACK's function for complex elements. */
#include <stdlib.h>

#include "common/softgpu/blas/openblas.h"
#include "common/softgpu/core/core.h"
#include "dense.h"

/* LAPACK's function; lengths of texts, which C's callers append, are 1. */
typedef void heevd(const char *mode, const char *uplo, const int *n, void *a,
                   const int *lda, void *w, void *work, const int *lwork,
                   void *rwork, const int *lrwork, int *iwork,
                   const int *liwork, int *info, size_t length_1,
                   size_t length_2);

/* Eigenvalues in ascending order; for the mode V also eigenvectors, in A. */
void dense_run_heevd(const void *self, unsigned part)
{
    const struct dense *d = self;
    const int n = d->a.rows, size = 1 + 2 * n + n * n + 64 * n,
              reals = 1 + 5 * n + 2 * n * n, integers = 3 + 5 * n;
    heevd *const run =
        (heevd *)openblas_symbol(d->is_double ? "zheevd_" : "cheevd_");
    if (!run)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "OpenBLAS has no heevd");
    void *work = dense_work_area(d, 2 * (size_t)size);
    void *more = dense_work_area(d, (size_t)reals);
    int *most = dense_work_area(d, (size_t)integers);

    (void)part;
    run(&d->first, &d->second, &n, d->a.at, &d->a.ld, d->values, work, &size,
        more, &reals, most, &integers, d->info, 1, 1);
    free(most);
    free(more);
    free(work);
}
