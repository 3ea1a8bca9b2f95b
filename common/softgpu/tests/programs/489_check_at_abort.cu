/* SPDX-License-Identifier: MIT */
// flags: --check
/* A failed assert() of the host ends the program by abort().  The findings that
 * explain it are printed all the same; memory that was not freed is no leak
 * then. */
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cstring>

#include "check.h"

/* Reads what no thread has written. */
__global__ void sum(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 1; /* x was never written */
}

static void child()
{
    float *x, *y, host[32];

    OK(cudaMalloc((void **)&x, sizeof host));
    OK(cudaMalloc((void **)&y, sizeof host));
    sum<<<1, 32>>>(x, y);
    OK(cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
    assert(host[0] == 5);
}

int main()
{
    char text[8192];
    int ends[2], status;
    size_t n = 0;

    EXPECT(!pipe(ends));
    if (fork() == 0) {
        dup2(ends[1], 2);
        child();
        return 0;
    }
    close(ends[1]);
    for (ssize_t got = 1; got > 0 && n < sizeof text - 1; n += got)
        got = read(ends[0], text + n, sizeof text - 1 - n);
    text[n] = 0;
    wait(&status);
    printf("%d\n", WTERMSIG(status));
    printf("%d\n", strstr(text, "`host[0] == 5' failed") != NULL);
    printf("%d\n", strstr(text, ":17:") && strstr(text, "uninitialized"));
    printf("%d\n", strstr(text, "leak") != NULL);
    return 0;
}
