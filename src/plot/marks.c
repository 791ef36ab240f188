/* plot/marks.c */
#include "plot/layout.h"
void layout_measure_modes(Layout *l) { (void)l; }
double layout_key_height(const Layout *l) { (void)l; return 0; }
void layout_marks(Layout *l, const Frame *f) { (void)l; (void)f; }
void layout_modes(Layout *l, double bottom) { (void)l; (void)bottom; }
