// langs.rs: every way in which a Rust function is named, and loops, closures, iterators
// and traits, with hits read by hand.  A line that both opens a closure and is part of a
// statement outside has the hits of both: 99 is 1 + 10.

use std::collections::HashMap;
use std::fmt;
use std::ops::Add;

mod shapes {
    pub trait Area {
        fn area(&self) -> u64;
        fn double(&self) -> u64 {  // HITS 1
            self.area() * 2  // HITS 1
        }  // HITS 1
    }
    pub mod flat {
        #[derive(Clone)]
        pub struct Square {
            pub side: u64,
        }
        impl super::Area for Square {
            #[inline(never)]
            fn area(&self) -> u64 {  // HITS 2
                self.side * self.side  // HITS 2
            }  // HITS 2
        }
        impl Square {
            #[inline(never)]
            pub fn new(side: u64) -> Square {  // HITS 3
                Square { side }
            }  // HITS 3
        }
        pub struct Pair<T> {
            pub a: T,
            pub b: T,
        }
        impl<T: Copy + PartialOrd> Pair<T> {
            #[inline(never)]
            pub fn larger(&self) -> T {  // HITS 2
                if self.a > self.b {  // HITS 2
                    return self.a;  // HITS 1
                }
                self.b  // HITS 1
            }  // HITS 2
        }
    }
}
use shapes::flat::{Pair, Square};
use shapes::Area;

impl Add for Square {
    type Output = Square;
    #[inline(never)]
    fn add(self, other: Square) -> Square {  // HITS 1
        Square::new(self.side + other.side)  // HITS 1
    }  // HITS 1
}

impl fmt::Display for Square {
    #[inline(never)]
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {  // HITS 1
        write!(f, "[{}]", self.side)  // HITS 1
    }  // HITS 1
}

struct Countdown(u32);
impl Iterator for Countdown {
    type Item = u32;
    #[inline(never)]
    fn next(&mut self) -> Option<u32> {  // HITS 5
        if self.0 == 0 {  // HITS 5
            return None;  // HITS 1
        }
        self.0 -= 1;  // HITS 4
        Some(self.0)  // HITS 4
    }  // HITS 5
}

#[inline(never)]
fn largest<T: Copy + PartialOrd>(items: &[T]) -> T {  // HITS 2
    let mut best = items[0];  // HITS 2
    for &item in items {  // HITS 9
        if item > best {  // HITS 7
            best = item;  // HITS 2
        }
    }
    best  // HITS 2|none
}  // HITS 2

#[inline(never)]
fn apply<F: Fn(u64) -> u64>(f: F, times: u64) -> u64 {  // HITS 1
    let mut sum = 0;  // HITS 1
    for i in 0..times {  // HITS 11
        sum += f(i);  // HITS 10
    }
    sum  // HITS 1|none
}  // HITS 1

#[inline(never)]
fn closures(k: u64) -> u64 {  // HITS 1
    let scale = move |x: u64| {  // HITS 11
        let y = x * k;  // HITS 10
        y + 1  // HITS 10
    };  // HITS 10
    apply(scale, 10)  // HITS 1
}  // HITS 1

#[inline(never)]
fn iterators(words: &[&str]) -> usize {  // HITS 1
    let mut seen = HashMap::new();  // HITS 1
    for w in words {  // HITS 6
        *seen.entry(w.len()).or_insert(0) += 1;  // HITS 5
    }
    words  // HITS 1|none
        .iter()  // HITS 1|none
        .filter(|w| {  // HITS 6|5
            w.len() > 2  // HITS 5
        })  // HITS 5
        .map(|w| {  // HITS 3|2
            w.len()  // HITS 2
        })  // HITS 2
        .sum::<usize>()  // HITS 1|none
        + seen.len()  // HITS 1
}  // HITS 1

#[inline(never)]
fn describe(n: Option<u32>) -> &'static str {  // HITS 5
    match n {  // HITS 5
        None => "none",  // HITS 1
        Some(0) => "zero",  // HITS 1
        Some(x) if x % 2 == 0 => {  // HITS 3
            "even"  // HITS 1
        }
        Some(_) => {
            "odd"  // HITS 2
        }
    }
}  // HITS 5

fn main() {  // HITS 1
    let s = Square::new(3) + Square::new(4);  // HITS 1
    println!("{} {} {}", s, s.area(), s.double());  // HITS 1
    let p = Pair { a: 1, b: 2 };  // HITS 1
    let q = Pair { a: 2.5, b: 1.5 };  // HITS 1
    println!("{} {}", p.larger(), q.larger());  // HITS 1
    println!("{} {}", largest(&[3, 1, 4, 1, 5]), largest(&[1.5, 0.5]));  // HITS 1
    println!("{}", closures(3));  // HITS 1
    println!("{}", iterators(&["a", "bc", "def", "ghij", "k"]));  // HITS 1
    let mut total = 0;  // HITS 1
    for n in Countdown(4) {  // HITS 5
        total += n;  // HITS 4
    }
    println!("{}", total);  // HITS 1
    for n in [None, Some(0), Some(1), Some(2), Some(3)] {  // HITS 6
        print!("{} ", describe(n));  // HITS 5
    }
    println!();  // HITS 1
}  // HITS 1
