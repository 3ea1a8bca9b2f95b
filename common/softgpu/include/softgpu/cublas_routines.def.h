/* SPDX-License-Identifier: MIT */
/** @file
 *  The calls of cuBLAS's levels 1 to 3 with typed elements, one line each:
 *
 *      ROUTINE(group, prefix, name, version, parameters...)
 *
 *  declares or defines cublas<prefix><name><version> for one element type;
 *  cublas_each.def.h includes this once for each type, with these macros:
 *
 *      SOFTGPU_T             the element type (SOFTGPU_DATA its cudaDataType)
 *      SOFTGPU_R             its real type
 *      SOFTGPU_IS_COMPLEX    1 for C and Z
 *      SOFTGPU_IS_64         1 for the calls with 64-bit sizes
 *      SOFTGPU_S             S, D, C, Z: prefix of most calls
 *      SOFTGPU_NORM          S, D, Sc, Dz: prefix of real results of vectors
 *      SOFTGPU_INDEX         Is, Id, Ic, Iz: prefix of indices
 *      SOFTGPU_BY_REAL       Cs, Zd: prefix of complex times real
 *
 *  The group says which function of the library gets the arguments, and what
 *  the legacy interface makes of the call.
 *
 *  x and y are read; x_out, y_out, A_out, ... are written, and read where the
 *  operation says so.  Leading dimensions and increments belong to their array.
 *  With a factor of 0 its operand is not read.
 */
/* no include guard: it is included once for each type */

/* --- level 1 --------------------------------------------------------------
 * y += alpha x; x *= alpha; y = x; x <-> y; |x|; sum |Re x_i| + |Im x_i|; the
 * first index, from 1, of the largest and the smallest of these; the rotation
 * x = c x + s y, y = c y - conj(s) x. */
ROUTINE(level1, SOFTGPU_S, axpy, _v2, n, alpha, x, y_out)
ROUTINE(level1, SOFTGPU_S, scal, _v2, n, alpha, x_out)
ROUTINE(level1, SOFTGPU_S, copy, _v2, n, x, y_out)
ROUTINE(level1, SOFTGPU_S, swap, _v2, n, x_out, y_out)
ROUTINE(level1, SOFTGPU_S, rot, _v2, n, x_out, y_out, c, s)
ROUTINE(real_reduction, SOFTGPU_NORM, nrm2, _v2, n, x, real_result)
ROUTINE(real_reduction, SOFTGPU_NORM, asum, _v2, n, x, real_result)
ROUTINE(index_reduction, SOFTGPU_INDEX, amax, _v2, n, x, index_result)
ROUTINE(index_reduction, SOFTGPU_INDEX, amin, _v2, n, x, index_result)
#if SOFTGPU_IS_COMPLEX
/* The products x y and conj(x) y; rotation and scaling by real numbers. */
ROUTINE(reduction, SOFTGPU_S, dotu, _v2, n, x, y, result)
ROUTINE(reduction, SOFTGPU_S, dotc, _v2, n, x, y, result)
ROUTINE(level1, SOFTGPU_BY_REAL, rot, _v2, n, x_out, y_out, c, real_s)
ROUTINE(level1, SOFTGPU_BY_REAL, scal, _v2, n, real_alpha, x_out)
#else
/* The product x y; the modified rotation, param is the flag and its matrix. */
ROUTINE(reduction, SOFTGPU_S, dot, _v2, n, x, y, result)
ROUTINE(level1, SOFTGPU_S, rotm, _v2, n, x_out, y_out, param)
#endif
#if !SOFTGPU_IS_64
/* Of numbers: the rotation that makes b (or y1) zero, as the reference BLAS. */
#if SOFTGPU_IS_COMPLEX
ROUTINE(scalars, SOFTGPU_S, rotg, _v2, a_out, b_complex, c_out, s_out)
#else
ROUTINE(scalars, SOFTGPU_S, rotg, _v2, a_out, b_out, c_out, s_out)
ROUTINE(scalars, SOFTGPU_S, rotmg, _v2, d1_out, d2_out, x1_out, y1, param_out)
#endif
#endif

/* --- level 2 --------------------------------------------------------------
 * y = alpha op(A) x + beta y (mv), x = op(A) x and op(A)^-1 x of a triangle
 * (tr, tb, tp), A += alpha x y^T (r, r2); general, symmetric, Hermitian and
 * triangular matrices, as columns, band (gb, sb, hb, tb: ld at least the
 * number of diagonals) or packed triangle (sp, hp, tp). */
ROUTINE(gemv, SOFTGPU_S, gemv, _v2, trans, m, n, alpha, A, x, beta, y_out)
ROUTINE(fortran, SOFTGPU_S, gbmv, _v2, trans, m, n, kl, ku, alpha, A, x, beta,
        y_out)
