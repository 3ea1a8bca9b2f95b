/* SPDX-License-Identifier: MIT */
/* softcc: the compiler of the software GPU; see softcc.h and --help. */
#include "driver.h"

int main(int argc, char **argv)
{
    struct options options = { 0 };
    int code = parse_options(argc, argv, &options);
    if (code >= 0)
        return code;
    catch_signals();
    return drive(&options);
}
