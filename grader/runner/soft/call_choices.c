/* SPDX-License-Identifier: MIT */
/* What the calls of the host process tell the device.  Their arguments are
 * compared as words with those of the same function's last calls (choices.c),
 * a kernel's with those of its last launches, and which function is called
 * with those that were called before. */
#include "call_choices.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "remote_call.h"
#include "transfers.h"

enum {
    MAX_WORDS = 1024, /* of a call; CUDA allows 32 KiB of arguments */
    MAX_HANDLES = 256 /* of a call of the lab that have a number here */
};

/* Handles that this call of the lab was given.  Their values are addresses of
 * this process, which the next call need not get again: their numbers count. */
static struct {
    uint64_t value[MAX_HANDLES];
    unsigned count;
    pthread_mutex_t lock;
} given = {.lock = PTHREAD_MUTEX_INITIALIZER};
#define FIRST_NUMBER ((uint64_t)1 << 56) /* no address, and no small number */

/* Threads that have made telling calls in this call of the lab, whose number
 * each of them has seen last. */
static atomic_uint callers, lab_calls = 1;
static __thread unsigned seen_lab_call;

/* Telling calls since a query has run a command. */
static atomic_uint calls_since_query;

/* What is chosen in a call. */
struct words {
    uint64_t word[MAX_WORDS];
    size_t count;
    size_t beyond; /* bytes for which there was no room */
};

/* Beginnings of the names of calls that only ask for something, and of those
 * that the runner makes.  All others can tell the device something: whether a
 * launch is captured or fails depends on the calls before it, too.  The calls of
 * cuBLAS and cuDNN belong to labs whose arrays are on the device. */
static const char *const silent[] = {
    "count_host_work", "cublas", "cudaChooseDevice", "cudaDeviceCanAccessPeer",
    "cudaDeviceGet", "cudaDriverGet", "cudaEventElapsedTime", "cudaEventQuery",
    "cudaFuncGet", "cudaGet", "cudaMemGetInfo", "cudaMemPoolGet",
    "cudaMemRangeGet", "cudaOccupancy", "cudaPeek", "cudaPointerGet",
    "cudaProfiler", "cudaRuntimeGet", "cudaStreamGet", "cudaStreamIsCapturing",
    "cudaStreamQuery", "cudnn", "curandGet", "device_allocated_bytes",
    "runner_wait_stream", "softgpu_symbol_"
};

static bool is_telling(const char *name)
{
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (!strncmp(name, silent[i], strlen(silent[i])))
            return false;
    return true;
}

void forget_given(void)
{
    pthread_mutex_lock(&given.lock);
    given.count = 0;
    pthread_mutex_unlock(&given.lock);
    atomic_store(&calls_since_query, 0);
    atomic_store(&callers, 0);
    atomic_fetch_add(&lab_calls, 1);
}

unsigned calling_threads(void)
{
    return atomic_load(&callers);
}

static void count_caller(void)
{
    const unsigned now = atomic_load(&lab_calls);

    if (seen_lab_call != now)
        atomic_fetch_add(&callers, 1);
    seen_lab_call = now;
}

static void note_given(uint64_t handle)
{
    pthread_mutex_lock(&given.lock);
    if (handle && given.count < MAX_HANDLES)
        given.value[given.count++] = handle;
    pthread_mutex_unlock(&given.lock);
}

void count_given(const struct call *call)
{
    static const char stream[] = "cudaStreamCreate";
    const bool is_stream =
        !strncmp(call->function->name, stream, sizeof stream - 1);

    for (unsigned i = 0; i < call->copies; i++) {
        const struct copy *copy = &call->copy[i];
        const uint64_t *handle = copy->local;

        for (size_t h = 0; copy->is_output && (copy->handles || is_stream)
                           && h < copy->bytes / sizeof *handle; h++)
            note_given(handle[h]);
    }
}

/* The number of the last handle with this value, or another word itself. */
static uint64_t number_of(uint64_t word)
{
    unsigned i;

    pthread_mutex_lock(&given.lock);
    for (i = given.count; i > 0 && given.value[i - 1] != word; i--)
        ;
    pthread_mutex_unlock(&given.lock);
    return i ? FIRST_NUMBER + i : word;
}

static void add_words(struct words *w, const void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += sizeof *w->word) {
        const size_t n = bytes - at < sizeof *w->word ? bytes - at
                                                      : sizeof *w->word;

        if (w->count == MAX_WORDS) {
            w->beyond += bytes - at;
            return;
        }
        w->word[w->count] = 0;
        memcpy(&w->word[w->count], (const char *)data + at, n);
        w->word[w->count] = number_of(w->word[w->count]);
        w->count++;
    }
}

static void count_words(const void *key, const struct words *w,
                        bool first_is_free)
{
    transfer_choice(key, w->word, w->count, first_is_free);
    if (w->beyond)
        transfer_values(w->beyond);
}

