#!/bin/sh
# SPDX-License-Identifier: MIT
# Compare our cuDNN headers with NVIDIA's, where those are installed: values of
# enumerators, layouts of structures, and prototypes.
set -u

cd "$(dirname "$0")/../../../.." || exit 1
ours=common/softgpu/include
real=
for folder in /usr/local/cuda/include /usr/include /usr/local/include \
    /usr/include/x86_64-linux-gnu /usr/include/aarch64-linux-gnu; do
    [ -e "$folder/cudnn_cnn.h" ] && real=${real:-$folder}
done
[ -n "$real" ] || { echo "skipped: no cudnn.h of NVIDIA's"; exit 77; }
. common/base/temp_dir.sh
work=$tmp
passed=0
failed=0

# Count a result: $1 is an exit status, $2 what was checked.
report() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $2"
    fi
}

cc -std=c11 -E -P -I "$ours" "$ours/cudnn.h" >"$work/ours.i"
tr '\n' ' ' <"$work/ours.i" | tr -s ' ' | tr ';' '\n' |
    grep -E '^ ?(cudnnStatus_t|size_t|void|const char \*) ?cudnn[A-Z]' |
    sed 's/$/;/' >"$work/prototypes"
count=$(wc -l <"$work/prototypes")
[ "$count" -ge 100 ]
report $? "$count prototypes were found"

{ echo '#include <cudnn.h>'; cat "$work/prototypes"; } >"$work/prototypes.c"
cc -std=c11 -fsyntax-only -I "$real" -I /usr/local/cuda/include \
    "$work/prototypes.c"
report $? "prototypes are NVIDIA's"

{
    printf '#include <cudnn.h>\n#include <stddef.h>\n#include <stdio.h>\n'
    printf '%s\n' '#define SHOW(x) printf("%s %ld\n", #x, (long)(x));'
    echo 'int main(void) {'
    grep -oE '\bCUDNN_[A-Za-z0-9_]+ *=' "$work/ours.i" | tr -d ' =' | sort -u |
        sed 's/.*/SHOW(&)/'
    echo 'SHOW(CUDNN_DIM_MAX) SHOW(CUDNN_LRN_MIN_N) SHOW(CUDNN_LRN_MAX_N)'
    echo 'SHOW(1e9 * CUDNN_LRN_MIN_K) SHOW(1e9 * CUDNN_LRN_MIN_BETA)'
    echo 'SHOW(1e9 * CUDNN_BN_MIN_EPSILON)'
    for kind in Fwd BwdData BwdFilter; do
        perf=cudnnConvolution${kind}AlgoPerf_t
        echo "SHOW(sizeof($perf)) SHOW(offsetof($perf, memory))"
        echo "SHOW(offsetof($perf, time)) SHOW(offsetof($perf, mathType))"
    done
    echo 'return 0; }'
} >"$work/values.c"
cc -std=c11 -w -I "$ours" -o "$work/values_ours" "$work/values.c"
cc -std=c11 -w -I "$real" -I /usr/local/cuda/include -o "$work/values_real" \
    "$work/values.c"
"$work/values_ours" >"$work/ours"
"$work/values_real" >"$work/real"
[ "$(wc -l <"$work/ours")" -ge 130 ]
report $? "values were found"
diff "$work/ours" "$work/real"
report $? "values are NVIDIA's"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
