#include <cstdio>
texture<float, 2> t;
struct S { int tex; float tex2D(int a) { return a; } };
__device__ float f(float x) { float y; asm("add.f32 %0, %1, %1;" : "=f"(y) : "f"(x)); asm volatile("" ::: "memory"); return y; }
__global__ void k(cudaTextureObject_t o, float *p) { S s; p[0] = s.tex2D(3) + tex1D<float>(o, 1.0f); k<<<1, 1>>>(o, p); }
int main() { asm("nop"); const char *s = "tex1Dfetch(<<<>>>)"; printf("%s", s); /* <<< */ }
