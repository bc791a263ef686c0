// cgo.go: Go that calls C that calls Go; the C is compiled at -O0.

package main

/*
#cgo CFLAGS: -g -O0
static int square (int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) // HITS 840
    s += n; // HITS 760
  return s; // HITS 80
}
extern int goTwice (int);
static int through (int n)
{
  return goTwice (n) + 1; // HITS 80
}
*/
import "C"
import (
	"fmt"
	"runtime"
)

//export goTwice
func goTwice(n C.int) C.int {
	runtime.GC() // HITS 80
	return 2 * n // HITS 80
}

func main() {
	done := make(chan int)
	for i := 0; i < 4; i++ {
		go func(i int) {
			total := 0
			for j := 0; j < 20; j++ { // HITS 84
				total += int(C.square(C.int(j))) + int(C.through(C.int(i))) // HITS 80
			}
			done <- total // HITS 4
		}(i)
	}
	sum := 0
	for i := 0; i < 4; i++ {
		sum += <-done // HITS 4
	}
	fmt.Println(sum)
}
