/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: gradient norm, scale and clipping. */
#include "grader/suite/response.h"
#include "mistakes.h"
#include "suite_15.h"

/* A step that is left out changes nothing.
 * before: parameters, then both moments */
static void expect_unchanged(const struct buffers *b, const float *before)
{
    const struct {
        const char *name;
        const float *now;
    } list[] = {{"d_params", b->params},
                {"d_moment1", b->first},
                {"d_moment2", b->second}};
    char changed[64] = "", kept[64] = "";

    for (size_t k = 0; k < COUNT(list); k++) {
        char *to = memcmp(before + k * b->n, list[k].now,
                          b->n * sizeof *before) ? changed : kept;

        snprintf(to + strlen(to), sizeof changed - strlen(to), "%s%s",
                 *to ? ", " : "", list[k].name);
    }
    expect_that(!*changed, "changed: %s; unchanged: %s; the step should be "
                "left out", changed, *kept ? kept : "nothing");
}

/* Several scales, no scale, and NaN, which must skip the step. */
void optimizers_scale(void)
{
    static const float scales[] = {1, 0.5f, 0, 1e-3f, 8};
    const struct sgd momentum = {.momentum = 0.9f};
    const struct sgd decay = {.momentum = 0.9f, .weight_decay = 0.1f};
    const struct adam options = {0.9f, 0.999f, 1e-8f, 0.1f, 1};
    const struct adam coupled = {0.9f, 0.999f, 1e-8f, 0.1f, 0};

    for (size_t i = 0; i < COUNT(scales) && !suite_failed(); i++) {
        struct buffers a = buffers_create(67), b = buffers_create(67);
        struct buffers c = buffers_create(67);

        a.scale = b.scale = c.scale = scales[i];
        suite_case("scale %g", scales[i]);
        optimizers_check_sgd(&a, 0, &momentum);
        optimizers_check_sgd(&a, 0, &(struct sgd){0});
        optimizers_check_sgd(&a, 50, &decay); /* weight decay is not scaled */
        optimizers_check_adam(&b, 30, &options);
        optimizers_check_adam(&c, 40, &coupled);
    }
    for (int i = 0; i < 2 && !suite_failed(); i++) {
        struct buffers b = buffers_create(66);
        struct update u = buffers_to_update(&b, 0);
        float *before = suite_floats(3 * 66);

        random_floats(b.first, 66, -1, 1);
        random_floats(b.second, 66, 0, 1);
        memcpy(before, b.params, 66 * sizeof *before);
        memcpy(before + 66, b.first, 66 * sizeof *before);
        memcpy(before + 132, b.second, 66 * sizeof *before);
        b.scale = NAN;
        suite_case("%s, scale NaN", i ? "adam" : "sgd");
        expect_success(i ? adam_step(&u, &options) : sgd_step(&u, &momentum));
        expect_unchanged(&b, before);
        b.no_scale = true;
        b.scale = 1;
        suite_case("%s, no scale", i ? "adam" : "sgd");
        if (i)
            optimizers_check_adam(&b, 0, &options);
        else
            optimizers_check_sgd(&b, 0, &momentum);
    }
}

/* Gradients, the sum of their squares, and the limit of the norm. */
struct norm_input {
    const float *grads;
    size_t n;
    double squares, max_norm;
};

/* Only the sums of each block's first warp count: of its gradients one by one,
 * or as float4 and a rest. */
static void try_first_warps(struct hypotheses *h,
                            const struct norm_input *input, size_t width)
{
    enum { WARP = 32 };
    const size_t threads = hypothesis_block_size(h);
    const size_t whole = input->n / width * width;
    double sum = 0, *values = hypothesis_values(h);

    if (threads <= WARP)
        return;
    for (size_t i = 0; i < input->n; i++)
        if (i >= whole ? i - whole < WARP : i / width % threads < WARP)
            sum += (double)input->grads[i] * input->grads[i];
    values[0] = sqrt(sum);
    values[1] = HYPOTHESIS_ANY;
    hypothesis_try(
        h, "The sums of all warps of a block count.",
        "the norm of the gradients of each block's first warp alone");
}

