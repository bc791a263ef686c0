// counts.rs: hits of statements in Rust at opt-level 0, where rows of line 0 stand
// between those of a line: recursion inside of an expression, loops, match.

fn fact(n: u64) -> u64 {		// HITS 172
    if n < 2 {				// HITS 172
        return 1;			// HITS 19
    }
    n * fact(n - 1)			// HITS 153
}					// HITS 172

fn collatz(mut n: u64) -> u32 {		// HITS 19
    let mut steps = 0;			// HITS 19
    while n != 1 {			// HITS 208
        n = if n % 2 == 0 {		// HITS 189
            n / 2			// HITS 139
        } else {
            3 * n + 1			// HITS 50
        };
        steps += 1;			// HITS 189
    }
    steps				// HITS 19|none
}

fn sums(v: &[u64]) -> u64 {		// HITS 1
    let mut s = 0;			// HITS 1
    for x in v {			// HITS 20
        if *x > 3 {			// HITS 19
            s += x;			// HITS 15
        }
    }
    for i in 0..v.len() {		// HITS 20
        s += v[i] + i as u64;		// HITS 19
    }
    match s {				// HITS 1
        0 => 1,
        1..=10 => s + 1,
        _ => s,				// HITS 1
    }
}

fn main() {
    let mut total = 0u64;
    let v: Vec<u64> = (0..19).collect();
    for i in &v {
        total = total.wrapping_add(fact(*i));
        total = total.wrapping_add(collatz(i + 1) as u64);
    }
    println!("{}", total.wrapping_add(sums(&v)));
}
