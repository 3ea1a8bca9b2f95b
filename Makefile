# SPDX-License-Identifier: MIT
# Warpbook's commands.  Sources are found by wildcards: a new .c file in a
# folder below is built, a new tests/*.c file is a test program that runs.
# SAN=1: under ASan and UBSan, in build/san.  V=1: show each command.

$(if $(V),,.SILENT:)
MAKEFLAGS += --no-print-directory $(if $(filter 0,$(MAKELEVEL)),-j$(CORES))
CORES  := $(shell nproc)
SG     := common/softgpu
BUILD  ?= build
CFLAGS ?= -O2 -g
B      := $(BUILD)$(if $(SAN),/san)
ASAN   := -fsanitize=address,undefined -fno-omit-frame-pointer
# gcc alone sees a defect in each snprintf() that may cut its text.
QUIET  := $(if $(findstring clang,$(CC)),,-Wno-format-truncation)
ALL    := -std=c11 -D_GNU_SOURCE= -Wall -Wextra -MMD -MP -pthread -fno-plt \
          -I. -Icommon/include -I$(SG)/include $(QUIET) $(CFLAGS) $(if $(SAN),$(ASAN))
# The runtime's own code section, where a signal never stops it.
OWN    := .text=softgpu_text,alloc,load,readonly,code,contents
LIBS   := -lcunit -ljansson -linih -lpng -lz -lpthread -lm

