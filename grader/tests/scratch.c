/* SPDX-License-Identifier: MIT */
/* Files that a test needs for a moment, in one temporary folder. */
#include "scratch.h"

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"

const char *scratch(const char *name, const char *text, size_t length)
{
    static char folder[PATH_MAX], path[PATH_MAX + 64];

    if (!*folder)
        CU_ASSERT_TRUE_FATAL(paths_init() && temp_dir_create(folder));
    text_format(path, sizeof path, "%s/%s", folder, name);
    CU_ASSERT_TRUE_FATAL(write_file(path, text, length));
    return path;
}
