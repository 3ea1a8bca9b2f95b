/* SPDX-License-Identifier: MIT */
/* Convolutions with oneDNN. oneDNN chooses the memory layouts; tensors in
 * other layouts are reordered.  It caches the primitives of a shape itself. */
#include <dnnl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "convolve.h"

/* OpenMP's, from the runtime that oneDNN is linked with; <omp.h> belongs to a
 * compiler and is not installed with each. */
void omp_set_num_threads(int threads);

static dnnl_engine_t engine;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Only out-of-memory can fail here. */
static void check_dnnl(dnnl_status_t status, const char *what)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "softgpu: oneDNN: %s: status %d\n", what, (int)status);
    abort();
}

/* Once a process. */
static void make_engine(void)
{
    check_dnnl(dnnl_engine_create(&engine, dnnl_cpu, 0), "engine");
}

/** A tensor in the program's layout and in oneDNN's. */
struct tensor_memory {
    dnnl_memory_desc_t own, required;
    dnnl_memory_t memory; /* used by the convolution */
    float *data;
    bool is_reordered; /* memory is a reordered copy of data */
};

/** A buffer for reordered tensors and scratchpad.  Buffers are reused: page
 *  faults of fresh memory cost as much as a small convolution. */
struct scratch_buffer {
    struct scratch_buffer *next;
    size_t bytes;
    char *data;
};

static struct scratch_buffer *free_buffers; /* free list */
static pthread_mutex_t free_buffers_lock = PTHREAD_MUTEX_INITIALIZER;

/** A convolution in progress. */
struct execution {
    struct scratch_buffer *scratch_buffer;
    char *free; /* next free byte of the buffer */
    dnnl_stream_t stream;
    dnnl_convolution_desc_t desc;
    dnnl_primitive_desc_t primitive_desc;
    struct tensor_memory x, w, y;
};

/* --- scratch buffers ----------------------------------------------------- */

/* Concurrent calls need a buffer each; they are kept for later calls. */
static struct scratch_buffer *acquire_buffer(size_t bytes)
{
    struct scratch_buffer *r;

    pthread_mutex_lock(&free_buffers_lock);
    r = free_buffers;
    if (r)
        free_buffers = r->next;
    pthread_mutex_unlock(&free_buffers_lock);
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

/* For the next call. */
static void release_buffer(struct scratch_buffer *r)
{
    pthread_mutex_lock(&free_buffers_lock);
    r->next = free_buffers;
    free_buffers = r;
    pthread_mutex_unlock(&free_buffers_lock);
}

/* --- layouts ------------------------------------------------------------- */

/* Create the memory descriptors; grouped filters have a leading dimension. */
static void init_layouts(struct tensor_memory *s,
                         const struct cudnnTensorStruct *t, int groups)
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
    for (int d = n - 1; d >= 0; d--) /* the stride of a dimension of size 1 is
                                        arbitrary */
        if (size[d] == 1)
            stride[d] = d == n - 1 ? 1 : stride[d + 1] * size[d + 1];
    check_dnnl(
        dnnl_memory_desc_init_by_strides(&s->own, n, size, dnnl_f32, stride),
        "layout");
    check_dnnl(dnnl_memory_desc_init_by_tag(&s->required, n, size, dnnl_f32,
                                            dnnl_format_tag_any),
               "layout");
}

/* Convert between the layout of the caller and that of oneDNN. */
static void reorder(struct execution *w, dnnl_memory_t from, dnnl_memory_t to)
{
    const dnnl_memory_desc_t *a, *b;
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t move;
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};

    check_dnnl(dnnl_memory_get_memory_desc(from, &a), "layout");
    check_dnnl(dnnl_memory_get_memory_desc(to, &b), "layout");
    check_dnnl(
        dnnl_reorder_primitive_desc_create(&desc, a, engine, b, engine, NULL),
        "reorder");
    check_dnnl(dnnl_primitive_create(&move, desc), "reorder");
    check_dnnl(dnnl_primitive_execute(move, w->stream, 2, args), "reorder");
    dnnl_primitive_destroy(move);
    dnnl_primitive_desc_destroy(desc);
}

