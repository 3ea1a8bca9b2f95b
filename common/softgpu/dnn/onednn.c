/* SPDX-License-Identifier: MIT */
/* A convolution by oneDNN: it chooses how its tensors are to lie, and they are
 * put so and back where they lie otherwise.  What it makes for a shape it keeps
 * itself, for the next call. */
#include <dnnl.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "convolve.h"

static dnnl_engine_t engine;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Nothing here can fail but for lack of memory. */
static void need(dnnl_status_t status, const char *what)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "softgpu: oneDNN: %s: status %d\n", what, (int)status);
    abort();
}

static void make_engine(void)
{
    need(dnnl_engine_create(&engine, dnnl_cpu, 0), "engine");
}

/** A tensor as the program has it and as the convolution wants it. */
struct side {
    dnnl_memory_desc_t own, wanted;
    dnnl_memory_t memory; /* that the convolution uses */
    float *data;
    bool moved; /* memory is another one's than data */
};

/** Memory for moved tensors and scratch.  It stays for the next one: fresh
 *  pages cost as much as a small convolution. */
struct room {
    struct room *next;
    size_t bytes;
    char *data;
};

static struct room *rooms; /* that nobody uses */
static pthread_mutex_t rooms_lock = PTHREAD_MUTEX_INITIALIZER;

/** A convolution being done. */
struct work {
    struct room *room;
    char *free; /* of it */
    dnnl_stream_t stream;
    dnnl_convolution_desc_t desc;
    dnnl_primitive_desc_t made;
    struct side x, w, y;
};

/* --- rooms --------------------------------------------------------------- */

static struct room *take_room(size_t bytes)
{
    struct room *r;

    pthread_mutex_lock(&rooms_lock);
    r = rooms;
    if (r)
        rooms = r->next;
    pthread_mutex_unlock(&rooms_lock);
    if (!r && !(r = calloc(1, sizeof *r)))
        abort();
    if (r->bytes < bytes) {
        free(r->data);
        r->data = aligned_alloc(64, bytes);
        r->bytes = bytes;
        if (!r->data)
            abort();
    }
    return r;
}

static void leave_room(struct room *r)
{
    pthread_mutex_lock(&rooms_lock);
    r->next = rooms;
    rooms = r;
    pthread_mutex_unlock(&rooms_lock);
}

/* --- layouts ------------------------------------------------------------- */

/* Filters have a dimension of groups in front when there are any. */
static void describe(struct side *s, const struct cudnnTensorStruct *t,
                     int groups)
{
    dnnl_dims_t size, stride;
    int n = 0;

    if (groups > 1) {
        size[n] = groups;
        stride[n++] = (dnnl_dim_t)t->stride[0] * (t->size[0] / groups);
    }
    for (int d = 0; d < t->dims; d++, n++) {
        size[n] = d == 0 && groups > 1 ? t->size[0] / groups : t->size[d];
        stride[n] = t->stride[d];
    }
    for (int d = n - 1; d >= 0; d--) /* a stride of one element is any */
        if (size[d] == 1)
            stride[d] = d == n - 1 ? 1 : stride[d + 1] * size[d + 1];
    need(dnnl_memory_desc_init_by_strides(&s->own, n, size, dnnl_f32, stride),
         "layout");
    need(dnnl_memory_desc_init_by_tag(&s->wanted, n, size, dnnl_f32,
                                      dnnl_format_tag_any), "layout");
}

static void reorder(struct work *w, dnnl_memory_t from, dnnl_memory_t to)
{
    const dnnl_memory_desc_t *a, *b;
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t move;
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};

    need(dnnl_memory_get_memory_desc(from, &a), "layout");
    need(dnnl_memory_get_memory_desc(to, &b), "layout");
    need(dnnl_reorder_primitive_desc_create(&desc, a, engine, b, engine, NULL),
         "reorder");
    need(dnnl_primitive_create(&move, desc), "reorder");
    need(dnnl_primitive_execute(move, w->stream, 2, args), "reorder");
    dnnl_primitive_destroy(move);
    dnnl_primitive_desc_destroy(desc);
}

