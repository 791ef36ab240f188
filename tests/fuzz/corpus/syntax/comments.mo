// first
model C /* head */ "c" // tail

  /* several
     lines */
  Real x; // x


  // before end
end C; // last