void count_kernel_arguments(const struct softgpu_kernel *k, void *const *args)
{
    struct words w;

    w.count = w.beyond = 0;
    for (uint32_t i = 0; i < k->params; i++)
        add_words(&w, args[i], k->param_bytes[i]);
    count_words(k, &w, false);
}

/* Between the parameters of a closure may be gaps with any content. */
static void count_closure(const struct softgpu_kernel *k, const char *closure,
                          size_t bytes)
{
    struct words w;
    size_t at = 0;

    w.count = w.beyond = 0;
    for (uint32_t i = 0; closure && i < k->params; i++) {
        const size_t align = k->param_aligns[i];

        at = (at + align - 1) / align * align;
        if (k->param_bytes[i] > bytes || at > bytes - k->param_bytes[i])
            return; /* the launch is refused */
        add_words(&w, closure + at, k->param_bytes[i]);
        at += k->param_bytes[i];
    }
    count_words(k, &w, false);
}

/* What a pointer argument was replaced by. */
static void add_copy(struct words *w, const struct call *call, uint64_t local)
{
    for (unsigned i = 0; i < call->copies; i++)
        if ((uint64_t)call->copy[i].local == local)
            add_words(w, call->copy[i].local, call->copy[i].bytes);
}

/* The arguments themselves were counted when they were copied. */
static void add_kernel_node(struct words *w,
                            const struct cudaKernelNodeParams *node)
{
    struct cudaKernelNodeParams p = *node;

    p.kernelParams = p.extra = NULL;
    add_words(w, &p, sizeof p);
}

static void add_node(struct words *w, const struct cudaGraphNodeParams *p)
{
    if (p->type == cudaGraphNodeTypeKernel)
        add_kernel_node(w, &p->kernel);
    else
        add_words(w, p, sizeof *p);
}

static void add_launch_config(struct words *w, const cudaLaunchConfig_t *config)
{
    cudaLaunchConfig_t c = *config;

    if (c.attrs)
        add_words(w, c.attrs, c.numAttrs * sizeof *c.attrs);
    c.attrs = NULL;
    add_words(w, &c, sizeof c);
}

/* The second register of a dim3 has its z, and anything. */
static void add_dim3(struct words *w, const uint64_t *a)
{
    add_words(w, &a[0], sizeof a[0]);
    add_words(w, &a[1], sizeof(uint32_t));
}

static void add_argument(struct words *w, const struct call *call,
                         char letter, const uint64_t *a)
{
    if (strchr("vhkf", letter))
        add_words(w, a, sizeof *a);
    else if (letter == 'D')
        add_dim3(w, a);
    else if (strchr("in", letter) && *a)
        add_copy(w, call, *a);
    else if (letter == 'K' && *a)
        add_kernel_node(w, (const struct cudaKernelNodeParams *)*a);
    else if (letter == 'N' && *a)
        add_node(w, (const struct cudaGraphNodeParams *)*a);
    else if (letter == 'x' && *a)
        add_launch_config(w, (const cudaLaunchConfig_t *)*a);
}

/* A call that is made or left out tells something, whatever its arguments. */
static void count_function(const struct call *call, size_t words)
{
    const struct remote_function *f = call->function;
    const uint64_t which[2] = {(uint64_t)f / sizeof *f, words};

    atomic_fetch_add(&calls_since_query, 1);
    transfer_choice(silent, which, 2, true);
}

/* A query of a stream or event that is not ready runs its next command, and so
 * decides what runs first: where it stands among the other calls counts. */
void count_query(const struct call *call, uint32_t result)
{
    const char *name = call->function->name;
    uint64_t which[2];

    if (result != cudaErrorNotReady
        || (strcmp(name, "cudaStreamQuery") && strcmp(name, "cudaEventQuery")))
        return;
    which[0] = number_of(call->argument[0]);
    which[1] = atomic_exchange(&calls_since_query, 0);
    transfer_choice(call->function, which, 2, true);
}

void count_call(const struct call *call)
{
    const char *letter = call->function->letters;
    const uint64_t *a = call->argument, *real = call->real;
    struct words w;

    if (!is_telling(call->function->name))
        return;
    count_caller();
    w.count = w.beyond = 0;
    for (; *letter; letter++) {
        add_argument(&w, call, *letter, *letter == 'f' ? real++ : a);
        a += *letter == 'D' ? 2 : *letter != 'f';
        letter += *letter == 'h' || *letter == 'H';
    }
    count_function(call, w.count);
    if (!strcmp(call->function->name, "softgpu_launch") && *call->argument)
        count_closure((const struct softgpu_kernel *)call->argument[0],
                      (const char *)call->argument[1], call->argument[2]);
    count_words(call->function, &w, true);
}
