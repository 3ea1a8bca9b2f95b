#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The reference of lab 11 agrees with oneDNN, which is linked into this
# test alone.
set -eu

echo '#include <dnnl.h>' | cc -E - >/dev/null 2>&1 || {
    echo "skipped: oneDNN's headers are not here (libdnnl-dev)"
    exit 77
}
. common/base/temp_dir.sh
out=$tmp
cc -std=c11 -D_GNU_SOURCE= -Wall -Wextra -O2 -I. -Igrader \
    grader/tests/programs/{conv_dnnl,dnnl_run}.c \
    grader/suites/shared/conv_reference.c common/base/{random,chacha}.c -o \
    "$out/conv_dnnl" -ldnnl -lm
"$out/conv_dnnl"
