/* SPDX-License-Identifier: MIT */
/* Transforms as commands of a stream.  The batch is divided among the OS
 * threads; each transform is computed by one. */
#include <math.h>
#include <stdlib.h>

#include "common/softgpu/host/library.h"
#include "common/softgpu/host/call.h"
#include "plan.h"

enum { PARTS = 64 }; /* at most, of a batch */

/** Arguments of a transform. */
struct transform {
    struct softgpu_library_call call;
    struct fftw_shape shape;
    void *plan, *in, *out;
    struct fft_callback load, store;
};

/* Bytes of an element of one side. */
static size_t element_bytes(int kind, bool real)
{
    return (fft_is_double(kind) ? sizeof(double) : sizeof(float))
           * (real ? 1 : 2);
}

/* Bytes of an element of the input. */
static size_t input_bytes(const struct fftw_shape *s)
{
    return element_bytes(s->kind, fft_has_real_input(s->kind));
}

/* Bytes of an element of the output. */
static size_t output_bytes(const struct fftw_shape *s)
{
    return element_bytes(s->kind, fft_has_real_output(s->kind));
}

/* --- elements of one side ------------------------------------------------- */

/* Elements of the last dimension: of the complex side of a real transform, the
 * half that is not redundant. */
static int last_length(const struct fftw_shape *s, bool output)
{
    const int n = s->n[s->rank - 1];
    const bool halved = output ? fft_has_real_input(s->kind)
                               : fft_has_real_output(s->kind);

    return halved ? n / 2 + 1 : n;
}

/* The layout of a contiguous array; in place, rows of reals are padded. */
static void lay_out(struct fftw_shape *s, bool output)
{
    struct fftw_layout *l = output ? &s->out : &s->in;
    const bool real = output ? fft_has_real_output(s->kind)
                             : fft_has_real_input(s->kind);
    const int n = s->n[s->rank - 1];

    l->stride = 1;
    l->dist = 1;
    for (int i = 0; i < s->rank; i++)
        l->embed[i] = s->n[i];
    l->embed[s->rank - 1] =
        real && s->in_place ? 2 * (n / 2 + 1) : last_length(s, output);
    for (int i = 0; i < s->rank; i++)
        l->dist *= l->embed[i];
}

/** Counts and strides of one side, innermost first, as few as possible. */
struct extent {
    int dimensions;
    int64_t count[4], stride[4];
};

/* Add a dimension; one that continues the last is joined to it. */
static void extend(struct extent *e, int64_t count, int64_t stride)
{
    const int last = e->dimensions - 1;

    if (count == 1)
        return;
    if (last >= 0 && stride == e->stride[last] * e->count[last]) {
        e->count[last] *= count;
        return;
    }
    e->count[last + 1] = count;
    e->stride[last + 1] = stride;
    e->dimensions++;
}

/* All elements of `batch` transforms. */
static struct extent extent_of(const struct fftw_shape *s, bool output,
                               int batch)
{
    const struct fftw_layout *l = output ? &s->out : &s->in;
    struct extent e = {0};
    int64_t stride = l->stride;

    for (int i = s->rank - 1; i >= 0; i--) {
        extend(&e, i == s->rank - 1 ? last_length(s, output) : s->n[i],
               stride);
        stride *= l->embed[i];
    }
    extend(&e, batch, l->dist);
    return e;
}

/* How many elements there are. */
static int64_t total(const struct extent *e)
{
    int64_t n = 1;

    for (int i = 0; i < e->dimensions; i++)
        n *= e->count[i];
    return n;
}

/* Place of the i-th element, counted from dimension `first` on. */
static int64_t place(const struct extent *e, int first, int64_t i)
{
    int64_t at = 0;

    for (int d = first; d < e->dimensions; d++) {
        at += i % e->count[d] * e->stride[d];
        i /= e->count[d];
    }
    return at;
}

/* --- the run -------------------------------------------------------------- */

static const struct softgpu_fft_calls *calls; /* of the program */

/* Note how the program calls functions of the device by their address. */
int softgpu_fft_set_calls(const struct softgpu_fft_calls *table)
{
    calls = table;
    return 0;
}