/* How a tensor of the convolution is to lie. */
static const dnnl_memory_desc_t *wanted_of(const struct work *w,
                                           dnnl_query_t query)
{
    return dnnl_primitive_desc_query_md(w->made, query, 0);
}

/* Bytes of it, so that the next one begins as it should. */
static size_t bytes_of(const dnnl_memory_desc_t *desc)
{
    return (dnnl_memory_desc_get_size(desc) + 63) / 64 * 64;
}

/* A memory in the room. */
static dnnl_memory_t put_in(struct work *w, const dnnl_memory_desc_t *desc)
{
    dnnl_memory_t memory;

    need(dnnl_memory_create(&memory, desc, engine, w->free), "memory");
    w->free += bytes_of(desc);
    return memory;
}

/* Make the memory that the convolution will use; an input is put there. */
static void bring(struct work *w, struct side *s, dnnl_query_t query,
                  bool input)
{
    const dnnl_memory_desc_t *wanted = wanted_of(w, query);
    dnnl_memory_t own;

    need(dnnl_memory_create(&own, &s->own, engine, s->data), "memory");
    s->moved = !dnnl_memory_desc_equal(wanted, &s->own);
    s->memory = own;
    if (!s->moved)
        return;
    s->memory = put_in(w, wanted);
    if (input)
        reorder(w, own, s->memory);
    dnnl_memory_destroy(own);
}

/* A result goes to where the program wants it. */
static void bring_back(struct work *w, struct side *s)
{
    dnnl_memory_t own;

    if (!s->moved)
        return;
    need(dnnl_memory_create(&own, &s->own, engine, s->data), "memory");
    reorder(w, s->memory, own);
    dnnl_memory_destroy(own);
}

/* --- the three directions ------------------------------------------------ */

/** Padding, strides and dilation as oneDNN has them. */
struct geometry {
    dnnl_dims_t stride, dilation, pad;
};

static struct geometry geometry_of(const struct cudnnConvolutionStruct *c)
{
    struct geometry g;

    for (int d = 0; d < c->dims; d++) {
        g.stride[d] = c->stride[d];
        g.dilation[d] = c->dilation[d] - 1;
        g.pad[d] = c->pad[d];
    }
    return g;
}

static dnnl_primitive_desc_t make(const dnnl_convolution_desc_t *desc,
                                  dnnl_primitive_desc_t forward)
{
    dnnl_primitive_desc_t made;
    dnnl_primitive_attr_t attr;

    need(dnnl_primitive_attr_create(&attr), "attributes");
    need(dnnl_primitive_attr_set_scratchpad_mode(attr,
                                                 dnnl_scratchpad_mode_user),
         "attributes");
    need(dnnl_primitive_desc_create(&made, desc, attr, engine, forward),
         "convolution");
    dnnl_primitive_attr_destroy(attr);
    return made;
}

static void plan(struct work *w, const struct dnn_shape *shape)
{
    const struct geometry g = geometry_of(&shape->desc);
    const dnnl_memory_desc_t *x = &w->x.wanted, *f = &w->w.wanted;
    const dnnl_memory_desc_t *y = &w->y.wanted;
    dnnl_convolution_desc_t desc;
    dnnl_primitive_desc_t forward;

    need(dnnl_dilated_convolution_forward_desc_init(
             &desc, dnnl_forward_training, dnnl_convolution_direct, x, f, NULL,
             y, g.stride, g.dilation, g.pad, g.pad), "convolution");
    forward = make(&desc, NULL);
    w->made = forward;
    if (shape->direction == DNN_FORWARD)
        return;
    if (shape->direction == DNN_BACKWARD_DATA)
        need(dnnl_dilated_convolution_backward_data_desc_init(
                 &desc, dnnl_convolution_direct, x, f, y, g.stride, g.dilation,
                 g.pad, g.pad), "convolution");
    else
        need(dnnl_dilated_convolution_backward_weights_desc_init(
                 &desc, dnnl_convolution_direct, x, f, NULL, y, g.stride,
                 g.dilation, g.pad, g.pad), "convolution");
    w->made = make(&desc, forward);
    dnnl_primitive_desc_destroy(forward);
}

