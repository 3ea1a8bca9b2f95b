/* SPDX-License-Identifier: MIT */
/* A feature that is not there is refused by name, line and column. */
surface<void, 2> t;                                // at: 3:1 references
struct S { int tex; float tex1D(int a) { return a; } };
__device__ float f(float x)
{
    float y;
    asm("wgmma.fence.sync;" : "=f"(y) : "f"(x));   // at: 8:5 PTX
    asm volatile("" ::: "memory");
    return y;
}
__global__ void k(cudaTextureObject_t o, float *p)
{
    S s;
    p[0] = s.tex1D(3) + tex2D<float>(o, 1.0f, 0);
    cudaStreamSynchronize(0);                      // at: 16:5 waits
} /* A parameter, a call and a launch that a kernel cannot have here. */
#define READ(o) texCubemapGrad<float>(o, 1, 2, 3, d, d)
__device__ float g(int o) { return READ(o); }      // at: 19:36 gradients
int main()
{
    asm("nop");
    const char *s = "tex1Dfetch(<<<>>>) asm(1)"; /* <<< tex2D( */
    return s[0];
}
__global__ void __cluster_dims__(2) c() {}         // at: 26:17 cluster
__device__ int h() { return cg::this_cluster().size(); } // at: 27:33 cluster
struct T { int cuMemAlloc(int); void use() { cuMemAlloc(1); } };
void driver()
{
    cuLinkCreate(0, 0, 0, &state);                 // at: 31:5 linking
    cuTexRefCreate(&t);                            // at: 32:5 driver
    cuInit(0);
    cudaBindSurfaceToArray(t, a);                  // at: 34:5 object
    cudaGraphicsMapResources(1, &r, 0);            // at: 35:5 graphics
    cudaImportExternalMemory(&h, &d);              // at: 36:5 APIs
}
__host__ __device__ int both(int x)
{
    asm("vset4.s32.s32.eq %0, %0, 1, 0;" : "+r"(x)); // at: 40:5 PTX
    asm("incl %0" : "+r"(x));
    return x;
}
__global__ void random(curandStateMtgp32_t *s) {} // there
void nodes() { cudaGraphMemFreeNodeGetParams(n, &p); } // at: 45:16 memory
__device__ int old(int x) { return __shfl_down(x, 1); } // at: 46:36 mask
__device__ void product(float (&d)[8], unsigned *r)
{
    asm("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0, %1}, {%2}, {%3};"
        : "+f"(d[0]), "+f"(d[1]) : "r"(r[0]), "r"(r[1])); // at: 49:5 m16n8k8
    asm("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%0};"
        : "+f"(d[0])); // at: 51:5 tf32
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[0])
        : "r"(r[1]));                              // at: 53:5 PTX
}
float pick(const Image &texture) { return texture(1, 2); } // a variable's call
bool is_small(int surface) { return surface < 3; }
void methods(curandGenerator_t g, unsigned *p)
{
    curandGenerateBinomial(g, p, 100, 7, 0.5);     // at: 60:5 count
    curandMethod_t best;                           // at: 61:5 Poisson
}
