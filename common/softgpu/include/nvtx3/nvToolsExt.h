/* SPDX-License-Identifier: MIT */
/** @file
 *  NVTX: annotations for profilers.  As without an attached profiler, calls
 *  have no effect.
 */
#ifndef SOFTGPU_NVTOOLSEXT_H
#define SOFTGPU_NVTOOLSEXT_H

#include "softgpu/push_macros.h"
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/** @cond: names and numbers of NVTX */
#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef enum nvtxColorType_t {
    NVTX_COLOR_UNKNOWN,
    NVTX_COLOR_ARGB
} nvtxColorType_t;

typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN,
    NVTX_MESSAGE_TYPE_ASCII,
    NVTX_MESSAGE_TYPE_UNICODE,
    NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
    NVTX_PAYLOAD_TYPE_INT64,
    NVTX_PAYLOAD_TYPE_DOUBLE,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
    NVTX_PAYLOAD_TYPE_INT32,
    NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

/* A function of NVTX: type, name, parameters, result. */
#define SOFTGPU_NVTX(type, name, parameters, result) \
    static inline __attribute__((unused)) type name parameters \
    { \
        return result; \
    }

#define SOFTGPU_RANGE NVTX_NO_PUSH_POP_TRACKING
#define SOFTGPU_EVENT const nvtxEventAttributes_t *event __attribute__((unused))
#define SOFTGPU_TEXT const char *text __attribute__((unused))
#define SOFTGPU_WIDE const wchar_t *text __attribute__((unused))
#define SOFTGPU_IN nvtxDomainHandle_t domain __attribute__((unused))
#define SOFTGPU_ID nvtxRangeId_t id __attribute__((unused))
#define SOFTGPU_NUMBER uint32_t number __attribute__((unused))

#ifdef __cplusplus
extern "C" {
#endif

SOFTGPU_NVTX(void, nvtxInitialize, (const void *p __attribute__((unused))), )
SOFTGPU_NVTX(void, nvtxMarkA, (SOFTGPU_TEXT), )
SOFTGPU_NVTX(void, nvtxMarkW, (SOFTGPU_WIDE), )
SOFTGPU_NVTX(void, nvtxMarkEx, (SOFTGPU_EVENT), )
SOFTGPU_NVTX(int, nvtxRangePushA, (SOFTGPU_TEXT), SOFTGPU_RANGE)
SOFTGPU_NVTX(int, nvtxRangePushW, (SOFTGPU_WIDE), SOFTGPU_RANGE)
SOFTGPU_NVTX(int, nvtxRangePushEx, (SOFTGPU_EVENT), SOFTGPU_RANGE)
SOFTGPU_NVTX(int, nvtxRangePop, (void), SOFTGPU_RANGE)
SOFTGPU_NVTX(nvtxRangeId_t, nvtxRangeStartA, (SOFTGPU_TEXT), 0)
SOFTGPU_NVTX(nvtxRangeId_t, nvtxRangeStartW, (SOFTGPU_WIDE), 0)
SOFTGPU_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (SOFTGPU_EVENT), 0)
SOFTGPU_NVTX(void, nvtxRangeEnd, (SOFTGPU_ID), )
SOFTGPU_NVTX(void, nvtxNameCategoryA, (SOFTGPU_NUMBER, SOFTGPU_TEXT), )
SOFTGPU_NVTX(void, nvtxNameCategoryW, (SOFTGPU_NUMBER, SOFTGPU_WIDE), )
SOFTGPU_NVTX(void, nvtxNameOsThreadA, (SOFTGPU_NUMBER, SOFTGPU_TEXT), )
SOFTGPU_NVTX(void, nvtxNameOsThreadW, (SOFTGPU_NUMBER, SOFTGPU_WIDE), )
SOFTGPU_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (SOFTGPU_TEXT), NULL)
SOFTGPU_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (SOFTGPU_WIDE), NULL)
SOFTGPU_NVTX(void, nvtxDomainDestroy, (SOFTGPU_IN), )
SOFTGPU_NVTX(void, nvtxDomainMarkEx, (SOFTGPU_IN, SOFTGPU_EVENT), )
SOFTGPU_NVTX(int, nvtxDomainRangePushEx, (SOFTGPU_IN, SOFTGPU_EVENT),
             SOFTGPU_RANGE)
SOFTGPU_NVTX(int, nvtxDomainRangePop, (SOFTGPU_IN), SOFTGPU_RANGE)
SOFTGPU_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, (SOFTGPU_IN, SOFTGPU_EVENT),
             0)
SOFTGPU_NVTX(void, nvtxDomainRangeEnd, (SOFTGPU_IN, SOFTGPU_ID), )
SOFTGPU_NVTX(void, nvtxDomainNameCategoryA,
             (SOFTGPU_IN, SOFTGPU_NUMBER, SOFTGPU_TEXT), )
SOFTGPU_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA,
             (SOFTGPU_IN, SOFTGPU_TEXT), NULL)

#ifdef __cplusplus
}
#endif

#undef SOFTGPU_NVTX
#undef SOFTGPU_RANGE
#undef SOFTGPU_EVENT
#undef SOFTGPU_TEXT
#undef SOFTGPU_WIDE
#undef SOFTGPU_IN
#undef SOFTGPU_ID
#undef SOFTGPU_NUMBER

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangePush nvtxRangePushW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif
/** @endcond */

#include "softgpu/pop_macros.h"

#endif
