-- langs_ada.adb: packages, nested subprograms, operators, generics, exceptions.
with Ada.Text_IO;
procedure Langs_Ada is
   package Shapes is
      type Square is tagged record
         Side : Integer;
      end record;
      function Area (S : Square) return Integer;
      function "+" (A, B : Square) return Square;
      procedure Grow (S : in out Square; By : Integer);
   end Shapes;

   package body Shapes is
      function Area (S : Square) return Integer is
      begin
         return S.Side * S.Side;
      end Area;

      function "+" (A, B : Square) return Square is
      begin
         return (Side => A.Side + B.Side);
      end "+";

      procedure Grow (S : in out Square; By : Integer) is
         procedure Step is
         begin
            S.Side := S.Side + 1;
         end Step;
      begin
         for I in 1 .. By loop
            Step;
         end loop;
      end Grow;
   end Shapes;
   use Shapes;

   generic
      type Item is private;
      with function "<" (A, B : Item) return Boolean;
   function Largest (A, B : Item) return Item;
   function Largest (A, B : Item) return Item is
   begin
      if A < B then
         return B;
      end if;
      return A;
   end Largest;
   function Largest_Int is new Largest (Integer, "<");
   function Largest_Float is new Largest (Float, "<");

   function Fib (N : Integer) return Integer is
   begin
      if N < 2 then
         return N;
      else
         return Fib (N - 1) + Fib (N - 2);
      end if;
   end Fib;

   Bad : exception;

   function Checked (N : Integer) return Integer is
   begin
      if N > 2 then
         raise Bad;
      end if;
      return N;
   exception
      when Bad =>
         return -1;
   end Checked;

   procedure Show (N : Integer) is
   begin
      case N is
         when 0 =>
            Ada.Text_IO.Put_Line ("none");
         when 1 .. 3 =>
            Ada.Text_IO.Put_Line ("few");
         when others =>
            Ada.Text_IO.Put_Line (Integer'Image (N));
      end case;
   end Show;

   S : Square := (Side => 2);
   T : Integer := 0;
   N : Integer := 6;
begin
   Grow (S, 3);
   S := S + S;
   Show (Area (S));
   for I in 0 .. 4 loop
      T := T + Checked (I);
   end loop;
   while N /= 1 loop
      if N mod 2 = 0 then
         N := N / 2;
      else
         N := 3 * N + 1;
      end if;
   end loop;
   loop
      N := N + 1;
      exit when N > 3;
   end loop;
   Show (T);
   Show (Fib (6));
   Show (Largest_Int (2, 0));
   Show (Integer (Largest_Float (0.5, 0.2)));
end Langs_Ada;
