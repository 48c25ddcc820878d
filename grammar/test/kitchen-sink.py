"""Every construct of Python 3.11 that the grammar reads, once or more."""
from __future__ import annotations
import os, os.path as path
import tilefoundry.language as tf
from . import a as b, c
from .. import d
from ...e.f import (g, h as i,)
from pypto import *

EPS = 1e-6; N = 1_024; pass
x = y = z = 0
a, b = b, a
a, *rest = 1, 2, 3
(a, [b, *c]), d.e, f[0] = g
[a, b] = c
x: int
x.y: Tensor[(N, 4), "f32"] = 3
x[0]: "late" = yield_
(x): int = 1
x += 1; x -= 1; x *= 2; x /= 2; x //= 2; x %= 2; x @= m; x &= 1; x |= 1; x ^= 1; x <<= 1; x >>= 1; x **= 2
numbers = [0, 00, 7, 1_000, 0x_Ff, 0XaB, 0o17, 0O7, 0b1010, 0B1, 1., .5, 1.5e10, 1E-5, 1_0.0_1e+1_0, 0777., 1e999, 3j, .5J, 1e1j, 18446744073709551616]
strings = 'a' "b" 'it''s', "\x41\u00e9\U0001F600\101\n\t\\\'\"\q", r"\d\n", R'raw\'', b"bytes", rb"\x", Rb'x', u"u", ''
strings = """three
lines \
joined "quoted" """, '''and 'this' one''', r'''raw \
text'''
strings = f"{x}", f"plain {{x}}", f'{x!r:>{width}}' "tail", rf"\d{x}", F"""{
    x
}""", f"a" "b"
words = True, False, None, ..., __name__, _, é, 变量
empty = (), [], {}, set()
one = (1,), [1,], {1,}, {1: 2,}
nested = ((1, 2), (3,), [4, [5]], {6: {7: 8}}, {**a, "b": c, **d}, {*a, b}, [*a, *b], (*a,))
paren = (1), ((2)), (yield_)
comprehensions = [x for x in y], {x for x in y}, {k: v for k, v in z}, (x for x in y)
comprehensions = [x for x in y if x if not x for z in x if z or y], f(x for x in y), [(a if b else c) for a, in d if e in f]
comprehensions = [lambda: 1 for _ in z], [x if y else z for x in w], [i for i in (a if b else c)], {a: b if c else d for e in f}
arithmetic = a + b - c * d / e // f % g @ h ** i ** -j, -a ** -b, +a, ~a, --a, - +~a
bits = a | b ^ c & d << e >> f, (a | b) & c
compare = a < b <= c == d != e > f >= g, a in b, a not in b, a is b, a is not b, not a in b, a == b is not c
logic = a and b or c and not d, not not a, a or (b and c)
ternary = a if b else c if d else e, (a if b else c) if d else e
lambdas = lambda: 0, lambda x: x, lambda x, y=1, *args, z, w=2, **kw: (x, y), lambda *, a: a, lambda x, /, y: y, lambda *a,: a
walrus = (n := 10), [m := 1, m], f(q := 2), {(k := 1): 2}, x[(s := 1)]
attributes = a.b.c, a.b(c).d[e](f)(g)[h].i, "s".join(t), 1 .real, 1..real, (1).real
calls = f(), f(a), f(a,), f(a, b=c, *d, e=f, **g), f(*a, *b), f(a)(b), f(lambda: 0), f(a if b else c), f(print=1, match=2, type=3)
subscripts = a[0], a[0,], a[0, 1], a[:], a[1:], a[:2], a[::3], a[1:2:3], a[::], a[:, None], a[..., 1:2, ::-1], a[b:c, d], a[()], a[*b], a[*b, c], a[i][j]
joined = a + \
    b \
    + c
joined = (a +
          b
    )
if a: pass
if a: b; c;
if a:
    b
elif c:
    d
elif e: f
else:
    g
if (n := f()) > 0:
    pass
else: pass
for x in y: pass
for x, y in z:
    break
else:
    continue
for (a, b), *c in d,: pass
for x[0], y.z in a in b, c:
    pass
for k, (acc,) in pl.range(0, K, 64, init_values=(zero,)):
    total = pl.yield_(acc)
while a < b:
	tab = 1
	if tab:
	        eight = 2
else:
    pass
while True: break
with a: pass
with a as b, c.d as e[0], f:
    pass
with (a as b, c as d,):
    pass
with (a, b): pass
with (a): pass
with (a, b) as c: pass
with (a).b as c: pass
with (yield_): pass
with Mesh(("cta",), layout=(8,)) as m:
    pass
with (
    a as b,
    c,
):
    pass
with (x for x, y in z): pass
try:
    pass
except A:
    pass
except (B, C) as e:
    raise
except:
    raise D from e
else:
    pass
finally:
    pass
try: pass
finally: pass
try:
    pass
except* E as group:
    raise F
def f(): pass
def f(a, b: int, c=1, d: int = 2, /, e=3, *args: *Ts, g, h: int = 4, **kw: dict) -> None: return
def f(*, a): return a, *b
def f(a, /): return (yield)
def f(x: Tensor[(N,), "f32"],
      y: Out[Tensor[(N,), "f32"]] = None,
      ) -> tuple[int, ...]:
    """Doc."""
    global q, r
    def inner():
        nonlocal x
        x = yield
        y = yield x, 1
        yield from z
        return
    del x, y[0], z.w
    del (a, b), [c]
    assert x
    assert x, "message"
    return lambda: (yield)
@func
@pl.function(type=pl.FunctionType.InCore)
@a.b[c](d).e
def g(x): ...
@decorate
async def h():
    async with a as b, c: pass
    async for x in y:
        await z
    else:
        pass
    return [x async for x in y if await z], await a ** 2, -await b
async def k(): pass
class A: pass
class B(): x = 1
class C(A, B, *bases, metaclass=M, **kw):
    """Doc."""
    x: int = 1

    @property
    def y(self):
        return self.x
match = 1; type = 2; case = match
match.x = type
match[0], type(1)
print(match, type)
match x:
    case 1 | 2: pass
    case [a, *b] if c:
        d
    case {"k": v, **rest} | Point(x=0) as p:
        for q in r:
            pass
    case _:
        pass
match (a, b):
    case _: pass
match -a, b:
    case _: pass
if 1if a else 2: pass
