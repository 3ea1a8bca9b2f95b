/* SPDX-License-Identifier: MIT */
/** @file
 *  See lookalike.h.  An image is a silhouette, scaled, shifted, shaded and
 *  strewn with noise, each by its own random amount. */
#include "lookalike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/random_bits.h"

/* A garment's pose and look. */
struct look {
    int label;
    double scale;      /* of the silhouette, 1 fills the image */
    double left, top;  /* shift, in halves of the image's side */
    double shade;      /* gray of the cloth */
    double noise;      /* gray levels added at most */
};

static double between(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * random_unit(state);
}

/* Is (x, y), both -1 .. 1 with y downward, in the silhouette?  `ax` is |x|. */
static bool inside(int label, double x, double ax, double y)
{
    switch (label) {
    case 0: return ax < 0.45 || (y < -0.4 && ax < 0.9);
    case 1: return ax < 0.55 && (y < -0.6 || ax > 0.15);
    case 2: return ax < 0.45 || (ax > 0.6 && ax < 0.95) || (y < -0.6 && ax < 0.9);
    case 3: return ax < 0.3 + 0.25 * y;
    case 4: return ax > 0.06 && ax < 0.7;
    case 5: return y > 0.4 || (y > -0.3 && fmod(ax * 4, 1) < 0.4);
    case 6: return (ax < 0.5 || (y < 0 && ax < 0.8)) && hypot(x, y + 1) > 0.4;
    case 7: return y > 0 && y > 0.5 * x;
    case 8: return (y > -0.1 && ax < 0.85) ||
                   fabs(hypot(x, y + 0.1) - 0.6) < 0.1;
    default: return x > 0 || y > 0.3;
    }
}

static unsigned char pixel(const struct look *look, int px, int py,
                           uint64_t *state)
{
    const double half = FASHION_SIDE / 2.0;
    double x = ((px + 0.5) / half - 1 - look->left) / look->scale;
    double y = ((py + 0.5) / half - 1 - look->top) / look->scale;
    bool cloth = fabs(x) < 1 && fabs(y) < 1 &&
                 inside(look->label, x, fabs(x), y);
    double noise = between(state, -look->noise, look->noise);
    double gray = cloth ? look->shade + noise : noise / 4;

    return gray < 0 ? 0 : gray > 255 ? 255 : (unsigned char)gray;
}

static void draw(unsigned char *image, int label, uint64_t *state)
{
    struct look look = {.label = label};

    look.scale = between(state, 0.7, 0.95);
    look.left = between(state, -0.15, 0.15);
    look.top = between(state, -0.15, 0.15);
    look.shade = between(state, 110, 240);
    look.noise = between(state, 5, 60);
    for (int i = 0; i < FASHION_SIDE * FASHION_SIDE; i++)
        image[i] = pixel(&look, i % FASHION_SIDE, i / FASHION_SIDE, state);
}

/* Labels in turn, then shuffled by exchanging each with one before it. */
static void shuffle_labels(unsigned char *labels, size_t count,
                           uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        size_t j = random_bits(state) % (i + 1);
        labels[i] = labels[j];
        labels[j] = (unsigned char)(i % FASHION_CLASSES);
    }
}

bool lookalike_make(size_t count, uint64_t seed, struct fashion *set,
                    struct failure *failure)
{
    const size_t pixels = FASHION_SIDE * FASHION_SIDE;

    memset(set, 0, sizeof *set);
    if (count == 0 || count > IDX_BYTES_MAX / pixels)
        return fail(failure, "a set of %zu images", count);
    set->images = (struct idx){3, {count, FASHION_SIDE, FASHION_SIDE},
                               malloc(count * pixels)};
    set->labels = (struct idx){1, {count}, malloc(count)};
    if (!set->images.data || !set->labels.data) {
        fashion_free(set);
        return fail(failure, "no memory for %zu images", count);
    }
    set->count = count;
    shuffle_labels(set->labels.data, count, &seed);
    for (size_t i = 0; i < count; i++)
        draw(set->images.data + i * pixels, set->labels.data[i], &seed);
    return true;
}

static bool write_part(const char *folder, enum fashion_split split,
                       size_t count, struct failure *failure)
{
    const uint64_t seed = split == FASHION_TRAIN ? 1 : 2; /* apart, for ever */
    struct fashion set;
    bool ok = lookalike_make(count, seed, &set, failure) &&
              fashion_write(folder, split, &set, failure);

    fashion_free(&set);
    return ok;
}

bool lookalike_write(const char *folder, size_t train, size_t test,
                     struct failure *failure)
{
    return write_part(folder, FASHION_TRAIN, train, failure) &&
           write_part(folder, FASHION_TEST, test, failure);
}
