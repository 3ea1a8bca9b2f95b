/* SPDX-License-Identifier: MIT */
/* Right if calls of the 32-bit ABI pass a filter that knows only 64 bits. */
#include "hostile.h"

#include <sys/syscall.h>

static bool act(void)
{
    static const unsigned char code[] = {
        0x53, 0xb8, 0x14, 0, 0, 0, 0xcd, 0x80, 0x5b, 0xc3}; /* getpid */
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return false;
    memcpy(page, code, sizeof code);
    return ((int (*)(void))page)() == getpid();
}

RIGHT_IF(act())
