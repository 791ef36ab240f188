/* cli/command_new.c -- new: a model that runs, to begin with. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/report.h"

typedef struct {
  TemplateChoice is;
  const char *plot; /* variables worth a look */
  const char *text; /* @ stands for the name of the model */
} Template;

/* Each runs as it stands; tests/cli/words.py makes sure. */
static const Template templates[] = {
    {TEMPLATE_BALL, "h",
     "model @ \"A ball that bounces and loses speed at each impact\"\n"
     "  parameter Real g(unit=\"m/s2\") = 9.81 \"Acceleration of gravity\";\n"
     "  parameter Real e(unit=\"1\", min=0, max=1) = 0.8 \"Speed after an impact over speed before "
     "it\";\n"
     "  Real h(unit=\"m\", start=1, fixed=true) \"Height above the floor\";\n"
     "  Real v(unit=\"m/s\", start=0, fixed=true) \"Speed upwards\";\n"
     "equation\n"
     "  der(h) = v;\n"
     "  der(v) = -g;\n"
     "\n"
     "  // at the instant when the floor is reached the speed jumps\n"
     "  when h <= 0 then\n"
     "    reinit(v, -e*pre(v));\n"
     "  end when;\n"
     "  annotation(experiment(StopTime=3));\n"
     "end @;\n"},
    {TEMPLATE_CIRCUIT, "c.u",
     "model @ \"A diode charges a capacitor from a sine voltage\"\n"
     "  import NuSim.Electrical.*;\n"
     "  SineVoltage source(U=10, f=50);\n"
     "  Diode diode(level=NuSim.Level.Ideal);\n"
     "  Resistor r(R=5) \"Of the source\";\n"
     "  Resistor load(R=200);\n"
     "  Capacitor c(C=1e-3, u(start=0, fixed=true));\n"
     "  Ground ground;\n"
     "equation\n"
     "  connect(source.p, r.p);\n"
     "  connect(r.n, diode.p);\n"
     "  connect(diode.n, c.p);\n"
     "  connect(diode.n, load.p);\n"
     "  connect(c.n, source.n);\n"
     "  connect(load.n, source.n);\n"
     "  connect(ground.p, source.n);\n"
     "  annotation(experiment(StopTime=0.2, Interval=2e-4));\n"
     "end @;\n"},
    {TEMPLATE_CONTROL, "T",
     "model @ \"A room that a thermostat keeps warm\"\n"
     "  parameter Real T_out(unit=\"degC\") = 5 \"Outside\";\n"
     "  parameter Real T_set(unit=\"degC\") = 20 \"Wanted\";\n"
     "  parameter Real band(unit=\"K\") = 1 \"Between switching on and off\";\n"
     "  parameter Real power(unit=\"W\") = 3000 \"Of the heater\";\n"
     "  parameter Real C(unit=\"J/K\") = 2e6 \"Heat capacity of the room\";\n"
     "  parameter Real G(unit=\"W/K\") = 100 \"Conductance of the walls\";\n"
     "  Real T(unit=\"degC\", start=15, fixed=true) \"In the room\";\n"
     "  Boolean on(start=true, fixed=true) \"The heater is on\";\n"
     "equation\n"
     "  C*der(T) = G*(T_out - T) + (if on then power else 0);\n"
     "\n"
     "  // hysteresis: what was decided last stays until the other limit is reached\n"
     "  on = T < T_set - band/2 or (pre(on) and T < T_set + band/2);\n"
     "  annotation(experiment(StopTime=36000));\n"
     "end @;\n"},
};

static const Template *template_of(TemplateChoice choice) {
  const Template *t = templates;
  while (t->is != choice)
    t++;
  return t;
}

/* Where the model goes. NAME is a directory, which is made; NAME.mo is a file. */
typedef struct {
  const char *directory;    /* NULL: none is made */
  char file[PATH_MAX];      /* the whole path */
  char model[NAME_MAX + 1]; /* its name */
} Place;

