/* SPDX-License-Identifier: MIT */
/* Dropout.  The random number of element i in call n is a hash of (seed, n,
 * i); n is in the state in device memory, so that a graph that is launched
 * again drops other elements.  The mask is in the reserve space, one byte per
 * element. */
#include <stdlib.h>

#include "tensor_iterator.h"

/** Content of `states`. */
struct rng_state {
    uint64_t seed, calls;
};

struct cudnnDropoutStruct {
    float rate;
    struct rng_state *states; /* device memory */
    unsigned long long seed;
};

/** Arguments of a call on tensors, or on the state alone. */
struct dropout {
    struct softgpu_library_call call;
    double rate;
    struct rng_state *states, fresh;
    uint8_t *mask;
    bool is_forward; /* forward pass */
    struct dnn_argument out, in;
    struct dnn_iterator iterator;
};

/* For the checks: the states are an array of their own. */
static void declare_states(const struct dropout *d, enum softgpu_use use)
{
    const struct softgpu_array array = {"states", d->states, sizeof *d->states,
                                        1, sizeof *d->states, use};

    softgpu_library_array(&array);
}

/* For the checks: the mask is written forward and read backward. */
static void declare_arrays(const void *self)
{
    const struct dropout *d = self;
    const size_t n = dnn_count(&d->in.tensor);
    const struct softgpu_array mask = {
        "reserveSpace", d->mask, n, 1, n,
        d->is_forward ? SOFTGPU_WRITES : SOFTGPU_READS};

    if (d->is_forward)
        declare_states(d, SOFTGPU_READS);
    softgpu_library_array(&mask);
    dnn_array(&d->in);
    dnn_array(&d->out);
}

/* The finalizer of splitmix64 (Steele et al.). */
static uint64_t splitmix64_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* A uniform random number in [0, 1). */
static double rng_uniform01(const struct rng_state *s, uint64_t i)
{
    const uint64_t stream = splitmix64_mix(
        splitmix64_mix(s->seed + 0x9e3779b97f4a7c15u) + s->calls);

    return (double)(splitmix64_mix(stream + i * 0x9e3779b97f4a7c15u) >> 11)
           * 0x1p-53;
}

/* A part of all elements; each element's random number depends on its index
 * alone. */
static void run(const void *self, unsigned part)
{
    const struct dropout *d = self;
    const size_t n = dnn_iterator_count(&d->iterator);
    struct dnn_cursor c;

    dnn_iterator_start(&c, &d->iterator, NULL,
                       dnn_part_begin(n, part, d->call.parts),
                       dnn_part_begin(n, part + 1, d->call.parts));
    for (; dnn_iterator_has_next(&c); dnn_iterator_next(&c)) {
        const double x =
            dnn_load_element(d->in.ptr, d->in.tensor.type, c.at[1]);

        if (d->is_forward)
            d->mask[c.i] = rng_uniform01(d->states, c.i) >= d->rate;
        dnn_store_element(d->out.ptr, d->out.tensor.type, c.at[0],
                          d->mask[c.i] ? x / (1 - d->rate) : 0);
    }
}

/* --- the state ----------------------------------------------------------- */

/* For the checks: seeding overwrites. */
static void declare_written(const void *self)
{
    declare_states(self, SOFTGPU_WRITES);
}

/* For the checks: each call advances the states. */
static void declare_changed(const void *self)
{
    declare_states(self, SOFTGPU_READS | SOFTGPU_WRITES);
}

/* The first state, as a queued command. */
static void run_seed(const void *self, unsigned part)
{
    const struct dropout *d = self;

    (void)part;
    *d->states = d->fresh;
}

/* The next call draws other numbers. */
static void run_advance(const void *self, unsigned part)
{
    const struct dropout *d = self;

    (void)part;
    d->states->calls++;
}

/* --- calls --------------------------------------------------------------- */

/* Elements first, then the new state. */
static cudnnStatus_t submit(cudnnHandle_t handle, struct dropout *d)
{
    const struct cudnnTensorStruct *in = &d->in.tensor, *out = &d->out.tensor;
    const size_t n = dnn_count(in);

    d->iterator.operands = 2;
    for (int i = 0; i < in->dims; i++)
        dnn_iterator_add_dim(
            &d->iterator, (size_t)in->size[i],
            (ptrdiff_t[]){dnn_stride(out, i), dnn_stride(in, i)});
    d->call.parts = dnn_parts(n, 3);
    d->call.operations = (double)n;
    d->call.bytes = (double)n * (1 + 2 * (double)dnn_bytes(in->type));
    return dnn_submit(handle, d, sizeof *d);
}

