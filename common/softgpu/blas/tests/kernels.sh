#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Which kernels OpenBLAS runs: not those of a processor without AVX where there is
# one that it does not know; and those that the user names.
set -u
build=$(realpath "${BUILD:-build}")
cd "$(dirname "$0")/../../../.." || exit 1
# shellcheck source=.ci/check.sh
source .ci/check.sh
cat >"$tmp/kernels.cu" <<'EOF'
#include <cublas_v2.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main()
{
    const char *(*name)();
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
    if (!library) return 1;
    *(void **)&name = dlsym(library, "openblas_get_corename");
    puts(name ? name() : "unknown");
    puts(getenv("OPENBLAS_CORETYPE") ? "named" : "not named");
    return cublasDestroy(handle) != CUBLAS_STATUS_SUCCESS;
}
EOF
"$build/softcc" "$tmp/kernels.cu" -o "$tmp/kernels" -lcublas -ldl ||
    echo "kernels: not built"
said() { env -u OPENBLAS_CORETYPE "$@" "$tmp/kernels" | tr '\n' ' '; }
has_vectors() { # x86-64 with AVX2: no kernels of 2004
    ! grep -qw avx2 /proc/cpuinfo || [ "$(said)" != "Prescott not named " ]
}
check "the kernels are those of this processor" has_vectors
check "the environment is as it was" grep -q " not named " <<<" $(said)"
user_names() {
    [ "$(uname -m)" != x86_64 ] ||
        [ "$(said OPENBLAS_CORETYPE=Prescott)" = "Prescott named " ]
}
check "the user's are run" user_names
finish
