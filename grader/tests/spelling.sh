#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A correct file as other editors write it gets what its plain twin gets: a byte
# order mark, CR LF, tabs, form feeds, names and comments in UTF-8, spliced and
# very long lines, no end of the last line.  A finding still names its line.
set -u
. .ci/check.sh
warpbook=$(realpath "${BUILD:-build}")/warpbook
file=$tmp/vector_add.cu

# Spell the file on stdin anew.
respell() {
    local long
    long=$(printf '%20000s' '')
    printf '\xef\xbb\xbf// \xe2\x80\x9cKernel\xe2\x80\x9d f\xc3\xbcr %s\r\n' \
        "${long// /x}"
    printf '#define SPLICED(a) \\\r\n    (a)\r\n\f\r\n'
    printf 'static const char *const text = "%s"; ' "${long// /y}"
    printf 'const char *use_text() { return text; }\r\n'
    expand | unexpand --first-only -t 4 |
        sed -e 's/\bn\b/gr\xc3\xb6\xc3\x9fe_\xc3\xb1/g' \
            -e 's/cudaGetLastError()/SPLICED(cudaGetLastError())/' \
            -e 's/$/\r/' | head -c -2
}

sed -e '/#include "host.h"/{r solutions/01_vector_add/host.h' -e 'd}' \
    solutions/01_vector_add/1_*.cu | respell >"$file"
"$warpbook" grade 01 --from "$file" --device soft >"$tmp/out" 2>&1
check "a respelled file has full marks" grep -qx 'Score: 100 of 100' \
    "$tmp/out" ||
    cat "$tmp/out"

# The same file without its bounds check.
sed -i 's/if (.*< gr\xc3\xb6\xc3\x9fe_\xc3\xb1)/if (true)/' "$file"
line=$(grep -an 'if (true)' "$file" | cut -d: -f1)
"$warpbook" check 01 --from "$file" >"$tmp/out" 2>&1
check "a finding names its line" \
    grep -qE "vector_add.cu:($line|$((line + 1))):[0-9]+: error: " "$tmp/out" ||
    cat "$tmp/out"
finish
