#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Errors an editor shows: clang, with the flags of compile_commands.json, has no
# word against any handout, and underlines the mistakes of a learner.
set -u
. "$(dirname "$0")/../../.ci/check.sh"

command -v clang++ >/dev/null || { echo "1..0 # no clang++"; exit 77; }

# The arguments for a file, one a line.
arguments() {
    grep -F "\"file\": \"$1\"" compile_commands.json |
        sed 's/.*"arguments": \[//; s/\].*//' | grep -oE '"[^"]*"' | tr -d '"'
}

# says FILE: what clang says of it, as an editor would show it
says() {
    local -a command
    mapfile -t command < <(arguments "${2:-$1}")
    unset 'command[-1]'
    "${command[@]}" -fsyntax-only "$1" 2>&1
}

if command -v python3 >/dev/null; then
    check "it is JSON" python3 -m json.tool compile_commands.json "$tmp/json"
fi
for lab in labs/*/; do
    file=$(echo "$lab"*.cu)
    said=$(says "$file")
    check "$file: $said" test -z "$said"
done

# A reference that uses what the toolkit's headers hide well.
for file in solutions/09_tensor_gemm/2*.cu solutions/08_fast_gemm/5*.cu; do
    said=$(says "$file")
    check "$file: $said" test -z "$said"
done

lab=labs/01_vector_add/vector_add.cu
sed 's/^__global__/__global__ void wrong(int *p) { *p = blockIdx.w; nosuch(); }\n&/' \
    "$lab" >"$tmp/wrong.cu"
line=$(grep -n 'void wrong' "$tmp/wrong.cu" | cut -d: -f1)
said=$(says "$tmp/wrong.cu" "$lab")
check "a wrong member has its line" grep -q \
    "wrong.cu:$line:.*no member named 'w'" <<<"$said"
check "an unknown function, too" grep -q "wrong.cu:$line:.*'nosuch'" <<<"$said"
sed 's/<<<.*>>>/<<<1>>>/; s/TODO 4.*/*\/ add<<<1, 2, 3, 4, 5>>>(0, 0, 0, 0); \/*/' "$lab" >"$tmp/launch.cu"
said=$(says "$tmp/launch.cu" "$lab")
check "a launch with too many arguments" grep -q "error:" <<<"$said"

# It is written again where a folder changed, and is the same then.
cp compile_commands.json "$tmp/before"
grader/setup/editor
check "it is the same the second time" cmp -s "$tmp/before" \
    compile_commands.json
finish
