"""Reads a JSON list of texts, writes a JSON list of dumps of their trees as Python's own parser sees them (null: a syntax error).

The form is that of `dump.ts`: lists that begin with the kind of the node.
"""
import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(100000)

UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}
BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.MatMult: "@", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}
COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in", ast.NotIn: "not in",
    ast.Is: "is", ast.IsNot: "is not",
}


def chain(op, values):
    out = dump(values[0])
    for value in values[1:]:
        out = ["BoolOp", op, out, dump(value)]
    return out


def finite(value):
    return "inf" if value == float("inf") else value


def joined(values):
    """An f-string without fields is a string."""
    return ["Str", "".join(v.value for v in values) if all(isinstance(v, ast.Constant) for v in values) else None]


def constant(value):
    if value is None or value is True or value is False:
        return ["Keyword", str(value)]
    if value is Ellipsis:
        return ["Keyword", "..."]
    if isinstance(value, int):
        return ["Num", "int", str(value)]
    if isinstance(value, float):
        return ["Num", "float", finite(value)]
    if isinstance(value, complex):
        return ["Num", "imaginary", finite(value.imag)]
    return ["Str", value if isinstance(value, str) else None]


def args(n):
    rows = [(a.lineno, a.col_offset, ["Arg", None, "*" if isinstance(a, ast.Starred) else "", dump(a.value if isinstance(a, ast.Starred) else a)]) for a in n.args]
    for k in n.keywords:
        rows.append((k.lineno, k.col_offset, ["Arg", k.arg, "" if k.arg else "**", dump(k.value)]))
    return [row for _, _, row in sorted(rows, key=lambda r: r[:2])]


def params(a):
    out = []
    plain = a.posonlyargs + a.args
    defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
    for i, (p, d) in enumerate(zip(plain, defaults)):
        out.append([p.arg, "", dump(p.annotation), dump(d)])
        if a.posonlyargs and i == len(a.posonlyargs) - 1:
            out.append(["/", "", None, None])
    if a.vararg:
        out.append([a.vararg.arg, "*", dump(a.vararg.annotation), None])
    elif a.kwonlyargs:
        out.append(["", "*", None, None])
    for p, d in zip(a.kwonlyargs, a.kw_defaults):
        out.append([p.arg, "", dump(p.annotation), dump(d)])
    if a.kwarg:
        out.append([a.kwarg.arg, "**", dump(a.kwarg.annotation), None])
    return out


def clauses(gens):
    return [[bool(g.is_async), dump(g.target), dump(g.iter), [dump(c) for c in g.ifs]] for g in gens]


def block(stmts):
    return [dump(s) for s in stmts]


def orelse(stmts):
    return block(stmts) if stmts else None


def names(aliases):
    return [[a.name, a.asname] for a in aliases]


def function(n, is_async):
    return ["FunctionDef", is_async, block(n.decorator_list), n.name, params(n.args), dump(n.returns), block(n.body)]


def with_(n, is_async):
    return ["WithStmt", is_async, [[dump(i.context_expr), dump(i.optional_vars)] for i in n.items], block(n.body)]


def for_(n, is_async):
    return ["ForStmt", is_async, dump(n.target), dump(n.iter), block(n.body), orelse(n.orelse)]


def try_(n, star):
    handlers = [[star, dump(h.type), h.name, block(h.body)] for h in n.handlers]
    return ["Try", block(n.body), handlers, orelse(n.orelse), orelse(n.finalbody)]


def word(kind):
    return lambda n: [kind]


