/* SPDX-License-Identifier: MIT */
/* cuFFT: each pair of types, one to three dimensions, batches, strides, in
 * place, in a stream and in a graph, against sums in double. */
// flags: -lcufft
#include <complex>
#include <cufft.h>

#include "cublas_check.h"

#define FFT(call) fft_ok(call, #call, __LINE__)

static void fft_ok(cufftResult result, const char *what, int line)
{
    if (result == CUFFT_SUCCESS)
        return;
    printf("line %d: %s: %d\n", line, what, (int)result);
    exit(2);
}

using number = std::complex<double>;

/** The transform by its definition, of n[0] x n[1] x n[2] elements. */
static std::vector<number> direct(const std::vector<number> &x, const int *n,
                                  int sign)
{
    const int all = n[0] * n[1] * n[2];
    std::vector<number> y(all);

    for (int k = 0; k < all; k++)
        for (int i = 0; i < all; i++) {
            double turns =
                (double)(i % n[2] * (k % n[2]) % n[2]) / n[2]
                + (double)(i / n[2] % n[1] * (k / n[2] % n[1]) % n[1]) / n[1]
                + (double)(i / n[2] / n[1] * (k / n[2] / n[1]) % n[0]) / n[0];
            y[k] += x[i] * std::polar(1.0, sign * 2 * M_PI * turns);
        }
    return y;
}

/** Random complex numbers on both sides. */
template <class T> struct signal : array<std::complex<T>> {
    explicit signal(size_t n) : array<std::complex<T>>(n)
    {
        for (auto &x : this->host)
            x = {(T)random_number(), (T)random_number()};
        this->send();
    }
};

static cufftResult run(cufftHandle p, std::complex<float> *in,
                       std::complex<float> *out, int sign)
{
    return cufftExecC2C(p, (cufftComplex *)in, (cufftComplex *)out, sign);
}
static cufftResult run(cufftHandle p, std::complex<double> *in,
                       std::complex<double> *out, int sign)
{
    return cufftExecZ2Z(p, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out,
                        sign);
}

/** Transform b of an array with strides against the definition. */
template <class T>
static void compare(const std::vector<std::complex<T>> &in,
                    const std::vector<std::complex<T>> &out, const int *n,
                    int sign, int first, int stride, const char *what)
{
    const int all = n[0] * n[1] * n[2];
    std::vector<number> x(all);
    for (int i = 0; i < all; i++)
        x[i] = in[first + i * stride];
    const std::vector<number> y = direct(x, n, sign);
    for (int i = 0; i < all; i++)
        near(std::abs((number)out[first + i * stride] - y[i]), 0,
             40 * epsilon<T>() * std::sqrt(all), what);
}

template <class T> static void complex_to_complex(cufftType type)
{
    for (int n : {1, 2, 7, 16, 30, 64}) {
        const int shape[] = {1, 1, n}, batch = 3;
        signal<T> in(n * batch), out(n * batch);
        cufftHandle plan;
        FFT(cufftPlan1d(&plan, n, type, batch));
        FFT(run(plan, in.device, out.device, CUFFT_FORWARD));
        out.fetch();
        for (int b = 0; b < batch; b++)
            compare(in.host, out.host, shape, -1, b * n, 1, "1-D");
        FFT(run(plan, out.device, out.device, CUFFT_INVERSE));
        out.fetch();
        for (int i = 0; i < n * batch; i++)
            near(std::abs(out.host[i] / (T)n - in.host[i]), 0,
                 40 * epsilon<T>(), "and back");
        FFT(cufftDestroy(plan));
    }
}

static void dimensions()
{
    const int shape[] = {4, 6, 5};
    signal<float> in(120), out(120);
    cufftHandle plan;
    FFT(cufftPlan3d(&plan, 4, 6, 5, CUFFT_C2C));
    FFT(run(plan, in.device, out.device, CUFFT_INVERSE));
    out.fetch();
    compare(in.host, out.host, shape, 1, 0, 1, "3-D");
    FFT(cufftDestroy(plan));
    const int flat[] = {1, 12, 10};
    FFT(cufftPlan2d(&plan, 12, 10, CUFFT_C2C));
    FFT(run(plan, in.device, out.device, CUFFT_FORWARD));
    out.fetch();
    compare(in.host, out.host, flat, -1, 0, 1, "2-D");
    FFT(cufftDestroy(plan));
}

