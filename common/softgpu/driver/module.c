/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: modules.  A file that softcc made is a shared library: loading
 *  it registers its kernels and variables, which are the module's then.  It is
 *  never unloaded, since profiles name its kernels at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/softgpu/core/hooks.h"
#include "common/softgpu/core/read_file.h"
#include "common/softgpu/core/symbols.h"
#include "common/softgpu/rtc/ptx_text.h"
#include "driver.h"

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static struct CUmod_st *all_modules;

/* The module of a handle, or NULL after it was unloaded. */
static struct CUmod_st *module_of(CUmodule handle)
{
    struct CUmod_st *m = all_modules;
    while (m && m != handle)
        m = m->next;
    return m && m->alive ? m : NULL;
}

/* --- what a module has ---------------------------------------------------- */

/* A list of variables, newest first. */
struct variables {
    const struct softgpu_symbol **all;
    size_t count;
};

/* For softgpu_for_each_symbol(): count. */
static void count_variable(const struct softgpu_symbol *s, void *variables)
{
    (void)s;
    ((struct variables *)variables)->count++;
}

/* For softgpu_for_each_symbol(): store. */
static void store_variable(const struct softgpu_symbol *s, void *variables)
{
    struct variables *v = variables;
    v->all[v->count++] = s;
}

/* Variables registered so far. */
static size_t count_variables(void)
{
    struct variables v = {0};
    softgpu_for_each_symbol(count_variable, &v);
    return v.count;
}

/* Kernels registered so far. */
static size_t count_kernels(void)
{
    size_t n = 0;
    for (struct softgpu_kernel *k = softgpu_kernels(); k; k = k->next)
        n++;
    return n;
}

/* A module of the newest kernels and variables.  @return NULL without memory */
static struct CUmod_st *new_module(size_t kernels, size_t variables)
{
    struct CUmod_st *m = calloc(1, sizeof *m);
    struct variables all = {
        calloc(count_variables() + 1, sizeof *all.all), 0};
    struct softgpu_kernel **list = calloc(kernels + 1, sizeof *list);
    if (!m || !all.all || !list) {
        free(m);
        free(all.all);
        free(list);
        return NULL;
    }
    softgpu_for_each_symbol(store_variable, &all);
    struct softgpu_kernel *k = softgpu_kernels();
    for (size_t i = 0; i < kernels; i++, k = k->next)
        list[i] = k;
    *m = (struct CUmod_st){all_modules, 1, list, kernels,
                           (struct softgpu_symbol **)(void *)all.all,
                           variables};
    all_modules = m;
    return m;
}

/* --- loading -------------------------------------------------------------- */

/* Is it the file that runs? */
static int is_this_program(const char *path)
{
    struct stat a, b;
    return !stat(path, &a) && !stat("/proc/self/exe", &b)
           && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Load a shared library as a module; the lock `loading` is held. */
static cudaError_t load_library(CUmodule *to, const char *path)
{
    const size_t kernels = count_kernels(), variables = count_variables();
    if (!softgpu_module_imports[0] || !dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
        fprintf(stderr, "softgpu: cannot load a module: %s\n", dlerror());
        return cudaErrorInvalidKernelImage;
    }
    const size_t more = count_kernels() - kernels;
    struct CUmod_st *m = new_module(more, count_variables() - variables);
    *to = m;
    return m ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* Bytes of a file of ELF, whose section headers are its end; 0 for another. */
static size_t image_bytes(const void *image)
{
    const Elf64_Ehdr *h = image;
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_type != ET_DYN
        || h->e_ident[EI_CLASS] != ELFCLASS64 || !h->e_shoff)
        return 0;
    return h->e_shoff + (size_t)h->e_shnum * h->e_shentsize;
}

/* Load from memory: a file of its own for each module, so that one image can
 * be loaded twice. */
static cudaError_t load_image(CUmodule *to, const void *image)
{
    char path[64];
    const size_t bytes = image_bytes(image);
    if (!bytes) {
        softgpu_warn_at_call("the image of this module is not one that softcc "
                             "made: build it with softcc -cubin, -ptx or "
                             "-fatbin");
        return cudaErrorInvalidKernelImage;
    }
    const int fd = memfd_create("module", MFD_CLOEXEC);
    if (fd < 0)
        return cudaErrorOperatingSystem;
    cudaError_t error = cudaErrorOperatingSystem;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (write(fd, image, bytes) == (ssize_t)bytes)
        error = load_library(to, path);
    if (error) /* else it stays open: dlopen() knows libraries by their path */
        close(fd);
    return error;
}

/* Modules are loaded one at a time: what a load registers is counted. */
static cudaError_t load_data(CUmodule *to, const void *image)
{
    if (!to || !image)
        return cudaErrorInvalidValue;
    void *decoded = softgpu_ptx_decode(image);
    pthread_mutex_lock(&loading);
    const cudaError_t error = load_image(to, decoded ? decoded : image);
    pthread_mutex_unlock(&loading);
    free(decoded);
    return error;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, load_data(module, image));
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, load_data(module, image));
}

