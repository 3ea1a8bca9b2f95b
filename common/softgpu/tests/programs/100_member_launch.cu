/* SPDX-License-Identifier: MIT */
/* Launches from a method, a lambda, a conditional and a comma expression. */
#include "check.h"

/* Adds to one word. */
__global__ void add(int *a, int by) { *a += by; }

class runner {
    int *a_ = managed<int>(1);
    dim3 grid_ = 1;

public:
    void run(int by) { add<<<grid_, dim3(1)>>>(a_, by); }
    template <typename T> void run_as(T by) const
    {
        add<<<this->grid_, 1>>>(this->a_, (int)by);
    }
    int value() const
    {
        RUN();
        return *a_;
    }
    int *pointer() { return a_; }
};

int main(int argc, char **)
{
    runner r;
    r.run(1);
    r.run_as(2.9);
    auto launch = [&](int by) { add<<<1, 1>>>(r.pointer(), by); };
    launch(30);
    if (argc > 0)
        add<<<1, 1>>>(r.pointer(), 400);
    else
        add<<<1, 1>>>(r.pointer(), 9);
    for (int i = 0; i < 2; i++, add<<<1, 1>>>(r.pointer(), 1000))
        ;
    printf("%d\n", r.value());
    return 0;
}
