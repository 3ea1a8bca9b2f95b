/* SPDX-License-Identifier: MIT */
/* What softcc refuses: it names the place and what to use instead, never by
 * the host compiler's messages.  Run from the root of the source tree, as
 * `make test` does. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/tests/run_tests.h"
#include "softcc_line.h"

#define HERE "common/softgpu/softcc/tests/"

/* A difference between host and device code is reported by line. */
static void test_architecture(void)
{
    static const char line[] = "-c " HERE "cases/architecture_errors.cu "
                               "-o %s/good.o";
    line_expect_refusal(line, "errors.cu:7:11: error: 'only' is a member only");
    line_expect_refusal(line, "errors.cu:8:5: error: 'union' is a member only");
    line_expect_refusal(line, "errors.cu:12:15: error: 'number' is declared");
    line_expect_refusal(line, "errors.cu:13:15: error: 'tile' is declared in");
    line_expect_refusal(line, "errors.cu:23:25: error: 'u' has other init");
}

/* An installed CUDA Toolkit does not hide the software GPU's headers, and its
 * other headers are rejected by name, as without a Toolkit. */
static void test_toolkit_headers(void)
{
    line_make_folder("kit");
    line_make_folder("kit/crt");
    line_write("kit/crt/host_config.h", "");
    line_write("kit/cuda_runtime.h", "#error not ours\n");
    line_write("kit/nvjpeg.h", "");
    line_write("library.cu", "#ifdef MISSING\n"
                             "#include <thrust/none.h>\n#endif\n"
                             "#include <nvjpeg.h>\nint main() {}\n");
    struct result r = line_run("-I%s/kit -c %s/good.cu -o %s/good.o");
    CU_ASSERT_EQUAL(r.status, 0);
    free_result(&r);
    line_expect_refusal("-I%s/kit -c %s/library.cu -o %s/good.o",
                   "library.cu:4:1: error: <nvjpeg.h> is part of the CUDA");
    line_expect_refusal("-DMISSING -c %s/library.cu -o %s/good.o",
                   "library.cu:2:10: error: <thrust/none.h> is part of");
    if (access("/usr/bin/clang++-14", X_OK) == 0) { /* it quotes the name */
        setenv("SOFTCC_CXX", "/usr/bin/clang++-14", 1);
        line_expect_refusal("-DMISSING -c %s/library.cu -o %s/good.o",
                       "library.cu:2:10: error: <thrust/none.h> is part of");
        unsetenv("SOFTCC_CXX");
    }
}

/* A Toolkit's headers that a C++ file finds, itself or through its own header.
 */
static void test_found_headers(void)
{
    line_write("kit.cpp",
               "#include <cuda_runtime.h>\n#include <nvjpeg.h>\n"
               "int main() { return nvjpegNone(); }\n");
    line_make_folder("kit");
    line_write("kit/nvjpeg.h", "int nvjpegNone();\n");
    line_expect_refusal("-I%s/kit -c %s/kit.cpp -o %s/good.o",
                       "kit.cpp:2:1: error: <nvjpeg.h> is part of the CUDA");
    line_write("part.h", "#include <cuda_runtime.h>\n\n#include <nvjpeg.h>\n");
    line_write("nested.cpp", "#include \"part.h\"\n"
                             "int main() { return not_declared(); }\n");
    line_expect_refusal("-I%s/kit -c %s/nested.cpp -o %s/good.o",
                       "part.h:3:1: error: <nvjpeg.h> is part of the CUDA");
}

/* Names of CUDA that are not there are one line each, in every language, from
 * the compiler and from the linker; a program's own errors stay as they are. */
static void test_refused_names(void)
{
    line_write("call.c", "#include <cuda_runtime_api.h>\n"
                         "int main(void) { return cudaNone(1); }\n");
    line_write("link.cpp", "extern \"C\" int ncclNone();\n"
                           "int main() { return ncclNone(); }\n");
    line_write("own.cpp", "#include <cuda_runtime.h>\n"
                          "namespace cub { struct pair {} p; int n = p; }\n"
                          "int main() { return cubes + CUDA_OK + CUBE_X\n"
                          "                    + cudaFree(1, 2); }\n");
    line_write("call.cpp",
               "#include <cuda_runtime.h>\n"
               "int main() { return cudaNone(1) + nvjpegNone(); }\n");
    line_expect_refusal("-c %s/call.cpp -o %s/good.o",
                       "call.cpp:2:21: error: cudaNone: the software GPU does");
    line_expect_refusal("-c %s/call.cpp -o %s/good.o",
                       "call.cpp:2:35: error: nvjpegNone: there is no nvJPEG");
    line_write("header.cpp", "#include <npp.h>\nint main() {}\n");
    line_expect_refusal("-c %s/header.cpp -o %s/good.o",
                       "header.cpp:1:10: error: <npp.h> is part of the CUDA "
                       "Toolkit: there is no NPP on the software GPU; ");
    line_expect_refusal("-x cu -c %s/header.cpp -o %s/good.o",
                       "error: <npp.h> is part of the CUDA Toolkit: there is");
    line_write("constant.cu",
               "#include <cusparse.h>\n"
               "int main() { return cusparseNone(0, CUSPARSE_NONE,\n"
               "CUDA_R_1F, CUBLASLT_NONE, CUDNN_NONE, NVML_NONE); }\n");
    line_expect_refusal("-c %s/constant.cu -o %s/good.o",
                       "constant.cu:2:37: error: CUSPARSE_NONE: of cuSPARSE");
    line_expect_refusal("-c %s/constant.cu -o %s/good.o",
                       "constant.cu:3:1: error: CUDA_R_1F: this type");
    line_expect_refusal("-c %s/constant.cu -o %s/good.o",
                       "constant.cu:3:12: error: CUBLASLT_NONE: of cuBLAS");
    line_write("type.cpp", "#include <cusolverDn.h>\n"
                           "int main() { gesvdjInfo_t info; cusolverNo();\n"
                           "cusolverNone(); }\n");
    line_expect_refusal("-c %s/type.cpp -o %s/good.o",
                       "type.cpp:2:14: error: gesvdjInfo_t: of cuSOLVER");
    line_expect_refusal("-c %s/type.cpp -o %s/good.o",
                       "type.cpp:3:1: error: cusolverNone: not on the software "
                       "GPU either\n");
    line_expect_refusal("-c %s/call.c -o %s/good.o",
                       "call.c:2:25: error: cudaNone: ");
    line_expect_refusal("-g %s/link.cpp -o %s/good.o",
                       "error: ncclNone: there is no NCCL");
    line_expect_refusal("%s/good.cu -lnvjpeg -o %s/good.o",
                       "softcc: error: -lnvjpeg: there is no nvJPEG");
    struct result r = line_run("-c %s/own.cpp -o %s/good.o");
    CU_ASSERT_EQUAL(r.status, 1);
    CU_ASSERT_PTR_NULL(strstr(r.err.bytes, "software GPU"));
    free_result(&r);
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"architecture", test_architecture},
        {"toolkit", test_toolkit_headers},
        {"found headers", test_found_headers},
        {"refused names", test_refused_names},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        {"softcc, refusals", line_set_up, line_tear_down, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return run_suites(suites);
}
