/* SPDX-License-Identifier: MIT */
/* NVRTC: a source with a header is compiled at run time, loaded as PTX and as
 * CUBIN, and launched; lowered names; what is wrong is reported. */
// flags: -lnvrtc
// flags: -lcuda
#include <cstring>
#include <string>
#include <vector>

#include <cuda.h>
#include <nvrtc.h>

#include "check.h"

static const char source[] = R"(
#include "scale.h"
namespace tools {
/* Each thread scales its element. */
template <class T> __global__ void scale(T *x, T factor)
{
    x[threadIdx.x] *= scaled(factor);
}
}
__constant__ int offset;
namespace tools {
__constant__ long long factors[3];
/* Of two functions of this name a cast selects one. */
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
__global__ void twice(float *x) { x[threadIdx.x] *= 2; } // the other
} // namespace tools; a kernel with a name that is not mangled:
extern "C" __global__ void plain(int *x)
{
    assert(offset);
    x[threadIdx.x] += offset + ADD;
}
)";
static const char header[] =
    "template <class T> __device__ T scaled(T x) { return 2 * x; }\n";

/* Compile with options; print the result. */
static void compile(nvrtcProgram p, std::vector<const char *> options)
{
    const nvrtcResult result =
        nvrtcCompileProgram(p, (int)options.size(), options.data());
    printf("%s\n", nvrtcGetErrorString(result));
}

/* Load, set a constant, launch both kernels, and print the first elements. */
static void launch(const void *image, const char *scale, const char *plain)
{
    CUmodule module;
    CUfunction function;
    CUdeviceptr constant;
    size_t bytes;
    float *x, factor = 1.5f, h_x[2] = {1, 2};
    int *y, offset = 10, h_y[2] = {1, 2};
    void *of_scale[] = {&x, &factor}, *of_plain[] = {&y};
    if (cuModuleLoadData(&module, image) != CUDA_SUCCESS) {
        printf("not loaded\n");
        return;
    }
    OK(cudaMalloc(&x, sizeof h_x));
    OK(cudaMalloc(&y, sizeof h_y));
    OK(cudaMemcpy(x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(y, h_y, sizeof h_y, cudaMemcpyHostToDevice));
    printf("%d ", cuModuleGetGlobal(&constant, &bytes, module, "offset"));
    cuMemcpyHtoD(constant, &offset, sizeof offset);
    printf("%d ", cuModuleGetFunction(&function, module, scale));
    cuLaunchKernel(function, 1, 1, 1, 2, 1, 1, 0, nullptr, of_scale, nullptr);
    printf("%d ", cuModuleGetFunction(&function, module, plain));
    cuLaunchKernel(function, 1, 1, 1, 2, 1, 1, 0, nullptr, of_plain, nullptr);
    OK(cudaMemcpy(h_x, x, sizeof h_x, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(h_y, y, sizeof h_y, cudaMemcpyDeviceToHost));
    printf("%g %g %d %d\n", h_x[0], h_x[1], h_y[0], h_y[1]);
    OK(cudaFree(x));
    OK(cudaFree(y));
}

/* A variable in a namespace, and one of two functions of a name, have mangled
 * names, by which the module finds them. */
static void mangled(const void *image, const char *factors, const char *twice)
{
    CUmodule module;
    CUfunction function;
    CUdeviceptr constant;
    size_t bytes = 0;
    const int loaded = cuModuleLoadData(&module, image);
    const int found = cuModuleGetGlobal(&constant, &bytes, module, factors);
    printf("%d %d %zu %d %d\n", loaded, found, bytes,
           cuModuleGetFunction(&function, module, twice),
           cuModuleGetGlobal(&constant, &bytes, module, "_ZN5tools6factorE")
               == CUDA_ERROR_NOT_FOUND);
}

/* A program with an error: the log names the line. */
static void mistake()
{
    nvrtcProgram p;
    size_t bytes = 0;
    nvrtcCreateProgram(&p, "\n__global__ void k() { missing = 1; }\n",
                       "mistake.cu", 0, nullptr, nullptr);
    compile(p, {});
    nvrtcGetProgramLogSize(p, &bytes);
    std::string log(bytes, 0);
    nvrtcGetProgramLog(p, &log[0]);
    printf("mistake.cu: %d, missing: %d, PTX: %s\n",
           log.find("mistake.cu") != log.npos, log.find("missing") != log.npos,
           nvrtcGetErrorString(nvrtcGetPTXSize(p, &bytes)));
    nvrtcDestroyProgram(&p);
}

int main()
{
    const char *headers[] = {header}, *names[] = {"scale.h"};
    const char *scale = nullptr, *plain = nullptr;
    const char *offset = nullptr, *factors = nullptr, *twice = nullptr;
    nvrtcProgram p;
    size_t bytes;
    cuInit(0);
    OK(cudaFree(nullptr)); /* the context that the driver API needs */
    nvrtcCreateProgram(&p, source, "tools.cu", 1, headers, names);
    nvrtcAddNameExpression(p, "tools::scale<float>");
    nvrtcAddNameExpression(p, "&plain");
    nvrtcAddNameExpression(p, "&offset");
    nvrtcAddNameExpression(p, "&tools::factors");
    nvrtcAddNameExpression(p, "(void (*)(int *))tools::twice");
    printf("%s\n", nvrtcGetErrorString(
                       nvrtcGetLoweredName(p, "&plain", &plain)));
    compile(p, {"-arch=sm_90", "-DADD=100", "--std=c++17"});
    nvrtcGetLoweredName(p, "tools::scale<float>", &scale);
    nvrtcGetLoweredName(p, "&plain", &plain);
    nvrtcGetLoweredName(p, "&offset", &offset);
    nvrtcGetLoweredName(p, "&tools::factors", &factors);
    nvrtcGetLoweredName(p, "(void (*)(int *))tools::twice", &twice);
    printf("%s, %s, %s\n", scale, plain, offset);
    nvrtcGetPTXSize(p, &bytes);
    std::string ptx(bytes, 0);
    nvrtcGetPTX(p, &ptx[0]);
    printf("%d\n", strlen(ptx.c_str()) + 1 == bytes);
    launch(ptx.c_str(), scale, plain);
    nvrtcGetCUBINSize(p, &bytes);
    std::vector<char> cubin(bytes);
    nvrtcGetCUBIN(p, cubin.data());
    launch(cubin.data(), scale, "plain");
    mangled(cubin.data(), factors, twice);
    for (const char *wrong : {"-std=c++99", "--gpu-architecture=sm_1"})
        compile(p, {wrong});
    nvrtcDestroyProgram(&p);
    mistake();
    printf("%s\n", nvrtcGetErrorString(nvrtcDestroyProgram(&p)));
    return 0;
}
