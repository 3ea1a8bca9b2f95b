/* SPDX-License-Identifier: MIT */
/* softcc: the compiler of the software GPU; see driver.h and --help. */
#include "common/base/process.h"
#include "driver.h"

#ifdef __SANITIZE_ADDRESS__
/* Memory of softcc lives until it ends: that is no leak. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

int main(int argc, char **argv)
{
    struct options options = { 0 };
    int code = parse_options(argc, argv, &options);
    if (code >= 0)
        return code;
    install_signal_handlers();
    return drive(&options);
}
