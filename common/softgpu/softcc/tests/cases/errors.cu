#include <cstdio>
#define BAD(x) undefined_in_macro(x)
#define WRAP(k, ...) k<<<1, 1>>>(__VA_ARGS__)
template <typename T> __global__ void t(T *p) { p[0] = undefined_t; }
__global__ void k(int *p, int n)
{
	int i = threadIdx.x; undefined1(i);
	__shared__ float s[4]; s[0] = undefined2; s.foo();
	p[i] = n	+ undefined3;
	BAD(i + undefined4);
}
__device__ float d(float x) { return x.y; }
int main()
{
	int *p;
	k<<<1, 2>>>(p, 3); undefined5();
	k<<<1, undefined6>>>(p, 3);
	k<<<1, 2>>>(p, "str");
	k<<<1, 2>>>(p);
	k<<<dim3(1, 2), "x">>>(p, 1);
	WRAP(k, p, undefined7);
	undefined8<<<1, 1>>>(p);
	t<int><<<1, 1>>>(undefined9);
	float x = "abc"; x = undefined10
}
