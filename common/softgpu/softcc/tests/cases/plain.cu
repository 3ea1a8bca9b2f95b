/* SPDX-License-Identifier: MIT */
/* No CUDA: nothing may change. */
// expect: a = b < c > d; v<v<v<int>>> w; x >>= 2; x <<= 1; y = z >> 1 << 2;
// expect: struct T { int global; operator bool() const { return a<b; } };
// expect: int texture = 3; texture = tex.tex1D(3) + this->surface(1);
// expect: texture<float, 2> own;
// absent: softgpu::
void f()
{
    a = b < c > d; v<v<v<int>>> w; x >>= 2; x <<= 1; y = z >> 1 << 2;
    int texture = 3; texture = tex.tex1D(3) + this->surface(1);
}
struct T { int global; operator bool() const { return a < b; } };
template <class T, int n> struct texture {};
texture<float, 2> own;
