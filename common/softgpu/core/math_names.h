/* SPDX-License-Identifier: MIT */
/** @file
 *  The functions of <math.h> that device code may call, in one list for softcc
 *  and the grader.
 */
#ifndef SOFTGPU_CORE_MATH_NAMES_H
#define SOFTGPU_CORE_MATH_NAMES_H

/** Their names, between spaces; most also with an f.  They work on their
 *  arguments: none stores through a pointer. */
#define MATH_NAMES                                                            \
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf" \
    " erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod"           \
    " hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2"  \
    " logb lrint lround nan nearbyint nextafter pow remainder"                \
    " rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc y0 y1 yn "

#endif