ROUTINE(fortran, SOFTGPU_S, trmv, _v2, uplo, trans, diag, n, A, x_out)
ROUTINE(fortran, SOFTGPU_S, trsv, _v2, uplo, trans, diag, n, A, x_out)
ROUTINE(fortran, SOFTGPU_S, tbmv, _v2, uplo, trans, diag, n, k, A, x_out)
ROUTINE(fortran, SOFTGPU_S, tbsv, _v2, uplo, trans, diag, n, k, A, x_out)
ROUTINE(fortran, SOFTGPU_S, tpmv, _v2, uplo, trans, diag, n, AP, x_out)
ROUTINE(fortran, SOFTGPU_S, tpsv, _v2, uplo, trans, diag, n, AP, x_out)
#if SOFTGPU_IS_COMPLEX
ROUTINE(extension, SOFTGPU_S, symv, _v2, uplo, n, alpha, A, x, beta, y_out)
ROUTINE(extension, SOFTGPU_S, syr, _v2, uplo, n, alpha, x, A_out)
ROUTINE(extension, SOFTGPU_S, syr2, _v2, uplo, n, alpha, x, y, A_out)
ROUTINE(fortran, SOFTGPU_S, geru, _v2, m, n, alpha, x, y, A_out)
ROUTINE(fortran, SOFTGPU_S, gerc, _v2, m, n, alpha, x, y, A_out)
ROUTINE(fortran, SOFTGPU_S, hemv, _v2, uplo, n, alpha, A, x, beta, y_out)
ROUTINE(fortran, SOFTGPU_S, hbmv, _v2, uplo, n, k, alpha, A, x, beta, y_out)
ROUTINE(fortran, SOFTGPU_S, hpmv, _v2, uplo, n, alpha, AP, x, beta, y_out)
ROUTINE(fortran, SOFTGPU_S, her, _v2, uplo, n, real_alpha, x, A_out)
ROUTINE(fortran, SOFTGPU_S, hpr, _v2, uplo, n, real_alpha, x, AP_out)
ROUTINE(fortran, SOFTGPU_S, her2, _v2, uplo, n, alpha, x, y, A_out)
ROUTINE(fortran, SOFTGPU_S, hpr2, _v2, uplo, n, alpha, x, y, AP_out)
#else
ROUTINE(fortran, SOFTGPU_S, symv, _v2, uplo, n, alpha, A, x, beta, y_out)
ROUTINE(fortran, SOFTGPU_S, syr, _v2, uplo, n, alpha, x, A_out)
ROUTINE(fortran, SOFTGPU_S, syr2, _v2, uplo, n, alpha, x, y, A_out)
ROUTINE(ger, SOFTGPU_S, ger, _v2, m, n, alpha, x, y, A_out)
ROUTINE(fortran, SOFTGPU_S, sbmv, _v2, uplo, n, k, alpha, A, x, beta, y_out)
ROUTINE(fortran, SOFTGPU_S, spmv, _v2, uplo, n, alpha, AP, x, beta, y_out)
ROUTINE(fortran, SOFTGPU_S, spr, _v2, uplo, n, alpha, x, AP_out)
ROUTINE(fortran, SOFTGPU_S, spr2, _v2, uplo, n, alpha, x, y, AP_out)
#endif

/* --- level 3 --------------------------------------------------------------
 * gemm: C = alpha op(A) op(B) + beta C;
 * symm, hemm: C = alpha A B + beta C, or B A, A symmetric or Hermitian;
 * syrk, herk: a triangle of C = alpha op(A) op(A)' + beta C;
 * syrkx, herkx: the same of alpha op(A) op(B)';
 * syr2k, her2k: the same of alpha op(A) op(B)' + alpha' op(B) op(A)';
 * trsm: op(A) X = alpha B, or X op(A), X replaces B;
 * trmm: C = alpha op(A) B, or B op(A), A a triangle; C may be B;
 * geam: C = alpha op(A) + beta op(B), in place if it is not transposed;
 * dgmm: C = diag(x) A, or A diag(x);
 * tpttr, trttp: a triangle from packed to columns, and back. */
ROUTINE(gemm, SOFTGPU_S, gemm, _v2, transa, transb, m, n, k, alpha, A, B, beta,
        C_out)
ROUTINE(fortran, SOFTGPU_S, symm, _v2, side, uplo, m, n, alpha, A, B, beta,
        C_out)
ROUTINE(fortran, SOFTGPU_S, syrk, _v2, uplo, trans, n, k, alpha, A, beta, C_out)
ROUTINE(fortran, SOFTGPU_S, syr2k, _v2, uplo, trans, n, k, alpha, A, B, beta,
        C_out)
ROUTINE(extension, SOFTGPU_S, syrkx, , uplo, trans, n, k, alpha, A, B, beta,
        C_out)
ROUTINE(fortran, SOFTGPU_S, trsm, _v2, side, uplo, trans, diag, m, n, alpha, A,
        B_out)
ROUTINE(trmm, SOFTGPU_S, trmm, _v2, side, uplo, trans, diag, m, n, alpha, A,
        B, C_out)
ROUTINE(geam, SOFTGPU_S, geam, , transa, transb, m, n, alpha, A, beta, B, C_out)
ROUTINE(dgmm, SOFTGPU_S, dgmm, , side, m, n, A, x, C_out)
#if SOFTGPU_IS_COMPLEX
ROUTINE(gemm3m, SOFTGPU_S, gemm3m, , transa, transb, m, n, k, alpha, A, B, beta,
        C_out)
ROUTINE(fortran, SOFTGPU_S, hemm, _v2, side, uplo, m, n, alpha, A, B, beta,
        C_out)
ROUTINE(fortran, SOFTGPU_S, herk, _v2, uplo, trans, n, k, real_alpha, A,
        real_beta, C_out)
ROUTINE(fortran, SOFTGPU_S, her2k, _v2, uplo, trans, n, k, alpha, A, B,
        real_beta, C_out)
ROUTINE(extension, SOFTGPU_S, herkx, , uplo, trans, n, k, alpha, A, B,
        real_beta, C_out)
#endif
#if !SOFTGPU_IS_64
ROUTINE(packed, SOFTGPU_S, tpttr, , uplo, n, AP, C_out)
ROUTINE(packed, SOFTGPU_S, trttp, , uplo, n, A, CP_out)
#endif