# --- what there is -----------------------------------------------------------
objects  = $(patsubst %,$(B)/obj/%.o,$(1))
mains    = $(if $(1),$(shell grep -l '^int main\b' $(1)))
SOFTCC  := $(wildcard $(addprefix $(SG)/softcc/,*.c support/*.c compiler/*.c \
             rewriter/*.c))
RUNTIME := $(wildcard $(addprefix $(SG)/,core/*.c core/*$(shell uname -m).S \
             host/*.c cards/*.c blas/*.c dnn/*.c))
BASE    := $(wildcard common/base/*.c)
TRAINER := $(wildcard common/data/*.c common/net/*.c common/train/*.c)
WATCH   := $(wildcard $(addprefix $(SG)/,instrument/*.c watch/*.c profile/*.c))
GRADER  := $(filter-out grader/runner/% grader/tests/% grader/mutants/% grader/bench/% %/calls/main.c,\
             $(sort $(shell find grader -name '*.c')))
TESTING := $(sort $(shell find common grader -path '*/tests/*.c' \
             ! -path '*/programs/*'))
PROGRAM := $(call mains,$(SOFTCC) $(GRADER) $(TRAINER))
CHECKS  := $(call mains,$(TESTING))
TESTS   := $(CHECKS:%.c=$(B)/tests/%)
BINS    := $(B)/softcc $(B)/warpbook $(B)/train
ARCHIVE := $(patsubst %,$(B)/lib/lib%.a,testing grader softcc trainer \
             softgpu_watch softgpu base)

# Both ends of each lab's calls are written by lab-calls from its settings.
CALLS   := $(patsubst grader/labs/%.ini,$(B)/calls/%_stub.c,$(wildcard grader/labs/*.ini))

# --- commands ----------------------------------------------------------------
help: ## list these commands
	awk -F':.*## ' '/^[a-z-]+:.*##/ {printf "make %-10s %s\n", $$1, $$2}' Makefile

build: $(BINS) ## build everything for the devices found
run: build ## grade the reference of every lab, then train LeNet for an epoch
test: ## build and run every test, plain and under sanitizers
	grader/setup/install.sh student test docs bench
	$(MAKE) build tests
	$(MAKE) SAN=1 build tests
	.ci/run-tests $(BUILD) $(BUILD)/san

grade: build ## grade your file: make grade LAB=01 [FROM=solutions]
	$(B)/warpbook grade $(LAB) $(if $(FROM),--from $(FROM))
prove: build ## prove every lab: handout, reference and each wrong kernel
doctor: build ## say what was found, and what each missing part switches off
run prove doctor:
	$(B)/warpbook $@
	$(if $(filter run,$@),$(B)/train --epochs 1 --out $(B)/trained/lenet)
picture: build ## blur real photographs: build/picture.png
	$(B)/warpbook picture 02 --from solutions --output $(BUILD)/picture.png
train: build ## train a network: make train NET=lenet
	$(B)/train --net $(or $(NET),lenet) --out $(B)/trained/$(or $(NET),lenet)
bench: build ## time the software GPU, and every step of the ladders
	grader/setup/install.sh bench && grader/bench/run $(B)
gpu-report: build ## on a card: check, count and time it all there
	mkdir -p $(B)/results
	$(SG)/bench/gpu-report $(B) $(B)/results/gpu.md
	grader/bench/gpu $(B) $(B)/results/ladders-gpu.md && grader/bench/train $(B) $(B)/results/training-gpu.md
results: ## publish what bench and gpu-report measured, in docs/results
	cp -R $(B)/results/. docs/results/
docs: ## make the site: build/docs/html/index.html
	grader/setup/install.sh docs && docs/make-site $(BUILD)/docs
PREFIX ?= /usr/local
install: build ## install softcc, warpbook and train: make install PREFIX=DIR
uninstall: ## remove them again
install uninstall:
	grader/setup/files $@ $(B) $(PREFIX)
clean: ## remove what was built
	rm -rf $(BUILD)
tests: $(TESTS)

# --- rules -------------------------------------------------------------------
$(B)/lib/libsoftcc.a:   $(call objects,$(filter-out $(PROGRAM),$(SOFTCC)))
$(B)/lib/libsoftgpu.a:  $(call objects,$(RUNTIME))
$(B)/lib/libsoftgpu_watch.a: $(call objects,$(WATCH))
$(B)/lib/libtrainer.a: $(call objects,$(filter-out $(PROGRAM),$(TRAINER)))
$(B)/lib/libbase.a:    $(call objects,$(BASE))
$(B)/lib/libgrader.a:   $(call objects,$(filter-out $(PROGRAM),$(GRADER)) $(CALLS))
$(B)/lib/libtesting.a:  $(call objects,$(filter-out $(CHECKS),$(TESTING)))
$(B)/softcc:   $(call objects,$(filter $(PROGRAM),$(SOFTCC))) $(ARCHIVE)
$(B)/warpbook: $(call objects,$(filter $(PROGRAM),$(GRADER))) $(ARCHIVE)
$(B)/train:    $(call objects,$(filter $(PROGRAM),$(TRAINER))) $(ARCHIVE) | $(B)/softcc
$(TESTS): $(B)/tests/%: $(B)/obj/%.c.o $(ARCHIVE) | $(BINS)

# A switch over kinds of layers must name each kind, with a default or without.
$(B)/obj/common/net/% $(B)/obj/common/train/%: ALL += -Wswitch-enum

$(B)/lab-calls: $(call objects,$(wildcard grader/calls/*.c))
	$(CC) $(ALL) -o $@ $^ -linih $(LDFLAGS)
$(CALLS): $(B)/calls/%_stub.c: grader/labs/%.ini $(B)/lab-calls
	mkdir -p $(@D)
	$(B)/lab-calls $* $< $@ $(B)/calls/$*_thunk.c
$(BINS) $(TESTS):
	mkdir -p $(@D) && echo "cc $@"
	$(CC) $(ALL) -o $@ $(filter %.o,$^) $(ARCHIVE) $(LIBS) $(LDFLAGS)
$(ARCHIVE):
	mkdir -p $(@D) && rm -f $@
	ar rcs $@ $^ && echo "ar $@"
$(B)/obj/%.o: % | $(BUILD)/setup.stamp
	mkdir -p $(@D)
	$(CC) $(ALL) -c -o $@ $<
	$(if $(filter $(RUNTIME) $(WATCH) $(BASE),$<),objcopy --rename-section $(OWN) $@)
$(BUILD)/setup.stamp: grader/setup/install.sh
	grader/setup/install.sh student && mkdir -p $(@D) && touch $@

-include $(shell find $(B)/obj -name "*.d" 2>/dev/null)
.PHONY: results help build run test tests grade prove doctor picture train bench docs gpu-report install uninstall clean
