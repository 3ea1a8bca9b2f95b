/* SPDX-License-Identifier: MIT */
/* Thrust: algorithms of device_vector, fancy iterators, functors and lambdas of
 * device code, and kernels between algorithms, which nothing waits for. */
#include <cstdio>

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_malloc.h>
#include <thrust/device_free.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

/** A functor of host and device code. */
struct square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

/** A functor of device code alone, with a member. */
struct is_multiple {
    int of;
    __device__ bool operator()(int x) const { return x % of == 0; }
};

/** Sum of a pair's elements. */
struct add_pair {
    __host__ __device__ int operator()(thrust::tuple<int, int> t) const
    {
        return thrust::get<0>(t) + 10 * thrust::get<1>(t);
    }
};

/** p[i] += 1, a thread an element. */
__global__ void increment(int *p, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += 1;
}

/** One thread: the sum by Thrust's sequential policy in device code. */
__global__ void sum_in_kernel(const int *p, int n, int *out)
{
    *out = thrust::reduce(thrust::seq, p, p + n);
}

static void print(const char *name, const thrust::device_vector<int> &v)
{
    thrust::host_vector<int> h = v;
    printf("%s:", name);
    for (int x : h)
        printf(" %d", x);
    printf("\n");
}

/* Sorting, keys, sets. */
static void order()
{
    const int keys[] = { 3, 1, 2, 1, 3, 1 };
    thrust::device_vector<int> k(keys, keys + 6), v(6), sums(6), of(6);
    thrust::sequence(v.begin(), v.end(), 10);
    thrust::stable_sort_by_key(k.begin(), k.end(), v.begin());
    print("keys", k);
    print("values", v);
    auto end = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), of.begin(),
                                     sums.begin());
    of.resize(end.first - of.begin());
    sums.resize(end.second - sums.begin());
    print("of", of);
    print("sums", sums);
    k.erase(thrust::unique(k.begin(), k.end()), k.end());
    thrust::sort(thrust::cuda::par.on(0), k.begin(), k.end(),
                 thrust::greater<int>());
    print("unique, descending", k);
}

/* Kernels and algorithms in turns: each sees what came before. */
static void turns()
{
    thrust::device_vector<int> d(100, 1);
    int *p = thrust::raw_pointer_cast(d.data()), copied[2];
    for (int i = 0; i < 3; i++) {
        increment<<<1, 128>>>(p, 100);
        thrust::transform(thrust::device, d.begin(), d.end(), d.begin(),
                          square());
        increment<<<1, 128>>>(p, 100);
        d[0] = d[0] + 1;
    }
    thrust::device_vector<int> out(1);
    sum_in_kernel<<<1, 1>>>(p, 100, thrust::raw_pointer_cast(out.data()));
    const int total = out[0];
    cudaMemcpy(copied, p, sizeof copied, cudaMemcpyDeviceToHost);
    printf("turns: %d %d %d\n", total, copied[0], copied[1]);
}

/* Iterators that compute. */
static void iterators()
{
    thrust::counting_iterator<int> n(0);
    thrust::device_vector<int> a(n, n + 10), b(10), map(5);
    auto squares = thrust::make_transform_iterator(a.begin(), square());
    printf("sum of squares %d\n", thrust::reduce(squares, squares + 10));
    thrust::exclusive_scan(a.begin(), a.end(), b.begin());
    print("exclusive scan", b);
    printf("inner product %d\n",
           thrust::inner_product(a.begin(), a.end(), b.begin(), 0));
    auto pairs = thrust::make_zip_iterator(
        thrust::make_tuple(a.begin(), b.begin()));
    printf("pairs %d\n", thrust::transform_reduce(pairs, pairs + 10, add_pair(),
                                                  0, thrust::plus<int>()));
    thrust::sequence(map.begin(), map.end(), 9, -2);
    auto odd = thrust::make_permutation_iterator(a.begin(), map.begin());
    thrust::copy(odd, odd + 5, map.begin());
    print("permuted", map);
    printf("multiples of 3: %d\n",
           (int)thrust::count_if(a.begin(), a.end(), is_multiple{ 3 }));
    auto end = thrust::remove_if(a.begin(), a.end(), is_multiple{ 2 });
    a.erase(end, a.end());
    print("odd", a);
    const int shift = 100;
    thrust::for_each(a.begin(), a.end(),
                     [=] __device__(int &x) { x += shift; });
    auto most = thrust::minmax_element(a.begin(), a.end());
    printf("least %d, most %d, 105 at %d\n", (int)*most.first,
           (int)*most.second,
           (int)(thrust::lower_bound(a.begin(), a.end(), 105) - a.begin()));
}

/** Whose number, by which code: each thread counts on from its own. */
struct number {
    int calls = 0;
    __host__ __device__ int operator()()
    {
#ifdef __CUDA_ARCH__
        int first = blockIdx.x * blockDim.x + threadIdx.x;
        return first + gridDim.x * blockDim.x * calls++;
#else
        return -1 - calls++;
#endif
    }
};

/* for_each() and what is made of it: a kernel over memory of the device, with
 * blocks of 256 threads and two elements a thread, and a loop of the host. */
static void device_code()
{
    thrust::device_vector<int> d(1000), paired(1000), none;
    thrust::host_vector<int> h(3);
    thrust::generate(d.begin(), d.end(), number());
    thrust::generate(none.begin(), none.end(), number());
    thrust::generate(h.begin(), h.end(), number());
    thrust::generate(thrust::make_zip_iterator(thrust::make_tuple(
                         paired.begin(), paired.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(
                         paired.begin() + 2, paired.begin() + 2)),
                     [n = number()] __host__ __device__() mutable {
                         int x = n();
                         return thrust::make_tuple(x, x);
                     });
    printf("generated %d %d %d %d, host %d %d %d, pairs %d %d\n", (int)d[255],
           (int)d[256], (int)d[511], (int)d[999], h[0], h[1], h[2],
           (int)paired[0], (int)paired[1]);
}

int main()
{
    order();
    device_code();
    turns();
    iterators();
    thrust::device_ptr<int> raw = thrust::device_malloc<int>(4);
    thrust::fill(raw, raw + 4, 7);
    increment<<<1, 4>>>(thrust::raw_pointer_cast(raw), 4);
    printf("device_ptr %d\n", thrust::reduce(raw, raw + 4));
    thrust::device_free(raw);
    thrust::default_random_engine engine(5);
    thrust::uniform_int_distribution<int> die(1, 6);
    const int rolled = die(engine);
    printf("die %s\n", rolled >= 1 && rolled <= 6 ? "right" : "wrong");
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
