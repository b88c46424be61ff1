"""How many ways there are to choose some of many things."""

import math

N = {{n}}
K = {{k}}

print(f"Ways to choose {K} of {N} (the order does not matter): {math.comb(N, K)}")
print(f"Ways if the order matters: {math.perm(N, K)}")
