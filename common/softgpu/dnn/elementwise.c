/* SPDX-License-Identifier: MIT */
/* Element-wise operations: the engine, and the simple calls. */
#include "elementwise.h"

#include <string.h>

void dnn_identity(double *restrict out, const double *const *in, size_t n,
                  const double *constants)
{
    (void)constants;
    memcpy(out, in[0], n * sizeof *out);
}

void dnn_elementwise_arrays(const void *self)
{
    const struct dnn_elementwise *m = self;

    for (int k = m->arguments - 1; k >= 0; k--)
        dnn_array(&m->argument[k]);
}

/* Process the next n elements. */
static void process_strip(const struct dnn_elementwise *m,
                          const struct dnn_cursor *c, size_t n)
{
    double in[DNN_MAX_OPERANDS - 1][DNN_STRIP_ELEMENTS], y[DNN_STRIP_ELEMENTS];
    const double *inputs[DNN_MAX_OPERANDS - 1];

    for (int k = 1; k < m->arguments; k++) {
        const struct dnn_strip x = {&m->argument[k], c->at[k],
                                    dnn_iterator_stride(c, k)};

        dnn_load_strip(in[k - 1], &x, n);
        inputs[k - 1] = in[k - 1];
    }
    m->f(y, inputs, n, m->constants);
    dnn_store_strip(&(struct dnn_strip){&m->argument[0], c->at[0],
                                  dnn_iterator_stride(c, 0)}, y, n, m->alpha,
              m->beta);
}

/* Likewise without doubles. */
static void process_floats(const struct dnn_elementwise *m,
                           const struct dnn_cursor *c, size_t n)
{
    float same[DNN_MAX_OPERANDS - 1][DNN_STRIP_ELEMENTS];
    const float *inputs[DNN_MAX_OPERANDS - 1];

    for (int k = 1; k < m->arguments; k++) {
        const float *x = (const float *)m->argument[k].ptr + c->at[k];

        inputs[k - 1] = x;
        if (dnn_iterator_stride(c, k) == 0) {
            for (size_t i = 0; i < n; i++)
                same[k - 1][i] = *x;
            inputs[k - 1] = same[k - 1];
        }
    }
    m->floats((float *)m->argument[0].ptr + c->at[0], inputs, n,
              m->constants);
}

/* Are all tensors floats, the elements of a strip neighbors or, in an input,
 * the same? */
static bool takes_floats(const struct dnn_elementwise *m)
{
    const struct dnn_iterator *w = &m->iterator;
    bool takes = m->floats != NULL;

    for (int k = 0; k < m->arguments && takes; k++) {
        const ptrdiff_t stride = w->dims ? w->stride[w->dims - 1][k] : 1;

        takes = m->argument[k].tensor.type == CUDNN_DATA_FLOAT
                && (stride == 1 || (stride == 0 && k > 0));
    }
    return takes;
}

void dnn_elementwise_run(const void *self, unsigned part)
{
    const struct dnn_elementwise *m = self;
    const bool floats = takes_floats(m);
    const size_t n = dnn_iterator_count(&m->iterator);
    struct dnn_cursor c;

    dnn_iterator_start(&c, &m->iterator, NULL,
                       dnn_part_begin(n, part, m->call.parts),
                       dnn_part_begin(n, part + 1, m->call.parts));
    while (dnn_iterator_has_next(&c)) {
        const size_t run = dnn_iterator_run(&c);
        const size_t length =
            run < DNN_STRIP_ELEMENTS ? run : DNN_STRIP_ELEMENTS;

        if (floats)
            process_floats(m, &c, length);
        else
            process_strip(m, &c, length);
        dnn_iterator_advance(&c, length);
    }
}

cudnnStatus_t dnn_elementwise_submit(cudnnHandle_t handle,
                                     struct dnn_elementwise *m)
{
    const struct cudnnTensorStruct *out = &m->argument[0].tensor;
    const size_t n = dnn_count(out);