/* The norm of the first ones alone; of as many blocks as these have threads?
 * @param end  a power of two */
static void try_first(struct hypotheses *h, double squares, size_t end)
{
    enum { LEAST = 128 }; /* threads: fewer may be warps, or float4s */
    const size_t threads = (size_t)sqrt((double)end);
    const bool is_square = threads >= LEAST && threads * threads == end;
    double *values = hypothesis_values(h);

    values[0] = sqrt(squares);
    values[1] = HYPOTHESIS_ANY;
    if (is_square)
        hypothesis_try(h, "There may be more partial sums than the last pass "
                       "has threads: let each of these add several.",
                       "the norm of the first %zu gradients alone, %zu blocks "
                       "of %zu: does the second pass leave out the partial "
                       "sums after them?", end, threads, threads);
    else
        hypothesis_try(h, "The sums of all warps and of all blocks count, "
                       "also where a pass has one more than the next one has "
                       "threads.",
                       "the norm of the first %zu gradients alone", end);
}

/* The sum of the first ones is the norm. */
static void try_first_gradients(struct hypotheses *h,
                                const struct norm_input *input)
{
    const double needed = h->needed;
    double sum = 0;

    for (size_t i = 0; i < input->n; i++) {
        if (i >= 32 && (i & (i - 1)) == 0) {
            h->needed = i + 1 == input->n ? 4 : needed; /* one adds little */
            try_first(h, sum, i);
            h->needed = needed;
        }
        sum += (double)input->grads[i] * input->grads[i];
    }
}

/* The sums of the squares of what a block loads in one round of its loop; the
 * rest after the last whole vector belongs to the first block. */
static double *round_sums(const struct norm_input *input, size_t width,
                          size_t round)
{
    const size_t whole = input->n / width * width;
    double *sums = suite_doubles(input->n / round + 1);

    for (size_t i = 0; i < input->n; i++)
        sums[i < whole ? i / round : 0] +=
            (double)input->grads[i] * input->grads[i];
    return sums;
}

/* Of the partial sums of all blocks of a grid-stride loop a second pass loads
 * the first ones only.
 * width: elements that a thread loads at once */
static void try_first_blocks(struct hypotheses *h,
                             const struct norm_input *input, size_t loaded,
                             size_t width)
{
    enum { MOST = 4, NEEDED = 8 }; /* times as many blocks as are loaded */
    const double got = evidence_got(h->evidence, 0), needed = h->needed;
    const size_t threads = hypothesis_block_size(h), round = threads * width;
    const size_t rounds = threads ? (input->n + round - 1) / round : 0;
    const double *sums = rounds > loaded ? round_sums(input, width, round)
                                         : NULL;

    for (size_t blocks = loaded + 1;
         sums && blocks <= rounds && blocks <= MOST * loaded && !h->fits;
         blocks++) {
        double sum = 0, *values;

        for (size_t r = 0; r < rounds; r++)
            sum += r % blocks < loaded ? sums[r] : 0;
        if (fabs(sum / (got * got) - 1) > 4e-7)
            continue; /* two roundings: of many numbers of blocks one may be
                         near by chance */
        h->needed = NEEDED; /* bits */
        values = hypothesis_values(h);
        values[0] = sqrt(sum);
        values[1] = HYPOTHESIS_ANY;
        hypothesis_try(h, "More blocks than the second pass has threads: let "
                       "each of these add several partial sums.",
                       "the norm of what the first %zu blocks add: the second "
                       "pass leaves out the partial sums after them", loaded);
        h->needed = needed;
    }
}

/* The last ones, no more than four do not divide, are lost or count twice. */
static void try_rest(struct hypotheses *h, const struct norm_input *input,
                     bool is_twice)
{
    enum { VECTOR = 4, NEEDED = 8 }; /* bits: one adds little */
    const size_t rest = input->n % VECTOR;
    const double needed = h->needed;
    double squares = 0;

    h->needed = NEEDED;
    for (size_t last = 1; last <= rest && last < input->n; last++) {
        const double gradient = input->grads[input->n - last];
        double *values = hypothesis_values(h);

        squares += gradient * gradient;
        values[0] = sqrt(input->squares + (is_twice ? squares : -squares));
        values[1] = HYPOTHESIS_ANY;
        hypothesis_try(h, "The gradients after the last whole float4, if they "
                       "are loaded so, are n % 4: each of them counts once.",
                       "the norm with%s the last %zu gradient%s%s (n %% 4 = "
                       "%zu)", is_twice ? "" : "out", last,
                       last == 1 ? "" : "s", is_twice ? " twice" : "", rest);
    }
    h->needed = needed;
}

