#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each step of lab 12's ladder (or of LADDER), on the software GPU, agrees with
# oneDNN's layers, which are linked into this test alone.
set -u
build=$(realpath "${BUILD:-build}")

echo '#include <dnnl.h>' | cc -E - >/dev/null 2>&1 || {
    echo "skipped: oneDNN's headers are not here (libdnnl-dev)"
    exit 77
}
. common/base/temp_dir.sh
passed=0 failed=0

for source in tests/programs/layers_dnnl tests/programs/dnnl_run \
    ../common/base/random ../common/base/chacha; do
    cc -std=c11 -D_GNU_SOURCE= -Wall -Wextra -O2 -I. \
        -Icommon/softgpu/include -Ilabs/12_layers -c "grader/$source.c" \
        -o "$tmp/${source##*/}.o" || exit 1
done
for step in "${LADDER:-solutions/12_layers}"/?_*.cu; do
    if "$build/softcc" -O1 -Icommon/include -Ilabs/12_layers "$step" \
        "$tmp"/*.o \
        -o "$tmp/agree" -ldnnl -lm && "$tmp/agree"; then
        passed=$((passed + 1))
    else
        echo "not ok: $step"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
