/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls for __device__ variables: address, size, copies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/symbols.h"
#include "call.h"
#include "copy.h"
#include "memory.h"
#include "symbol.h"

/* Before CUDA 5 a variable could be named by a string. */
static cudaError_t refuse_symbol(const void *symbol)
{
    const struct softgpu_symbol *s = softgpu_symbols();
    if (softgpu_remote || !symbol || softgpu_find_allocation(symbol)
        || softgpu_in_arena(symbol))
        return cudaErrorInvalidSymbol;
    while (s && strcmp(s->name, symbol) != 0)
        s = s->next;
    if (s)
        softgpu_warn_at_call("this names a variable by a string, which CUDA 5 "
                             "removed: pass the variable");
    return cudaErrorInvalidSymbol;
}

/* Register a variable that softcc did not register. */
static cudaError_t register_unlisted(const void *symbol, size_t size)
{
    if (!softgpu_symbol_list_is_incomplete()
        || (softgpu_remote && !softgpu_remote->is_program_data(symbol, size)))
        return refuse_symbol(symbol);
    const cudaError_t error =
        softgpu_register_range(symbol, size, SOFTGPU_SYMBOL, 0);
    return error ? error
                 : softgpu_symbol_add((char *)(uintptr_t)symbol, size);
}

/* Find a variable; a *size of 0 is set to its size. */
static cudaError_t find_symbol(const void *symbol, size_t *size)
{
    const struct softgpu_symbol *s = softgpu_symbol_at(symbol);
    if (!symbol || softgpu_in_arena(symbol) || (!*size && !s))
        return refuse_symbol(symbol);
    *size = *size ? *size : s->bytes;
    const struct softgpu_allocation *known = softgpu_find_allocation(symbol);
    if (!known)
        return register_unlisted(symbol, *size);
    return s || known->kind == SOFTGPU_SYMBOL ? cudaSuccess
                                              : cudaErrorInvalidSymbol;
}

static cudaError_t symbol_address(void **ptr, const void *symbol, size_t size)
{
    if (!ptr)
        return cudaErrorInvalidValue;
    *ptr = (void *)(uintptr_t)symbol;
    return find_symbol(symbol, &size);
}

cudaError_t softgpu_symbol_address(void **ptr, const void *symbol, size_t size)
{
    SOFTGPU_CALL(symbol_address(ptr, symbol, size));
}

static cudaError_t symbol_size(size_t *bytes, const void *symbol, size_t size)
{
    if (!bytes)
        return cudaErrorInvalidValue;
    *bytes = size;
    return find_symbol(symbol, bytes);
}

cudaError_t softgpu_symbol_size(size_t *bytes, const void *symbol, size_t size)
{
    SOFTGPU_CALL(symbol_size(bytes, symbol, size));
}

static cudaError_t copy_symbol(const struct softgpu_symbol_copy *c,
                               cudaStream_t stream, int asynchronous)
{
    if (!c) /* of a host process */
        return cudaErrorInvalidValue;
    size_t size = c->size;
    const cudaError_t error = find_symbol(c->symbol, &size);
    if (error)
        return error;
    if (c->offset > size || c->bytes > size - c->offset)
        return cudaErrorInvalidValue;
    const enum cudaMemcpyKind wrong =
        c->to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    if (c->kind == wrong || c->kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    char *at = (char *)c->symbol + c->offset;
    const struct softgpu_copy_request r =
        c->to ? softgpu_linear_copy(at, c->other, c->bytes, c->kind)
              : softgpu_linear_copy(c->other, at, c->bytes, c->kind);
    return softgpu_copy(&r, stream, asynchronous);
}

cudaError_t softgpu_copy_symbol(const struct softgpu_symbol_copy *copy)
{
    SOFTGPU_CALL(copy_symbol(copy, 0, 0));
}

cudaError_t softgpu_copy_symbol_async(const struct softgpu_symbol_copy *copy,
                                      cudaStream_t stream)
{
    SOFTGPU_CALL(copy_symbol(copy, stream, 1));
}

/* Before main(): the runtime is not initialized, because main() may still set
 * environment variables. */
void softgpu_register_symbol(struct softgpu_symbol *symbol)
{
    char *address = (char *)(uintptr_t)symbol->address;
    const int managed = symbol->kind == SOFTGPU_MANAGED_VARIABLE;
    pthread_mutex_lock(&softgpu_lock);
    if (softgpu_link_symbol(symbol)) {
        const cudaError_t error = softgpu_register_range(
            address, symbol->bytes, managed ? SOFTGPU_MANAGED : SOFTGPU_SYMBOL,
            managed ? cudaMemAttachGlobal : 0);
        if (!error && !managed)
            softgpu_symbol_add(address, symbol->bytes);
    }
    pthread_mutex_unlock(&softgpu_lock);
}

void softgpu_require_zero(const struct softgpu_symbol *symbol,
                          const char *file, int line)
{
    const char *byte = symbol->address;
    for (size_t i = 0; i < symbol->bytes; i++) {
        if (!byte[i])
            continue;
        fprintf(stderr,
                "%s:%d: error: dynamic initialization is not supported for "
                "the device's variable '%s': its constructor is not empty\n",
                file, line, symbol->name);
        _Exit(EXIT_FAILURE);
    }
}
