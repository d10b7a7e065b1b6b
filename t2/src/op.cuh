struct V { unsigned v; __device__ V& operator+=(V o) { V* q = &o; unsigned* p = &v; asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(*p), "l"(q)); return *this; } };
