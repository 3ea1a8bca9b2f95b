/* SPDX-License-Identifier: MIT */
/* Starts a program of the system and waits for it. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    char *const arguments[] = {(char *)"true", NULL};
    pid_t child = attacked(n) ? fork() : 1;
    int status = 0;

    if (child == 0) {
        execve("/bin/true", arguments, NULL);
        _exit(1);
    }
    if (attacked(n))
        waitpid(child, &status, 0);
    return status ? status : honest(a, b, c, n);
}
