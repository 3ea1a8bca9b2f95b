/* SPDX-License-Identifier: MIT */
/* Includes itself twice, at each level. */
#include __FILE__
#include __FILE__
