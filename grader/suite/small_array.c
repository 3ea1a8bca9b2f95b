/* SPDX-License-Identifier: MIT */
/* Which arrays of a call are small enough to be shown, and in which shape. */
#include "small_case.h"

bool small_squeeze(const size_t *size, size_t dims, size_t squeezed[2])
{
    size_t kept = 0;

    squeezed[0] = squeezed[1] = 0;
    for (size_t i = 0; i < dims; i++)
        if (size[i] != 1) {
            if (kept == 2)
                return false;
            squeezed[kept++] = size[i];
        }
    if (kept < 2) {
        squeezed[1] = kept ? squeezed[0] : 1;
        squeezed[0] = 0;
    }
    return true;
}

bool small_fits(const size_t size[2])
{
    return size[0] ? size[0] <= SMALL_CASE_SIDE && size[1] <= SMALL_CASE_SIDE
                   : size[1] <= SMALL_CASE_LENGTH;
}

bool small_array_of(const struct call_array *array, struct small_array *small)
{
    size_t size[EXPECTED_DIMS];

    if (!array->shown_as || !array->data || array->dims > EXPECTED_DIMS)
        return false;
    for (size_t i = 0; i < array->dims; i++) {
        if (array->dim[i] <= 0 || array->dim[i] > SMALL_CASE_LENGTH)
            return false;
        size[i] = (size_t)array->dim[i];
    }
    *small = (struct small_array){
        .name = array->name, .data = array->data,
        .type = (enum element)(array->shown_as - 1)};
    return small_squeeze(size, array->dims, small->size)
           && small_fits(small->size)
           && suite_allocated(array->data)
                  >= (int64_t)((small->size[0] ? small->size[0] : 1)
                               * small->size[1] * array->element);
}