D = {
    "Name": lambda n: ["Name", n.id],
    "Constant": lambda n: constant(n.value),
    "JoinedStr": lambda n: joined(n.values),
    "Tuple": lambda n: ["Tuple", *block(n.elts)],
    "List": lambda n: ["List", *block(n.elts)],
    "Set": lambda n: ["Set", *block(n.elts)],
    "Dict": lambda n: ["Dict", *[[dump(k), dump(v)] for k, v in zip(n.keys, n.values)]],
    "ListComp": lambda n: ["Comp", "list", None, dump(n.elt), clauses(n.generators)],
    "SetComp": lambda n: ["Comp", "set", None, dump(n.elt), clauses(n.generators)],
    "GeneratorExp": lambda n: ["Comp", "generator", None, dump(n.elt), clauses(n.generators)],
    "DictComp": lambda n: ["Comp", "dict", dump(n.key), dump(n.value), clauses(n.generators)],
    "Lambda": lambda n: ["Lambda", params(n.args), dump(n.body)],
    "IfExp": lambda n: ["Ternary", dump(n.test), dump(n.body), dump(n.orelse)],
    "UnaryOp": lambda n: ["Unary", UNARY[type(n.op)], dump(n.operand)],
    "BinOp": lambda n: ["Binary", BINARY[type(n.op)], dump(n.left), dump(n.right)],
    "BoolOp": lambda n: chain("and" if isinstance(n.op, ast.And) else "or", n.values),
    "Compare": lambda n: ["Compare", [COMPARE[type(o)] for o in n.ops], *block([n.left, *n.comparators])],
    "Call": lambda n: ["Call", dump(n.func), *args(n)],
    "Subscript": lambda n: ["Subscript", dump(n.value), dump(n.slice)],
    "Slice": lambda n: ["Slice", dump(n.lower), dump(n.upper), dump(n.step)],
    "Attribute": lambda n: ["Attribute", dump(n.value), n.attr],
    "Starred": lambda n: ["Starred", dump(n.value)],
    "Await": lambda n: ["Await", dump(n.value)],
    "Yield": lambda n: ["Yield", False, dump(n.value)],
    "YieldFrom": lambda n: ["Yield", True, dump(n.value)],
    "NamedExpr": lambda n: ["Walrus", dump(n.target), dump(n.value)],
    "Expr": lambda n: ["ExprStmt", dump(n.value)],
    "Assign": lambda n: ["AssignStmt", block(n.targets), dump(n.value)],
    "AugAssign": lambda n: ["AugAssign", dump(n.target), BINARY[type(n.op)] + "=", dump(n.value)],
    "AnnAssign": lambda n: ["AnnAssign", dump(n.target), dump(n.annotation), dump(n.value)],
    "Return": lambda n: ["ReturnStmt", dump(n.value)],
    "Pass": word("Pass"),
    "Break": word("BreakStmt"),
    "Continue": word("ContinueStmt"),
    "If": lambda n: ["IfStmt", dump(n.test), block(n.body), orelse(n.orelse)],
    "For": lambda n: for_(n, False),
    "AsyncFor": lambda n: for_(n, True),
    "While": lambda n: ["WhileStmt", dump(n.test), block(n.body), orelse(n.orelse)],
    "With": lambda n: with_(n, False),
    "AsyncWith": lambda n: with_(n, True),
    "FunctionDef": lambda n: function(n, False),
    "AsyncFunctionDef": lambda n: function(n, True),
    "ClassDef": lambda n: ["ClassDef", block(n.decorator_list), n.name, [["Arg", None, "*" if isinstance(a, ast.Starred) else "", dump(a.value if isinstance(a, ast.Starred) else a)] for a in n.bases] + [["Arg", k.arg, "" if k.arg else "**", dump(k.value)] for k in n.keywords], block(n.body)],
    "Import": lambda n: ["Import", names(n.names)],
    "ImportFrom": lambda n: ["ImportFrom", n.level, n.module or "", "*" if n.names[0].name == "*" else names(n.names)],
    "Delete": lambda n: ["Delete", block(n.targets)],
    "Assert": lambda n: ["Assert", dump(n.test), dump(n.msg)],
    "Raise": lambda n: ["Raise", dump(n.exc), dump(n.cause)],
    "Try": lambda n: try_(n, False),
    "TryStar": lambda n: try_(n, True),
    "Global": lambda n: ["Global", "global", n.names],
    "Nonlocal": lambda n: ["Global", "nonlocal", n.names],
    "Match": lambda n: ["Match", dump(n.subject)],
    "TypeAlias": lambda n: ["TypeAlias", n.name.id, dump(n.value)],
}


def dump(n):
    return None if n is None else D[type(n).__name__](n)


def tree(text):
    try:
        return block(ast.parse(text).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


json.dump([tree(text) for text in json.load(sys.stdin)], sys.stdout)
