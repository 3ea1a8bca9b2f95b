/* SPDX-License-Identifier: MIT */
/** @file
 *  Asynchronous copies: the C primitives and the C++ names of nvcuda. */
#ifndef SOFTGPU_CUDA_PIPELINE_H
#define SOFTGPU_CUDA_PIPELINE_H

#include "softgpu/push_macros.h"
#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {

/** A thread's pipeline of copies. */
class pipeline {
public:
    /** Close the batch.  @return its number */
    size_t commit()
    {
        softgpu_copy_commit(NULL);
        return batches_++;
    }
    void commit_and_wait()
    {
        commit();
        softgpu_copy_wait(NULL, 0);
    }
    /** Wait for batch `number` and those before. */
    void wait(size_t number)
    {
        softgpu_copy_wait(NULL, static_cast<unsigned>(batches_ - number - 1));
    }
    /** Wait for all but the last N batches. */
    template <unsigned N> void wait_prior() { softgpu_copy_wait(NULL, N); }

private:
    size_t batches_ = 0;
};

/** Copy one object in the open batch. */
template <class T>
SOFTGPU_FN void memcpy_async(T &to, const T &from, pipeline &)
{
    softgpu_copy_async(NULL, &to, &from, sizeof(T));
}

} // namespace experimental
} // namespace nvcuda

#include "softgpu/pop_macros.h"

#endif
