/* SPDX-License-Identifier: MIT */
/* Arrays of a response, and sums of the first elements of one. */
#include "response.h"

size_t response_count(const struct response_array *array)
{
    const struct expected shape = {.size = {array->size[0], array->size[1],
                                            array->size[2], array->size[3]}};

    return array->name ? expected_count(&shape) : 0;
}

size_t response_most_terms(const struct response *response)
{
    size_t count = 1;

    for (int i = 0; i < RESPONSE_INDICES && response->length[i]; i++)
        count *= response->length[i];
    return count;
}

void response_name(const struct response_array *array, size_t index,
                   char *text, size_t bytes)
{
    const struct expected shape = {.name = array->name,
                                   .size = {array->size[0], array->size[1],
                                            array->size[2], array->size[3]}};

    element_name(&shape, index, text, bytes);
}

static size_t prefix_terms(const void *context, size_t out,
                           struct response_term *term)
{
    const struct response_prefix *prefix = context;
    const size_t count = prefix->count ? prefix->count(out)
                                       : prefix->n;

    for (size_t i = 0; i < count; i++)
        term[i] = (struct response_term){.in = i, .by = RESPONSE_NONE,
                                         .at = {i}};
    return count;
}

struct response response_of_prefixes(const struct response_prefix *prefix)
{
    return (struct response){
        .in = {.name = "in", .values = prefix->in, .argument = prefix->in,
               .size = {prefix->n}},
        .index = {"i"}, .length = {prefix->n}, .terms = prefix_terms,
        .context = prefix};
}
