/* SPDX-License-Identifier: MIT */
/* Texture references as programs until CUDA 11 have them: linear memory, rows,
 * arrays, layers, normalized reads; a later binding does not change what an
 * earlier launch reads; a program's own names `texture`; an unbound one.
 * nvcc refuses texture references since CUDA 12. */
// stderr: a texture reference is read that is not bound
#include "check.h"

enum { N = 16, W = 4 };

texture<float, 1, cudaReadModeElementType> line;
texture<int4> quads;
static texture<float, cudaTextureType2D> image;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
texture<short2, 2, cudaReadModeNormalizedFloat> pairs;
texture<float, cudaTextureType2DLayered> layers;
texture<float, 3> box;

struct material {
    int texture; /* no reference */
};

/** Each thread an element: its float, and a word of the int4 that it is in. */
__global__ void read_linear(float *out)
{
    const int i = threadIdx.x;
    const int4 q = tex1Dfetch(quads, i / 4);
    out[i] = tex1Dfetch(line, i) + 100 * (i % 4 == 0 ? q.x : q.w);
}

/** Each thread a place of 4 x 4, in five textures. */
__global__ void read_images(float *out)
{
    const int i = threadIdx.x, x = i % W, y = i / W;
    const float2 p = tex2D(pairs, x, y);
    out[4 * i] = tex2D(image, x + 1.0f, y + 0.5f);
    out[4 * i + 1] = tex2D(bytes, x + 0.5f, y + 0.5f) * 255;
    out[4 * i + 2] = p.x + p.y;
    out[4 * i + 3] = tex2DLayered(layers, x, 0, y) + tex3D(box, x, 0, y);
}

template <class T> static T *device_copy(const T *from, size_t n)
{
    T *d;
    OK(cudaMalloc((void **)&d, n * sizeof(T)));
    OK(cudaMemcpy(d, from, n * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}

static void print(const float *x, int n)
{
    for (int i = 0; i < n; i++)
        printf("%g%c", x[i], i % 16 == 15 ? '\n' : ' ');
}

/* An array of one float an element, with i + first at place i. */
static cudaArray *numbers(cudaExtent extent, unsigned flags, int first)
{
    float h[N];
    cudaArray *a;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms copy = {};
    for (int i = 0; i < N; i++)
        h[i] = static_cast<float>(first + i);
    OK(cudaMalloc3DArray(&a, &desc, extent, flags));
    const size_t height = extent.height ? extent.height : 1;
    copy.srcPtr = make_cudaPitchedPtr(h, W * 4, W, height);
    copy.dstArray = a;
    copy.extent = make_cudaExtent(W, height, extent.depth ? extent.depth : 1);
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
    return a;
}

/* Linear memory; what is bound later is for later launches. */
static void test_linear(float *out)
{
    float h[N];
    int q[N];
    size_t offset = 9;
    const textureReference *by_symbol;

    for (int i = 0; i < N; i++) {
        h[i] = 0.5f * i;
        q[i] = i;
    }
    float *d = device_copy(h, N), *e = device_copy(h + 1, N - 1);
    int *dq = device_copy(q, N);
    SHOW(cudaGetTextureAlignmentOffset(&offset, line));
    cudaGetLastError();
    OK(cudaBindTexture(&offset, line, d, N * 4));
    EXPECT(offset == 0);
    OK(cudaGetTextureReference(&by_symbol, &quads));
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int4>();
    OK(cudaBindTexture(NULL, by_symbol, dq, &desc));
    read_linear<<<1, N>>>(out);
    OK(cudaBindTexture(NULL, line, e)); /* all of it, for the next launch */
    print(out, N);
    read_linear<<<1, N>>>(out);
    RUN();
    print(out, N); /* the last element is outside: 0 */
}

/* Rows, arrays, and layers. */
static void test_images(float *out)
{
    unsigned char b[32 * W];
    short p[16 * W];

    for (int i = 0; i < 32 * W; i++)
        b[i] = static_cast<unsigned char>(i);
    for (int i = 0; i < 16 * W; i++)
        p[i] = static_cast<short>(i % 2 ? 32767 : -32767);
    unsigned char *db = device_copy(b, 32 * W);
    short *dp = device_copy(p, 16 * W);
    cudaArray *a = numbers(make_cudaExtent(W, W, 0), 0, 0);
    cudaArray *l = numbers(make_cudaExtent(W, 1, W), cudaArrayLayered, 100);
    cudaArray *c = numbers(make_cudaExtent(W, 1, W), 0, 1000);
    image.filterMode = cudaFilterModeLinear;
    image.addressMode[0] = cudaAddressModeBorder;
    OK(cudaBindTextureToArray(image, a));
    OK(cudaBindTextureToArray(layers, l, cudaCreateChannelDesc<float>()));
    OK(cudaBindTextureToArray(box, c));
    OK(cudaBindTexture2D(NULL, bytes, db, W, W, 32));
    OK(cudaBindTexture2D(NULL, pairs, dp, cudaCreateChannelDesc<short2>(), W, W,
                         32));
    read_images<<<1, N>>>(out);
    RUN();
    print(out, 4 * N);
    SHOW(cudaBindTexture2D(NULL, bytes, db, W, W, 33)); /* a wrong pitch */
    OK(cudaUnbindTexture(image));
    for (cudaArray *x : {a, l, c})
        OK(cudaFreeArray(x));
}

int main()
{
    float *out = managed<float>(4 * N);
    material m = {3};
    int texture = m.texture;

    test_linear(out);
    test_images(out);
    EXPECT(texture < 4 && texture > 2);
    OK(cudaUnbindTexture(line));
    read_linear<<<1, N>>>(out);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
