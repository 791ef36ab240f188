/* emit/emit_text.c -- pieces of C text: lines, literals, comments, function frames.
 * Names of the model come from outside: they appear in comments with every unusual character
 * replaced, and in string literals with every unusual byte as a three-digit octal escape. Numbers
 * never contain a decimal point (locales). */
#include "emit/emit_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void line(Emit *em, const char *format, va_list args) {
  const char *text = arena_vprintf(em->a, format, args);
  size_t n = strlen(text);
  if (*text == '}' && em->open.n)
    c_scope_close(em, em->open.at[--em->open.n]);
  if (n && text[n - 1] == '{')
    vec_push(em->a, &em->open, c_scope_open(em));
  for (int k = 0; k < em->indent; k++)
    text_add(&em->body, "  ");
  text_addn(&em->body, text, n);
  text_char(&em->body, '\n');
}

void c_line(Emit *em, const char *format, ...) {
  va_list args;
  va_start(args, format);
  line(em, format, args);
  va_end(args);
}

void c_open(Emit *em, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = arena_vprintf(em->a, format, args);
  va_end(args);
  c_line(em, *text ? "%s {" : "%s{", text);
  em->indent++;
}

/* (a == b) stands without its parentheses: twice as many look like an assignment gone wrong, to
 * compilers and to readers. */
void c_open_if(Emit *em, const char *condition) {
  size_t n = strlen(condition);
  int depth = 0;
  bool whole = n > 1 && condition[0] == '(' && !strchr(condition, '"');
  for (size_t k = 0; k + 1 < n && whole; k++) {
    depth += (condition[k] == '(') - (condition[k] == ')');
    whole = depth > 0;
  }
  if (whole)
    c_open(em, "if (%.*s)", (int)(n - 2), condition + 1);
  else
    c_open(em, "if (%s)", condition);
}

void c_close(Emit *em) {
  em->indent--;
  c_line(em, "}");
}

void c_check(Emit *em, const char *call) {
  em->uses_mask |= USES_STATUS;
  c_line(em, "if ((status = %s) != DS_OK)", call);
  c_line(em, "  goto done;");
}

void c_fail_if(Emit *em, const char *condition, const char *message) {
  em->uses_mask |= USES_STATUS;
  c_open_if(em, condition);
  c_line(em, "status = d->host->fail(d, &places[%u], %s);", c_place(em, em->span),
         c_string(em, message));
  c_line(em, "goto done;");
  c_close(em);
}

const char *c_real(Emit *em, double v) {
  if (isnan(v))
    return "(0x0p0 / 0x0p0)";
  if (isinf(v))
    return v > 0 ? "(0x1p1023 * 2)" : "(-0x1p1023 * 2)";
  int exponent;
  double fraction = frexp(fabs(v), &exponent); /* [0.5, 1) */
  uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
  exponent -= 53;
  while (mantissa && !(mantissa & 1))
    mantissa >>= 1, exponent++;
  if (!mantissa)
    exponent = 0;
  if (exponent > 0 && exponent < 40 && mantissa < (1u << 12))
    mantissa <<= exponent, exponent = 0;
  const char *sign = signbit(v) ? "-" : "";
  const char *text = arena_printf(em->a, "%s0x%llxp%d", sign, (unsigned long long)mantissa,
                                  exponent);
  return *sign ? arena_printf(em->a, "(%s)", text) : text;
}

const char *c_integer(Emit *em, int64_t v) {
  if (v == INT64_MIN)
    return "(-9223372036854775807LL - 1)";
  return v < 0 ? arena_printf(em->a, "(%lldLL)", (long long)v)
               : arena_printf(em->a, "%lldLL", (long long)v);
}

static bool plain(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c && strchr(" _.,:;()[]{}+-=<>'!#%&|~^$@/", c));
}

