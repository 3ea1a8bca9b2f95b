/* SPDX-License-Identifier: MIT */
/* The tests of common/base: one suite a part. */
#include "run_tests.h"

extern CU_TestInfo image_tests[], sheet_tests[], files_tests[],
    new_file_tests[], output_file_tests[], temp_dir_tests[], html_tests[],
    json_tests[], number_tests[];

int main(void)
{
    CU_SuiteInfo suites[] = {
        {.pName = "image", .pTests = image_tests},
        {.pName = "contact sheet", .pTests = sheet_tests},
        {.pName = "files", .pTests = files_tests},
        {.pName = "new files", .pTests = new_file_tests},
        {.pName = "output files", .pTests = output_file_tests},
        {.pName = "temporary directories", .pTests = temp_dir_tests},
        {.pName = "html", .pTests = html_tests},
        {.pName = "json", .pTests = json_tests},
        {.pName = "numbers", .pTests = number_tests},
        CU_SUITE_INFO_NULL};

    return run_suites(suites);
}
