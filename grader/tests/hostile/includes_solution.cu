/* SPDX-License-Identifier: MIT */
// Includes the reference.
// verdict: REJECTED
// everywhere
%:inc\
lude "../../../solutions/01_vector_add/3_vectorized.cu"
