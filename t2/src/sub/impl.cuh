{asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(*p), "l"(q));}
