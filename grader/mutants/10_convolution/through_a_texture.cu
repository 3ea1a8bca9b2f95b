// verdict: SCORE
// expect: 80 92 right
// The image is read through a texture object on linear memory.
#include "convolution.h"
#include "grid.h"

enum { BLOCK_X = 32, BLOCK_Y = 4, SIDE = CONVOLUTION_MAX_FILTER_SIDE };

__constant__ float c_filter[SIDE * SIDE];

/** A thread owns a pixel; image: 0 for one that is too large for a texture. */
__global__ void filter_image(cudaTextureObject_t image, const float *in,
                             float *out, struct convolution_shape s)
{
    const int x = blockIdx.x * BLOCK_X + threadIdx.x;
    const int y = (blockIdx.z * gridDim.y + blockIdx.y) * BLOCK_Y + threadIdx.y;
    float sum = 0;

    if (x >= s.width || y >= s.height) return;
    for (int v = 0; v < s.rows; v++)
        for (int u = 0; u < s.columns; u++) {
            const int row = min(max(y + v - s.rows / 2, 0), s.height - 1);
            const int column = min(max(x + u - s.columns / 2, 0), s.width - 1);
            const size_t at = (size_t)row * s.width + column;

            sum += c_filter[v * s.columns + u]
                   * (image ? tex1Dfetch<float>(image, (int)at) : in[at]);
        }
    out[(size_t)y * s.width + x] = sum;
}

static cudaError_t create_texture(cudaTextureObject_t *image, const float *d_in,
                                  size_t pixels)
{
    struct cudaResourceDesc resource = {};
    struct cudaTextureDesc desc = {};

    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (void *)d_in;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = pixels * sizeof *d_in;
    desc.readMode = cudaReadModeElementType;
    return CUDA_CHECK(cudaCreateTextureObject(image, &resource, &desc, NULL));
}

static bool is_side(int side)
{
    return side > 0 && side <= SIDE && side % 2 == 1;
}

int convolution(const struct convolution_shape *s, const float *d_in,
                const float *filter, const float *factors, float *d_work,
                float *d_out)
{
    const size_t most = (size_t)1 << 27; /* elements of a linear texture */
    const size_t pixels = (size_t)s->width * s->height;
    cudaTextureObject_t image = 0;

    if (s->width < 0 || s->height < 0 || !is_side(s->rows)
        || !is_side(s->columns))
        return cudaErrorInvalidValue;
    if (s->width == 0 || s->height == 0) return cudaSuccess;
    cudaError_t err = CUDA_CHECK(cudaMemcpyToSymbolAsync(
        c_filter, filter, sizeof(float) * s->rows * s->columns, 0,
        cudaMemcpyHostToDevice, 0));
    if (!err && pixels <= most) err = create_texture(&image, d_in, pixels);
    if (err) return err;
    filter_image<<<grid_of_tiles(ceil_div(s->width, BLOCK_X),
                                 ceil_div(s->height, BLOCK_Y)),
                   dim3(BLOCK_X, BLOCK_Y)>>>(image, d_in, d_out, *s);
    err = CUDA_CHECK(cudaGetLastError());
    if (image) {
        const cudaError_t end = CUDA_CHECK(cudaDestroyTextureObject(image));

        if (!err) err = end;
    }
    return err;
}
