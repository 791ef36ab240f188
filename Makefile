# NuSim. `make run` and `make test` do everything on a fresh Debian 12; `build/nusim` is the program.
# B is the build directory. V=asan builds with sanitizers, and vectors that move at every push, in B-asan;
# V=fuzz does for libFuzzer in B-fuzz; V=tsan builds with ThreadSanitizer in B-tsan. V=hostile moves vectors, too, and
# makes limits so small that everything takes its slower way (src/base/limits.def), in B-hostile.
B ?= build
V ?= plain
O  = $(B)$(if $(filter plain,$(V)),,-$(V))
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
FUZZ_SECONDS ?= 600
HOSTILE ?= unit diag flat structure sim events modes store equiv
RANDOM_SEEDS ?= 100000-104999

ifeq ($(V),fuzz)
CC = clang
endif
MODE_plain = -O2 -g
MODE_asan  = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -DNUSIM_HOSTILE
MODE_tsan  = -O1 -g -fno-omit-frame-pointer -fsanitize=thread
MODE_fuzz  = $(MODE_asan) -fsanitize=fuzzer-no-link
MODE_hostile = -O1 -g -DNUSIM_HOSTILE -DNUSIM_SMALL
MODE       = $(MODE_$(V)) $(CFLAGS)
WARN  = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror=switch
FLAGS = -std=c17 -D_GNU_SOURCE -fvisibility=hidden -ffp-contract=off -Isrc -Iinclude -isystem /usr/include/suitesparse $(WARN)
EXPORTS = -Wl,--dynamic-list=src/run/exports
LIBS  = $(EXPORTS) -ltcc -lcminpack -lsundials_cvode -lsundials_ida -lsundials_sunlinsolklu -lsundials_generic -lklu -lsqlite3 -lcairo -lz -lm -ldl -lpthread

