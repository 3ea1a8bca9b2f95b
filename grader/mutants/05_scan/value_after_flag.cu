// verdict: CHECK
// expect: stored after its flag
/* Lab 05: one kernel: tiles are numbered by a counter, publish their sums, and
 * look back to the nearest tile whose prefix is known. */
#include "grid.h"
#include "scan.h"

enum { THREADS = 256, ITEMS = 8, TILE = THREADS * ITEMS };
enum { NOTHING, AGGREGATE, PREFIX };

/* What a tile publishes; sums as the bits of a double. */
struct tile_state {
    unsigned flag;
    unsigned unused;
    unsigned long long aggregate, prefix;
};

struct workspace {
    unsigned next_tile;
    unsigned unused[15];
    struct tile_state tile[1];
};

__device__ static void publish(unsigned long long *where, double sum,
                               unsigned *flag, unsigned state)
{
    atomicExch(flag, state);
    __threadfence();
    atomicExch(where, (unsigned long long)__double_as_longlong(sum));
}

__device__ static double look_back(struct tile_state *tile, unsigned index)
{
    double sum = 0;

    while (index > 0) {
        struct tile_state *s = &tile[--index];
        unsigned state;
        do {
            state = atomicAdd(&s->flag, 0u);
        } while (state == NOTHING);
        __threadfence();
        if (state == PREFIX) {
            sum += __longlong_as_double((long long)atomicAdd(&s->prefix, 0ull));
            break;
        }
        sum += __longlong_as_double((long long)atomicAdd(&s->aggregate, 0ull));
    }
    return sum;
}

__global__ void scan_one_pass(const float *__restrict__ in,
                              float *__restrict__ out, struct workspace *work,
                              size_t n, int kind)
{
    __shared__ unsigned s_index;
    __shared__ float s_sum[2][THREADS];
    __shared__ double s_before;
    const unsigned t = threadIdx.x;

    if (t == 0) s_index = atomicAdd(&work->next_tile, 1u);
    __syncthreads();
    const unsigned index = s_index;
    const size_t first = (size_t)index * TILE + t * ITEMS;

    float v[ITEMS], sum = 0;
    for (int k = 0; k < ITEMS; k++) {
        v[k] = first + k < n ? in[first + k] : 0;
        sum += v[k];
    }

    int half = 0;
    s_sum[0][t] = sum;
    __syncthreads();
    for (unsigned d = 1; d < THREADS; d *= 2, half ^= 1) {
        s_sum[half ^ 1][t] =
            s_sum[half][t] + (t >= d ? s_sum[half][t - d] : 0.0f);
        __syncthreads();
    }

    if (t == 0) {
        const double aggregate = s_sum[half][THREADS - 1];
        struct tile_state *mine = &work->tile[index];
        double before = 0;
        if (index > 0) {
            publish(&mine->aggregate, aggregate, &mine->flag, AGGREGATE);
            before = look_back(work->tile, index);
        }
        publish(&mine->prefix, before + aggregate, &mine->flag, PREFIX);
        s_before = before;
    }
    __syncthreads();

    double running = s_before + (t > 0 ? s_sum[half][t - 1] : 0.0f);
    for (int k = 0; k < ITEMS; k++) {
        if (first + k >= n) break;
        const double next = running + v[k];
        out[first + k] = (float)(kind == SCAN_INCLUSIVE ? next : running);
        running = next;
    }
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    if (n == 0) return cudaSuccess;

    const size_t tiles = ceil_div(n, TILE);
    const size_t bytes =
        sizeof(struct workspace) + tiles * sizeof(struct tile_state);
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(d_work, 0, bytes));
    if (err) return err;
    scan_one_pass<<<(unsigned)tiles, THREADS>>>(
        d_in, d_out, (struct workspace *)d_work, n, kind);
    return CUDA_CHECK(cudaGetLastError());
}