static void try_other_norms(struct hypotheses *h,
                            const struct norm_input *input)
{
    static const char hint[] = "The norm is the square root of the sum of the "
                               "squares.";
    double sum = 0, most = 0;

    for (size_t i = 0; i < input->n; i++) {
        sum += fabs((double)input->grads[i]);
        most = fmax(most, fabs((double)input->grads[i]));
    }
    for (int is_sum = 0; is_sum < 2; is_sum++) {
        double *values = hypothesis_values(h);

        values[0] = is_sum ? sum : most;
        values[1] = HYPOTHESIS_ANY;
        hypothesis_try(h, hint, is_sum ? "the sum of the magnitudes"
                                       : "the largest magnitude");
    }
}

static void norm_mistakes(struct hypotheses *h, const void *context)
{
    const struct norm_input *input = context;
    const double norm = sqrt(input->squares), limit = input->max_norm;
    double *values = hypothesis_values(h);
    const double needed = h->needed;

    values[0] = input->squares;
    values[1] = HYPOTHESIS_ANY;
    hypothesis_try(h, "The norm is the square root of the sum of the squares.",
                   "the sum of the squares, without the root");
    hypothesis_values(h)[1] = limit / norm;
    h->needed = isinf(limit / norm) ? 0 : needed; /* no other has it */
    hypothesis_try(h, "scale = max_norm / norm only if norm > max_norm.",
                   "max_norm / norm, though the norm is not above max_norm");
    h->needed = needed;
    hypothesis_values(h)[1] = limit / (norm + 1e-6);
    h->needed = fmin(needed, 10); /* one element has few bits, but this form is
                                     that of PyTorch */
    hypothesis_try(h, "scale = max_norm / norm: nothing is added, since norm "
                   "is above max_norm, which is above 0.",
                   "max_norm / (norm + 1e-6)");
    h->needed = needed;
    hypothesis_values(h)[1] = 1;
    h->needed = fmin(needed, 8); /* 1 is what most calls give */
    hypothesis_try(h, input->squares <= limit
                          ? "Compare the norm with max_norm, not the sum of "
                            "the squares."
                          : "scale = max_norm / norm if norm > max_norm.",
                   "1, though the norm is above max_norm");
    h->needed = needed;
    hypothesis_values(h)[1] = 1 / norm;
    hypothesis_try(h, "scale = max_norm / norm", "1 / norm, without max_norm");
    hypothesis_values(h)[1] = norm / limit;
    hypothesis_try(h, "scale = max_norm / norm", "norm / max_norm");
    try_other_norms(h, input);
    try_first_warps(h, input, 1);
    try_first_warps(h, input, 4);
    for (size_t loaded = 32; loaded <= 1024; loaded *= 2)
        for (size_t width = 1; width <= 4; width += 3)
            try_first_blocks(h, input, loaded, width);
    for (int is_twice = 0; is_twice < 2 && !h->fits; is_twice++)
        try_rest(h, input, is_twice);
    if (!h->fits)
        try_first_gradients(h, input);
}

float optimizers_check_norm(const float *grads, size_t n, float max_norm)
{
    float *norm = suite_floats(2), *work = suite_floats(CLIP_WORKSPACE(n));
    double squares = 0, want[2], tolerance[2];
    const double relative_tolerance = (64 + log2((double)n + 1)) * 0x1p-23;

    for (size_t i = 0; i < n; i++)
        squares += (double)grads[i] * grads[i];
    want[0] = sqrt(squares);
    want[1] = want[0] > max_norm ? max_norm / want[0] : 1;
    tolerance[0] = want[0] * relative_tolerance;
    tolerance[1] = want[0] >= max_norm * (1 - relative_tolerance)
                       ? want[1] * relative_tolerance
                       : 0;
    expect_success(clip_grad_norm(grads, n, max_norm, norm, work));
    const struct response response = optimizers_norm_response(grads, n);

    suite_mistakes(norm_mistakes,
                   &(struct norm_input){grads, n, squares, max_norm});
    suite_response(&response);
    optimizers_compare("norm, scale", norm, want, tolerance, 2);
    suite_response(NULL);
    suite_mistakes(NULL, NULL);
    return norm[1];
}

