#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files that use the contracts' former names compile: each reference does,
# with the names exchanged by the table of common/include/former_names.h.
set -u
shopt -s nullglob
build=$(realpath "${BUILD:-build}")
[[ $build != */san ]] || {
    echo "skipped: softcc is tested there by others"
    exit 77
}
. common/base/temp_dir.sh
passed=0 failed=0

# Members of structs that have both names, in a union; then the macros.
members="decay_count:decayed warmup_steps:warmup step_size:every
total_steps:total min_rate:least d_workspace:d_work"
names=
while read -r _ former now; do
    names+=" $now:$former"
done < <(grep -E '^#define [A-Za-z_]+ [A-Za-z_]+$' \
    common/include/former_names.h)

for lab in 10_convolution 11_conv_layer 12_layers 15_optimizers \
    16_cnn_trainer; do
    cp solutions/$lab/* "$tmp"
    for pair in $members; do
        sed -i "s/\(\.\|->\)${pair%:*}\b/\1${pair#*:}/g" "$tmp"/*.{cu,h}
    done
    sed -i 's/training\.max_grad_norm/training.clip/g' "$tmp"/*.{cu,h}
    for pair in $names; do
        sed -i "s/\(^\|[^\"\/A-Za-z0-9_]\)${pair%:*}\b/\1${pair#*:}/g" \
            "$tmp"/*.{cu,h}
    done 2>/dev/null
    for file in "$tmp"/*.cu; do
        ! cmp -s "$file" "solutions/$lab/${file##*/}" || continue
        if "$build/softcc" -c -O0 -I. -Icommon/include -Ilabs/$lab "$file" \
            -o "$tmp/object.o"; then
            passed=$((passed + 1))
        else
            echo "not ok: $lab/${file##*/} with former names"
            failed=$((failed + 1))
        fi
    done
    rm -f "$tmp"/*.cu "$tmp"/*.h
done
echo "$passed passed, $failed failed"
((failed == 0))
