// spinner.go: goroutines that compute for two seconds, and are interrupted by Go's own
// clock for others and for the garbage collector.

package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

func spin(until time.Time) int {
	x, rounds := 1, 0
	for time.Now().Before(until) {
		for i := 0; i < 100; i++ {
			x = x*7 + i
		}
		rounds++
	}
	return rounds*2 + x&1
}

func main() {
	var all sync.WaitGroup
	until := time.Now().Add(2 * time.Second)
	ends := make(chan int, 8)
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			ends <- spin(until)
			all.Done()
		}()
	}
	collections := 0
	for time.Now().Before(until) {
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
		collections++
	}
	all.Wait()
	fmt.Println(len(ends), collections > 1)
}
