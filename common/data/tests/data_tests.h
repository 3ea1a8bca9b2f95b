/* SPDX-License-Identifier: MIT */
/** @file
 *  The suites of common/data. */
#ifndef DATA_TESTS_H
#define DATA_TESTS_H

#include "common/base/tests/scratch.h"
#include "common/data/dataset.h"

/** Each ends with CU_TEST_INFO_NULL. */
extern CU_TestInfo idx_tests[], fashion_tests[], lookalike_tests[],
    reader_tests[], picture_tests[], fit_tests[], loader_tests[], fuzz_tests[];

/** Read one split, its images in their own size.  @return as dataset_read() */
static inline bool read_part(const char *name, const char *folder,
                             enum dataset_part part, struct dataset *set,
                             struct failure *failure)
{
    return dataset_read(
        &(struct dataset_source){.name = name, .folder = folder}, part, set,
        failure);
}

/** Join folder and name.  @return path */
char *join_path(char path[PATH_BYTES], const char *folder, const char *name);

/** Write the picture FOLDER/CLASS/NAME.png, whose bytes are 1, 2, 3, ...; makes
 *  the class's folder. */
void write_picture(const char *folder, const char *class, const char *name,
                   int height, int width, int channels);

/** Write FOLDER/NAME in NumPy's format.
 *  @param type   "|u1"
 *  @param shape  "(2, 28, 28)"
 *  @param bytes  of the elements at `data` */
void write_npy(const char *folder, const char *name, const char *type,
               const char *shape, const void *data, size_t bytes);

#endif
