package function_passed_on "a function that is handed on through ten others keeps its type in the flat text"
  partial function Shape
    input Real u;
    output Real y;
  end Shape;
  function square
    extends Shape;
  algorithm
    y := u*u;
  end square;
  function f0
    input Shape s;
    input Real u;
    output Real y;
  algorithm
    y := s(u) + 1;
  end f0;
  function f1
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f0(s, u);
    y := z + 1;
  end f1;
  function f2
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f1(s, u);
    y := z + 1;
  end f2;
  function f3
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f2(s, u);
    y := z + 1;
  end f3;
  function f4
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f3(s, u);
    y := z + 1;
  end f4;
  function f5
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f4(s, u);
    y := z + 1;
  end f5;
  function f6
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f5(s, u);
    y := z + 1;
  end f6;
  function f7
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f6(s, u);
    y := z + 1;
  end f7;
  function f8
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f7(s, u);
    y := z + 1;
  end f8;
  function f9
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f8(s, u);
    y := z + 1;
  end f9;
  function f10
    input Shape s;
    input Real u;
    output Real y;
  protected
    Real z;
  algorithm
    z := f9(s, u);
    y := z + 1;
  end f10;
  model Test
    Real x = f10(square, time);
  end Test;
end function_passed_on;
// class: function_passed_on.Test
