#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page of CUDA's calls has each call that a header declares.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=.ci/check.sh
source .ci/check.sh
docs/make-calls >"$tmp/page"
grep -rhoE '^(cu[a-z]+Status_t|cudaError_t|CUresult) cu[A-Za-z0-9_]+\(' \
    common/softgpu/include | sed 's/.* //; s/($//; /^cublas/s/_v2$//' |
    sort -u >"$tmp/calls"

every_call() {
    [ "$(wc -l <"$tmp/calls")" -gt 500 ] || return 1
    grep -oE '`[A-Za-z0-9_]+`' "$tmp/page" | tr -d '`' | sort -u |
        comm -13 - "$tmp/calls" >"$tmp/missing"
    [ ! -s "$tmp/missing" ] || { cat "$tmp/missing" && false; }
}
check "each call of a header is on the page" every_call
finish
