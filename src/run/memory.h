#pragma once
/* run/memory.h -- memory that evaluations need (memory.c). Cells and texts last for one of them;
 * texts of variables, external objects and generators of random numbers for the run. */
#include "base/limits.h"
#include "run/rooms.h"

enum { TEXT_SLOTS = 1024 };

typedef struct {
  unsigned long long s[16];
  int p;
  long long id;
} RandomState;

typedef struct CellChunk CellChunk;
typedef struct TextChunk TextChunk;
typedef struct KeptText KeptText;
typedef struct RunObject RunObject;

struct RunMemory {
  CellChunk *temps, *vars; /* where the tops of the two stacks of cells are */
  TextChunk *scratch;      /* texts of the evaluation under way */
  KeptText *kept_texts[TEXT_SLOTS];
  RunObject *objects; /* external objects: handle - 1 */
  uint32_t n_objects, room_objects;
  RandomState *random; /* generators that keep their state */
  uint32_t n_random;
  const char *messages[MOST_MESSAGES]; /* of the evaluation under way, told when it ends */
  uint32_t n_messages, n_unheard;      /* n_unheard: further ones */
};

void run_message(Run *run, const char *text); /* told when the evaluation ends */
void run_clear_texts(Run *run);               /* those of the last evaluation */
void run_end_evaluation(Run *run);
void run_release_memory(Run *run); /* cells and texts */
void run_release(Run *run);        /* and external objects */
DsCell *run_cells(DsData *d, long long n);
DsCell *run_room(DsData *d, long long n);
/* a copy for as long as the run lasts, one of each */
const char *run_keep_text(Run *run, const char *text);
/* Room for n characters and a 0, until the evaluation ends; NULL if there is none */
char *run_text(Run *run, size_t n);
const char *run_text_of(Run *run, const char *text, size_t n);
const char *run_text_real(DsData *d, double value, long long digits, long long width, int left);
const char *run_text_integer(DsData *d, long long value, long long width, int left);
const char *run_text_pad(DsData *d, const char *text, long long width, int left);
const char *run_text_join(DsData *d, const char *a, const char *b);
const char *run_format_real(DsData *d, double value, const char *format);
const char *run_format_integer(DsData *d, long long value, const char *format);
/* External objects: handles; 0 after a failure. Native ones have a kind (any address), others
 * NULL. */
/* Ends the object if it fails */
long long run_add_native(Run *run, void *object, void (*end)(void *object), const void *kind);
void *run_native(const Run *run, long long handle, const void *kind);
uint32_t run_objects(const Run *run);
bool run_objects_are_native(const Run *run);
long long run_add_object(DsData *d, void *object, void (*end)(void *object));
void *run_object(DsData *d, long long handle);
/* The generator of random numbers of this id; `make`: a new one if there is none. NULL: there is
 * none, or no memory for it */
RandomState *run_generator(Run *run, long long id, bool make);
void run_random_room(Run *run, uint32_t n); /* so many from now on */
