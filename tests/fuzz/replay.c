/* tests/fuzz/replay.c -- a main for a fuzz target: feeds it each file named on the command line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
      fprintf(stderr, "cannot read %s\n", argv[i]);
      return 2;
    }
    size_t size = (size_t)ftell(file);
    /* No byte more, so that reading behind the end is seen */
    uint8_t *data = malloc(size ? size : 1);
    rewind(file);
    if (!data || fread(data, 1, size, file) != size) {
      fprintf(stderr, "cannot read %s\n", argv[i]);
      return 2;
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
  }
  return 0;
}
