/* SPDX-License-Identifier: MIT */
/* Objects in managed memory by reference, and by value with a copy constructor
 * and a destructor that only the host runs. */
#include "check.h"
#include <cstring>
#include <new>

class text {
    char *bytes_ = nullptr;

public:
    static int made;
    explicit text(const char *s)
    {
        OK(cudaMallocManaged((void **)&bytes_, strlen(s) + 1));
        strcpy(bytes_, s);
    }
    text(const text &other) : text(other.bytes_) { made++; }
    ~text() { cudaFree(bytes_); }
    __host__ __device__ char &operator[](int i) const { return bytes_[i]; }
    const char *c_str() const { return bytes_; }
};

int text::made = 0;

struct element {
    text name;
    int value;
};

/* Changes the host's object. */
__global__ void by_reference(element &e, const int &add)
{
    e.name[0] = 'r';
    e.value += add;
}

/* Each thread changes a copy, made without the copy constructor. */
__global__ void by_value(element e, int *out)
{
    e.name[0] = 'v';
    e.value++;
    atomicAdd(out, e.value + e.name[1]);
}

int main()
{
    element *e = managed<element>(1);
    int *out = managed<int>(2);
    new (e) element{text("hello"), 10};
    out[1] = 5;
    by_reference<<<1, 1>>>(*e, out[1]);
    RUN();
    printf("%s %d\n", e->name.c_str(), e->value);
    text::made = 0;
    by_value<<<1, 3>>>(*e, out);
    RUN();
    printf("%s %d %d\n", e->name.c_str(), e->value, *out);
    EXPECT(text::made > 0);
    return 0;
}