/* Call the program's function for element `at` of one side. */
static void call_back(const struct transform *t, bool store, size_t offset,
                      char *side, size_t at)
{
    const struct fftw_shape *s = &t->shape;
    const struct fft_callback *c = store ? &t->store : &t->load;
    const size_t bytes = store ? output_bytes(s) : input_bytes(s);

    calls->call[fft_callback_type(s->kind, store)](
        c->function, store ? t->out : t->in, offset + at, side + at * bytes,
        c->info);
}

/* Memory for the side of one transform. */
static void *scratch(const struct extent *e, size_t element)
{
    int64_t last = 0;

    for (int i = 0; i < e->dimensions; i++)
        last += (e->count[i] - 1) * e->stride[i];
    void *memory = calloc((size_t)last + 1, element);
    if (!memory)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a transform");
    return memory;
}

/* Transform b by way of the program's functions. */
static void run_with_callbacks(const struct transform *t, int64_t b)
{
    const struct fftw_shape *s = &t->shape;
    const size_t in_at = (size_t)(b * s->in.dist),
                 out_at = (size_t)(b * s->out.dist);
    const struct extent ins = extent_of(s, false, 1),
                        outs = extent_of(s, true, 1);
    char *in = (char *)t->in + in_at * input_bytes(s),
         *out = (char *)t->out + out_at * output_bytes(s);

    if (t->load.function) {
        in = scratch(&ins, input_bytes(s));
        for (int64_t i = 0; i < total(&ins); i++) {
            const size_t at = (size_t)place(&ins, 0, i);
            call_back(t, false, in_at, in, at);
        }
    }
    if (t->store.function)
        out = scratch(&outs, output_bytes(s));
    fftw_execute(s, t->plan, in, out);
    for (int64_t i = 0; t->store.function && i < total(&outs); i++) {
        const size_t at = (size_t)place(&outs, 0, i);
        call_back(t, true, out_at, out, at);
    }
    if (t->load.function)
        free(in);
    if (t->store.function)
        free(out);
}

/* One part: its share of the batch. */
static void run(const void *self, unsigned part)
{
    const struct transform *t = self;
    const struct fftw_shape *s = &t->shape;
    const int64_t parts = t->call.parts, end = s->batch * (part + 1ll) / parts;

    for (int64_t b = s->batch * (int64_t)part / parts; b < end; b++)
        if (t->load.function || t->store.function)
            run_with_callbacks(t, b);
        else
            fftw_execute(s, t->plan,
                         (char *)t->in
                             + (size_t)(b * s->in.dist) * input_bytes(s),
                         (char *)t->out
                             + (size_t)(b * s->out.dist) * output_bytes(s));
}

/* --- submission ----------------------------------------------------------- */

/* Declare accesses to the elements of one side. */
static void declare(const struct transform *t, bool output,
                    enum softgpu_use use)
{
    const struct fftw_shape *s = &t->shape;
    const struct extent e = extent_of(s, output, s->batch);
    const size_t bytes = output ? output_bytes(s) : input_bytes(s);
    const bool dense = e.dimensions > 0 && e.stride[0] == 1;
    const int rows = dense ? 1 : 0;
    const bool has_rows = rows < e.dimensions;
    struct softgpu_array array = {
        .name = output ? "odata" : "idata", .use = use,
        .row = (dense ? (size_t)e.count[0] : 1) * bytes,
        .rows = has_rows ? (size_t)e.count[rows] : 1,
        .pitch = has_rows ? (size_t)e.stride[rows] * bytes : bytes};
    int64_t groups = 1;

    for (int i = rows + 1; i < e.dimensions; i++)
        groups *= e.count[i];
    for (int64_t i = 0; i < groups; i++) {
        array.ptr = (char *)(output ? t->out : t->in)
                    + (size_t)place(&e, rows + 1, i) * bytes;
        softgpu_library_array(&array);
    }
}

/* The memory that a callback accesses is its own. */
static void arrays(const void *self)
{
    const struct transform *t = self;
    const bool spoils =
        t->shape.rank > 1 && fft_has_real_output(t->shape.kind);

    if (!t->load.function)
        declare(t, false, spoils ? SOFTGPU_READS | SOFTGPU_WRITES
                                 : SOFTGPU_READS);
    if (!t->store.function)
        declare(t, true, SOFTGPU_WRITES);
}

