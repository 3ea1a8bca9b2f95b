/* SPDX-License-Identifier: MIT */
/* The array of suites, made of the list. */
#include "grader/suite/suite.h"

#define SUITE(stem) extern const struct suite suite_##stem;
#include "list.h"
#undef SUITE

#define SUITE(stem) &suite_##stem,
const struct suite *const suites[] = {
#include "list.h"
    NULL};
#undef SUITE
