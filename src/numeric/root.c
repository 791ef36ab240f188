/* numeric/root.c -- guesses inside a bracket: the zero of the parabola through its ends and the end
 * before, a little beyond it as seen from the nearer end. If the parabola is good, the guess is on
 * the other side of the zero and the bracket shrinks to what was between the nearer end and the
 * zero; so both ends come together, which regula falsi and the secant do not bring about.
 * A bracket that does not become an eighth in three rounds is halved (after Dekker and Brent:
 * Brent, Algorithms for Minimization without Derivatives, 1973, chapter 4). */
#include "numeric/numeric.h"

#include <float.h>
#include <math.h>

enum { LOOK = 3 }; /* rounds */
/* Part of the bracket that is stepped inside where nothing better is known */
static const double sliver = 1e-3;

/* Zero of the parabola, from lo; `secant` if there is none inside. */
static double parabola(const Bracket *b, double width, double secant) {
  double slope = (b->f_hi - b->f_lo) / width;
  double c = ((b->f_third - b->f_hi) / (b->third - b->hi) - slope) / (b->third - b->lo),
         p = slope - c * width;
  double q = -0.5 * (p + copysign(sqrt(p * p - 4 * c * b->f_lo), p)), first = b->f_lo / q,
         second = q / c;
  return first > 0 && first < width ? first : second > 0 && second < width ? second : secant;
}

double bracket_guess(const Bracket *b) {
  double width = b->hi - b->lo, middle = b->lo + width / 2, difference = b->f_hi - b->f_lo;
  if (b->slow || !isfinite(difference) || difference == 0)
    return middle;
  double secant = -b->f_lo * width / difference, root = secant, least = sliver * width;
  if (b->has_third && b->f_lo != 0 && b->f_hi != 0) {
    root = parabola(b, width, secant);
    double beyond = fmax(b->width / 4, 0.1 * fabs(root - secant));
    root += root < width / 2 ? beyond : -beyond;
    least = fmax(b->width / 4, DBL_EPSILON * width);
  }
  /* a guess at an end would not move */
  double x = b->lo + fmin(fmax(root, least), width - least);
  return x > b->lo && x < b->hi ? x : middle;
}

void bracket_move(Bracket *b, double x, double f, bool low) {
  b->third = low ? b->lo : b->hi;
  b->f_third = low ? b->f_lo : b->f_hi;
  b->has_third = isfinite(b->f_third);
  *(low ? &b->lo : &b->hi) = x;
  *(low ? &b->f_lo : &b->f_hi) = f;
  double width = b->hi - b->lo;
  b->slow = false;
  if (++b->rounds % LOOK == 0) {
    b->slow = b->mark > 0 && !(width < b->mark / 8);
    b->mark = width;
  }
}

/* ---- many functions ---- */

void root_differences(const double *restrict a, const double *restrict b, int n,
                      double *restrict z) {
  for (int k = 0; k < n; k++)
    z[k] = a[k] - b[k];
}

bool root_crossed(const double *side, const double *a, const double *b, int n) {
  int any = 0;
  for (int k = 0; k < n; k++)
    any |= side[k] * (a[k] - b[k]) <= 0;
  return any;
}

bool root_reached(const double *z_before, const double *z0, const double *z1, int n,
                  double before) {
  int any = 0;
  for (int k = 0; k < n; k++) {
    double reach = fabs(z1[k] - z0[k]), last = fabs(z0[k] - z_before[k]) * before;
    reach = 0.5 * (last > reach ? last : reach);
    any |= (fabs(z0[k]) < reach) | (fabs(z1[k]) < reach);
  }
  return any;
}
