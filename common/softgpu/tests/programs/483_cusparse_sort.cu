/* SPDX-License-Identifier: MIT */
/* cuSPARSE: indices that are sorted with a permutation, and the values that
 * follow it by a gather; a scatter gives them back. */
// flags: -lcusparse
// stderr: index 1 is 9, should be 0 to 3
#include <algorithm>
#include <cusparse.h>
#include <vector>

#include "check.h"

enum { M = 13, N = 17 };
#define SPARSE(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)

static cusparseHandle_t handle;

/** A matrix by coordinates, in any order; value k is k. */
struct coordinates {
    int nnz = 0;
    int *rows = managed<int>(M * N), *columns = managed<int>(M * N);
    int *order = managed<int>(M * N);
    double *values = managed<double>(M * N), *sorted = managed<double>(M * N);

    explicit coordinates(bool by_line)
    {
        std::vector<int> places;
        unsigned random = 7;
        for (int at = 0; at < M * N; at++)
            if (at % 3 != 1)
                places.push_back(at);
        for (size_t i = places.size() - 1; i > 0; i--) {
            random = random * 1664525 + 1013904223;
            std::swap(places[i], places[(random >> 8) % (i + 1)]);
        }
        for (int row = 0; row < (by_line ? M : 1); row++)
            for (int at : places)
                if (!by_line || at / N == row) {
                    rows[nnz] = at / N;
                    columns[nnz] = at % N;
                    values[nnz++] = at;
                }
    }
    /** sorted = the values in the order of the permutation. */
    void gather()
    {
        cusparseSpVecDescr_t few;
        cusparseDnVecDescr_t all;
        SPARSE(cusparseCreateSpVec(&few, nnz, nnz, order, sorted,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                   CUDA_R_64F));
        SPARSE(cusparseCreateDnVec(&all, nnz, values, CUDA_R_64F));
        SPARSE(cusparseGather(handle, all, few));
        OK(cudaDeviceSynchronize());
        std::fill(values, values + nnz, -1.0);
        SPARSE(cusparseScatter(handle, few, all));
        OK(cudaDeviceSynchronize());
        SPARSE(cusparseDestroySpVec(few));
        SPARSE(cusparseDestroyDnVec(all));
    }
    /** Each value is at its place, and the places rise. */
    void verify(bool by_column)
    {
        int last = -1;
        for (int k = 0; k < nnz; k++) {
            const int place = by_column ? columns[k] * M + rows[k]
                                        : rows[k] * N + columns[k];
            EXPECT(place > last);
            EXPECT(sorted[k] == rows[k] * N + columns[k]);
            EXPECT(values[order[k]] == sorted[k]);
            last = place;
        }
    }
};

static void sort_coordinates(bool by_column)
{
    coordinates a(false);
    size_t bytes = 9;
    SPARSE(cusparseXcoosort_bufferSizeExt(handle, M, N, a.nnz, a.rows,
                                          a.columns, &bytes));
    SPARSE(cusparseCreateIdentityPermutation(handle, a.nnz, a.order));
    void *buffer = managed<char>(bytes + 1);
    if (by_column)
        SPARSE(cusparseXcoosortByColumn(handle, M, N, a.nnz, a.rows, a.columns,
                                        a.order, buffer));
    else
        SPARSE(cusparseXcoosortByRow(handle, M, N, a.nnz, a.rows, a.columns,
                                     a.order, buffer));
    a.gather();
    a.verify(by_column);
}

/* The lines of CSR, or, with rows and columns exchanged, of CSC. */
static void sort_lines(int base, bool csc)
{
    coordinates a(true);
    cusparseMatDescr_t description;
    size_t bytes = 9;
    int *offsets = managed<int>(M + 1);
    SPARSE(cusparseCreateMatDescr(&description));
    SPARSE(cusparseSetMatIndexBase(description,
                                   static_cast<cusparseIndexBase_t>(base)));
    for (int k = 0; k < a.nnz; k++) {
        offsets[a.rows[k] + 1]++;
        a.columns[k] += base;
    }
    offsets[0] = base;
    for (int i = 0; i < M; i++)
        offsets[i + 1] += offsets[i];
    SPARSE(cusparseCreateIdentityPermutation(handle, a.nnz, a.order));
    if (csc) {
        SPARSE(cusparseXcscsort_bufferSizeExt(handle, N, M, a.nnz, offsets,
                                              a.columns, &bytes));
        SPARSE(cusparseXcscsort(handle, N, M, a.nnz, description, offsets,
                                a.columns, a.order, nullptr));
    } else {
        SPARSE(cusparseXcsrsort_bufferSizeExt(handle, M, N, a.nnz, offsets,
                                              a.columns, &bytes));
        SPARSE(cusparseXcsrsort(handle, M, N, a.nnz, description, offsets,
                                a.columns, a.order, nullptr));
    }
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < a.nnz; k++)
        a.columns[k] -= base;
    a.gather();
    a.verify(false);
    SPARSE(cusparseDestroyMatDescr(description));
}

/* Gather at places that are not there. */
static void gather_outside()
{
    int *places = managed<int>(2);
    float *few = managed<float>(2), *all = managed<float>(4);
    cusparseSpVecDescr_t x;
    cusparseDnVecDescr_t y;
    places[1] = 9;
    SPARSE(cusparseCreateSpVec(&x, 4, 2, places, few, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    SPARSE(cusparseCreateDnVec(&y, 4, all, CUDA_R_32F));
    SPARSE(cusparseGather(handle, y, x));
    SHOW(cudaDeviceSynchronize());
}

int main()
{
    cusparseSpVecDescr_t x;
    int i[2] = {};
    SPARSE(cusparseCreate(&handle));
    sort_coordinates(false);
    sort_coordinates(true);
    for (int base = 0; base < 2; base++) {
        sort_lines(base, false);
        sort_lines(base, true);
    }
    printf("no handle %d, count %d, type %d\n",
           cusparseXcoosortByRow(nullptr, 1, 1, 1, i, i, i, nullptr),
           cusparseCreateIdentityPermutation(handle, -1, i),
           cusparseCreateSpVec(&x, 1, 1, i, i, CUSPARSE_INDEX_16U,
                               CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    gather_outside();
    return 0;
}
