/* SPDX-License-Identifier: MIT */
/* Training steps for train-torch and train-cpu, which control when they run:
 *
 *     train_steps NET.net BATCH GRAPH WEIGHTS DATA
 *
 * WEIGHTS and DATA are safetensors files: parameters by PyTorch's names;
 * "images" [n][channels][height][width] and "labels" [n], n a multiple of
 * BATCH.  A step copies the next batch from pinned memory to the device, as
 * build/train does.  Each line "N" on stdin runs N steps and prints "SECONDS
 * LOSS CPU": wall-clock time between two synchronizations, the mean loss, and
 * the CPU time of all threads in seconds. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/net/safetensors.h"
#include "common/train/device/trainer.h"

enum { CLASSES = 10 };

/* State of the steps. */
struct steps {
    struct network net;
    struct trainer trainer;
    struct tensors data;
    float *images;         /* pinned, all batches */
    unsigned char *labels; /* likewise */
    size_t batch, batches, next;
};

static double clock_now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *copy_to_pinned(const struct tensor *from)
{
    void *to = NULL;

    if (cudaMallocHost(&to, tensor_bytes(from)) != cudaSuccess)
        return NULL;
    return memcpy(to, from->data, tensor_bytes(from));
}

/* Load the batches.  @return false after an error */
static bool load_data(struct steps *s, const char *path,
                      struct failure *failure)
{
    const struct tensor *images, *labels;

    if (!safetensors_read(path, &s->data, failure))
        return false;
    images = tensors_find(&s->data, "images");
    labels = tensors_find(&s->data, "labels");
    if (!images || images->rank != 4 || images->type != TENSOR_F32 || !labels
        || labels->type != TENSOR_U8 || labels->size[0] != images->size[0]
        || images->size[0] < s->batch || images->size[0] % s->batch)
        return fail(failure, "%s: no batches of %zu images with labels", path,
                    s->batch);
    s->batches = images->size[0] / s->batch;
    s->images = copy_to_pinned(images);
    s->labels = copy_to_pinned(labels);
    return (s->images && s->labels) || fail(failure, "no pinned memory");
}

/* The network for these images, with these weights, on the device. */
static bool init(struct steps *s, const char *net, const char *weights,
                 bool graph, struct failure *failure)
{
    const size_t *size = tensors_find(&s->data, "images")->size;
    const struct image_shape in = {(int)size[1], (int)size[2], (int)size[3]};
    struct checkpoint *state;
    struct tensors from;
    bool ok;

    if (!network_read(net, in, CLASSES, &s->net, failure)
        || !safetensors_read(weights, &from, failure))
        return false;
    state = checkpoint_allocate(&s->net);
    ok = state ? checkpoint_load(state, &from, CHECKPOINT_WEIGHTS,
                                 weights, failure)
               : fail(failure, "no memory for the network");
    ok = ok && trainer_open(&s->trainer, state, (int)s->batch, 1, graph,
                            failure);
    checkpoint_free(state);
    tensors_free(&from);
    return ok;
}

/* Times of some steps. */
struct measured {
    double seconds, cpu; /* wall-clock and CPU time */
    double loss;         /* mean */
};

/* @return false with a line */
static bool run(struct steps *s, long count, struct measured *to,
                struct failure *failure)
{
    const size_t pixels = shape_elements(&s->net.in);
    const float none[2] = {0, 0};
    float totals[2] = {0, 0};
    double from, used;
    bool ok = trainer_write_totals(&s->trainer, none, failure);

    from = clock_now(CLOCK_MONOTONIC);
    used = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < count && ok; i++) {
        const size_t at = s->next * s->batch;
        const struct images images = {s->images + at * pixels, s->labels + at,
                                      (int)s->batch};

        s->next = (s->next + 1) % s->batches;
        ok = trainer_step(&s->trainer, &images, s->net.training.learning_rate,
                          failure);
    }
    ok = ok && trainer_read_totals(&s->trainer, totals, failure); /* waits */
    to->loss = (double)totals[0] / ((double)s->batch * (double)count);
    to->seconds = clock_now(CLOCK_MONOTONIC) - from;
    to->cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID) - used;
    return ok;
}

/* Answer until stdin ends.  @return false with a line */
static bool serve(struct steps *s, struct failure *failure)
{
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        const long count = strtol(line, NULL, 10);
        struct measured measured;

        if (count < 1)
            return fail(failure, "%.20s: a number of steps is needed", line);
        if (!run(s, count, &measured, failure))
            return false;
        printf("%.9g %.9g %.9g\n", measured.seconds, measured.loss,
               measured.cpu);
        fflush(stdout);
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct steps s;
    struct failure reason = {""};
    bool ok;

    if (argc != 6 || atol(argv[2]) < 1) {
        fprintf(stderr, "usage: train_steps NET.net BATCH GRAPH WEIGHTS "
                "DATA\n");
        return 2;
    }
    s.batch = (size_t)atol(argv[2]);
    ok = load_data(&s, argv[5], &reason)
         && init(&s, argv[1], argv[4], argv[3][0] == '1', &reason)
         && serve(&s, &reason);
    trainer_close(&s.trainer);
    cudaFreeHost(s.images);
    cudaFreeHost(s.labels);
    tensors_free(&s.data);
    if (!ok)
        fprintf(stderr, "train_steps: %s\n", reason.text);
    return ok ? 0 : 3;
}
