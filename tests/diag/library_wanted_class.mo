// class: Motors.DC
package Motors
  model AC
    Real w = time;
  end AC;
end Motors;
// expect L002
