/* SPDX-License-Identifier: MIT */
/* Errors for features that the software GPU does not have, by name, at their
 * source location, with advice what to use instead. */
#define _GNU_SOURCE
#include <string.h>

#include "ptx.h"
#include "tokens.h"

/* A name that is not available, and the advice. */
struct unsupported {
    const char *name;
    bool prefix; /* any name with this prefix */
    bool called; /* only before '(' or '<' */
    const char *advice;
};

#define REFERENCE                                                              \
    "surface references were removed from CUDA 12; pass the kernel an object " \
    "(cudaCreateSurfaceObject)"
#define GRADIENT                                                               \
    "gradients of cubemaps are not on the software GPU; use texCubemapLod()"
#define VIEW                                                                   \
    "views of resources are not on the software GPU; make an array of the "    \
    "part that is read"
#define SPARSE                                                                 \
    "sparse and planar arrays are not on the software GPU; use "               \
    "cudaMalloc3DArray()"
#define LIBDEVICE "NVVM's internal functions are not on the software GPU; " \
                  "call the CUDA function of the same purpose"
#define CLUSTER "thread block clusters are not on the software GPU; use a " \
                "cooperative launch and grid.sync()"

#define MULTI_GRID                                                             \
    "grids over several devices are not on the software GPU; "                 \
    "launch on each device and wait for all"
#define EXTERNAL                                                              \
    "memory of other APIs is not on the software GPU; copy through the host"
#define GRAPHICS                                                               \
    "there are no graphics on the software GPU; copy to host "                 \
    "memory and draw from there"
#define MODULE                                                                 \
    "linking and intermediate code at run time are not on the software GPU; "  \
    "compile one source with NVRTC, or load a module that softcc made "        \
    "(softcc -cubin)"
#define DRIVER                                                                 \
    "this call of the driver API is not on the software GPU; use "             \
    "the runtime API (cuda_runtime.h)"
#define GRAPH_MEMORY                                                           \
    "parameters of memory nodes are not read on the software GPU; keep the "   \
    "struct that the node was made of"
#define BINOMIAL                                                               \
    "cuRAND does not document this call, and the software GPU lacks it; "      \
    "count the uniform numbers below p of each n"
#define METHOD                                                                 \
    "cuRAND chooses the method of a Poisson distribution itself; use "         \
    "curandGeneratePoisson()"
#define MASKLESS                                                               \
    "cards from compute capability 7.0 on have no warp functions "             \
    "without a mask; use the one that ends in _sync"

static const struct unsupported unsupported[] = {
    { "cudaBindSurface", true, true, REFERENCE },
    { "cudaGetSurfaceReference", false, true, REFERENCE },
    { "surfaceReference", false, false, REFERENCE },
    { "surface", false, true, REFERENCE },
    { "texCubemapGrad", false, true, GRADIENT },
    { "texCubemapLayeredGrad", false, true, GRADIENT },
    { "cudaGetTextureObjectResourceViewDesc", false, true, VIEW },
    { "cudaArrayGetPlane", false, true, SPARSE },
    { "cudaArrayGetSparseProperties", false, true, SPARSE },
    { "cudaMipmappedArrayGetSparseProperties", false, true, SPARSE },
    { "cudaMipmappedArrayGetMemoryRequirements", false, true, SPARSE },
    { "cuTex", true, true, DRIVER },
    { "__nvvm_", true, true, LIBDEVICE },
    { "__nv_", true, true, LIBDEVICE },
    { "__cluster_dims__", false, false, CLUSTER },
    { "this_cluster", false, true, CLUSTER },
    { "cluster_group", false, false, CLUSTER },
    { "this_multi_grid", false, true, MULTI_GRID },
    { "multi_grid_group", false, false, MULTI_GRID },
    { "cudaLaunchCooperativeKernelMultiDevice", false, true, MULTI_GRID },
    { "cudaGraphMemAllocNodeGetParams", false, true, GRAPH_MEMORY },
    { "cudaGraphMemFreeNodeGetParams", false, true, GRAPH_MEMORY },
    { "__shfl", false, true, MASKLESS },
    { "__shfl_up", false, true, MASKLESS },
    { "__shfl_down", false, true, MASKLESS },
    { "__shfl_xor", false, true, MASKLESS },
    { "__any", false, true, MASKLESS },
    { "__all", false, true, MASKLESS },
    { "__ballot", false, true, MASKLESS },
    { "cudaImportExternal", true, true, EXTERNAL },
    { "cudaGraphics", true, true, GRAPHICS },
    { "cudaGL", true, true, GRAPHICS },
    { "curandGenerateBinomial", true, true, BINOMIAL },
    { "curandGeneratePoissonMethod", false, true, METHOD },
    { "curandMethod", true, false, METHOD },
    { "nvrtcGetLTOIR", true, true, MODULE },
    { "nvrtcGetOptiXIR", true, true, MODULE },
    { "nvJitLink", true, true, MODULE },
    { "cuLibrary", true, true, MODULE },
    { "cuLink", true, true, MODULE },
    { "cuGraph", true, true, DRIVER },
};

static bool matches_name(const struct unsupported *a, const struct token *t)
{
    size_t n = strlen(a->name);
    if (!a->prefix)
        return is(t, a->name);
    return (size_t)t->length >= n && memcmp(t->text, a->name, n) == 0;
}

