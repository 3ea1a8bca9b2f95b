/* SPDX-License-Identifier: MIT */
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Halos of neighbors overlap: several threads store an element, all of them the
 * same value.  On a busy machine the monitor preempts a thread before its
 * store, which the checks have recorded already; here SIGURG, its signal, is
 * sent all the time. */
enum { THREADS = 64, ROUNDS = 200, STORES = 4 };

static volatile bool is_over;

static void *send_signals(void *)
{
    const long process = getpid(), own = syscall(SYS_gettid);

    while (!is_over) {
        DIR *threads = opendir("/proc/self/task");

        while (const dirent *entry = readdir(threads)) {
            const long thread = atol(entry->d_name);

            if (thread && thread != own)
                syscall(SYS_tgkill, process, thread, SIGURG);
        }
        closedir(threads);
        usleep(20);
    }
    return nullptr;
}

/* A thread stores STORES neighboring elements a round; with the defect each
 * thread stores its own value. */
__global__ void store_halos(int *out)
{
    __shared__ int s[THREADS];
    const int t = threadIdx.x;

    for (int round = 0; round < ROUNDS; round++) {
        __syncthreads();
        for (int k = 0; k < STORES; k++)
            s[(t + k) % THREADS] =
                round * 1000 + (DEFECT ? t : (t + k) % THREADS);
        __syncthreads();
        out[blockIdx.x * THREADS + t] = s[t];
    }
}

int main()
{
    const int blocks = 64;
    pthread_t sender;
    int *out, last = 0;

    cudaMalloc(&out, blocks * THREADS * sizeof *out);
    pthread_create(&sender, nullptr, send_signals, nullptr);
    store_halos<<<blocks, THREADS>>>(out);
    cudaMemcpy(&last, out + blocks * THREADS - 1, sizeof last,
               cudaMemcpyDeviceToHost);
    is_over = true;
    pthread_join(sender, nullptr);
    cudaFree(out);
    puts(last == (ROUNDS - 1) * 1000 + THREADS - 1 ? "right" : "wrong");
    return 0;
}
