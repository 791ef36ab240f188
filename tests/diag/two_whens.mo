model Alarm
  Boolean on(start = false, fixed = true);
equation
  when time > 1 then
    on = true;
  end when;
  when time > 2 then
    on = false;
  end when;
end Alarm;
// expect S104 at 8:5
