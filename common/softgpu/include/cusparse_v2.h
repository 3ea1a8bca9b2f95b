/* SPDX-License-Identifier: MIT */
/** @file
 *  The former name of cusparse.h.
 */
#ifndef SOFTGPU_CUSPARSE_V2_H
#define SOFTGPU_CUSPARSE_V2_H

#include "cusparse.h"

#endif
