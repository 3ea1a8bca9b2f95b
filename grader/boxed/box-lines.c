/* SPDX-License-Identifier: MIT */
/* Source lines of a program of unknown origin, in a process without privileges:
 *
 *     box-lines PROGRAM <ADDRESSES >LINES
 *
 * An address is a hexadecimal number, that of an instruction in the program's
 * file; its line is "FILE:NUMBER", with the number 0 where it is unknown. */
#include <inttypes.h>
#include <stdio.h>

#include "common/softgpu/core/source_line.h"

int main(int argc, char **argv)
{
    struct source_line line;
    uint64_t address;

    if (argc != 2)
        return 2;
    softgpu_source_line_open(argv[1]);
    while (scanf("%" SCNx64, &address) == 1) {
        softgpu_source_line(address + 1, &line);
        printf("%s:%d\n", line.file, line.line);
    }
    return 0;
}
