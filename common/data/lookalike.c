/* SPDX-License-Identifier: MIT */
/** @file
 *  See lookalike.h.  An image is a silhouette with random scale, shift, shade
 *  and noise. */
#include "lookalike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_bits.h"

/* Random parameters of one image. */
struct appearance {
    int label;
    double scale;     /* of the silhouette, 1 fills the image */
    double left, top;  /* shift, in units of half the image's side */
    double shade;      /* gray level of the garment */
    double noise;      /* amplitude of the noise, in gray levels */
};

/* A number from lo to hi. */
static double uniform(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * random_uniform01(state);
}

/* Is (x, y) inside the silhouette?  Both are from -1 to 1, y points down; `ax`
 * is |x|. */
static bool in_silhouette(int label, double x, double ax, double y)
{
    switch (label) {
    case 0: return ax < 0.45 || (y < -0.4 && ax < 0.9);
    case 1: return ax < 0.55 && (y < -0.6 || ax > 0.15);
    case 2:
        return ax < 0.45 || (ax > 0.6 && ax < 0.95) || (y < -0.6 && ax < 0.9);
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

/* A point of the drawing in the coordinates of the silhouette, -1 to 1; cloth
 * has a shade with noise, the background faint noise. */
static unsigned char pixel(const struct appearance *appearance, int px, int py,
                           uint64_t *state)
{
    const double half_side = FASHION_SIDE / 2.0;
    double x =
        ((px + 0.5) / half_side - 1 - appearance->left) / appearance->scale;
    double y =
        ((py + 0.5) / half_side - 1 - appearance->top) / appearance->scale;
    bool cloth = fabs(x) < 1 && fabs(y) < 1 &&
                 in_silhouette(appearance->label, x, fabs(x), y);
    double noise = uniform(state, -appearance->noise, appearance->noise);
    double gray = cloth ? appearance->shade + noise : noise / 4;

    return gray < 0 ? 0 : gray > 255 ? 255 : (unsigned char)gray;
}

/* Size, position, shade and noise differ in each image, so that a network has
 * something to learn. */
static void draw(unsigned char *image, int label, uint64_t *state)
{
    struct appearance appearance = {.label = label};

    appearance.scale = uniform(state, 0.7, 0.95);
    appearance.left = uniform(state, -0.15, 0.15);
    appearance.top = uniform(state, -0.15, 0.15);
    appearance.shade = uniform(state, 110, 240);
    appearance.noise = uniform(state, 5, 60);
    for (int i = 0; i < FASHION_SIDE * FASHION_SIDE; i++)
        image[i] =
            pixel(&appearance, i % FASHION_SIDE, i / FASHION_SIDE, state);
}

/* Labels 0 to 9 repeated, shuffled on the fly (inside-out Fisher-Yates). */
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

/* Training and test images come from different seeds. */
static bool write_split(const char *folder, enum fashion_split split,
                        size_t count, struct failure *failure)
{
    /* fixed: the splits never overlap */
    const uint64_t seed = split == FASHION_TRAIN ? 1 : 2;
    struct fashion set;
    bool ok = lookalike_make(count, seed, &set, failure) &&
              fashion_write(folder, split, &set, failure);

    fashion_free(&set);
    return ok;
}

bool lookalike_write(const char *folder, size_t train, size_t test,
                     struct failure *failure)
{
    return write_split(folder, FASHION_TRAIN, train, failure) &&
           write_split(folder, FASHION_TEST, test, failure);
}
