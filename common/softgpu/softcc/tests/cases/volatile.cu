/* SPDX-License-Identifier: MIT */
/* Volatile shared memory: lanes keep in step, but not between two barriers. */
// expect: softgpu::lockstep(s[p],2)=0;
// expect: softgpu::lockstep(s[p],4)=x;
// expect: __syncthreads();unsignedt=s[p]+s[p-o];__syncthreads();s[p]=t;
// expect: returnsoftgpu::lockstep_value(s[p],6);
// expect: __syncthreads();softgpu::lockstep(w[i],8)=1;softgpu::lockstep(w[i+1],10)=2;
// expect: __syncthreads();if(i<8)w[i]=3;__syncthreads();
// expect: __syncthreads();softgpu::lockstep(w[i],12,true)+=w[i+1];__syncthreads();
// expect: {__syncthreads();softgpu::lockstep(w[i],14)=i;}
// expect: returnsoftgpu::lockstep_value(w[i^1],16);
__device__ unsigned scan(unsigned x, volatile unsigned *s)
{
    unsigned p = threadIdx.x;
    s[p] = 0;
    p += 256;
    s[p] = x;
    for (unsigned o = 1; o < 256; o <<= 1) {
        __syncthreads();
        unsigned t = s[p] + s[p - o];
        __syncthreads();
        s[p] = t;
    }
    return s[p];
}
__device__ int others(volatile int *w, int i)
{
    __syncthreads();
    w[i] = 1; /* lanes may store to one element in both statements */
    w[i + 1] = 2;
    __syncthreads();
    if (i < 8) w[i] = 3;
    __syncthreads();
    w[i] += w[i + 1]; /* another lane stores what this one loads */
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        __syncthreads();
        w[i] = i;
    }
    return w[i ^ 1]; /* no barrier since the store */
}
