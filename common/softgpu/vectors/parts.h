/* SPDX-License-Identifier: MIT */
/** @file
 *  Compiling the kernels of a large module in several processes at the same
 *  time: optimization and code generation of a kernel need nothing of another
 *  one.
 *
 *  softcc names the object in the environment (SOFTCC_PARTS).  Then this process
 *  compiles host code and some kernels to that object, and a child for each
 *  further part the others to OBJECT.part1, OBJECT.part2, ..., which softcc
 *  joins.  How a module is divided depends on its code alone.
 */
#ifndef SOFTGPU_VECTORS_PARTS_H
#define SOFTGPU_VECTORS_PARTS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>

#include <vector>

namespace vectors {

/** What several parts use; one of them defines it. */
using shared_names = llvm::SmallVector<llvm::WeakVH, 0>;

/** Divide the kernels of a module and fork a process for each further part.
 *  The module keeps what the part of the calling process, or of the forked one,
 *  compiles; at exit the first process waits for the others, and fails if one
 *  of them did.
 *  @param[in,out] entries  softgpu::gang_entry<Closure> of all kernels; those of
 *                          the part remain
 *  @return empty if the module is not divided */
shared_names divide(llvm::Module &module,
                    std::vector<llvm::Function *> &entries);

/** Divide a module that divide() left whole: gangs, which have the most code, and
 *  the rest, with the code of one thread.  What another part has got is only
 *  declared then.
 *  @return empty if the module is not divided */
shared_names divide_gangs(llvm::Module &module,
                          llvm::ArrayRef<llvm::Function *> gangs);

/** Rename what the parts share, once nothing is found by its name any more:
 *  softcc makes these names local to the joined object. */
void rename_shared(const shared_names &shared);

/** The functions by which the runtime enters the kernel of an entry's closure,
 *  and the one that tells the threads of a gang. */
llvm::SmallVector<llvm::Function *, 4>
runtime_functions(const llvm::Function &entry);

/** Is the function defined in one part and used by another one? */
bool is_shared(const llvm::Function &f);

} // namespace vectors

#endif
