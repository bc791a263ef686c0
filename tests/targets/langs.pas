// langs.pas: classes, a generic, nested functions, exceptions, with hits read by hand.
program langs;
{$mode objfpc}
uses sysutils;
type
  TShape = class
    side: integer;
    constructor Create (n: integer);
    function Area: integer; virtual;
  end;
  generic TBox<T> = class
    value: T;
    function Get: T;
  end;
  TIntBox = specialize TBox<integer>;

constructor TShape.Create (n: integer);
begin  // HITS 1
  side := n;  // HITS 1
end;  // HITS 1

function TShape.Area: integer;
begin  // HITS 1
  Result := side * side;  // HITS 1
end;  // HITS 1

function TBox.Get: T;
begin  // HITS 1
  Result := value;  // HITS 1
end;  // HITS 1

function Fib (n: integer): integer;
begin  // HITS 25
  if n < 2 then  // HITS 25
    Result := n  // HITS 13
  else
    Result := Fib (n - 1) + Fib (n - 2);  // HITS 12
end;  // HITS 25

function Outer (n: integer): integer;
  function Inner (k: integer): integer;
  begin  // HITS 4
    Inner := k * n;  // HITS 4
  end;  // HITS 4
var
  i: integer;
begin  // HITS 1
  Result := 0;  // HITS 1
  for i := 1 to n do  // HITS 5
    Result := Result + Inner (i);  // HITS 4
end;  // HITS 1

procedure Show (n: integer);
begin  // HITS 5
  case n of  // HITS 5
    0: writeln ('none');  // HITS 0
    1..3: writeln ('few');  // HITS 1
  else
    writeln (n);  // HITS 4
  end;
end;  // HITS 5

function Checked (n: integer): integer;
begin  // HITS 5
  try  // HITS 5
    if n > 2 then  // HITS 5
      raise Exception.Create ('bad');  // HITS 2
    Result := n;  // HITS 3
  except
    on e: Exception do
      Result := -1;  // HITS 2
  end;
end;  // HITS 5

var
  s: TShape;
  b: TIntBox;
  i, t: integer;
begin  // HITS 1
  s := TShape.Create (4);  // HITS 1
  b := TIntBox.Create;  // HITS 1
  b.value := 5;  // HITS 1
  t := 0;  // HITS 1
  for i := 0 to 4 do  // HITS 6
    t := t + Checked (i);  // HITS 5
  Show (s.Area);  // HITS 1
  Show (b.Get);  // HITS 1
  Show (Fib (6));  // HITS 1
  Show (Outer (4));  // HITS 1
  i := 6;  // HITS 1
  while i <> 1 do  // HITS 9
    if odd (i) then  // HITS 8
      i := 3 * i + 1  // HITS 2
    else
      i := i div 2;  // HITS 6
  repeat
    inc (i);  // HITS 3
  until i > 3;  // HITS 3
  Show (t);  // HITS 1
end.  // HITS 1