/** The columns of a matrix: stride 8, distance 1. */
static void columns()
{
    int n[] = {12}, embed[] = {12};
    const int shape[] = {1, 1, 12};
    signal<double> in(96), out(96);
    cufftHandle plan;
    size_t size = 99;
    FFT(cufftCreate(&plan));
    FFT(cufftMakePlanMany(plan, 1, n, embed, 8, 1, embed, 8, 1, CUFFT_Z2Z, 8,
                          &size));
    FFT(run(plan, in.device, out.device, CUFFT_FORWARD));
    out.fetch();
    for (int b = 0; b < 8; b++)
        compare(in.host, out.host, shape, -1, b, 8, "columns");
    FFT(cufftDestroy(plan));
}

/** Real numbers, of which half of the result is stored; in place too. */
static void real_numbers(int rows, int n)
{
    const int half = n / 2 + 1, shape[] = {1, rows, n};
    array<double> in(rows * n), padded(rows * half * 2), back(rows * n);
    signal<double> out(rows * half);
    std::vector<number> x(rows * n);
    cufftHandle forward, inverse;
    in.randomize();
    for (int i = 0; i < rows * n; i++)
        x[i] = padded.host[i / n * 2 * half + i % n] = in.host[i];
    padded.send();
    const std::vector<number> y = direct(x, shape, -1);
    FFT(cufftPlan2d(&forward, rows, n, CUFFT_D2Z));
    FFT(cufftPlan2d(&inverse, rows, n, CUFFT_Z2D));
    FFT(cufftExecD2Z(forward, in.device, (cufftDoubleComplex *)out.device));
    FFT(cufftExecD2Z(forward, padded.device,
                     (cufftDoubleComplex *)padded.device));
    out.fetch();
    padded.fetch();
    for (int i = 0; i < rows * half; i++) {
        const number want = y[i / half * n + i % half];
        const number other(padded.host[2 * i], padded.host[2 * i + 1]);
        near(std::abs((number)out.host[i] - want), 0, 1e-13 * n * rows, "real");
        near(std::abs(other - want), 0, 1e-13 * n * rows, "real, in place");
    }
    FFT(cufftExecZ2D(inverse, (cufftDoubleComplex *)out.device, back.device));
    back.fetch();
    for (int i = 0; i < rows * n; i++)
        near(back.host[i], rows * n * in.host[i], 1e-12 * n * rows, "back");
    FFT(cufftDestroy(forward));
    FFT(cufftDestroy(inverse));
}

/** A captured transform, launched twice, is n times the input. */
static void in_a_graph()
{
    const int n = 32;
    signal<float> x(n);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cufftHandle plan;
    OK(cudaStreamCreate(&stream));
    FFT(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
    FFT(cufftSetStream(plan, stream));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    FFT(run(plan, x.device, x.device, CUFFT_FORWARD));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    const std::vector<std::complex<float>> was = x.host;
    x.fetch();
    for (int i = 0; i < n; i++)
        near(std::abs(x.host[i] - was[(n - i) % n] * (float)n), 0, 1e-4,
             "twice forward");
    FFT(cufftDestroy(plan));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

/** The call reports what is wrong. */
static void errors()
{
    cufftHandle plan;
    int n[] = {4};
    cufftComplex *none = nullptr;
    printf("size %d, batch %d, type %d, rank %d\n",
           cufftPlan1d(&plan, 0, CUFFT_C2C, 1),
           cufftPlan1d(&plan, 4, CUFFT_C2C, 0),
           cufftPlan1d(&plan, 4, (cufftType)1, 1),
           cufftPlanMany(&plan, 4, n, nullptr, 1, 4, nullptr, 1, 4, CUFFT_C2C,
                         1));
    FFT(cufftPlan1d(&plan, 4, CUFFT_C2C, 1));
    printf("null %d, plan %d", cufftExecC2C(plan, none, none, CUFFT_FORWARD),
           cufftExecC2C(12345, none, none, CUFFT_FORWARD));
    FFT(cufftDestroy(plan));
    printf(", destroyed %d\n", cufftDestroy(plan));
}

int main()
{
    complex_to_complex<float>(CUFFT_C2C);
    complex_to_complex<double>(CUFFT_Z2Z);
    dimensions();
    columns();
    real_numbers(1, 16);
    real_numbers(1, 15);
    real_numbers(6, 10);
    in_a_graph();
    errors();
    return tell("cuFFT");
}
