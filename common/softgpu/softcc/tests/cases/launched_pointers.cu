/* SPDX-License-Identifier: MIT */
/* Expressions that may be launched although a function without __global__ has
 * its name: launched_names.cu has what may not. */
// expect: (softgpu::push_config(1,2)?(void)0:overloaded(q));
// expect: (softgpu::push_config(1,2)?(void)0:only_declared(p));
// expect: (softgpu::push_config(1,2)?(void)0:shadowed(p));
__global__ void kernel(int *p) { *p = 1; }
void overloaded(int *p) { *p = 1; }
__global__ void overloaded(float *p) { *p = 1; } /* the kernel of the two */
__global__ void only_declared(int *p);
void shadowed(int *p);
void chosen(int *p);
void member(int *p);
struct holder {
    void (*member)(int *);
    void run(int *p) { member<<<1, 2>>>(p); }
};
void launch(void (*shadowed)(int *), int *p) { shadowed<<<1, 2>>>(p); }
template <typename F> void pass(F chosen, int *p) { chosen<<<1, 2>>>(p); }
void launch_chosen(int *p)
{
    auto chosen = kernel;
    chosen<<<1, 2>>>(p);
    pass(kernel, p);
}
int launch_all(int *p, float *q)
{
    overloaded<<<1, 2>>>(q);
    only_declared<<<1, 2>>>(p);
    return 0;
}
