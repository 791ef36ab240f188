#pragma once
/* structure/graph.h -- who reads whom among blocks of the simulation, actions and samples. */
#include "base/vec.h"
#include "structure/sorted.h"

/* A node reads another one. */
typedef struct {
  uint32_t to;
  bool instant; /* the value of this instant is needed */
  bool moving;  /* it moves between events, and is read then */
} GraphEdge;

/* The same the other way round; or between rows, islands or parts. */
typedef struct {
  uint32_t to;
  bool strong;
} Link;
typedef struct {
  uint32_t *start; /* those of node k: links.at[start[k] .. start[k + 1]) */
  VEC(Link) links;
} Links;

/* What a node asks for beside values. AT_START: initial() */
enum { READS_TIME = 1, READS_INPUT = 2, HAS_ORDER = 4, HAS_DELAY = 8, AT_START = 16 };

/* No node, no home; and more than one */
#define NOBODY UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

typedef struct Calls Calls; /* what keep.c knows about functions */

/* Nodes: blocks of the simulation, then actions, then samples. */
typedef struct {
  uint32_t n_blocks, first_sample, n;
  uint32_t *node_of; /* per SVar: the block that determines it, or its derivative; NOBODY */
  bool *varies;      /* per SVar: between events */
  uint32_t *start;   /* node k reads edges.at[start[k] .. start[k + 1]) */
  VEC(GraphEdge) edges;
  unsigned char *flags; /* per node */
  bool *moves;          /* per node: it determines something that varies between events */
  Links readers;        /* strong: between events, for something that varies, too */
  /* Per node, from islands_find: the island whose states it is tied to; NOBODY */
  uint32_t *core;
  Calls *calls;
} BlockGraph;

BlockGraph *graph_build(const Structure *s, Arena *a);
/* The check becomes node n, for the time being. False: it has effects. */
bool graph_read_check(BlockGraph *g, const Structure *s, const SAction *check, Arena *a);
/* The home of all nodes that a node reads, or that read it: NOBODY, one or SEVERAL; what moves
 * between events counts first. */
uint32_t home_of_reads(const BlockGraph *g, uint32_t node, const uint32_t *home);
uint32_t home_of_readers(const BlockGraph *g, uint32_t node, const uint32_t *home);
/* Per node the number of its strongly connected component, along strong links or all. */
uint32_t *links_components(const Links *g, uint32_t n, bool all, Arena *a);

/* keep.c: is the function one whose calls must stay in order, because it has effects or a
 * memory? */
Calls *calls_new(const Structure *s, Arena *a);
bool calls_have_order(Calls *calls, const Func *f);
