/* SPDX-License-Identifier: MIT */
/* Tables of names.  A missing name makes a program slower, not wrong: a kernel
 * that calls an unknown function is assumed to block and to read the built-in
 * variables. */
#include <string.h>

#include "builtins.h"
#include "tokens.h"

static bool in_list(const struct token *t, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is(t, list[i]))
            return true;
    return false;
}

static bool has_prefix(const struct token *t, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(list[i]);
        if ((size_t)t->length >= length
            && memcmp(t->text, list[i], length) == 0)
            return true;
    }
    return false;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* <cmath>; each also with the suffix 'f' or 'l'. */
static const char *const math_functions[] = {
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt",
    "ceil", "copysign", "cos", "cosh", "cospi", "erf", "erfc", "erfcinv",
    "erfcx", "erfinv", "exp", "exp10", "exp2", "expm1", "fabs", "fdim",
    "fdivide", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "hypot",
    "ilogb", "isfinite", "isinf", "isnan", "j0", "j1", "jn", "ldexp", "lgamma",
    "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint",
    "lround", "max", "min", "modf", "nan", "nearbyint", "nextafter", "norm",
    "norm3d", "norm4d", "normcdf", "normcdfinv", "pow", "powi", "rcbrt",
    "remainder", "remquo", "rhypot", "rint", "rnorm3d", "rnorm4d", "round",
    "rsqrt", "saturate", "scalbln", "scalbn", "signbit", "sin", "sincos",
    "sincospi", "sinh", "sinpi", "sqrt", "tan", "tanh", "tgamma", "trunc",
    "y0", "y1", "yn"
};

static const char *const leaf_functions[] = {
    "labs", "llabs", "llmin", "llmax", "ullmin", "ullmax", "umin", "umax",
    "mulhi", "mul64hi", "mul24", "umul24", "clamp", "lerp", "printf", "memcpy",
    "memset", "swap", "move", "forward", "size", "data", "begin", "end",
    "numeric_limits", "infinity", "lowest", "epsilon", "quiet_NaN", "bit_cast",
    "fill", "real", "imag", "get", "pair", "tuple", "make_pair", "make_tuple",
    "__clz", "__clzll", "__ffs", "__ffsll", "__popc", "__popcll", "__brev",
    "__brevll", "__byte_perm", "__sad", "__usad", "__mulhi", "__umulhi",
    "__mul64hi", "__umul64hi", "__mul24", "__umul24", "__saturatef", "__sinf",
    "__cosf", "__tanf", "__expf", "__exp10f", "__logf", "__log2f", "__log10f",
    "__powf", "__sincosf", "__fdividef", "__rsqrtf_rn", "__frcp_rn", "__half",
    "__nv_bfloat16", "__hmul", "__assume", "__builtin_expect",
    "__builtin_assume", "__builtin_assume_aligned", "__dp4a", "__dp2a_lo",
    "__dp2a_hi", "__rhadd", "__hadd", "__uhadd", "__urhadd", "__hiloint2double",
    "__align_up", "__low2half", "__high2half", "__lows2half2",
    "__highs2half2", "__low2float", "__high2float", "__halves2half2",
    "__cvta_generic_to_shared", "__isShared", "__isGlobal", "__isConstant",
    "__isLocal", "__funnelshift_l", "__funnelshift_r", "__funnelshift_lc",
    "__funnelshift_rc", "__bfloat162bfloat162", "__bfloat1622float2",
    "prefetch", "index_sequence", "integral_constant", "declval"
};

/* Families: conversions, rounded arithmetic, half precision, cache hints. */
static const char *const leaf_prefixes[] = {
    "make_", "__float", "__double", "__int2", "__int_as", "__uint", "__ll2",
    "__ull2", "__longlong", "__half2", "__half_as", "__short", "__ushort",
    "__fadd_", "__fsub_", "__fmul_", "__fmaf_", "__fdiv_", "__fsqrt_",
    "__dadd_", "__dsub_", "__dmul_", "__fma_", "__ddiv_", "__dsqrt_",
    "__drcp_", "__frsqrt_", "__h2", "__hadd", "__hsub", "__hmul", "__hfma",
    "__hdiv", "__hneg", "__habs", "__hmax", "__hmin", "__heq", "__hne",
    "__hlt", "__hle", "__hgt", "__hge", "__hbeq", "__hisnan", "__hisinf",
    "__bfloat16", "__nv_", "__v", "__ldg", "__ldca", "__ldcg", "__ldcs",
    "__ldlu", "__stcg", "__stcs", "__stwb", "h2", "hexp", "hlog", "hsqrt",
    "hrsqrt", "hsin", "hcos", "hrcp", "htrunc", "hceil", "hfloor", "hrint",
    "htanh", "cuC", "cuc"
};