const char *unsupported_advice(const char *name)
{
    const struct token t = { .text = name, .length = (int)strlen(name) };
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (matches_name(&unsupported[i], &t))
            return unsupported[i].advice;
    return NULL;
}

/* Names that are CUDA's after `::` as well, and never the program's. */
static bool is_reserved(const struct token *t)
{
    static const char *const words[] = { "this_cluster", "cluster_group",
                                         "this_multi_grid", "multi_grid_group",
                                         "__cluster_dims__", NULL };
    return is_any(t, words);
}

/* Does the program declare a function, class, variable or member of this
 * name? */
bool is_declared_by_program(const struct unit *u, const struct token *t)
{
    struct token *before = prev_code(t);
    if (is_reserved(t))
        return false;
    if (is(before, ".") || is(before, "->") || is(before, "::")
        || is_type_word(before))
        return true;
    static const char *const heads[] = { "struct", "class", "union",
                                         "typename", "namespace", "using",
                                         "enum", NULL };
    if (is_any(before, heads))
        return true;
    for (int i = 0; i < u->function_count; i++)
        if (same_text(u->functions[i].name, t))
            return true;
    return false;
}

/* Names with __nv_ of CUDA's bfloat16 and fp8 headers and of its built-in
 * atomic functions, not of libdevice. */
static bool is_no_libdevice(const struct token *t)
{
    static const char *const heads[] = { "__nv_bfloat16", "__nv_fp8",
                                         "__nv_cvt_", "__nv_atomic_" };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strncmp(t->text, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* Is this `texture<float` or `surface<void, 2>`?  Programs name variables and
 * call operators so: texture(x, y), surface < 3. */
bool is_reference_type(struct token *t)
{
    struct token *type = next_code(next_code(t));
    struct token *after = type ? next_code(type) : NULL;
    static const char *const ends[] = { ">", ",", "::", NULL };
    return is(next_code(t), "<") && type->kind == T_IDENT && after
           && (is_type_word(type) || is_any(after, ends));
}

static void check_name(struct unit *u, struct token *t)
{
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++) {
        const struct unsupported *a = &unsupported[i];
        struct token *next = next_code(t);
        if (!matches_name(a, t)
            || (a->called && !is(next, "(") && !is(next, "<")))
            continue;
        if (is_declared_by_program(u, t) || is_no_libdevice(t)
            || (is(t, "surface") && !is_reference_type(t)))
            continue;
        report_error(u, t, "%s: %s", name_of(u, t), a->advice);
    }
}

/* The template of an asm statement: its first string. */
static const struct token *asm_template(struct token *t)
{
    while (t && t->kind != T_STRING && !is(t, ";"))
        t = next_code(t);
    return t && t->kind == T_STRING ? t : NULL;
}

/* Is an asm statement PTX?  An empty template is a barrier for the compiler
 * only.  A function with __host__ can contain host assembly, whose instructions
 * have no type suffixes. */
bool is_ptx(struct token *t, bool host)
{
    static const char *const types[] = { ".b16", ".b32", ".b64", ".u16", ".u32",
                                         ".u64", ".s16", ".s32", ".s64", ".f16",
                                         ".f32", ".f64", ".pred", ".sync" };
    const struct token *text = asm_template(t);
    if (text == NULL || !host)
        return text == NULL || text->length != 2;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (memmem(text->text, (size_t)text->length, types[i],
                   strlen(types[i])))
            return true;
    return false;
}

#define WAIT "device code waits by cudaDeviceSynchronize() for all that its " \
             "block has launched"

/* A call of the runtime in device code that only the host can make. */
static void check_device_call(struct unit *u, struct token *t)
{
    static const struct {
        const char *name, *advice;
    } calls[] = {
        { "cudaStreamSynchronize", WAIT },
        { "cudaStreamQuery", WAIT },
        { "cudaEventSynchronize", WAIT },
        { "cudaEventQuery", WAIT },
        { "cudaThreadSynchronize", WAIT },
        { "cudaEventElapsedTime", "in device code subtract clock64()" },
        { "cudaMemcpy", "in device code call cudaMemcpyAsync()" },
        { "cudaMemset", "in device code call cudaMemsetAsync()" },
        { "cudaStreamCreate",
          "in device code call cudaStreamCreateWithFlags() with "
          "cudaStreamNonBlocking" },
        { "cudaEventCreate",
          "in device code call cudaEventCreateWithFlags() with "
          "cudaEventDisableTiming" },
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (is(t, calls[i].name) && !is_declared_by_program(u, t))
            report_error(u, t, "%s: %s", calls[i].name, calls[i].advice);
}

static void check_device_body(struct unit *u, const struct function *f)
{
    for (struct token *t = f->body; t && t != f->end; t = next_code(t)) {
        struct token *next = next_code(t);
        if (!f->host && is(next, "(") && !in_cccl(u, t))
            check_device_call(u, t);
    }
}

void check_unsupported(struct unit *u)
{
    for (struct token *t = skip_to_code(u->first); t; t = next_code(t))
        if (is_word(t) && !in_cccl(u, t))
            check_name(u, t);
    for (int i = 0; i < u->function_count; i++) {
        const struct function *f = &u->functions[i];
        if (f->body && (f->global || f->device))
            check_device_body(u, f);
    }
}
