/* SPDX-License-Identifier: MIT */
/* Statements that may rely on lockstep are marked: without a guard, or one after
 * the other. */
// expect: softgpu::note_lockstep<true>(s[t])+=softgpu::note_lockstep<false>(s[t^8]);
// expect: if(t<h)s[t]+=s[t+h];
// expect: {softgpu::note_lockstep<true>(s[t])+=softgpu::note_lockstep<false>(s[t+2]);
// expect: (s[t+2]);softgpu::note_lockstep<true>(s[t])+=softgpu::note_lockstep<false>(s[t+1]);}
// expect: s[t]+=s[t]*2;s[t]=r[t+1];
// expect: p[threadIdx.x]=p[threadIdx.x+1];}
__device__ void one(float *s, int t)
{
    s[t] += s[t ^ 8];
}
__device__ void guarded(float *s, int t, int h)
{
    if (t < h)
        s[t] += s[t + h];
}
__device__ void repeated(float *s, int t)
{
    if (t < 2) {
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
}
__device__ void others(float *s, float *r, int t)
{
    s[t] += s[t] * 2; /* the same element */
    s[t] = r[t + 1];
}
/* Warps share global memory: lockstep orders nothing there. */
__global__ void global_memory(float *p)
{
    p[threadIdx.x] = p[threadIdx.x + 1];
}
