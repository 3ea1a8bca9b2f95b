/* SPDX-License-Identifier: MIT */
/* Reads an archive of unknown origin in a box: see autograde/archive.h.
 *
 *     box-unpack NAME FILE... <ARCHIVE >RECORDS */
#include "grader/autograde/archive.h"

int main(int argc, char **argv)
{
    struct source wanted[SOURCES] = {{0}};
    size_t count = 0;

    if (argc < 3)
        return 2;
    for (; count < SOURCES && argv[2 + count]; count++)
        wanted[count].name = argv[2 + count];
    archive_send(0, argv[1], wanted, count, 1);
}
