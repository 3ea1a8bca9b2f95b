/* SPDX-License-Identifier: MIT */
/** @file
 *  Products of int in host code that overflow: they wrap.
 */
#ifndef SOFTGPU_VECTORS_HOST_PRODUCTS_H
#define SOFTGPU_VECTORS_HOST_PRODUCTS_H

#include <llvm/IR/Module.h>

namespace vectors {

/** Let the products of host code wrap that are no part of an address.
 *  @return was one found? */
bool wrap_host_products(llvm::Module &module);

} // namespace vectors

#endif
