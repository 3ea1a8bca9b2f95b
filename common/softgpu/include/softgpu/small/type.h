/* SPDX-License-Identifier: MIT */
/** @file
 *  A 16-bit float and a pair of it; included once for each of the two.
 *
 *  Expects SOFTGPU_T, SOFTGPU_T2 (the types), SOFTGPU_RAW, SOFTGPU_RAW2 (their
 *  bits as plain structs), SOFTGPU_FORMAT and SOFTGPU_OTHER (the other type).
 */
/** @cond: constructors and conversions are those of the CUDA headers */

/** The bits of one. */
struct SOFTGPU_RAW {
    unsigned short x;
};
/** The bits of a pair, x at the lower address. */
struct __attribute__((aligned(4))) SOFTGPU_RAW2 {
    unsigned short x, y;
};

struct SOFTGPU_OTHER;

#define SOFTGPU_EACH_INTEGER(f)                                             \
    f(short) f(unsigned short) f(int) f(unsigned int) f(long)             \
    f(unsigned long) f(long long) f(unsigned long long)

/** One 16-bit float. */
struct __attribute__((aligned(2))) SOFTGPU_T {
    unsigned short __x;

    SOFTGPU_T() = default;
    constexpr SOFTGPU_T(const SOFTGPU_RAW &raw) : __x(raw.x) {}
    explicit SOFTGPU_T(const SOFTGPU_OTHER &other);
    constexpr operator SOFTGPU_RAW() const { return SOFTGPU_RAW{__x}; }
    SOFTGPU_FN operator float() const { return SOFTGPU_FORMAT::widen(__x); }
    SOFTGPU_FN operator bool() const { return (__x & 0x7FFF) != 0; }
    SOFTGPU_FN SOFTGPU_T &operator=(const SOFTGPU_RAW &raw)
    {
        __x = raw.x;
        return *this;
    }

#define SOFTGPU_FROM(N)                                                   \
    SOFTGPU_FN SOFTGPU_T(N x) : __x(softgpu::narrow<SOFTGPU_FORMAT>(x)) {} \
    SOFTGPU_FN SOFTGPU_T &operator=(N x) { return *this = SOFTGPU_T(x); }
#define SOFTGPU_TO(N)                                                     \
    SOFTGPU_FN operator N() const                                         \
    {                                                                     \
        return softgpu::to_integer<N, softgpu::TO_ZERO>(float(*this));      \
    }
    SOFTGPU_FROM(float)
    SOFTGPU_FROM(double)
    SOFTGPU_EACH_INTEGER(SOFTGPU_FROM)
    SOFTGPU_TO(char)
    SOFTGPU_TO(signed char)
    SOFTGPU_TO(unsigned char)
    SOFTGPU_EACH_INTEGER(SOFTGPU_TO)
#undef SOFTGPU_TO
#undef SOFTGPU_FROM
};

/** Two of them in one word. */
struct __attribute__((aligned(4))) SOFTGPU_T2 {
    SOFTGPU_T x, y;

#ifdef SOFTGPU_COPY /* an instrumented build */
    SOFTGPU_COPY(SOFTGPU_T2)
#else
    SOFTGPU_T2() = default;
#endif
    constexpr SOFTGPU_T2(const SOFTGPU_T &a, const SOFTGPU_T &b) : x(a), y(b)
    {
    }
    constexpr SOFTGPU_T2(const SOFTGPU_RAW2 &raw)
        : x(SOFTGPU_RAW{raw.x}), y(SOFTGPU_RAW{raw.y})
    {
    }
    constexpr operator SOFTGPU_RAW2() const
    {
        return SOFTGPU_RAW2{x.__x, y.__x};
    }
};

#undef SOFTGPU_EACH_INTEGER
/** @endcond */
