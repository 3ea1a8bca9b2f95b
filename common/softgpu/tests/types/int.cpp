/* SPDX-License-Identifier: MIT */
/* Integer intrinsics and SIMD within a word against the obvious loops. */
#include "softgpu/math.h"
#include "check.h"

#include <algorithm>

static int bit(uint64_t x, int i) { return (int)(x >> i & 1); }

static void bits(uint64_t x)
{
    unsigned int u = (unsigned int)x, reversed = 0;
    uint64_t reversed64 = 0;
    int count = 0, count64 = 0, top = -1, low = -1, top64 = -1, low64 = -1;
    for (int i = 0; i < 64; i++) {
        count64 += bit(x, i);
        reversed64 |= (uint64_t)bit(x, i) << (63 - i);
        top64 = bit(x, i) ? i : top64;
        low64 = low64 < 0 && bit(x, i) ? i : low64;
    }
    for (int i = 0; i < 32; i++) {
        count += bit(u, i);
        reversed |= (unsigned int)bit(u, i) << (31 - i);
        top = bit(u, i) ? i : top;
        low = low < 0 && bit(u, i) ? i : low;
    }
    CHECK(__popc(u) == count && __popcll(x) == count64, "%lx", x);
    CHECK(__clz((int)u) == 31 - top && __clzll((long long)x) == 63 - top64,
          "%lx", x);
    CHECK(__ffs((int)u) == low + 1 && __ffsll((long long)x) == low64 + 1,
          "%lx", x);
    CHECK(__brev(u) == reversed && __brevll(x) == reversed64, "%lx", x);
}

static unsigned int byte_of(uint64_t both, unsigned int i)
{
    return (unsigned int)(both >> 8 * i & 0xFF);
}

static void two_words(unsigned int x, unsigned int y, unsigned int s)
{
    uint64_t both = (uint64_t)y << 32 | x, wide = (uint64_t)x * y;
    unsigned int permuted =
        byte_of(both, s & 7) | byte_of(both, s >> 4 & 7) << 8
        | byte_of(both, s >> 8 & 7) << 16 | byte_of(both, s >> 12 & 7) << 24;
    int a = (int)x, b = (int)y;
    int64_t product = (int64_t)a * b, sum = (int64_t)a + b;
    CHECK(__byte_perm(x, y, s) == permuted, "%x %x %x", x, y, s);
    CHECK(__umulhi(x, y) == wide >> 32, "%x %x", x, y);
    CHECK(__mulhi(a, b) == (int)(product >> 32), "%d %d", a, b);
    CHECK(__umul24(x, y) == (x & 0xFFFFFF) * (y & 0xFFFFFF), "%x %x", x, y);
    CHECK(__hadd(a, b) == (int)(sum >> 1), "%d %d", a, b);
    CHECK(__rhadd(a, b) == (int)((sum + 1) >> 1), "%d %d", a, b);
    CHECK(__uhadd(x, y) == (unsigned int)(((uint64_t)x + y) / 2), "%x", x);
    CHECK(__urhadd(x, y) == (unsigned int)(((uint64_t)x + y + 1) / 2), "%x", x);
    CHECK(__usad(x, y, s) == (x > y ? x - y : y - x) + s, "%x %x", x, y);
    CHECK(__sad(a, b, s) == (unsigned int)(sum - 2LL * (a < b ? a : b)) + s,
          "%d %d", a, b);
    unsigned int n = s & 31, m = s & 63;
    CHECK(__funnelshift_l(x, y, m) == (n ? y << n | x >> (32 - n) : y), "%x",
          s);
    CHECK(__funnelshift_r(x, y, m) == (n ? x >> n | y << (32 - n) : x), "%x",
          s);
    CHECK(__funnelshift_lc(x, y, m) == (m >= 32 ? x : __funnelshift_l(x, y, n)),
          "%x", s);
    CHECK(__funnelshift_rc(x, y, m) == (m >= 32 ? y : __funnelshift_r(x, y, n)),
          "%x", s);
}

static void dots(unsigned int x, unsigned int y, unsigned int c)
{
    unsigned int s4 = c, u4 = c, s_lo = c, s_hi = c;
    for (int i = 0; i < 4; i++) {
        int a = (int8_t)(x >> 8 * i), b = (int8_t)(y >> 8 * i);
        s4 += (unsigned int)(a * b);
        u4 += (x >> 8 * i & 0xFF) * (y >> 8 * i & 0xFF);
    }
    for (int i = 0; i < 2; i++) {
        int a = (int16_t)(x >> 16 * i);
        s_lo += (unsigned int)(a * (int8_t)(y >> 8 * i));
        s_hi += (unsigned int)(a * (int8_t)(y >> (8 * i + 16)));
    }
    CHECK((unsigned int)__dp4a((int)x, (int)y, (int)c) == s4, "%x %x", x, y);
    CHECK(__dp4a(x, y, c) == u4, "%x %x", x, y);
    CHECK((unsigned int)__dp2a_lo((int)x, (int)y, (int)c) == s_lo, "%x", x);
    CHECK((unsigned int)__dp2a_hi((int)x, (int)y, (int)c) == s_hi, "%x", x);
    char4 v = {1, -2, 3, -4}, w = {5, 6, -7, 8};
    CHECK(__dp4a(v, w, 100) == 100 + 5 - 12 - 21 - 32, "char4");
}