/* Nothing is compiled, so nothing is logged. */
static void clear_logs(unsigned count, const CUjit_option *options,
                       void **values)
{
    for (unsigned i = 0; options && values && i < count; i++)
        if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES
            || options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            values[i] = NULL;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned int count, CUjit_option *options,
                            void **values)
{
    clear_logs(count, options, values);
    SOFTGPU_DRIVER_CALL(CONTEXT, load_data(module, image));
}

/* A module of all that is registered so far. */
static cudaError_t load_registered(CUmodule *to)
{
    pthread_mutex_lock(&loading);
    *to = new_module(count_kernels(), count_variables());
    pthread_mutex_unlock(&loading);
    return *to ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* A file is read as a whole, so that it may change afterwards. */
static cudaError_t load_file(CUmodule *to, const char *path)
{
    if (!to || !path)
        return cudaErrorInvalidValue;
    if (is_this_program(path))
        return load_registered(to);
    size_t bytes;
    char *image = softgpu_read_file(path, &bytes);
    if (!image)
        return cudaErrorFileNotFound;
    const cudaError_t error = load_data(to, image);
    free(image);
    return error;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, load_file(module, path));
}

/* The handle becomes invalid; the code stays. */
static cudaError_t unload(CUmodule handle)
{
    struct CUmod_st *m = module_of(handle);
    if (!m)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t error = cudaDeviceSynchronize();
    m->alive = 0;
    return error;
}

CUresult cuModuleUnload(CUmodule module)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, unload(module));
}

/* --- look-up -------------------------------------------------------------- */

/* The mangled name of a kernel is in that of the tag type in its stub:
 * Z <function> E <tag>. */
static int has_mangled_name(const struct softgpu_kernel *k, const char *name)
{
    const size_t n = strlen(name);
    return name[0] == '_' && k->type_name
           && strncmp(k->type_name, name + 1, n - 1) == 0
           && strncmp(k->type_name + n - 1, "E11softgpu_tag", 14) == 0;
}

/* A plain name that two kernels have finds neither. */
static cudaError_t get_function(CUfunction *to, CUmodule handle,
                                const char *name)
{
    const struct CUmod_st *m = module_of(handle);
    if (!m)
        return cudaErrorInvalidResourceHandle;
    if (!to || !name || !*name)
        return cudaErrorInvalidValue;
    struct softgpu_kernel *found = NULL;
    for (size_t i = 0; i < m->kernel_count; i++) {
        struct softgpu_kernel *k = m->kernels[i];
        if (!has_mangled_name(k, name) && strcmp(k->name, name) != 0)
            continue;
        if (found)
            return cudaErrorSymbolNotFound; /* two have this plain name */
        found = k;
    }
    *to = (CUfunction)(void *)found;
    return found ? cudaSuccess : cudaErrorSymbolNotFound;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, get_function(function, module, name));
}

/* Is this the plain name, or the mangled name of such a variable in namespaces:
 * _ZN, lengths and names, and L before the last if it is static, E? */
static int has_variable_name(const struct softgpu_symbol *s, const char *name)
{
    const char *last = NULL;
    unsigned long length = 0;

    if (strcmp(s->name, name) == 0)
        return 1;
    if (strncmp(name, "_ZN", 3) != 0)
        return 0;
    for (const char *p = name + 3; *p && *p != 'E'; p = last + length) {
        char *end;
        length = strtoul(p + (*p == 'L'), &end, 10);
        last = end;
        if (!length || length > strlen(end))
            return 0;
    }
    return last && strcmp(last + length, "E") == 0
           && strlen(s->name) == length && strncmp(last, s->name, length) == 0;
}

/* Names are those of the source, or mangled.  Two variables of one plain name
 * are not told apart. */
static cudaError_t get_global(CUdeviceptr *address, size_t *bytes,
                              CUmodule handle, const char *name)
{
    const struct CUmod_st *m = module_of(handle);
    const struct softgpu_symbol *found = NULL;
    if (!m)
        return cudaErrorInvalidResourceHandle;
    if (!name)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < m->variable_count; i++) {
        const struct softgpu_symbol *s = m->variables[i];
        if (!has_variable_name(s, name))
            continue;
        if (found && found->address != s->address)
            return cudaErrorSymbolNotFound;
        found = s;
    }
    if (!found)
        return cudaErrorSymbolNotFound;
    if (address)
        *address = (CUdeviceptr)(uintptr_t)found->address;
    if (bytes)
        *bytes = found->bytes;
    return cudaSuccess;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes,
                           CUmodule module, const char *name)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, get_global(address, bytes, module, name));
}
