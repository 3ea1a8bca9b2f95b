/* SPDX-License-Identifier: MIT */
/* Closing angle brackets next to the launch, and template template names. */
#include "check.h"

template <typename T> struct box {
    T inside;
};

template <typename A, typename B> struct two {
    A a;
    B b;
};

/* Stores the size of its type argument. */
template <typename T> __global__ void size(int *out) { *out = sizeof(T); }

/* Takes a class template and its argument apart. */
template <template <typename> class Wrap, typename T>
__global__ void wrapped(Wrap<T> value, T *out)
{
    *out = value.inside;
}

int main()
{
    int *out = managed<int>(3);
    size<two<box<int>, box<box<double>>>><<<1, 1>>>(out);
    size<box<two<char, char>>><<<1, (1 << 2) >> 1>>>(out + 1);
    wrapped<<<1, 1>>>(box<int>{9}, out + 2);
    RUN();
    printf("%d %d %d\n", out[0], out[1], out[2]);
    return 0;
}