/* The layout that the convolution requires. */
static const dnnl_memory_desc_t *query_layout(const struct execution *w,
                                              dnnl_query_t query)
{
    return dnnl_primitive_desc_query_md(w->primitive_desc, query, 0);
}

/* Size rounded up to a multiple of 64, for alignment. */
static size_t aligned_bytes(const dnnl_memory_desc_t *desc)
{
    return (dnnl_memory_desc_get_size(desc) + 63) / 64 * 64;
}

/* Create a memory object in the buffer. */
static dnnl_memory_t create_in_scratch(struct execution *w,
                                       const dnnl_memory_desc_t *desc)
{
    dnnl_memory_t memory;

    check_dnnl(dnnl_memory_create(&memory, desc, engine, w->free), "memory");
    w->free += aligned_bytes(desc);
    return memory;
}

/* Prepare a tensor for the convolution: reorder an input if needed. */
static void reorder_input(struct execution *w, struct tensor_memory *s,
                          dnnl_query_t query, bool input)
{
    const dnnl_memory_desc_t *required = query_layout(w, query);
    dnnl_memory_t own;

    check_dnnl(dnnl_memory_create(&own, &s->own, engine, s->data), "memory");
    s->is_reordered = !dnnl_memory_desc_equal(required, &s->own);
    s->memory = own;
    if (!s->is_reordered)
        return;
    s->memory = create_in_scratch(w, required);
    if (input)
        reorder(w, own, s->memory);
    dnnl_memory_destroy(own);
}

/* Reorder the result to the program's layout if needed. */
static void reorder_result(struct execution *w, struct tensor_memory *s)
{
    dnnl_memory_t own;

    if (!s->is_reordered)
        return;
    check_dnnl(dnnl_memory_create(&own, &s->own, engine, s->data), "memory");
    reorder(w, s->memory, own);
    dnnl_memory_destroy(own);
}

/* --- the three directions ------------------------------------------------ */

/** Padding, strides and dilation in oneDNN's terms. */
struct geometry {
    dnnl_dims_t stride, dilation, pad;
};

/* oneDNN counts dilation from 0, cuDNN from 1. */
static struct geometry make_geometry(const struct cudnnConvolutionStruct *c)
{
    struct geometry g;

    for (int d = 0; d < c->dims; d++) {
        g.stride[d] = c->stride[d];
        g.dilation[d] = c->dilation[d] - 1;
        g.pad[d] = c->pad[d];
    }
    return g;
}

/* The scratch memory is ours, so that calls do not allocate. */
static dnnl_primitive_desc_t create_desc(const dnnl_convolution_desc_t *desc,
                                         dnnl_primitive_desc_t forward)
{
    dnnl_primitive_desc_t primitive_desc;
    dnnl_primitive_attr_t attr;

    check_dnnl(dnnl_primitive_attr_create(&attr), "attributes");
    check_dnnl(dnnl_primitive_attr_set_scratchpad_mode(
                   attr, dnnl_scratchpad_mode_user),
               "attributes");
    check_dnnl(dnnl_primitive_desc_create(&primitive_desc, desc, attr, engine,
                                          forward),
               "convolution");
    dnnl_primitive_attr_destroy(attr);
    return primitive_desc;
}

