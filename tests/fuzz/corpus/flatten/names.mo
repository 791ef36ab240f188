package 'a b' "quoted names, keywords in quotes, dots and brackets in names"
  model 'm.x'
    Real 'if' = time;
    Real 'x[1]'[2] = {1, 2}*time;
    Real '+-*/' = 0;
  end 'm.x';
  model Test
    'm.x' 'comp 1';
    'm.x' second[2];
    Real state = 'comp 1'.'if' + second[2].'x[1]'[1];
  end Test;
end 'a b';
