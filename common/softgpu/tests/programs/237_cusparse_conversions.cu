/* SPDX-License-Identifier: MIT */
/* cuSPARSE: CSR to CSC with values of four sizes, from both bases, and without
 * values; offsets of rows to rows and back; arguments that are refused. */
// flags: -lcusparse
#include <cusparse.h>

#include "cublas_check.h"

enum { M = 23, N = 31 };

static cusparseHandle_t handle;

/** Value of an element; most are none, and so are whole rows and columns. */
static int element(int row, int column)
{
    const int hash = (row * 37 + column * 11) % 101;
    return row % 7 == 3 || column % 5 == 2 || hash > 40 ? 0 : hash + 1;
}

/** A compressed matrix on both sides. */
template <class T> struct compressed {
    array<int> offsets, places;
    array<T> values;
    int nnz = 0;

    compressed(int lines, int length, bool by_columns, int base)
        : offsets(lines + 1), places(M * N), values(M * N)
    {
        for (int i = 0; i <= lines; i++) {
            offsets.host[i] = nnz + base;
            for (int j = 0; i < lines && j < length; j++) {
                const int v = by_columns ? element(j, i) : element(i, j);
                if (v == 0)
                    continue;
                places.host[nnz] = j + base;
                values.host[nnz++] = T(v);
            }
        }
        offsets.send();
        places.send();
        values.send();
    }
};

template <class T> static void csr_to_csc(cudaDataType type, int base,
                                          cusparseAction_t action)
{
    compressed<T> from(M, N, false, base), want(N, M, true, base);
    array<int> offsets(N + 1), rows(M * N);
    array<T> values(M * N);
    size_t bytes = 1;
    values.send();
    const cusparseIndexBase_t b = (cusparseIndexBase_t)base;
    int status = cusparseCsr2cscEx2_bufferSize(
        handle, M, N, from.nnz, from.values.device, from.offsets.device,
        from.places.device, values.device, offsets.device, rows.device, type,
        action, b, CUSPARSE_CSR2CSC_ALG1, &bytes);
    EXPECT(status == 0 && bytes == 0);
    status = cusparseCsr2cscEx2(
        handle, M, N, from.nnz, from.values.device, from.offsets.device,
        from.places.device, values.device, offsets.device, rows.device, type,
        action, b, CUSPARSE_CSR2CSC_ALG1, nullptr);
    EXPECT(status == 0);
    offsets.fetch();
    rows.fetch();
    values.fetch();
    EXPECT(offsets.host == want.offsets.host);
    for (int k = 0; k < want.nnz; k++) {
        EXPECT(rows.host[k] == want.places.host[k]);
        EXPECT(values.host[k] == (action == CUSPARSE_ACTION_NUMERIC
                                      ? want.values.host[k] : T(0)));
    }
}

/** Rows from offsets, and offsets from rows. */
static void coo_and_back(int base)
{
    compressed<float> a(M, N, false, base);
    array<int> rows(M * N), offsets(M + 1);
    const cusparseIndexBase_t b = (cusparseIndexBase_t)base;
    EXPECT(cusparseXcsr2coo(handle, a.offsets.device, a.nnz, M, rows.device, b)
           == 0);
    EXPECT(cusparseXcoo2csr(handle, rows.device, a.nnz, M, offsets.device, b)
           == 0);
    rows.fetch();
    offsets.fetch();
    EXPECT(offsets.host == a.offsets.host);
    for (int i = 0; i < M; i++)
        for (int k = offsets.host[i]; k < offsets.host[i + 1]; k++)
            EXPECT(rows.host[k - base] == i + base);
}

/** A status: 1 no handle, 3 an invalid value, 10 a type that is not there. */
static int refused(cusparseHandle_t h, int nnz, cudaDataType type, int action,
                   const void *values)
{
    array<int> some(M + N);
    return cusparseCsr2cscEx2(
        h, M, N, nnz, values, some.device, some.device, some.device,
        some.device, some.device, type, (cusparseAction_t)action,
        CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT, nullptr);
}

int main()
{
    const cusparseAction_t numeric = CUSPARSE_ACTION_NUMERIC;
    cusparseCreate(&handle);
    csr_to_csc<float>(CUDA_R_32F, 0, numeric);
    csr_to_csc<double>(CUDA_R_64F, 1, numeric);
    csr_to_csc<signed char>(CUDA_R_8I, 0, numeric);
    csr_to_csc<float>(CUDA_R_32F, 1, CUSPARSE_ACTION_SYMBOLIC);
    coo_and_back(0);
    coo_and_back(1);
    printf("no handle %d, count %d, type %d, action %d, no values %d\n",
           refused(nullptr, 1, CUDA_R_32F, 1, &handle),
           refused(handle, -1, CUDA_R_32F, 1, &handle),
           refused(handle, 1, CUDA_R_4U, 1, &handle),
           refused(handle, 1, CUDA_R_32F, 2, &handle),
           refused(handle, 1, CUDA_R_32F, 1, nullptr));
    cusparseDestroy(handle);
    return 0;
}
