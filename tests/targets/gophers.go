// gophers.go: goroutines that grow their stacks, collect garbage, panic and recover.
// The numbers are those of `go test -covermode=count' for the statements; a loop's
// line counts its condition.

package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

type tree struct {
	left, right *tree
	value       int
}

func grow(depth int) *tree { // HITS 381
	if depth == 0 { // HITS 381
		return &tree{value: 1} // HITS 192
	}
	return &tree{grow(depth - 1), grow(depth - 1), depth} // HITS 189
}

func (t *tree) sum() int { // HITS 765
	if t == nil { // HITS 765
		return 0 // HITS 384
	}
	return t.value + t.left.sum() + t.right.sum() // HITS 381
}

func deep(n int) int { // HITS 2601
	var pad [16]int // HITS 2601
	pad[n%16] = n // HITS 2601
	if n == 0 { // HITS 2601
		return pad[0] // HITS 41
	}
	return deep(n-1) + pad[n%16] // HITS 2560
}

func worker(in <-chan int, out chan<- int, done *sync.WaitGroup) {
	defer done.Done()
	for n := range in { // HITS 48
		out <- deep(n) // HITS 40
	}
}

func risky(n int) (result int) { // HITS 30
	defer func() {
		if r := recover(); r != nil { // HITS 30
			result = -1 // HITS 20
		}
	}()
	if n%3 == 0 { // HITS 30
		var p *tree
		return p.value // HITS 10
	}
	if n%3 == 1 { // HITS 20
		panic("one") // HITS 10
	}
	return n // HITS 10
}

func busy(n int) int { // HITS 1
	x := 1 // HITS 1
	for i := 0; i < n; i++ { // HITS 2001
		x = x*7 + i // HITS 2000
	}
	return x
}

func main() { // HITS 1
	in, out := make(chan int), make(chan int)
	var done sync.WaitGroup
	for i := 0; i < 8; i++ {
		done.Add(1) // HITS 8
		go worker(in, out, &done)
	}
	go func() {
		for i := 0; i < 40; i++ { // HITS 41
			in <- i * 2 // HITS 40
		}
		close(in) // HITS 1
		done.Wait() // HITS 1
		close(out) // HITS 1
	}()
	total := 0
	for n := range out { // HITS 41
		total += n // HITS 40
	}
	kept := 0
	for i := 0; i < 3; i++ { // HITS 4
		kept += grow(6).sum() // HITS 3
		runtime.GC() // HITS 3
	}
	caught := 0
	for i := 0; i < 30; i++ { // HITS 31
		caught += risky(i) // HITS 30
	}
	fmt.Println(total, kept, caught, busy(2000), deep(1000)) // HITS 1
	os.Exit(3)
}
