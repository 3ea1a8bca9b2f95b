/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: modules, functions, launches, occupancy.  Part of cuda.h.
 *
 *  A module is a file that softcc made with -cubin, -ptx or -fatbin: a shared
 *  library here.  The program's own file stands for its own kernels.  Files of
 *  nvcc and source in PTX give CUDA_ERROR_INVALID_IMAGE.
 */
#ifndef SOFTGPU_DRIVER_MODULE_H
#define SOFTGPU_DRIVER_MODULE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Load a module from a file. */
CUresult cuModuleLoad(CUmodule *module, const char *path);
/** Load a module from the bytes of such a file. */
CUresult cuModuleLoadData(CUmodule *module, const void *image);
/** The same; the options have no effect, logs are empty. */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned int count, CUjit_option *options,
                            void **values);
/** As cuModuleLoadData(). */
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image);
/** Unload a module: its functions and variables are invalid then. */
CUresult cuModuleUnload(CUmodule module);
/** A kernel by its name: mangled, or plain for one that is extern "C" or the
 *  only one of that name. */
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name);
/** A variable by its name; each pointer may be NULL. */
CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes,
                           CUmodule module, const char *name);

/** An attribute of a kernel. */
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction function);
/** Set an attribute. */
CUresult cuFuncSetAttribute(CUfunction function,
                            CUfunction_attribute attribute, int value);
/** Set a preference, without effect. */
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
/** The name of a kernel in its source. */
CUresult cuFuncGetName(const char **name, CUfunction function);

/** Launch a kernel with the arguments of one of two forms.
 *  @param parameters  addresses of the arguments, or NULL
 *  @param extra  CU_LAUNCH_PARAM_BUFFER_POINTER, the arguments,
 *      CU_LAUNCH_PARAM_BUFFER_SIZE, address of their size, CU_LAUNCH_PARAM_END;
 *      or NULL.  Both forms: CUDA_ERROR_INVALID_VALUE */
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x,
                        unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes,
                        CUstream stream, void **parameters, void **extra);
/** Launch a kernel whose blocks can wait for each other. */
CUresult cuLaunchCooperativeKernel(
    CUfunction function, unsigned int grid_x, unsigned int grid_y,
    unsigned int grid_z, unsigned int block_x, unsigned int block_y,
    unsigned int block_z, unsigned int shared_bytes, CUstream stream,
    void **parameters);
/** Enqueue a call of a host function. */
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data);

/** Blocks of a kernel that an SM holds. */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                     CUfunction function,
                                                     int threads,
                                                     size_t dynamic_bytes);
/** The same with flags. */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int threads, size_t dynamic_bytes,
    unsigned int flags);
/** Dynamic shared memory of a block, by its threads. */
typedef size_t (*CUoccupancyB2DSize)(int threads);
/** Threads of a block that give the greatest occupancy, and blocks that fill
 *  the device. */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                          CUfunction function,
                                          CUoccupancyB2DSize dynamic,
                                          size_t dynamic_bytes, int limit);

#ifdef __cplusplus
}
#endif

#endif
