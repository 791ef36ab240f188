model N
  Real state, step, event, dynamic, atomic, history; dynamic d; atomic a "x"; sfc s(k=1); statechart t; event u; hfss h;
equation
  state = step + event; transition(x); statechart.x = 3; atomic = dynamic;
end N;
