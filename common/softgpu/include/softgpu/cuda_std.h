/* SPDX-License-Identifier: MIT */
/** @file
 *  cuda::std: names that it does not declare are those of the host's std.
 */
#ifndef SOFTGPU_CUDA_STD_H
#define SOFTGPU_CUDA_STD_H

namespace cuda {
namespace std {

using namespace ::std;

} // namespace std
} // namespace cuda

#endif