#define LANES(name, T, want)                                              \
    for (unsigned int at = 0; at < 32; at += 8 * sizeof(T)) {             \
        int p = (T)(x >> at), q = (T)(y >> at);                           \
        (void)q;                                                          \
        CHECK((T)(name >> at) == (T)(want), #name " %x %x", x, y);        \
    }
#define BOTH(name, args, sign, want)                                      \
    LANES(__v##name##2 args, sign##16_t, want)                            \
    LANES(__v##name##4 args, sign##8_t, want)
#define HELD(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

template <typename T> static int limited(int v)
{
    int n = 8 * sizeof(T), half = 1 << (n - 1);
    return T(-1) < T(0) ? HELD(v, -half, half - 1) : HELD(v, 0, 2 * half - 1);
}

static void packed(unsigned int x, unsigned int y)
{
    BOTH(add, (x, y), uint, p + q)
    BOTH(sub, (x, y), uint, p - q)
    LANES(__vaddss2(x, y), int16_t, limited<int16_t>(p + q))
    LANES(__vaddus4(x, y), uint8_t, limited<uint8_t>(p + q))
    LANES(__vsubss4(x, y), int8_t, limited<int8_t>(p - q))
    LANES(__vsubus2(x, y), uint16_t, limited<uint16_t>(p - q))
    LANES(__vabsss2(x), int16_t, limited<int16_t>(abs(p)))
    LANES(__vnegss4(x), int8_t, limited<int8_t>(-p))
    BOTH(abs, (x), int, abs(p))
    BOTH(neg, (x), int, -p)
    BOTH(absdiffu, (x, y), uint, abs(p - q))
    BOTH(avgu, (x, y), uint, (p + q + 1) / 2)
    BOTH(haddu, (x, y), uint, (p + q) / 2)
    BOTH(maxs, (x, y), int, p > q ? p : q)
    BOTH(minu, (x, y), uint, p < q ? p : q)
    BOTH(cmpgts, (x, y), int, p > q ? -1 : 0)
    BOTH(cmpleu, (x, y), uint, p <= q ? -1 : 0)
    BOTH(seteq, (x, y), uint, p == q)
    BOTH(setlts, (x, y), int, p < q)
    unsigned int sum = 0;
    for (int i = 0; i < 32; i += 8)
        sum += (unsigned int)abs((int)(x >> i & 255) - (int)(y >> i & 255));
    CHECK(__vsadu4(x, y) == sum, "%x %x", x, y);
}

#define PAIRWISE(name, T, want)                                           \
    for (unsigned int at = 0; at < 32; at += 16) {                        \
        T p = (T)(x >> at), q = (T)(y >> at), r = (T)(z >> at);           \
        (void)r;                                                          \
        CHECK((T)(name >> at) == (T)(want), #name " %x %x %x", x, y, z);  \
    }

/* DPX, by std::max and std::min. */
static void paths(unsigned int x, unsigned int y, unsigned int z)
{
    int a = (int)x, b = (int)y, c = (int)z, sum = (int)(x + y);
    CHECK(__viaddmax_s32(a, b, c) == std::max(sum, c), "%x %x %x", x, y, z);
    CHECK(__viaddmin_u32(x, y, z) == std::min(x + y, z), "%x %x %x", x, y, z);
    CHECK(__viaddmin_s32_relu(a, b, c) == std::max(std::min(sum, c), 0),
          "%x %x %x", x, y, z);
    CHECK(__vimax3_s32(a, b, c) == std::max({a, b, c}), "%x %x %x", x, y, z);
    CHECK(__vimin3_u32(x, y, z) == std::min({x, y, z}), "%x %x %x", x, y, z);
    CHECK(__vimin_s32_relu(a, b) == std::max(std::min(a, b), 0), "%x %x", x, y);
    PAIRWISE(__viaddmax_s16x2(x, y, z), short, std::max((short)(p + q), r))
    PAIRWISE(__vimax3_u16x2(x, y, z), unsigned short, std::max({p, q, r}))
    PAIRWISE(__vimax_s16x2_relu(x, y), short, std::max({p, q, (short)0}))
    bool first, high, low;
    CHECK(__vibmin_s32(a, b, &first) == std::min(a, b) && first == (a <= b),
          "%x %x", x, y);
    PAIRWISE(__vibmax_u16x2(x, y, &high, &low), unsigned short, std::max(p, q))
    CHECK(low == ((x & 0xFFFF) >= (y & 0xFFFF)) && high == (x >> 16 >= y >> 16),
          "%x %x", x, y);
}

static void places(void)
{
    CHECK(__fns(0x50, 0, 1) == 4 && __fns(0x50, 0, 2) == 6, "up");
    CHECK(__fns(0x50, 31, -1) == 6 && __fns(0x50, 5, -1) == 4, "down");
    CHECK(__fns(0x50, 0, 3) == ~0u && __fns(0x50, 5, 0) == ~0u, "none");
    CHECK(__fns(0x50, 4, 0) == 4, "itself");
    CHECK(__mul24(0x00FFFFFF, 2) == -2, "mul24");
    CHECK(__mul64hi(-1, 1) == -1 && __umul64hi(~0ull, ~0ull) == ~0ull - 1,
          "64");
}

int main(void)
{
    const unsigned int edges[] = {0, 1, 0x80000000u, 0x7FFFFFFFu, 0xFFFFFFFFu,
                                  0x80808080u, 0x7F7F7F7Fu, 0x80007FFFu};
    for (unsigned int x : edges)
        for (unsigned int y : edges) {
            packed(x, y), dots(x, y, y), two_words(x, y, x ^ 0x3210);
            paths(x, y, x ^ y), paths(x, y, 0);
            bits((uint64_t)x << 32 | y);
        }
    for (int i = 0; i < 3000; i++) {
        unsigned int x = any<unsigned int>(), y = any<unsigned int>();
        packed(x, y), dots(x, y, x ^ y), two_words(x, y, any<unsigned int>());
        paths(x, y, any<unsigned int>());
        bits(next_random() >> i % 64 << i % 61);
    }
    places();
    return print_counts();
}
