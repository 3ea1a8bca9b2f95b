/* SPDX-License-Identifier: MIT */
/** @file
 *  The calls about __device__ variables: address, size, copies.
 */
#include "../core/symbols.h"
#include "call.h"
#include "copy.h"
#include "memory.h"
#include "symbol.h"

/* A variable that nobody registered. */
static cudaError_t discover(const void *symbol, size_t size)
{
    if (!softgpu_symbols_are_open())
        return cudaErrorInvalidSymbol;
    const cudaError_t error =
        softgpu_remember(symbol, size, SOFTGPU_SYMBOL, 0);
    return error ? error
                 : softgpu_symbol_add((char *)(uintptr_t)symbol, size);
}

/* Find a variable; *size may be 0, and is what it is then. */
static cudaError_t find(const void *symbol, size_t *size)
{
    const struct softgpu_symbol *s = softgpu_symbol_at(symbol);
    if (!symbol || softgpu_in_arena(symbol) || (!*size && !s))
        return cudaErrorInvalidSymbol;
    *size = *size ? *size : s->bytes;
    const struct softgpu_allocation *known = softgpu_find_allocation(symbol);
    if (!known)
        return discover(symbol, *size);
    return s || known->kind == SOFTGPU_SYMBOL ? cudaSuccess
                                              : cudaErrorInvalidSymbol;
}

static cudaError_t symbol_address(void **ptr, const void *symbol, size_t size)
{
    if (!ptr)
        return cudaErrorInvalidValue;
    *ptr = (void *)(uintptr_t)symbol;
    return find(symbol, &size);
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
    return find(symbol, bytes);
}

cudaError_t softgpu_symbol_size(size_t *bytes, const void *symbol, size_t size)
{
    SOFTGPU_CALL(symbol_size(bytes, symbol, size));
}

static cudaError_t copy_symbol(const struct softgpu_symbol_copy *c,
                               cudaStream_t stream, int asynchronous)
{
    size_t size = c->size;
    const cudaError_t error = find(c->symbol, &size);
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
        c->to ? softgpu_plain_copy(at, c->other, c->bytes, c->kind)
              : softgpu_plain_copy(c->other, at, c->bytes, c->kind);
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

/* Before main(): the runtime is not started, for main() may still set the
 * environment. */
void softgpu_register_symbol(struct softgpu_symbol *symbol)
{
    char *address = (char *)(uintptr_t)symbol->address;
    const int managed = symbol->kind == SOFTGPU_MANAGED_VARIABLE;
    pthread_mutex_lock(&softgpu_lock);
    if (softgpu_link_symbol(symbol)) {
        const cudaError_t error = softgpu_remember(
            address, symbol->bytes, managed ? SOFTGPU_MANAGED : SOFTGPU_SYMBOL,
            managed ? cudaMemAttachGlobal : 0);
        if (!error && !managed)
            softgpu_symbol_add(address, symbol->bytes);
    }
    pthread_mutex_unlock(&softgpu_lock);
}
