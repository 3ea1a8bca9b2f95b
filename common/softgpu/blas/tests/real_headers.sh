#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compare our cuBLAS headers with NVIDIA's, where those are installed: values of
# constants, types of calls, sizes of structures.
set -u

here=common/softgpu/include
nvcc=$(command -v nvcc) || nvcc=/usr/local/cuda/bin/nvcc
real=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include
[ -f "$real/cublasLt.h" ] || real=$real/../targets/x86_64-linux/include
[ -f "$real/cublasLt.h" ] || {
    echo "skipped: no headers of cuBLAS here to compare ours with"
    exit 77
}
. common/base/temp_dir.sh
out=$tmp

headers='#include <cublas_v2.h>
#include <cublasLt.h>'
echo "$headers" | g++ -std=c++17 -E -P -I$here -x c++ - >"$out/ours"

# Constants: each CUBLAS... enumerator, with its value in our header.
grep -oE '\bCUBLAS(LT)?_[A-Z0-9_]+ = ' "$out/ours" | cut -d' ' -f1 | sort -u \
    >"$out/names"
{
    echo "$headers"
    echo '#include <cstdio>'
    echo 'int main() {'
    sed 's/.*/printf("static_assert((int)& == %d, \\"&\\");\\n", (int)&);/' \
        "$out/names"
    for type in cublasLtMatmulHeuristicResult_t cublasLtMatmulAlgo_t \
        cublasLtMatrixLayoutOpaque_t cublasLtMatmulDescOpaque_t \
        cublasLtMatmulPreferenceOpaque_t; do
        echo "printf(\"static_assert(sizeof($type) == %d, \\\"$type\\\");\\n\"," \
            "(int)sizeof($type));"
    done
    echo '}'
} >"$out/values.cpp"
g++ -std=c++17 -I$here "$out/values.cpp" -o "$out/values" || exit 1

# Calls: redeclared after NVIDIA's header, so that a difference is an error.
tr '\n' ' ' <"$out/ours" | tr ';' '\n' | tr '{}' '\n\n' |
    grep -E '^ *(cublasStatus_t|size_t|const char \*) *cublas[A-Za-z_0-9]+\(' |
    sed 's/$/;/' >"$out/calls"
{
    echo "$headers"
    "$out/values"
    echo 'extern "C" {'
    grep -v 'cublasMigrateComputeType\|cudaDataType computeType' "$out/calls"
    echo '}'
} >"$out/compare.cpp"
g++ -std=c++17 -w -fsyntax-only -I"$real" "$out/compare.cpp" 2>"$out/errors"

# The same of the legacy interface, which excludes the other header.
{
    echo '#include <cublas.h>'
    echo 'extern "C" {'
    echo '#include <cublas.h>' |
        g++ -std=c++17 -E -P -I$here -x c++ - | tr '\n' ' ' | tr ';{}' '\n\n\n' |
        grep -E '^ *[A-Za-z_]+ cublas[A-Z][a-z0-9]+[A-Za-z]*\([^()]*\) *$' |
        grep -v 'cublasMigrateComputeType\|cudaDataType computeType' |
        sed 's/$/;/'
    echo '}'
} >"$out/legacy.cpp"
g++ -std=c++17 -w -fsyntax-only -I"$real" "$out/legacy.cpp" 2>>"$out/errors"
grep -E 'error' "$out/errors" | cut -c1-200 | head -n 20
failed=$(grep -c 'error' "$out/errors")
total=$(cat "$out/compare.cpp" "$out/legacy.cpp" |
    grep -cE 'static_assert|\(')
echo "$((total - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