void c_add_string(Text *out, const char *text) {
  text_char(out, '"');
  for (const char *c = text, *end; *c; c = end) {
    for (end = c; plain((unsigned char)*end); end++)
      ;
    text_addn(out, c, (size_t)(end - c));
    if (*end)
      text_printf(out, "\\%03o", (unsigned char)*end++);
  }
  text_char(out, '"');
}

const char *c_string(Emit *em, const char *text) {
  Text out = {.arena = em->a};
  c_add_string(&out, text ? text : "");
  return text_str(&out);
}

const char *c_comment(Emit *em, const char *text) {
  Text out = {.arena = em->a};
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    text_char(&out, plain(*c) ? (char)*c : '_');
  return text_str(&out);
}

const char *c_type(TypeBase base) {
  switch (base) {
  case TY_REAL: return "double ";
  case TY_STRING: return "const char *";
  case TY_INTEGER:
  case TY_BOOLEAN:
  case TY_ENUM:
  case TY_EXTERNAL: return "long long ";
  case TY_RECORD:
  case TY_FUNCTION:
  case TY_TUPLE: return "const DsCell *";
  case TY_NONE:
  case TY_CLOCK: break;
  }
  return "long long ";
}

uint32_t c_place(Emit *em, Span span) { return describe_place(em->about, span); }

const char *c_place_text(Emit *em, Span span) { return describe_where(em->about, span).where; }

void c_refuse(Emit *em, const char *what) {
  if (em->func)
    diag_add(em->diags, D_X001, em->span, "%s is not supported yet (in function `%s`)", what,
             em->func->name);
  else
    diag_add(em->diags, D_X001, em->span, "%s is not supported yet", what);
}

void c_function_begin(Emit *em) {
  em->body = em->arrays = (Text){.arena = em->a};
  em->n_array_cells = 0;
  em->indent = 1;
  em->uses_mask = 0;
  em->n_temps = 0;
  em->uses = em->keep = em->calls_inside = em->locals = (Map){0};
  em->kept.n = em->open.n = 0;
}

const char *c_over_end(const Emit *em) {
  return em->uses_mask & USES_OVER
             ? "  if (over && status == DS_OK)\n    status = d->host->overflow(d, over);\n"
             : "";
}

void c_function_end(Emit *em, const char *head) {
  static const struct {
    uint32_t bit;
    const char *text;
  } pointers[] = {{USES_R, "double *const r = d->r;"},
                  {USES_I, "long long *const i = d->i;"},
                  {USES_S, "const char **const s = d->s;"},
                  {USES_R_PRE, "double *const r_pre = d->r_pre;"},
                  {USES_I_PRE, "long long *const i_pre = d->i_pre;"},
                  {USES_S_PRE, "const char **const s_pre = d->s_pre;"},
                  {USES_RELATION, "unsigned char *const relation = d->relation;"},
                  {USES_SAMPLE, "const unsigned char *const sample = d->sample;"},
                  {USES_STATUS | USES_OVER, "int status = DS_OK;"},
                  {USES_CELLS, "const long long top = d->top;"},
                  {USES_OVER, "const DsPlace *over = 0;"}};
  text_printf(&em->code, "%s {\n", head);
  for (size_t k = 0; k < sizeof pointers / sizeof *pointers; k++)
    if (em->uses_mask & pointers[k].bit)
      text_printf(&em->code, "  %s\n", pointers[k].text);
  text_add(&em->code, text_str(&em->arrays));
  text_add(&em->code, text_str(&em->body));
  if (em->uses_mask & USES_STATUS)
    text_add(&em->code, "done:\n");
  text_add(&em->code, c_over_end(em));
  if (em->uses_mask & USES_CELLS)
    text_add(&em->code, "  d->top = top;\n");
  if (!em->uses_mask)
    text_add(&em->code, "  (void)d;\n");
  text_printf(&em->code, "  return %s;\n}\n\n",
              em->uses_mask & (USES_STATUS | USES_OVER) ? "status" : "DS_OK");
}
