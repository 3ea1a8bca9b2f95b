#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gold links programs where it is installed, unless the command needs the usual
# linker; what it cannot link has the messages of the usual one.
set -u
. .ci/check.sh
softcc=$(realpath "$BUILD")/softcc
echo 'int main() {}' >"$tmp/main.cu"
echo 'int gone(); int main() { return gone(); }' >"$tmp/gone.cu"
printf '#include <cuda.h>\nint main() { return !cuModuleLoad; }\n' \
    >"$tmp/loads.cu"

gold_links() { # OPTION...: gold names itself in a section
    "$softcc" "$@" -o "$tmp/main" && grep -q 'gold 1\.' "$tmp/main"
}
usual_links() {
    "$softcc" "$@" -o "$tmp/main" && ! grep -q 'gold 1\.' "$tmp/main"
}
usual_message() {
    ! "$softcc" "$tmp/gone.cu" -o "$tmp/gone" 2>"$tmp/said" &&
        grep -q "undefined reference to \`gone()'" "$tmp/said" &&
        ! grep -q "'gone()'" "$tmp/said" && [ ! -e "$tmp/gone" ]
}

# Names that are free for programs, whatever the runtime calls its own.
cat >"$tmp/names.cu" <<'END'
#include <cstdio>
#include <cufft.h>
int fail = 1, style = 2, interrupted = 3, advise = 4, openblas = 5;
extern "C" int fftw_execute(int plan) { return plan; }
extern "C" void fftw_plan(void) {}
extern "C" void text_columns(void) {}
__global__ void set(int *a) { *a = 16; }
int main()
{
    int *a;
    cufftHandle plan;
    cudaMallocManaged(&a, sizeof *a);
    set<<<1, 1>>>(a);
    cudaDeviceSynchronize();
    fftw_plan();
    text_columns();
    cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
    printf("%d\n", *a + fail + style + interrupted + advise
                      + fftw_execute(openblas));
    cufftDestroy(plan);
    cudaFree(a);
}
END
names_are_free() { # OPTION
    "$softcc" ${1:+"$1"} "$tmp/names.cu" -o "$tmp/names" -lcufft &&
        (cd "$tmp" && [[ $(./names | head -n 1) == 31 ]])
}
for option in "" --check --profile; do
    check "names are free ${option:+with $option}" names_are_free $option
done
public_names() {
    ! nm -g --defined-only "$BUILD"/lib/libsoftgpu*.a |
        awk 'NF == 3 { print $3 }' | grep -vE \
        '^(softgpu|cu|nv|__|_Z)|^(block|grid|thread)(Dim|Idx)$|^clock$'
}
check "the runtime takes no other name" public_names
if command -v ld.gold >/dev/null; then
    check "gold links a program" gold_links "$tmp/main.cu"
    check "and one with checks" gold_links --check "$tmp/main.cu"
fi
check "not if the command names a linker" usual_links "$tmp/main.cu" \
    -Xcompiler -fuse-ld=bfd
check "nor if the program loads modules" usual_links "$tmp/loads.cu"
check "an undefined name has the usual message" usual_message
finish