static const char *const blocking_functions[] = {
    "__syncthreads", "__syncwarp", "__activemask", "__nanosleep", "clock",
    "clock64", "__threadfence", "__threadfence_block", "__threadfence_system",
    "__ldcv", "__stwt", "__globaltimer"
};

static const char *const blocking_prefixes[] = {
    "__syncthreads_", "__shfl", "__ballot", "__any", "__all", "__match_",
    "__reduce_", "atomic", "__vote", "__pipeline_", "__nv_atomic_"
};

/* A function of <cmath> with or without its suffix, as atan2f. */
static bool is_math_function(const struct token *t)
{
    struct token base = *t;
    if (in_list(t, math_functions, COUNT(math_functions)))
        return true;
    base.length--;
    return base.length > 0 && strchr("fl", t->text[base.length])
           && in_list(&base, math_functions, COUNT(math_functions));
}

bool may_block_by_name(const struct token *t)
{
    return in_list(t, blocking_functions, COUNT(blocking_functions))
           || has_prefix(t, blocking_prefixes, COUNT(blocking_prefixes));
}

/* Remove an ending.  @return false if the token does not have it */
static bool strip_ending(struct token *t, const char *ending)
{
    const int n = (int)strlen(ending);
    if (t->length < n || memcmp(t->text + t->length - n, ending, (size_t)n))
        return false;
    t->length -= n;
    return true;
}

/* tex2D(), tex1DLayeredLod(), surfCubemapread() ... */
static bool is_texture_function(const struct token *t)
{
    static const char *const shapes[] = { "tex1D", "tex2D", "tex3D",
                                          "texCubemap", "surf1D", "surf2D",
                                          "surf3D", "surfCubemap" };
    static const char *const endings[] = { "Lod", "Grad", "fetch", "gather",
                                           "read", "write" };
    struct token base = *t;
    for (size_t i = 0; i < COUNT(endings); i++)
        if (strip_ending(&base, endings[i]))
            break;
    strip_ending(&base, "Layered");
    return in_list(&base, shapes, COUNT(shapes));
}

bool is_leaf_builtin(const struct token *t)
{
    return !may_block_by_name(t)
           && (is_math_function(t) || is_texture_function(t)
               || in_list(t, leaf_functions, COUNT(leaf_functions))
               || has_prefix(t, leaf_prefixes, COUNT(leaf_prefixes)));
}

bool is_keyword(const struct token *t)
{
    static const char *const words[] = {
        "if", "for", "while", "switch", "return", "sizeof", "alignof",
        "_Alignof", "__alignof__", "decltype", "typeof", "__typeof__",
        "alignas", "static_assert", "_Static_assert", "constexpr", "catch",
        "noexcept", "else", "do", "case", "goto", "__attribute__", "typename",
        "__launch_bounds__", "__align__", "static_cast", "reinterpret_cast",
        "const_cast", "and", "or", "not", "operator", "new", "delete",
        "__restrict__", "mutable", "template", "__func__", "default", "throw"
    };
    return in_list(t, words, COUNT(words)) || is_type_word(t);
}

bool is_device_type(const struct token *t)
{
    static const char *const vector_bases[] = {
        "char", "uchar", "short",    "ushort",    "int",   "uint",
        "long", "ulong", "longlong", "ulonglong", "float", "double"
    };
    static const char *const types[] = {
        "dim3", "half", "half2", "__half", "__half2", "__nv_bfloat16",
        "__nv_bfloat162", "nv_bfloat16", "nv_bfloat162", "size_t", "ptrdiff_t",
        "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t",
        "int64_t", "uint64_t", "uintptr_t", "intptr_t", "uint", "uchar",
        "ushort", "ulong", "cuFloatComplex", "cuDoubleComplex", "cuComplex",
        "complex", "array"
    };
    if (in_list(t, types, COUNT(types)))
        return true;
    struct token base = *t;
    base.length--;
    return base.length > 0 && strchr("1234", t->text[base.length])
           && in_list(&base, vector_bases, COUNT(vector_bases));
}