/* The backward directions need the forward description as a hint. */
static void create_primitive_desc(struct execution *w,
                                  const struct dnn_conv_shape *shape)
{
    const struct geometry g = make_geometry(&shape->desc);
    const dnnl_memory_desc_t *x = &w->x.required, *f = &w->w.required;
    const dnnl_memory_desc_t *y = &w->y.required;
    dnnl_convolution_desc_t desc;
    dnnl_primitive_desc_t forward;

    check_dnnl(dnnl_dilated_convolution_forward_desc_init(
             &desc, dnnl_forward_training, dnnl_convolution_direct, x, f, NULL,
             y, g.stride, g.dilation, g.pad, g.pad), "convolution");
    forward = create_desc(&desc, NULL);
    w->primitive_desc = forward;
    if (shape->direction == DNN_FORWARD)
        return;
    if (shape->direction == DNN_BACKWARD_DATA)
        check_dnnl(dnnl_dilated_convolution_backward_data_desc_init(
                 &desc, dnnl_convolution_direct, x, f, y, g.stride, g.dilation,
                 g.pad, g.pad), "convolution");
    else
        check_dnnl(dnnl_dilated_convolution_backward_weights_desc_init(
                 &desc, dnnl_convolution_direct, x, f, NULL, y, g.stride,
                 g.dilation, g.pad, g.pad), "convolution");
    w->primitive_desc = create_desc(&desc, forward);
    dnnl_primitive_desc_destroy(forward);
}

/** oneDNN's names of the tensors in each direction. */
static const struct {
    dnnl_query_t x, w, y;
    int arg_x, arg_w, arg_y;
} direction_names[] = {
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

/* Run the convolution on reordered arrays. */
static void execute(struct execution *w, enum dnn_direction direction)
{
    const dnnl_memory_t scratch =
        create_in_scratch(w, query_layout(w, dnnl_query_scratchpad_md));
    dnnl_primitive_t convolution;

    const dnnl_exec_arg_t args[] = {
        {direction_names[direction].arg_x, w->x.memory},
        {direction_names[direction].arg_w, w->w.memory},
        {direction_names[direction].arg_y, w->y.memory},
        {DNNL_ARG_SCRATCHPAD, scratch}};
    check_dnnl(dnnl_primitive_create(&convolution, w->primitive_desc),
               "convolution");
    check_dnnl(dnnl_primitive_execute(convolution, w->stream, 4, args),
               "convolution");
    dnnl_primitive_destroy(convolution);
    dnnl_memory_destroy(scratch);
}

/* Acquire a buffer for all reordered tensors and the scratchpad. */
static void allocate_scratch(struct execution *w, enum dnn_direction direction)
{
    w->scratch_buffer = acquire_buffer(
        aligned_bytes(query_layout(w, direction_names[direction].x))
        + aligned_bytes(query_layout(w, direction_names[direction].w))
        + aligned_bytes(query_layout(w, direction_names[direction].y))
        + aligned_bytes(query_layout(w, dnnl_query_scratchpad_md)));
    w->free = w->scratch_buffer->data;
}

void dnn_convolve_onednn(const struct dnn_conv_job *job)
{
    const enum dnn_direction direction = job->shape->direction;
    struct execution w = {.x.data = job->x, .w.data = job->w, .y.data = job->y};
    struct tensor_memory *const result = direction == DNN_FORWARD ? &w.y
                                : direction == DNN_BACKWARD_DATA ? &w.x : &w.w;

    omp_set_num_threads(1); /* the software GPU distributes the work */
    pthread_once(&once, make_engine);
    check_dnnl(dnnl_stream_create(&w.stream, engine, dnnl_stream_in_order),
               "stream");
    init_layouts(&w.x, &job->shape->x, 1);
    init_layouts(&w.w, &job->shape->w, job->shape->desc.groups);
    init_layouts(&w.y, &job->shape->y, 1);
    create_primitive_desc(&w, job->shape);
    allocate_scratch(&w, direction);
    reorder_input(&w, &w.x, direction_names[direction].x, result != &w.x);
    reorder_input(&w, &w.w, direction_names[direction].w, result != &w.w);
    reorder_input(&w, &w.y, direction_names[direction].y, result != &w.y);
    execute(&w, direction);
    reorder_result(&w, result);
    release_buffer(w.scratch_buffer);
    dnnl_memory_destroy(w.x.memory);
    dnnl_memory_destroy(w.w.memory);
    dnnl_memory_destroy(w.y.memory);
    dnnl_primitive_desc_destroy(w.primitive_desc);
    dnnl_stream_destroy(w.stream);
}
