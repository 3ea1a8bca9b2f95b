/* SPDX-License-Identifier: MIT */
/* Thrust's further algorithms: sets, searches, keys, gathers, shuffles, zipped
 * functors, complex numbers, universal vectors and streams. */
#include <algorithm>
#include <cstdio>

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/find.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>
#include <thrust/zip_function.h>

#define FN __host__ __device__

typedef thrust::device_vector<int> ints;

/** Is it above a limit? */
struct above {
    int limit;
    FN bool operator()(int x) const { return x > limit; }
};

static void print(const char *what, const ints &x)
{
    printf("%s:", what);
    for (int i : x)
        printf(" %d", i);
    printf("\n");
}

/* Even numbers and multiples of 3 below 20 and 30. */
static void sets(const ints &a, const ints &b)
{
    ints c(20);
    thrust::merge(a.begin(), a.end(), b.begin(), b.end(), c.begin());
    print("merged", c);
    auto end = thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                                        c.begin());
    printf("both %d", (int)(end - c.begin()));
    end = thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), c.begin());
    printf(", any %d", (int)(end - c.begin()));
    end = thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                                 c.begin());
    printf(", one %d\n", (int)(end - c.begin()));
}

static void searches(ints a, const ints &b)
{
    ints differences(10);
    thrust::adjacent_difference(a.begin(), a.end(), differences.begin());
    print("differences", differences);
    thrust::reverse(a.begin(), a.end());
    thrust::replace_if(a.begin(), a.end(), above{10}, -1);
    print("replaced", a);
    printf("4 at %d, all %d, any %d, none %d\n",
           (int)(thrust::find(a.begin(), a.end(), 4) - a.begin()),
           thrust::all_of(a.begin(), a.end(), above{-2}),
           thrust::any_of(a.begin(), a.end(), above{9}),
           thrust::none_of(a.begin(), a.end(), above{10}));
    auto at = thrust::mismatch(b.begin(), b.end(), b.begin());
    auto past = thrust::upper_bound(b.begin(), b.end(), 12);
    printf("mismatch %d, upper bound %d\n", (int)(at.first - b.begin()),
           (int)(past - b.begin()));
}

static void keys()
{
    ints k = {1, 1, 2, 2, 2, 3}, v = {1, 2, 3, 4, 5, 6}, to(6), sums(6);
    thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), sums.begin());
    print("scanned", sums);
    auto ends = thrust::reduce_by_key(k.begin(), k.end(),
                                      thrust::constant_iterator<int>(1),
                                      to.begin(), sums.begin());
    to.resize(ends.first - to.begin());
    sums.resize(ends.second - sums.begin());
    print("keys", to);
    print("lengths", sums);
    k.erase(thrust::unique_by_key(k.begin(), k.end(), v.begin()).first,
            k.end());
    print("unique", k);
    v.resize(k.size());
    print("values", v);
}

static void moves()
{
    ints map = {3, 0, 2, 1}, x = {10, 20, 30, 40}, scattered(4), gathered(4);
    thrust::scatter(x.begin(), x.end(), map.begin(), scattered.begin());
    thrust::gather(map.begin(), map.end(), x.begin(), gathered.begin());
    print("scattered", scattered);
    print("gathered", gathered);
    thrust::transform_inclusive_scan(x.begin(), x.end(), gathered.begin(),
                                     thrust::negate<int>(),
                                     thrust::plus<int>());
    print("scanned", gathered);
    thrust::stable_partition(x.begin(), x.end(), above{20});
    print("partitioned", x);
    ints mixed(20);
    thrust::sequence(mixed.begin(), mixed.end());
    thrust::default_random_engine engine(5);
    thrust::shuffle(mixed.begin(), mixed.end(), engine);
    thrust::host_vector<int> host = mixed;
    std::sort(host.begin(), host.end());
    printf("shuffled %d, of %d to %d\n",
           thrust::reduce(mixed.begin(), mixed.end()), host[0], host[19]);
}

static void policies(ints a, const ints &b)
{
    thrust::device_vector<thrust::complex<float>> z(3, {0, 1});
    thrust::complex<float> sum = thrust::reduce(
        z.begin(), z.end(), thrust::complex<float>(0, 0));
    printf("complex %g %g\n", sum.real(), sum.imag());
    thrust::universal_vector<int> u(5, 7);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    printf("universal %d %d\n", thrust::reduce(thrust::device, u.begin(),
                                               u.end()),
           thrust::reduce(thrust::cuda::par.on(stream), u.begin(), u.end(), 0,
                          thrust::maximum<int>()));
    cudaStreamDestroy(stream);
    thrust::for_each_n(thrust::device,
                       thrust::make_zip_iterator(a.begin(), b.begin()), 10,
                       thrust::make_zip_function([] FN(int &x, int y) {
                           x += 100 * y;
                       }));
    print("zipped", a);
    thrust::generate(a.begin(), a.end(), [] FN { return 4; });
    printf("equal %d\n", thrust::equal(a.begin(), a.begin() + 5,
                                       a.begin() + 5));
}

int main()
{
    ints a(10), b(10);
    thrust::sequence(a.begin(), a.end(), 0, 2);
    thrust::tabulate(b.begin(), b.end(), [] FN(int i) { return 3 * i; });
    sets(a, b);
    searches(a, b);
    keys();
    moves();
    policies(a, b);
    return 0;
}