/** How a direction names its tensors. */
static const struct {
    dnnl_query_t x, w, y;
    int arg_x, arg_w, arg_y;
} names[] = {
    [DNN_FORWARD] = {dnnl_query_src_md, dnnl_query_weights_md,
                     dnnl_query_dst_md, DNNL_ARG_SRC, DNNL_ARG_WEIGHTS,
                     DNNL_ARG_DST},
    [DNN_BACKWARD_DATA] = {dnnl_query_diff_src_md, dnnl_query_weights_md,
                           dnnl_query_diff_dst_md, DNNL_ARG_DIFF_SRC,
                           DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
    [DNN_BACKWARD_FILTER] = {dnnl_query_src_md, dnnl_query_diff_weights_md,
                             dnnl_query_diff_dst_md, DNNL_ARG_SRC,
                             DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST},
};

static void execute(struct work *w, enum dnn_direction direction)
{
    const dnnl_memory_t scratch =
        put_in(w, wanted_of(w, dnnl_query_scratchpad_md));
    dnnl_primitive_t convolution;

    const dnnl_exec_arg_t args[] = {
        {names[direction].arg_x, w->x.memory},
        {names[direction].arg_w, w->w.memory},
        {names[direction].arg_y, w->y.memory},
        {DNNL_ARG_SCRATCHPAD, scratch}};
    need(dnnl_primitive_create(&convolution, w->made), "convolution");
    need(dnnl_primitive_execute(convolution, w->stream, 4, args),
         "convolution");
    dnnl_primitive_destroy(convolution);
    dnnl_memory_destroy(scratch);
}

/* The room that all of it may take. */
static void make_room(struct work *w, enum dnn_direction direction)
{
    w->room = take_room(bytes_of(wanted_of(w, names[direction].x))
                        + bytes_of(wanted_of(w, names[direction].w))
                        + bytes_of(wanted_of(w, names[direction].y))
                        + bytes_of(wanted_of(w, dnnl_query_scratchpad_md)));
    w->free = w->room->data;
}

void onednn_convolve(const struct convolve_job *job)
{
    const enum dnn_direction direction = job->shape->direction;
    struct work w = {.x.data = job->x, .w.data = job->w, .y.data = job->y};
    struct side *const result = direction == DNN_FORWARD ? &w.y
                                : direction == DNN_BACKWARD_DATA ? &w.x : &w.w;

    omp_set_num_threads(1); /* the software GPU shares out the work */
    pthread_once(&once, make_engine);
    need(dnnl_stream_create(&w.stream, engine, dnnl_stream_in_order),
         "stream");
    describe(&w.x, &job->shape->x, 1);
    describe(&w.w, &job->shape->w, job->shape->desc.groups);
    describe(&w.y, &job->shape->y, 1);
    plan(&w, job->shape);
    make_room(&w, direction);
    bring(&w, &w.x, names[direction].x, result != &w.x);
    bring(&w, &w.w, names[direction].w, result != &w.w);
    bring(&w, &w.y, names[direction].y, result != &w.y);
    execute(&w, direction);
    bring_back(&w, result);
    leave_room(w.room);
    dnnl_memory_destroy(w.x.memory);
    dnnl_memory_destroy(w.w.memory);
    dnnl_memory_destroy(w.y.memory);
    dnnl_primitive_desc_destroy(w.made);
    dnnl_stream_destroy(w.stream);
}
