/* SPDX-License-Identifier: MIT */
/* A thread that lives as long as the program makes the calls of all others. */
#include "hostile.h"

static struct {
    const float *a, *b;
    float *c;
    size_t n;
    int error;
} work;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_asked;

static void *serve(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!is_asked)
            pthread_cond_wait(&changed, &lock);
        work.error = honest(work.a, work.b, work.c, work.n);
        is_asked = false;
        pthread_cond_broadcast(&changed);
    }
    return unused;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static pthread_t thread;

    if (!thread && pthread_create(&thread, NULL, serve, NULL))
        return 1;
    pthread_mutex_lock(&lock);
    work = {a, b, c, n, 0};
    is_asked = true;
    pthread_cond_broadcast(&changed);
    while (is_asked)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return work.error;
}