/* An error of the submission, as cuFFT names it. */
static cufftResult result_of(cudaError_t error)
{
    return error == cudaSuccess                 ? CUFFT_SUCCESS
           : error == cudaErrorMemoryAllocation ? CUFFT_ALLOC_FAILED
                                                : CUFFT_EXEC_FAILED;
}

/* Fill in what is known only now: the arrays. */
static void complete(struct transform *t, const struct fft_plan *p,
                     int direction)
{
    struct fftw_shape *s = &t->shape;

    *s = p->shape;
    s->direction = direction;
    s->in_place = t->in == t->out;
    if (p->in_contiguous)
        lay_out(s, false);
    if (p->out_contiguous)
        lay_out(s, true);
    t->load = p->load;
    t->store = p->store;
    s->in_place &= !t->load.function && !t->store.function;
}

/* Queue a transform. */
static cufftResult execute(const char *name, struct fft_plan *p, void *in,
                           void *out, int direction)
{
    struct transform t = {.in = in, .out = out};
    double points = 1;

    if (!in || !out
        || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    complete(&t, p, direction);
    t.plan = fftw_plan(&t.shape);
    if (!t.plan)
        return CUFFT_EXEC_FAILED;
    for (int i = 0; i < t.shape.rank; i++)
        points *= t.shape.n[i];
    t.call = (struct softgpu_library_call){
        .name = name, .run = run, .arrays = arrays,
        .parts = t.shape.batch < PARTS ? (unsigned)t.shape.batch : PARTS,
        .operations = 5 * points * log2(points + 1) * t.shape.batch,
        .bytes = points * t.shape.batch
                 * (double)(input_bytes(&t.shape) + output_bytes(&t.shape)),
        .site = softgpu_call_site};
    return result_of(softgpu_library_submit(p->stream, &t, sizeof t));
}

/* Execute a plan that must be of type `kind`; 0: any. */
static cufftResult execute_kind(const char *name, cufftHandle handle, int kind,
                                void *in, void *out, int direction)
{
    struct fft_plan *p = fft_plan_of(handle);

    if (!p || !p->made)
        return CUFFT_INVALID_PLAN;
    if (kind && p->shape.kind != kind)
        return CUFFT_INVALID_TYPE;
    return execute(name, p, in, out, direction);
}

/* One call of each pair of types. */
#define EXECUTE(kind, In, Out)                                               \
    cufftResult cufftExec##kind(cufftHandle plan, In *idata, Out *odata)     \
    {                                                                        \
        SOFTGPU_LIBRARY_CALL();                                             \
        return execute_kind("cufftExec" #kind, plan, CUFFT_##kind, idata,    \
                            odata,                                           \
                            fft_has_real_input(CUFFT_##kind) ? CUFFT_FORWARD \
                                                             : CUFFT_INVERSE); \
    }
EXECUTE(R2C, cufftReal, cufftComplex)
EXECUTE(C2R, cufftComplex, cufftReal)
EXECUTE(D2Z, cufftDoubleReal, cufftDoubleComplex)
EXECUTE(Z2D, cufftDoubleComplex, cufftDoubleReal)

/* A complex transform in single precision, which is not scaled: forward
 * and inverse together multiply by the number of elements. */
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata,
                         cufftComplex *odata, int direction)
{
    SOFTGPU_LIBRARY_CALL();
    return execute_kind("cufftExecC2C", plan, CUFFT_C2C, idata, odata,
                        direction);
}

/* The same in double precision. */
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata,
                         cufftDoubleComplex *odata, int direction)
{
    SOFTGPU_LIBRARY_CALL();
    return execute_kind("cufftExecZ2Z", plan, CUFFT_Z2Z, idata, odata,
                        direction);
}

/* A transform of any type; the direction of real ones follows from it. */
cufftResult cufftXtExec(cufftHandle plan, void *input, void *output,
                        int direction)
{
    const struct fft_plan *p = fft_plan_of(plan);
    const int kind = p ? p->shape.kind : 0;

    SOFTGPU_LIBRARY_CALL();
    if (fft_has_real_input(kind) || fft_has_real_output(kind))
        direction = fft_has_real_input(kind) ? CUFFT_FORWARD : CUFFT_INVERSE;
    return execute_kind("cufftXtExec", plan, 0, input, output, direction);
}