/* Some vectors of 4 and a rest; then sizes around those of blocks and passes;
 * the largest one is not last, since it tells best which part of many blocks is
 * lost. */
void optimizers_norm(void)
{
    enum { FEW = 16 };
    static const size_t sizes[] = {7,    6,    5,      4,     3,    2,    1,
                                   31,   33,   255,    256,   257,  1023, 1024,
                                   1025, 4097, 7919, 200003, 65535, 65537,
                                   1100003};

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        float *grads = suite_floats(sizes[i]);

        if (sizes[i] < FEW) /* their squares tell which one is lost */
            random_floats(grads, sizes[i], 1, 3);
        else
            random_integral(grads, sizes[i], 1, 3); /* a lost one shows */
        suite_case("clip_grad_norm, n = %zu", sizes[i]);
        optimizers_check_norm(grads, sizes[i], INFINITY);
    }
}

/* Norms below, at and above the limit; zero, large and small gradients. */
void optimizers_clip(void)
{
    enum { N = 1001 };
    static const float limits[] = {1e-6f, 1e-3f, 0.5f, 1, 100, 1e6f,
                                   INFINITY};
    static const float sizes[] = {0, 1e-6f, 1, 1e6f};
    float *grads = suite_floats(N);

    for (size_t i = 0; i < COUNT(limits) * COUNT(sizes) && !suite_failed();
         i++) {
        const float size = sizes[i / COUNT(limits)];

        random_floats(grads, N, -size, size);
        suite_case("clip_grad_norm to %g, gradients up to %g",
                   limits[i % COUNT(limits)], size);
        optimizers_check_norm(grads, N, limits[i % COUNT(limits)]);
    }
    memset(grads, 0, N * sizeof *grads);
    grads[700] = 3;
    grads[1000] = -4;
    suite_case("clip_grad_norm to 5 of 3 and -4");
    optimizers_check_norm(grads, N, 5);
}

/* Is it the norm of a gradient whose square only a double holds, beside small
 * ones, and its scale?  The contract allows that. */
static bool is_norm_in_double(float gradient, const float norm[2])
{
    return isfinite(gradient) && fabs(norm[0] / (double)gradient - 1) < 1e-5
           && fabs(norm[1] * (double)gradient - 1) < 1e-5;
}

/* A NaN or infinity anywhere in the gradients shows in the norm. */
void optimizers_nonfinite(void)
{
    static const float nonfinite[] = {NAN, INFINITY, -INFINITY, 1e30f};
    enum { N = 5003 };
    static const size_t positions[] = {0, 1, 2500, N - 2, N - 1};
    float *grads = suite_floats(N), *norm = suite_floats(2);
    float *work = suite_floats(CLIP_WORKSPACE(N));

    random_floats(grads, N, -1, 1);
    for (size_t i = 0;
         i < COUNT(nonfinite) * COUNT(positions) && !suite_failed(); i++) {
        const size_t position = positions[i / COUNT(nonfinite)];
        const float original = grads[position];

        grads[position] = nonfinite[i % COUNT(nonfinite)];
        suite_case("clip_grad_norm, gradient %zu of %d is %g", position, N,
                   grads[position]);
        expect_success(clip_grad_norm(grads, N, 1, norm, work));
        if (!is_norm_in_double(grads[position], norm)) {
            expect_that(!isfinite(norm[0]), "the norm is %g", norm[0]);
            expect_that(isnan(norm[1]), "the scale is %g, should be NaN",
                        norm[1]);
        }
        grads[position] = original;
    }
    suite_case("clip_grad_norm, the gradients afterwards");
    optimizers_check_norm(grads, N, 1);
}