    m->iterator = (struct dnn_iterator){.operands = m->arguments};
    for (int d = 0; d < out->dims; d++) {
        ptrdiff_t stride[DNN_MAX_OPERANDS];

        for (int k = 0; k < m->arguments; k++)
            stride[k] = dnn_stride(&m->argument[k].tensor, d);
        dnn_iterator_add_dim(&m->iterator, (size_t)out->size[d], stride);
    }
    m->call.parts = dnn_parts(n, m->arguments);
    m->call.operations = (double)n;
    for (int k = 0; k < m->arguments; k++)
        m->call.bytes += (double)dnn_count(&m->argument[k].tensor)
                         * (double)dnn_bytes(m->argument[k].tensor.type);
    return dnn_submit(handle, m, sizeof *m);
}

/* --- one tensor to another ----------------------------------------------- */

cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void *alpha,
                                   const cudnnTensorDescriptor_t x_desc,
                                   const void *x, const void *beta,
                                   const cudnnTensorDescriptor_t y_desc,
                                   void *y)
{
    struct dnn_elementwise m = {
        .call = DNN_CALL(dnn_elementwise_run, dnn_elementwise_arrays),
        .f = dnn_identity,
        .arguments = 2};

    DNN_REQUIRE_PARAM(handle && alpha && beta && x && y);
    DNN_REQUIRE_PARAM(dnn_is_set(x_desc) && dnn_is_set(y_desc));
    DNN_REQUIRE_PARAM(dnn_same_size(x_desc, y_desc));
    m.alpha = dnn_scalar(alpha, x_desc->type);
    m.beta = dnn_scalar(beta, x_desc->type);
    m.argument[0] = dnn_out("y", y_desc, y, m.beta);
    m.argument[1] = dnn_in("x", x_desc, x);
    return dnn_elementwise_submit(handle, &m);
}

/* A sum of two floats in double, rounded, is their sum in float. */
DNN_FLOAT_FUNCTION(add_floats, out[i] + DNN_A)

cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void *alpha,
                             const cudnnTensorDescriptor_t a_desc,
                             const void *a, const void *beta,
                             const cudnnTensorDescriptor_t c_desc, void *c)
{
    struct dnn_elementwise m = {
        .call = DNN_CALL(dnn_elementwise_run, dnn_elementwise_arrays),
        .f = dnn_identity,
        .arguments = 2};

    DNN_REQUIRE_PARAM(handle && alpha && beta && a && c);
    DNN_REQUIRE_PARAM(dnn_is_set(a_desc) && dnn_is_set(c_desc));
    DNN_REQUIRE_PARAM(dnn_is_broadcastable(a_desc, c_desc));
    DNN_REQUIRE_SUPPORTED(a_desc->type == c_desc->type && c_desc->dims <= 5);
    m.alpha = dnn_scalar(alpha, c_desc->type);
    m.beta = dnn_scalar(beta, c_desc->type);
    m.floats = m.alpha == 1 && m.beta == 1 ? add_floats : NULL;
    m.argument[0] = dnn_out("C", c_desc, c, m.beta);
    m.argument[1] = dnn_in("A", a_desc, a);
    return dnn_elementwise_submit(handle, &m);
}

cudnnStatus_t cudnnScaleTensor(cudnnHandle_t handle,
                               const cudnnTensorDescriptor_t y_desc, void *y,
                               const void *alpha)
{
    struct dnn_elementwise m = {
        .call = DNN_CALL(dnn_elementwise_run, dnn_elementwise_arrays),
        .f = dnn_identity,
        .arguments = 2};

    DNN_REQUIRE_PARAM(handle && y && alpha && dnn_is_set(y_desc));
    m.alpha = dnn_scalar(alpha, y_desc->type);
    m.argument[0] = dnn_out("y", y_desc, y, 0);
    m.argument[1] = dnn_in("y", y_desc, y);
    return dnn_elementwise_submit(handle, &m);
}

DNN_FUNCTION(constant, k[0])

cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle,
                             const cudnnTensorDescriptor_t y_desc, void *y,
                             const void *value)
{
    struct dnn_elementwise m = {
        .call = DNN_CALL(dnn_elementwise_run, dnn_elementwise_arrays),
        .f = constant,
        .alpha = 1,
        .arguments = 1};

    DNN_REQUIRE_PARAM(handle && y && value && dnn_is_set(y_desc));
    m.constants[0] = dnn_load_element(value, y_desc->type, 0);
    m.argument[0] = dnn_out("y", y_desc, y, 0);
    return dnn_elementwise_submit(handle, &m);
}
