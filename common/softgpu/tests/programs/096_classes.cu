/* SPDX-License-Identifier: MIT */
/* Classes with device methods, virtual functions and operators. */
#include "check.h"

struct complex_number {
    float re, im;
    __host__ __device__ complex_number(float r, float i) : re(r), im(i) {}
    __host__ __device__ complex_number operator*(const complex_number &b) const
    {
        return complex_number(re * b.re - im * b.im, re * b.im + im * b.re);
    }
    __device__ static int count() { return 17; }
};

struct shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~shape() {}
};

struct square : shape {
    float side;
    __device__ explicit square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};

struct rectangle : square {
    float other;
    __device__ rectangle(float a, float b) : square(a), other(b) {}
    __device__ float area() const override { return side * other; }
};

/* Calls operators, a static method, and virtual methods of two classes. */
__global__ void use(float *out)
{
    complex_number z(1, 2), w = z * z * complex_number(0, 1);
    square s(3);
    rectangle r(3, 5);
    const shape *shapes[] = {&s, &r};
    out[0] = w.re;
    out[1] = w.im;
    out[2] = shapes[threadIdx.x]->area();
    out[3] = shapes[threadIdx.x + 1]->area();
    out[4] = complex_number::count();
}

int main()
{
    float *out = managed<float>(5);
    use<<<1, 1>>>(out);
    RUN();
    for (int i = 0; i < 5; i++)
        printf("%g ", out[i]);
    printf("\n");
    return 0;
}
