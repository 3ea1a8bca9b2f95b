/* SPDX-License-Identifier: MIT */
// Includes the reference: its path is whole, wherever this file is compiled.
#define TEXT(x) #x
#define QUOTED(x) TEXT(x)
%:inc\
lude QUOTED(PLANTED_TREE_NAME/solutions/01_vector_add/3_vectorized.cu)