static bool is_identifier(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_')
    return false;
  for (const char *p = name; *p; p++)
    if (!isalnum((unsigned char)*p) && *p != '_')
      return false;
  return true;
}

/* False after a message. A directory may be written small, its model begins with a capital
 * letter. */
static bool place_of(const char *word, Place *p) {
  const char *slash = strrchr(word, '/'), *last = slash ? slash + 1 : word;
  size_t n = strlen(last);
  bool file = n > 3 && strcmp(last + n - 3, ".mo") == 0;
  *p = (Place){.directory = file ? NULL : word};
  if (n > NAME_MAX || strlen(word) + n + sizeof "/.mo" > sizeof p->file) {
    usage_error(NULL, NULL, 0, "the name is too long");
    return false;
  }
  snprintf(p->model, sizeof p->model, "%.*s", (int)(file ? n - 3 : n), last);
  if (!is_identifier(p->model)) {
    usage_error(NULL, NULL, 0,
                "`%s` cannot be the name of a model: that is letters, digits and _, and no digit "
                "at the beginning",
                p->model);
    return false;
  }
  if (file) {
    snprintf(p->file, sizeof p->file, "%s", word);
  } else {
    p->model[0] = (char)toupper((unsigned char)p->model[0]);
    snprintf(p->file, sizeof p->file, "%s/%s.mo", word, p->model);
  }
  return true;
}

static char *fill_in(const char *text, const char *model) {
  char *out = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&out, &n);
  for (; f && *text; text++)
    if (*text == '@')
      fputs(model, f);
    else
      fputc(*text, f);
  if (!f || fclose(f) != 0)
    return NULL;
  return out;
}

/* The front end knows which words are taken: those of the language, and those that the model itself
 * needs, such as Real. */
static bool is_free(const Args *args, const char *model, const char *text) {
  Work w;
  Args silent = *args;
  NuCheck check;
  silent.json = true; /* messages are kept, not shown */
  bool read = work_open_empty(&w, &silent) == NU_OK &&
              nu_load_text(w.session, "new", text, strlen(text)) == NU_OK;
  bool good = read && nu_check(w.session, &(NuTarget){.class_name = model}, &check) == NU_OK;
  work_close(&w);
  if (!good)
    usage_error(NULL, NULL, 0, "`%s` cannot be the name of a model: %s", model,
                read ? "it would hide something that the model needs" : "it is a word of Modelica");
  return good;
}

static int refuse(const char *path) {
  if (errno == EEXIST)
    return usage_error(NULL, NULL, 0, "`%s` is there already; nothing was written", path);
  complain("F001", "cannot write `%s`: %s", path, strerror(errno));
  return EXIT_FILE;
}

static int write_model(const Place *p, const char *text) {
  if (p->directory && mkdir(p->directory, 0777) != 0)
    return refuse(p->directory);
  FILE *f = fopen(p->file, "wx");
  bool written = f && fputs(text, f) >= 0;
  if (f && fclose(f) != 0)
    written = false;
  return written ? 0 : refuse(p->file);
}

static void tell(const Place *p, const Template *t) {
  const char *slash = strrchr(p->file, '/'), *file = p->directory && slash ? slash + 1 : p->file;
  printf("%s\n\nnext steps\n", p->file);
  if (p->directory)
    printf("  cd %s\n", p->directory);
  printf("  nusim run %s\n  nusim plot %s.nus %s\n  nusim run %s --watch       # again after each "
         "change of the file\n",
         file, p->model, t->plot, file);
}

int command_new(const Args *args) {
  const Template *t = template_of(args->template);
  Place p;
  if (!place_of(args->targets.at[0], &p))
    return EXIT_USAGE;
  char *text = fill_in(t->text, p.model);
  int code = text && is_free(args, p.model, text) ? write_model(&p, text) : EXIT_USAGE;
  if (code == 0)
    tell(&p, t);
  free(text);
  return code;
}
