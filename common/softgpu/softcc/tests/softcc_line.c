/* SPDX-License-Identifier: MIT */
#include "softcc_line.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/remove_tree.h"

char line_softcc[4096];
char line_folder[64];

int line_set_up(void)
{
    ssize_t n = readlink("/proc/self/exe", line_softcc,
                         sizeof line_softcc - 8);
    char *tests = n > 0 ? strstr(line_softcc, "/tests/") : NULL;
    if (tests == NULL)
        return 1;
    strcpy(tests, "/softcc");
    strcpy(line_folder, "/tmp/test_softcc-XXXXXX");
    if (mkdtemp(line_folder) == NULL || setenv("SOFTGPU_HOME", ".", 1))
        return 1;
    line_write("good.cu",
               "__global__ void k(int *p) { *p = threadIdx.x; }\n"
               "int main() { k<<<1, 1>>>(nullptr); }\n");
    return 0;
}

int line_tear_down(void)
{
    remove_tree(line_folder);
    return 0;
}

struct result line_run(const char *line)
{
    char text[1024];
    const char *f = line_folder;
    snprintf(text, sizeof text, line, f, f, f, f);
    struct list argv = { 0 };
    list_append(&argv, line_softcc);
    for (char *rest = text, *word; (word = strsep(&rest, " ")) != NULL;)
        if (*word)
            list_append(&argv, word);
    struct result r = run_program(&argv, NULL);
    free(argv.at);
    return r;
}

void line_expect_refusal(const char *line, const char *says)
{
    struct result r = line_run(line);
    CU_ASSERT_EQUAL(r.status, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.bytes ? r.err.bytes : "", says));
    free_result(&r);
}

const char *line_path(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", line_folder, name);
    return path;
}

void line_write(const char *name, const char *text)
{
    FILE *f = fopen(line_path(name), "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

void line_make_folder(const char *name)
{
    mkdir(line_path(name), 0700);
}

bool line_exists(const char *name)
{
    return access(line_path(name), F_OK) == 0;
}
