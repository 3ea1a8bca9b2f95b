/* SPDX-License-Identifier: MIT */
/* Loads the module that its argument names: from the file, and twice from
 * memory; launches its kernels and reads its variables. */
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <cuda.h>

/** Stop with the name of the error. */
#define CU(call) cu(call, #call, __LINE__)
static void cu(CUresult result, const char *what, int line)
{
    const char *name = nullptr;
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    printf("line %d: %s: %s\n", line, what, name);
    exit(2);
}

/* Print the name of an error. */
static void show(CUresult result)
{
    const char *name = nullptr;
    cuGetErrorName(result, &name);
    printf("%s\n", name);
}

/* The module's counter. */
static int counter_of(CUmodule module)
{
    CUdeviceptr p;
    size_t bytes;
    int value = -1;
    CU(cuModuleGetGlobal(&p, &bytes, module, "counter"));
    if (bytes == sizeof value)
        CU(cuMemcpyDtoH(&value, p, bytes));
    return value;
}

static void use(CUmodule module)
{
    const int n = 32;
    float host[n];
    int count = n;
    CUdeviceptr p;
    CUfunction scale, sum, none;
    for (int i = 0; i < n; i++)
        host[i] = 1;
    CU(cuModuleGetFunction(&scale, module, "scale"));
    CU(cuModuleGetFunction(&sum, module, "_Z8warp_sumPf"));
    show(cuModuleGetFunction(&none, module, "no_such_kernel"));
    CU(cuMemAlloc(&p, sizeof host));
    CU(cuMemcpyHtoD(p, host, sizeof host));
    void *args[] = {&p, &count};
    CU(cuLaunchKernel(scale, 1, 1, 1, n, 1, 1, 0, nullptr, args, nullptr));
    CU(cuLaunchKernel(sum, 1, 1, 1, n, 1, 1, 0, nullptr, args, nullptr));
    CU(cuMemcpyDtoH(host, p, sizeof host));
    printf("%g, counter %d\n", host[7], counter_of(module));
    CU(cuMemFree(p));
}

/* An error in a kernel of a module. */
static void fail(CUmodule module)
{
    CUfunction stray;
    CUdeviceptr p;
    CU(cuModuleGetFunction(&stray, module, "stray"));
    CU(cuMemAlloc(&p, 64));
    void *args[] = {&p};
    CU(cuLaunchKernel(stray, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr));
    show(cuCtxSynchronize());
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    std::ifstream in(argv[1], std::ios::binary);
    const std::string image((std::istreambuf_iterator<char>(in)),
                            std::istreambuf_iterator<char>());
    CUcontext context;
    CUmodule file, first, second;
    CU(cuInit(0));
    CU(cuDevicePrimaryCtxRetain(&context, 0));
    CU(cuCtxSetCurrent(context));
    show(cuModuleLoad(&file, "no/such.cubin"));
    show(cuModuleLoadData(&file, ".version 8.0\n.target sm_80\n    "
                                 "                                    "));
    CU(cuModuleLoad(&file, argv[1]));
    CU(cuModuleLoadData(&first, image.data()));
    CU(cuModuleLoadData(&second, image.data()));
    use(file);
    use(first);
    use(first);
    printf("the second module: %d\n", counter_of(second));
    CU(cuModuleUnload(first));
    show(cuModuleGetFunction((CUfunction *)&context, first, "scale"));
    if (argc > 2)
        fail(file);
    return 0;
}