SRC   := $(sort $(wildcard src/*/*.c))
LIB   := $(patsubst %.c,$(O)/%.o,$(filter-out src/cli/%,$(SRC))) $(O)/errors.o
CLI   := $(patsubst %.c,$(O)/%.o,$(filter src/cli/%,$(SRC)))
UNIT  := $(patsubst %.c,$(O)/%,$(sort $(wildcard tests/unit/*.c)))
THREADS = $(O)/tests/unit/test_threads
TOURS := $(patsubst examples/%.c,$(O)/%,$(wildcard examples/*.c))
BENCH := $(patsubst %.c,$(O)/%,$(sort $(wildcard tests/bench/bench_*.c)))
FUZZ  := $(patsubst %.c,$(O)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FAULT := $(patsubst %.c,$(O)/%,$(sort $(wildcard tests/fault/*.c)))
FUZZ_MAIN = $(if $(filter fuzz,$(V)),-fsanitize=fuzzer,$(O)/tests/fuzz/replay.o)
TEXTS := $(wildcard src/*/*.[ch] include/*.h tests/*/*.[ch])

all: $(O)/nusim

run: setup
	@$(MAKE) -s --no-print-directory -j$(JOBS) all
	$(O)/nusim run examples/Cylinder.mo -m Cylinder.Projected -o $(O)/cylinder.nus
	$(O)/nusim plot $(O)/cylinder.nus p f1 --modes --events --height 9
	$(O)/nusim inspect --modes $(O)/cylinder.nus

# The plain suite, then the same with sanitizers (V=asan: only that); the last line sums them up.
SUITES = $(if $(filter plain,$(V)),$(B) $(B)-asan,$(O))
test:
	@tools/setup test
	@rm -f $(SUITES:=/counts)
	@$(MAKE) --no-print-directory suite; \
	 $(if $(filter plain,$(V)),$(MAKE) --no-print-directory V=asan suite;) \
	 tests/run-tests --sum $(SUITES:=/counts)

suite: programs
	@tests/run-tests --build $(O) $(KINDS)

# ThreadSanitizer has something to say about the one with threads only.
programs:
	@$(MAKE) -s --no-print-directory -j$(JOBS) $(if $(filter tsan,$(V)),$(THREADS),all $(UNIT) $(FUZZ) $(FAULT) $(TOURS))

# The pictures of docs/figures.md.
figures: all
	@tools/figures $(O)/nusim docs/figures

golden: all
	@tests/run-tests --build $(O) --golden flat structure events pages

torture: test
	@tools/setup torture
	@$(MAKE) --no-print-directory V=hostile suite KINDS='$(HOSTILE)'
	@tests/equiv/run $(O)/nusim --long
	@tests/random/run $(O)/nusim --seeds $(RANDOM_SEEDS) --log $(O)/random.log --found $(O)/random
	@tests/msl/run $(O)/nusim --long
	@tests/fault/run $(O)/nusim --long
	@tests/fault/run $(B)-asan/nusim --long forged flipped truncated errors
	@NUSIM_TORTURE=1 $(O)/tests/unit/test_mixed
	@NUSIM_TORTURE=1 $(O)/tests/unit/test_modes
	@NUSIM_TORTURE=1 $(O)/tests/unit/test_resume
	@NUSIM_TORTURE=1 $(O)/tests/unit/test_snapshot
	@$(MAKE) --no-print-directory V=tsan programs
	@NUSIM_TORTURE=1 $(B)-tsan/tests/unit/test_threads
	@$(MAKE) --no-print-directory V=fuzz fuzz

fuzz:
	@$(MAKE) -s --no-print-directory -j$(JOBS) $(FUZZ)
	@tests/fuzz/torture $(O) $(FUZZ_SECONDS)

bench: setup
	@$(MAKE) -s --no-print-directory -j$(JOBS) all $(BENCH)
	@for b in $(BENCH); do echo "== $$b"; $$b || exit 1; done

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/nusim
	install -m 755 $(O)/nusim $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(O)/libnusim.a $(DESTDIR)$(PREFIX)/lib
	install -m 644 include/*.h $(DESTDIR)$(PREFIX)/include
	cp -R $(wildcard library examples) $(DESTDIR)$(PREFIX)/share/nusim
	tools/install-words $(O)/nusim $(DESTDIR)$(PREFIX)/share

setup:
	@tools/setup

fmt:
	@tools/setup style
	clang-format -i $(TEXTS)

tidy:
	@tools/setup style
	clang-tidy --quiet $(SRC) -- $(filter-out -W%,$(FLAGS))

clean:
	rm -rf $(B) $(B)-asan $(B)-tsan $(B)-fuzz $(B)-hostile

# The program finds the models of `library` beside itself.
$(O)/nusim: $(CLI) $(O)/libnusim.a src/run/exports
	@ln -sfn $(CURDIR)/library $(@D)/library
	@echo "link $@"
	@$(CC) $(MODE) -o $@ $(CLI) $(O)/libnusim.a $(LIBS)

$(O)/libnusim.a: $(LIB)
	@rm -f $@
	@ar rcs $@ $^

# Loops over vectors.
$(O)/src/numeric/%.o: MODE += $(if $(filter plain,$(V)),-O3)

$(O)/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	@echo "cc   $<"
	@$(CC) $(FLAGS) $(MODE) -MMD -MP -c -o $@ $<

# The pages of docs/errors become part of the program (nusim --explain).
$(O)/errors.c: tools/gen-errors docs/errors $(wildcard docs/errors/*.md) | $(O)/flags
	@tools/gen-errors docs/errors/*.md > $@

$(O)/errors.o: $(O)/errors.c $(O)/flags
	@$(CC) $(FLAGS) $(MODE) -MMD -MP -c -o $@ $<

$(UNIT): $(O)/%: $(O)/%.o $(O)/libnusim.a
	@$(CC) $(MODE) -o $@ $^ -lcmocka $(LIBS)

# Programs of the documentation.
$(TOURS): $(O)/%: $(O)/examples/%.o $(O)/libnusim.a
	@$(CC) $(MODE) -o $@ $^ $(LIBS)

$(BENCH): $(O)/%: $(O)/%.o $(O)/tests/bench/models.o $(O)/tests/bench/pair.o $(O)/libnusim.a
	@$(CC) $(MODE) -o $@ $^ $(LIBS)

$(FAULT): $(O)/%: $(O)/%.o $(O)/libnusim.a
	@$(CC) $(MODE) -o $@ $^ $(LIBS)

$(FUZZ): $(O)/%: $(O)/%.o $(O)/libnusim.a $(filter %.o,$(FUZZ_MAIN))
	@$(CC) $(MODE) -o $@ $< $(FUZZ_MAIN) $(O)/libnusim.a $(LIBS)

# Changes only when compiler or flags change; then everything is compiled anew.
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(FLAGS) $(MODE)' | cmp -s - $@ || echo '$(CC) $(FLAGS) $(MODE)' > $@

-include $(LIB:.o=.d) $(CLI:.o=.d) $(addsuffix .d,$(UNIT) $(BENCH) $(FUZZ) $(FAULT) $(patsubst $(O)/%,$(O)/examples/%,$(TOURS)))
.SECONDARY:
.PHONY: all run test suite programs figures golden torture fuzz bench install setup fmt tidy clean FORCE
