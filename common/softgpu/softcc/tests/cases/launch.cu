/* SPDX-License-Identifier: MIT */
/* Where a launch begins and ends. */
// expect: (softgpu::push_config(1,2)?(void)0:a(p));
// expect: (softgpu::push_config(1,dim3(2,3),4,s)?(void)0:n::b<int,(N>3)>(p,q));
// expect: (softgpu::push_config(x>>1,y<2?1:2)?(void)0:a(p));
// expect: (softgpu::push_config(id<id<int>>(1),2)?(void)0:a(p));
// expect: (softgpu::push_config({1,2},{3})?(void)0:a(p));
// expect: (softgpu::push_config(1,2)?(void)0:table[i](p));
// expect: (softgpu::push_config(1,2)?(void)0:(*fp)(p));
// expect: (softgpu::push_config(1,2)?(void)0:o.m(p));
// expect: (softgpu::push_config(1,2)?(void)0:o->m(p));
// expect: (softgpu::push_config(1,2)?(void)0:this->template f<T>(p));
// expect: (softgpu::push_config(1,2)?(void)0:::a(p));
// expect: if(x)(softgpu::push_config(1,2)?(void)0:a(p));else(softgpu::
// expect: else(softgpu::push_config(3,4)?(void)0:a(p));
// expect: if(x)(softgpu::push_config(1,2)?(void)0:(a)(p));
// expect: return(softgpu::push_config(1,2)?(void)0:a(p));
// expect: (softgpu::push_config((7),(8))?(void)0:a(p));
// expect: "a<<<1,2>>>(p)"
// expect: x<<2>>1
// expect: (softgpu::push_config(1,2)?(void)0:get()(p));
// expect: (softgpu::push_config(1,2)?(void)0:k<k<1>::v>(p));
#define GO(k, g, b, ...) k<<<(g), (b)>>>(__VA_ARGS__)
void f()
{
    a<<<1, 2>>>(p);
    n::b<int, (N > 3)><<<1, dim3(2,
        3), 4, s>>>(p, q);
    a<<<x >> 1, y < 2 ? 1 : 2>>>(p);
    a<<<id<id<int>>(1), 2>>>(p);
    a<<<{1, 2}, {3}>>>(p);
    table[i]<<<1, 2>>>(p);
    (*fp)<<<1, 2>>>(p);
    o.m<<<1, 2>>>(p);
    o->m<<<1, 2>>>(p);
    this->template f<T><<<1, 2>>>(p);
    ::a<<<1, 2>>>(p);
    if (x) a<<<1, 2>>>(p); else a<<<3, 4>>>(p);
    if (x) (a)<<<1, 2>>>(p);
    GO(a, 7, 8, p);
    s = "a<<<1, 2>>>(p)"; /* a<<<1, 2>>>(p); */
    x << 2 >> 1;
    get()<< <1, 2>> >(p);
    k<k<1>::v><<<1, 2>>>(p);
    return a<<<1, 2>>>(p);
}