/* Same sizes and type; strides may differ. */
static bool shapes_match(const struct cudnnTensorStruct *a,
                         const struct cudnnTensorStruct *b)
{
    return dnn_is_set(a) && dnn_is_set(b) && dnn_same_size(a, b)
           && a->type == b->type;
}

cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle,
                                  const cudnnDropoutDescriptor_t desc,
                                  const cudnnTensorDescriptor_t x_desc,
                                  const void *x,
                                  const cudnnTensorDescriptor_t y_desc, void *y,
                                  void *reserve, size_t reserve_bytes)
{
    struct dropout d = {.call = DNN_CALL(run, declare_arrays),
                        .is_forward = true};
    struct dropout next = {.call = DNN_CALL(run_advance, declare_changed)};
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(handle && desc && desc->states && x && y && reserve);
    DNN_REQUIRE_PARAM(shapes_match(x_desc, y_desc)
                      && reserve_bytes >= dnn_count(x_desc));
    d.rate = (double)desc->rate;
    d.states = next.states = desc->states;
    d.mask = reserve;
    d.in = dnn_in("x", x_desc, x);
    d.out = dnn_out("y", y_desc, y, 0);
    status = submit(handle, &d);
    return status ? status : dnn_submit(handle, &next, sizeof next);
}

cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle,
                                   const cudnnDropoutDescriptor_t desc,
                                   const cudnnTensorDescriptor_t dy_desc,
                                   const void *dy,
                                   const cudnnTensorDescriptor_t dx_desc,
                                   void *dx, void *reserve,
                                   size_t reserve_bytes)
{
    struct dropout d = {.call = DNN_CALL(run, declare_arrays)};

    DNN_REQUIRE_PARAM(handle && desc && dy && dx && reserve);
    DNN_REQUIRE_PARAM(shapes_match(dy_desc, dx_desc)
                      && reserve_bytes >= dnn_count(dy_desc));
    d.rate = (double)desc->rate;
    d.mask = reserve;
    d.in = dnn_in("dy", dy_desc, dy);
    d.out = dnn_out("dx", dx_desc, dx, 0);
    return submit(handle, &d);
}

/* --- descriptors --------------------------------------------------------- */

cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *desc)
{
    DNN_REQUIRE_PARAM(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_REQUIRE(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t desc)
{
    free(desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *bytes)
{
    DNN_REQUIRE_PARAM(handle && bytes);
    *bytes = sizeof(struct rng_state);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t x_desc,
                                              size_t *bytes)
{
    DNN_REQUIRE_PARAM(dnn_is_set(x_desc) && bytes);
    *bytes = dnn_count(x_desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t desc,
                                            cudnnHandle_t handle, float dropout,
                                            void *states, size_t states_bytes,
                                            unsigned long long seed)
{
    DNN_REQUIRE_PARAM(desc && handle && dropout >= 0 && dropout <= 1);
    DNN_REQUIRE_PARAM(!states || states_bytes >= sizeof(struct rng_state));
    *desc = (struct cudnnDropoutStruct){dropout, states, seed};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t desc,
                                        cudnnHandle_t handle, float dropout,
                                        void *states, size_t states_bytes,
                                        unsigned long long seed)
{
    const cudnnStatus_t status = DNN_AS_OWN(cudnnRestoreDropoutDescriptor(
        desc, handle, dropout, states, states_bytes, seed));
    const struct dropout d = {.call = DNN_CALL(run_seed, declare_written),
                              .states = states, .fresh = {seed, 0}};

    return status || !states ? status : dnn_submit(handle, &d, sizeof d);
}

cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t desc,
                                        cudnnHandle_t handle, float *dropout,
                                        void **states, unsigned long long *seed)
{
    DNN_REQUIRE_PARAM(desc && handle);
    if (dropout)
        *dropout = desc->rate;
    if (states)
        *states = desc->states;
    if (seed)
        *seed = desc->seed;
    return CUDNN_STATUS_SUCCESS;
}
