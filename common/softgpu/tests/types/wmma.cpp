/* SPDX-License-Identifier: MIT */
/* Products of wmma fragments of all types, shapes and layouts against a plain
 * triple loop.  32 fragments stand for the lanes; no warp is needed.        */
#include "mma.h"
#include "check.h"

using namespace nvcuda::wmma;

SOFTGPU_TLS uint3 threadIdx;
SOFTGPU_TLS dim3 blockDim;
extern "C" void softgpu_warp_sync(unsigned) {}
extern "C" const unsigned *softgpu_warp_vote(unsigned, int)
{
    static const unsigned votes = 0;
    return &votes;
}

/* A small number that every type holds exactly. */
template <typename T> static T element(int i) { return T(i * 7 % 13 - 6); }
template <> uint8_t element(int i) { return (uint8_t)(i * 7 % 200); }

template <typename F> static void each_lane(F action)
{
    blockDim = dim3(8, 8);
    for (unsigned lane = 0; lane < 32; lane++) {
        threadIdx = make_uint3(lane % 8, lane / 8 + 4, 0);
        action(lane);
    }
}

template <typename A, typename B, typename C, typename D>
static void product(A *a, B *b, C *c, D *d, bool saturate)
{
    softgpu::wmma::lane_operands operands[32];
    uint64_t all[32];
    for (int i = 0; i < 32; i++) {
        operands[i] = {&a[i], &b[i], &c[i], &d[i], saturate};
        all[i] = (uint64_t)&operands[i];
    }
    softgpu::wmma::multiply<A, B, C, D>(all);
}

/* P is the type in memory, T that of the fragment. */
template <int m, int n, int k, typename T, typename P, typename C, typename LA,
          typename LB>
static void one(C bias, bool saturate)
{
    fragment<matrix_a, m, n, k, T, LA> a[32];
    fragment<matrix_b, m, n, k, T, LB> b[32];
    fragment<accumulator, m, n, k, C> c[32];
    alignas(32) P left[m * k], right[k * n];
    C out[m * n];
    const bool a_rows = std::is_same<LA, row_major>::value;
    const bool b_rows = std::is_same<LB, row_major>::value;
    for (int i = 0; i < m * k; i++)
        left[i] = element<P>(i);
    for (int i = 0; i < k * n; i++)
        right[i] = element<P>(i + 5);
    each_lane([&](int l) {
        load_matrix_sync(a[l], left, a_rows ? k : m);
        load_matrix_sync(b[l], right, b_rows ? n : k);
        fill_fragment(c[l], bias);
    });
    product(a, b, c, c, saturate);
    each_lane([&](int l) { store_matrix_sync(out, c[l], m, mem_col_major); });
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = (double)bias;
            for (int l = 0; l < k; l++)
                sum += (double)(float)left[a_rows ? i * k + l : l * m + i]
                       * (double)(float)right[b_rows ? l * n + j : j * k + l];
            if (saturate)
                sum = sum > 2147483647.0 ? 2147483647.0 : sum;
            CHECK((double)out[j * m + i] == sum,
                  "%dx%dx%d [%d][%d]: %g, not %g", m, n, k, i, j,
                  (double)out[j * m + i], sum);
        }
}

template <int m, int n, int k, typename T, typename P, typename C>
static void layouts(C bias, bool saturate = false)
{
    one<m, n, k, T, P, C, row_major, col_major>(bias, saturate);
    one<m, n, k, T, P, C, col_major, row_major>(bias, saturate);
}

template <typename T, typename C> static void shapes(C bias)
{
    layouts<16, 16, 16, T, T, C>(bias);
    layouts<32, 8, 16, T, T, C>(bias);
    layouts<8, 32, 16, T, T, C>(bias);
}

/* Each element is at its documented position, and each position occurs once. */
template <int m, int n, int k, typename T> static void places(void)
{
    typedef fragment<accumulator, m, n, k, T> sum;
    int times[m][n] = {};
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < sum::num_elements; i++) {
            softgpu::wmma::place p = sum::where(lane, i);
            times[p.row][p.column]++;
        }
    for (int i = 0; i < m * n; i++)
        CHECK(times[i / n][i % n] == 1, "%d, %d", i / n, i % n);
}

int main(void)
{
    shapes<__half, float>(0.5f);
    one<16, 16, 16, __half, __half, float, row_major, row_major>(1, false);
    one<32, 8, 16, __half, __half, float, col_major, col_major>(1, false);
    shapes<__half, __half>(__half(0.5f));
    shapes<__nv_bfloat16, float>(0.25f);
    shapes<signed char, int>(-3);
    shapes<unsigned char, int>(7);
    layouts<16, 16, 16, unsigned char, unsigned char, int>(2147483000, true);
    layouts<16, 16, 8, precision::tf32, float, float>(1.0f);
    layouts<8, 8, 4, double, double, double>(1.0);
    places<16, 16, 16, float>();
    places<32, 8, 16, float>();
    places<8, 32, 16, float>();
    places<8, 8, 4, double>();
    softgpu::wmma::place p =
        fragment<accumulator, 16, 16, 16, float>::where(5, 6);
    CHECK(p.row == 9 && p.column == 10, "lane 5 x[6] is %d, %d", p.row,
          p.column);
    CHECK(__float_to_tf32(1.0f + 0x1p-11f) == 1.0f + 0x1p-10f, "ties away");
    CHECK(__float_to_tf32(-INFINITY) == -INFINITY, "infinity");
    CHECK(sizeof(fragment<accumulator, 16, 16, 16, float>) == 32, "8 floats");
    return print_counts();
}
