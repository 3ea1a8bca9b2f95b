/* SPDX-License-Identifier: MIT */
/* The list of suites: one line a lab, in order. */
#include "suite.h"

extern const struct suite suite_01_vector_add;

const struct suite *const suites[] = {
    &suite_01_vector_add,
    NULL,
};
