#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The timeline of a profiled program: computed by hand from the figures of the
# card, and the same in each run, whatever the load of the machine.
set -u

build=${BUILD:-build}
case $build in *san)
    echo "skipped: the profiler is tested without sanitizers"
    exit 77
    ;;
esac
. common/base/temp_dir.sh
folder=$tmp
passed=0 failed=0

expect() { # NAME GOT WANTED
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok $1: $2, should be $3"
    fi
}

cat >"$folder/a.cu" <<'CUDA'
__global__ void touch(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

int main()
{
    enum { BYTES = 1 << 20 };
    float *h, *d;
    cudaStream_t one, two;

    cudaMallocHost(&h, 2 * BYTES);
    cudaMalloc(&d, 2 * BYTES);
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    float *to = h;
    for (int i = 0; i < 100000; i++)
        to[i] = 1; /* 400,000 bytes: 20 us of host code */
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, one);
    touch<<<1024, 256, 0, one>>>(d);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, one);
    cudaMemcpyAsync(d + (1 << 18), h + (1 << 18), BYTES,
                    cudaMemcpyHostToDevice, two);
    cudaDeviceSynchronize();
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFree(d);
    cudaFreeHost(h);
}
CUDA
"$build/softcc" --profile "$folder/a.cu" -o "$folder/a" || exit 1
for seed in 0 1; do
    SOFTGPU_SEED=$seed SOFTGPU_THREADS=$((seed + 1)) SOFTGPU_CARD=h200 \
        SOFTGPU_JSON=$folder/$seed.json "$folder/a" 2>"$folder/$seed.err"
done
grep -A 1000 '"timeline"' "$folder/0.json" >"$folder/line0"
grep -A 1000 '"timeline"' "$folder/1.json" >"$folder/line1"
expect "the same in each run" "$(cksum <"$folder/line1")" \
    "$(cksum <"$folder/line0")"

# Each span on a line: [stream, engine, name, begin, end, bytes].
tr -d '\n' <"$folder/line0" | grep -oE '\[ *[0-9]+, *"[^]]*\]' |
    tr -s ' ' | tr -d '[]"' >"$folder/spans"
length() { # ENGINE NUMBER: of its nth span
    grep ", $1, " "$folder/spans" | sed -n "$2p" | awk -F, '{print $5 - $4}'
}
begin() {
    grep ", $1, " "$folder/spans" | sed -n "$2p" | awk -F, '{print $4 + 0}'
}
end() {
    grep ", $1, " "$folder/spans" | sed -n "$2p" | awk -F, '{print $5 + 0}'
}
# 1.5 us and 2^20 bytes at 53 GB/s; both ways alike.
expect "copy up" "$(length 'to device' 1)" 21284
expect "copy down" "$(length 'to host' 1)" 21284
expect "host code, in 0.1 us" "$(($(length host 1) / 100))" 200
expect "queued 2 us after it" "$(begin 'to device' 1)" \
    $(($(end host 1) + 2000))
expect "the kernel waits for its copy" "$(begin kernels 1)" \
    "$(end 'to device' 1)"
expect "the other stream waits for the copy engine only" \
    "$(begin 'to device' 2)" "$(end 'to device' 1)"
expect "the copy down waits for the kernel" "$(begin 'to host' 1)" \
    "$(end kernels 1)"
expect "calls" "$(grep -o '"calls": [0-9]*' "$folder/line0")" '"calls": 4'
expect "summary as text" \
    "$(grep -c 'Timeline: modeled .* us on NVIDIA H200' "$folder/0.err")" 1
expect "host code before it" \
    "$(tr '\n' ' ' <"$folder/0.err" |
        grep -c "with the host code before .* ends at")" 1
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
