// trapped.go: handles SIGTRAP, which it sends to itself.

package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func add(n int) int {
	return n + 1 // HITS 5
}

func main() {
	traps := make(chan os.Signal, 5)
	signal.Notify(traps, syscall.SIGTRAP)
	n := 0
	for i := 0; i < 5; i++ {
		syscall.Kill(os.Getpid(), syscall.SIGTRAP)
		fmt.Println(<-traps)
		n = add(n)
	}
	fmt.Println(n)
}
