// The table of diagnostics: code → severity, message with typed parameters in braces, one line of help.
// Ranges: TF1xxx text and grammar · TF2xxx names and static evaluation · TF3xxx types and ops · TF4xxx control flow,
// handles, directions · TF5xxx stages and targets · TF6xxx running. A code, once published, keeps its meaning.

export type Severity = "error" | "warning" | "note";

interface Row {
  readonly severity: Severity;
  /** `{name}` stands for a parameter. */
  readonly message: string;
  readonly help: string;
}

const error = <M extends string, H extends string>(message: M, help: H) => ({ severity: "error", message, help }) as const;
const note = <M extends string, H extends string>(message: M, help: H) => ({ severity: "note", message, help }) as const;
export const warning = <M extends string, H extends string>(message: M, help: H) => ({ severity: "warning", message, help }) as const;

export const CODES = {
  // TF1xxx: text and grammar
  TF1001: error("{file} is not UTF-8 (byte {offset})", "save the file as UTF-8"),
  TF1002: error("expected {expected}, found {found}", "see the grammar of the kernel language"),
  TF1003: error("unexpected indentation", "indent this line like the line above it"),
  TF1004: error("this line is indented less than its block, but matches no outer block", "use the indentation of one of the blocks around it"),
  TF1005: error("expected an indented block after {what}", "indent the next line, or write `pass`"),
  TF1006: error("{opener} is never closed", "add the matching {closer}"),
  TF1007: error("{closer} closes nothing", "remove it, or add the opening bracket"),
  TF1008: error("this string is never closed", "add the closing quote"),
  TF1009: error("{text} is not a number", "write decimal, 0x…, 0o… or 0b…; `_` only between digits"),
  TF1010: error("character {text} is not part of the language", "remove it"),
  TF1011: error("nested too deeply ({limit} levels)", "split the expression or the block into named parts"),
  TF1012: error("{what} is not part of the kernel language", "{instead}"),
  TF1013: error("a hole may not stand {where}", "a hole is a value: use it where a name may stand"),
  TF1014: error("more than {limit} syntax errors; the rest is not shown", "mend the first ones and run again"),
  TF1015: error("the text holds no kernel", "define a function decorated with `@func`, `@prim_func` or `@pl.function`"),
  TF1016: error("cannot assign to {what}", "the left side of `=` is a name, an attribute, an element, or several of these"),
  TF1017: error("{what} can neither be annotated nor updated in place", "write one statement for each of its parts"),
  TF1018: error("`{word}` goes on with no statement above it", "indent it like the statement it belongs to"),

  TF1019: error("this is no TypeScript: {message}", "mend it first: templates that end behind it are not checked"),

  TF1030: error("this is no JSON: expected {expected}, found {found}", "the text up to here is right"),

  // TF20xx: names and compile-time values
  TF2001: error("`{name}` is not defined", "define it above this line, or check the spelling"),
  TF2002: error("{what} is not in this version yet", "{instead}"),
  TF2003: error("`{name}` is defined twice", "rename one of the two"),
  TF2004: error("{what} must be known at compile time", "write a literal, a constant of the module or a hole here"),
  TF2005: error("this cannot be computed: {why}", "it is evaluated when the program is compiled, by Python's rules"),
  TF2006: error("a hole holds {found}, which is no value of the kernel language", "holes take numbers, bigints, booleans, dtypes, extents (`DimVar`) and arrays of these"),
  TF2007: error("`@{name}` is no decorator of the kernel language", "kernels are decorated with `@func`, `@prim_func` or `@pl.function`"),
  TF2008: error("`{callee}` has no argument `{name}`", "its arguments are {known}"),
  TF2009: error("`{callee}` takes {expected}, not {found}", "its arguments are {known}"),
  TF2010: error("`{module}` cannot be imported", "the text is read, not run: only names of `tilefoundry` and `pypto` are known to it"),
  TF2011: error("`{owner}` has no member `{name}`", "check the spelling"),
  TF2012: note("`{name}` is a new symbolic extent", "did you mean `{near}`? a name that nothing defines is an extent of the signature"),
  TF2013: error("`{name}` is assigned only further down", "assign it before this line"),
  TF2014: error("no parameter has an axis that is exactly `{name}`", "give one parameter an axis that is `{name}` alone: its value is read there"),
  TF2015: error("`{name}` is no function, and only ops and functions are called", "check the spelling"),
  TF2016: error("the extent `{name}` has two ranges, [{lo}, {hi}) and [{otherLo}, {otherHi})", "declare it once"),
  TF2030: error("`{name}` is a module without an entry", "call one of its functions: {functions}"),
  TF2031: error("a class holds {what}", "functions, methods, child modules and constants may stand in it"),
  TF2032: error("a class named `{name}` has no function, child or method", "give it a function, decorated with `@func`, `@prim_func` or `@pl.function`"),
  TF2033: error("the entry `{name}` is no function of the class", "name one of its functions: {functions}"),
  TF2034: error("the child `{name}` declares a target", "only the outermost module declares one: its children run where it runs"),
  TF2035: error("`{name}` places itself as a child", "a module may not hold itself: {cycle}"),
  TF2036: error("`{module}` has no function or child `{name}`", "call one of these: {functions}"),
  TF2017: error("the functions of a module name different targets: {targets}", "declare one target"),

  // TF21xx: host code, imports and bindings
  TF2101: error("the value of `{name}` is made by host code, which is not run here", "{instead}"),
  TF2102: error("`{name}` is a function of the host, which is not run here", "only functions with the decorator of a kernel are called; what a call gives may be bound to a name: `--bind NAME=VALUE`"),
  TF2103: error("this is beyond static evaluation: {why}", "write the value out, or give it with `--bind NAME=VALUE`"),
  TF2110: error("the file of `{module}` is not found", "save it beside this file, or name its folder with `--path DIR`"),
  TF2111: error("`{module}` has no name `{name}`", "check the spelling: it has {count}"),
  TF2121: error("bindings are {expected}", "write `--bind BLOCK=64`, or a JSON object with a member for each name"),
  TF2120: error("no file of the program has a constant `{name}`", "bindings give values to names that host code makes, or that constants have"),
  TF2112: error("these files import each other: {cycle}", "move what both need to a file of its own"),

  // TF31xx: annotations, extents and literals
  TF3101: error("parameter `{name}` has no type", "annotate it, as in `{name}: {example}`"),
  TF3102: error("{what} is no type", "types are `Tensor[shape, dtype]`, `Tile[shape, dtype]` and `Scalar[dtype]`"),
  TF3103: error("{what} is no dtype", "dtypes are {known}"),
  TF3104: error("{what} is no shape", "a shape is a list or a tuple of extents: `(M, 64)`, `(M,)`, `()`"),
  TF3105: error("{what} is no extent", "an extent is an integer from 0 on, a symbol, or a sum of these with `//` and `%` by literals"),
  TF3106: error("`{name}` is {found}, but its annotation says {annotated}", "change the annotation, or convert the value"),
  TF3107: warning("`{name}` returns {found}, but its annotation says {annotated}", "the inferred type counts: change the annotation"),
  TF3108: warning("{value} does not fit {dtype}: it becomes {result}", "write a value within the range of {dtype}"),
  TF3109: error("{value} cannot be {dtype}", "{instead}"),
  TF3110: error("{what} may not be {found}", "{instead}"),
  TF3111: error("{what} is no memory space", "memory spaces are {known}"),

  // TF32xx: operators and conditions
  TF3201: error("`{op}` mixes {left} and {right}", "{instead}"),
  TF3202: error("`/` divides floats; both sides are {dtype}", "write `//` for the integer quotient, or cast the operands to a float"),
  TF3203: error("`{op}` does not take {found}", "{instead}"),
  TF3204: error("a condition is a BOOL scalar, not {found}", "compare it: `{text} != 0`"),
  TF3205: error("division by zero", "the divisor is the literal 0"),
  TF3206: error("shift by {amount}, but {dtype} has {bits} bits", "shift by 0 to {last}"),
  TF3207: error("{op} {reason}", "see the primitive's operands: {operands}"),
  TF3208: error("`{op}` is not an op of `{namespace}`", "check the spelling"),
  TF3209: error("`{name}` has {rank}, but {given} written", "write one index for each axis"),
  TF3210: error("{what} has no elements to index", "only tensors, tiles and compile-time lists are indexed"),
  TF3211: warning("the value of this expression is not used", "assign it to a name, or remove it"),
  TF3212: error("`{op}` gives {count} values, and {names} names stand on the left", "write one name for each value"),
  TF3213: error("{what} is no value", "{instead}"),

  // TF41xx: control flow
  TF4101: error("`{name}` may be undefined here", "assign it before the {what}, or on every way to this line"),
  TF4102: error("`{name}` belongs to its loop and is gone after it", "{instead}"),
  TF4103: error("`{name}` is {left} on one way to this line and {right} on another", "use two names, or convert one of the values"),
  TF4104: error("`{name}` is {left} in the first iteration and {right} in the next", "use two names, or convert one of the values"),
  TF4105: error("`{word}` stands outside of any loop that it could leave", "{instead}"),
  TF4106: error("`return` may not stand in a loop", "keep the value in a name, leave the loop with `break`, and return after it"),
  TF4107: warning("this line is never reached", "remove it"),
  TF4108: error("`pl.yield_` {problem}", "it ends the body of a loop with `init_values`, or both branches of an `if`"),
  TF4109: error("{what} yields {found}, but {expected} needed", "yield one value for each name, in the same order, in every branch"),
  TF4110: error("`{name}` is {left} in one branch and {right} in the other", "yield values of one type"),
  TF4111: error("`{name}` starts as {left}, but the loop yields {right}", "yield a value of the type that `init_values` begins with"),
  TF4112: error("a `{loop}` loop takes no `{name}`", "{instead}"),
  TF4113: error("a step of 0 never ends", "write a positive or a negative step"),
  TF4114: error("{what} cannot be looped over", "loop over `pl.range`, `pl.parallel`, `pl.unroll`, `pl.pipeline`, their `T.` forms, `T.vector` or `T.nest`"),
  TF4115: error("the loop binds {expected}, but {found} written", "write `for i in …`, or `for i, (a, b) in …` with `init_values=(x, y)`"),
  TF4116: error("`{name}` is carried from one iteration of a parallel loop to the next", "loop with `pl.range`, or make it a reduction"),
  TF4117: error("not every way through `{name}` returns a value", "end every branch in a `return`"),
  TF4118: error("the returns of `{name}` differ: {left} and {right}", "return values of one type"),
  TF4119: error("a `pl.while_` loop begins with `pl.cond(…)`", "write the condition as the first statement of its body"),
  TF4120: error("{what} may not stand in `@func`", "a `@func` is assignments, loops over `range` or `tile`, and one `return`; write the kernel as `@prim_func`"),
  TF4122: error("`{name}` calls itself: {cycle}", "kernels do not recurse: write a loop"),
  TF4123: error("`{name}` takes {expected}, not {found}", "pass one argument for each parameter: `{signature}`"),
  TF4124: error("`{name}` takes {expected} as `{param}`, not {found}", "pass a value of that dtype and shape, or cast it"),
  TF4126: error("`{name}` writes its parameter `{param}`, which {problem}", "pass an array of its own that has a name and may be written"),
  TF4127: error("this is no region", "open one with `pl.at(level=…)`, `pl.cluster()`, `pl.spmd(n)` or `Mesh(…)`"),
  TF4128: error("the mesh {problem}", "a mesh is written like `with Mesh((\"cta\",), layout=(8,), names=(\"w\",)) as m:`"),
  TF4129: error("the level `{name}` is not declared", "declare it in `topologies=(Topology(\"{name}\", 8),)` of the module; it has: {levels}"),
  TF4130: error("`pl.spmd` runs no block", "give it a positive number of blocks"),
  TF4131: error("`T.sync` {problem}", "name one of them: {meshes}"),
  TF4121: error("`@func` `{name}` ends without `return`", "return the value that it computes"),

  // TF42xx: handles and directions
  TF4201: error("`{name}` is an Out parameter: rebinding the name writes nothing to it", "write through it, as with `pl.store`"),
  TF4202: warning("no statement writes the Out parameter `{name}`", "write it, or drop the wrapper"),
  TF4203: error("`{op}` writes `{name}`, which is constant", "write to another tensor"),
  TF4204: warning("`{name}` is written, but not declared `{wrapper}`", "wrap its type: `{text}`"),
  TF4205: warning("`{name}` is read before anything is written to it", "declare it `{wrapper}` if the caller's elements are meant"),
  TF4206: error("`{op}` writes its argument, and a `@func` only computes values", "write the kernel as `@prim_func`"),
  TF4207: error("`{name}` is an older name of a buffer that was written as `{newer}`: its elements are not there any more", "read `{newer}`, or read before the write"),

  // TF30xx: calls of ops
  TF3001: error("`{op}` takes {expected}, but {given} were passed", "its parameters are {params}"),
  TF3002: error("`{op}` has no parameter `{name}`", "its parameters are {params}"),
  TF3003: error("`{op}` gets `{name}` twice", "pass it once: by position or by keyword"),
  TF3004: error("`{op}` lacks its argument `{name}`", "`{name}` is {doc}"),
  TF3005: error("`{name}` of `{op}` takes {expected}, not {found}", "`{name}` is {doc}"),
  TF3006: error("`{op}` {reason}", "{doc}"),
  TF3007: error("`{op}` takes elements of {expected}, not of {found}", "convert `{name}` with `{cast}`"),
  TF3008: error("`{op}` {reason}", "nothing is there to read or write: check the offset"),
  TF3009: warning("`{op}` {reason}", "reads give 0 there and writes do nothing"),
  TF3010: error("there is no op `{name}`", "the module was made with other ops, or was changed by hand"),

  // TF60xx: arguments against the signature
  TF6001: error("`{param}` takes an array of {axes}, {shape}, not {given}", "reshape the argument"),
  TF6002: error("axis {axis} of `{param}` has extent {actual}, but its type says {expected}", "pass an array of the declared shape"),
  TF6003: error("axis {axis} of `{param}` has extent {actual}, but {because}", "both axes are the extent {symbol}: they must agree"),
  TF6004: error("axis {axis} of `{param}` has extent {actual}, but {dim} is {expected}, since {because}", "pass an array of that extent"),
  TF6005: error("extent {symbol} is {value} by {axis}, outside its declared range [{lo}, {hi})", "pass an array within the range, or widen the range of {symbol}"),
  TF6006: error("no parameter of `{function}` has an axis that is exactly {symbol}", "give one parameter an axis that is {symbol} alone: its value is read there"),

  // TF500x to TF503x: what the verifier demands of a module at a stage
  TF5001: error("{what} may not stand at stage `{stage}`", "run the passes up to `{stage}` first, or write what the stage admits"),
  TF5002: error("`{name}` is used before it is defined", "define it above this place, in the same block or one around it"),
  TF5003: error("`{name}` is used outside {what}, which binds it", "yield the value and use the result that is visible after it"),
  TF5004: error("`{name}` is defined twice", "from stage `ssa` on every variable has one definition: use a second variable"),
  TF5005: error("two variables of `{function}` are called `{name}`", "from stage `ssa` on names are unique within a function: rename one"),
  TF5006: error("{what} has {carries}, but {results}", "give it one result for each carry, in the same order"),
  TF5007: error("{what} yields {actual}, but {expected} needed", "yield one value for each result, in the same order"),
  TF5008: error("the value yielded for `{name}` is {actual}, not {expected}", "yield a value of that type, or cast it"),
  TF5009: error("a yield stands {where}", "a yield is the last statement of the body of a loop with carries, or of a branch of an `if` with results"),
  TF5010: error("{what} does not end in a yield", "end it with a yield of one value for each result"),
  TF5011: error("an `if` with results has no `else`", "add the `else` branch with its own yield"),
  TF5012: error("`{word}` stands {where}", "`break` and `continue` belong in a sequential loop or a `while`"),
  TF5013: error("a `return` stands {where}", "a function returns at the end of its block"),
  TF5014: error("`{function}` returns {actual}, but declares {expected}", "make the returned values and the declared types agree"),
  TF5015: error("`T.{op}` {reason}", "give it operands that fit, casting where dtypes differ"),
  TF5016: error("`T.{op}` gives {expected}, but is typed {actual}", "build primitives with `prim`, which types them"),
  TF5017: error("the literal {value} is no {type}", "integers are bigints, floats are numbers and bools are booleans within their dtype"),
  TF5018: error("`{name}` is {expected}, but is assigned {actual}", "assign a value of that type, or use another variable"),
  TF5019: error("the condition of {what} is {actual}, not a bool scalar", "compare it, as in `n != 0`"),
  TF5020: error("the {which} of {what} is {actual}, not an index scalar", "use an index, or cast it to one"),
  TF5021: error("the type of {what} is not known", "only an erroneous program has a value without a type: mend its errors first"),
  TF5022: error("the extent `{name}` of a type is not declared in `{function}`", "list it among the symbols of the function"),
  TF5023: error("a nest has {axes}, but {extents}", "give it one axis for each extent"),
  TF5024: error("{what}", "a parallel nest has no carries, a reduction has at least one"),
  TF5025: error("the carry `{name}` is {expected}, but starts as {actual}", "start it with a value of that type, or cast it"),
  TF5026: error("`{name}` is an array, and {what}", "from stage `lowered` on arrays are buffers: parameters and allocations, changed by `T.store` only"),
  TF5027: error("`{name}` is no buffer", "from stage `lowered` on a buffer is a parameter or is bound to a `T.alloc_tensor`"),
  TF5028: error("`T.alloc_tensor` stands within an expression", "bind the allocation to a variable of its own"),
  TF5029: error("`T.store` stands within an expression", "it has no value: write it as a statement"),
  TF5030: error("the buffer `{name}` has no offset", "run the pass `place`, or write `offset=` into its `T.alloc_tensor`"),
  TF5031: error("an array operand of `{op}` is no variable", "from stage `ssa` on each array value is assigned to a variable: run the pass `flatten`"),
  TF5032: error("the module has two functions called `{name}`", "rename one"),
  TF5033: error("the entry `{name}` is no function of the module", "name one of its functions: {functions}"),
  TF5034: error("a parallel loop carries `{name}`, which is {type}", "its iterations are independent: carry it through a sequential loop, or use a reduction"),
  TF5042: error("the child module `{name}` declares a target", "only the outermost module of a tree declares one: its children run where it runs"),
  TF5043: error("`{name}` is no function of the module `{module}`", "call one of its functions, or one of a child by its path, as in `child.f`"),
  TF5044: error("`{name}` calls itself: {cycle}", "kernels do not recurse: write a loop"),
  TF5045: error("`{name}` {reason}", "give it one argument for each parameter, of its type"),
  TF5046: error("a call of `{name}` gives {expected}, but is typed {actual}", "type the call by what the function returns"),
  TF5047: error("how many positions meet here is known only when they run", "give the mesh a static layout"),
  TF5048: error("a barrier stands where positions may go different ways", "let the condition or the trip count around it be the same for all positions"),
  TF5036: error("the array that `{op}` gives is not assigned", "from stage `ssa` on a write gives a newer handle, bound to a variable: run the pass `to-ssa`"),
  TF5035: error("`T.{op}` may not stand at stage `{stage}`", "run the pass `expand-math`"),

  // TF505x: serialized modules
  TF5050: error("{path}: expected {expected}, found {found}", "the file was changed after it was written, or is of another kind"),
  TF5051: error("the file is of version {found} of the format", "this TileFoundry reads version {expected}: write the file again with the version that you use"),
  TF5052: error("{path} lacks `{name}`", "its fields are {known}"),
  TF5053: error("{path} has no field `{name}`", "its fields are {known}"),
  TF5054: error("{path} refers to node {id}, which {why}", "nodes refer to {expected} that stand above them"),
  TF5055: error("{path} is nested too deeply: {size} levels, and {limit} may stand", "name parts of it by variables of their own"),
  TF5056: error("{path} is too large: spelt out without sharing it has {size} nodes", "what is shared may be spelt out in {limit} nodes here"),
  TF5058: error("the text of the module says something else at {path}: {message}", "a module is what its text says: change the one or the other"),
  TF5059: error("{what} is typed {actual}, but is {expected}", "type it by what it holds"),
  TF5057: error("more than {limit} faults; the rest is not shown", "mend the first ones and read the file again"),

  // TF51xx: targets
  TF5101: error("the target `{target}` is not in this version", "targets here: {known}"),
  TF5102: error("there is no target `{target}`", "targets here: {known}"),
  TF5120: error("`{function}` needs {size} bytes for its tiles, and {device} has {limit}", "use smaller tiles, or fewer at a time"),
  TF5121: error("the sizes of {names} in `{function}` multiply symbolic extents, and only one such buffer has a place", "give one of the extents a value, or work in tiles"),
  TF5122: error("the buffer `{name}` has the extent `{extent}`, which only the running kernel knows", "give it extents of the signature, or literals"),
  TF5103: error("the target `{target}` has no device `{device}`", "devices here: {known}"),
  TF5104: error("there is no stage or pass `{stage}`", "the stages are {stages}; the passes {passes}"),
  TF5110: error("{target} cannot do {what}: {reason}", "write it with other primitives, or build for another target"),
  TF5111: error("`{function}` returns a scalar, which {target} cannot hand back", "write it to an Out array of shape (1,)"),

  // TF602x: functions of a program, files, arguments on the command line
  TF6020: error("`{module}` has several functions and no entry", "name one of them: {names}"),
  TF6021: error("`{module}` has no function `{name}`", "its functions: {names}"),
  TF6022: error("{file} cannot be read: {reason}", "check the path"),
  TF6023: error("{file} cannot be written: {reason}", "choose a folder that you may write to"),
  TF6024: error("{file} is empty", "write a function decorated with `@func`, `@prim_func` or `@pl.function`"),
  TF6025: error("`{function}` has no parameter `{name}`", "its parameters: {names}"),
  TF6026: error("`{text}` is no value for `{param}`", "{expected}"),
  TF6027: error("the extent `{symbol}` of `{function}` has no value", "give it with `--dim {symbol}=NUMBER`, or give an array that has it"),
  TF6029: error("the extent `{symbol}` cannot be {value}: its range is [{lo}, {hi})", "give a whole number within the range"),
  TF6028: error("`{function}` has no symbolic extent `{name}`", "its extents: {names}"),

  // TF608x: TypeScript files
  TF6080: note("known only when the file runs: {holes}", "typed by use; `tf check --exec {file}` runs the file and checks with the values"),
  TF6081: error("the program is known only when the file runs: {holes}", "write literals or `const`s of literals in the holes, or import the file and use the program there"),
  TF6082: error("TypeScript 5, which reads {file}, is not installed", "run `npm i typescript@5`; `.tf` files need nothing"),
  TF6083: error("{file} holds several programs", "name one, or a function of one, with `--entry`: {names}"),
  TF6084: error("{file} holds no template", "kernels are tf`…` templates; `tf` is imported from \"tilefoundry\""),
  TF6085: error("no program of {file} has a function `{name}`", "its functions: {names}"),
  TF6086: error("{file} cannot be run to its end: {message}", "templates that it did not come to are typed by use"),
  TF6087: error("{file} was stopped after {seconds} seconds", "let the file that defines the kernels end by itself, or allow more with TILEFOUNDRY_EXEC_SECONDS"),

  // TF603x: compiling and loading C
  TF6030: error("no C compiler was found", "install gcc or clang (Debian: `apt-get install gcc`), or set CC; the target `wasm` needs nothing"),
  TF6031: error("the package koffi, which calls compiled C from Node, is not installed", "run `npm i koffi`; the target `wasm` needs nothing"),
  TF6032: error("{compiler} refused the emitted C: {message}", "this is a fault of TileFoundry: please report it with the kernel"),
  TF6033: error("the compiled kernel cannot be kept: {reason}", "set TILEFOUNDRY_CACHE to a folder that you may write to"),
  TF6034: error("the kernel `{function}` ran out of memory", "use smaller tiles, or fewer of them"),
  TF6038: note("kernels run on one thread: the thread pool cannot be built: {reason}", "results are the same; check that the compiler has POSIX threads"),

  // TF604x: arrays and arguments
  TF6035: error("`{name}` is a method of the class `{module}`", "methods are kept as text: call the functions and child modules from TypeScript"),
  TF6036: error("`{module}` has no part `{path}`", "name a child module or a function by its path; it has: {names}"),
  TF6037: error("`{function}` has no constant `{name}`", "bind parameters of type `ConstTensor`; it has: {constants}"),
  TF6040: error("{name} holds {actual}, but {expected} is needed", "convert the elements, or pass an array of that dtype"),
  TF6041: error("{name} has {length} elements, but shape {shape} takes {size}", "give the shape of the elements, or as many elements as the shape takes"),
  TF6042: error("{name} has an extent of {extent}", "extents are integers from 0 on"),
  TF6043: error("{name} is ragged: its lists differ in length or in depth", "make all lists of one level equally long"),
  TF6044: error("element {at} of {name}, {value}, {fault}", "give elements of dtype {dtype}"),
  TF6045: error("`{param}` takes a scalar of dtype {dtype}, but {value} {fault}", "give a value of that dtype: integers as numbers or bigints, bool as true or false"),
  TF6046: error("`{function}` needs the argument `{param}`", "pass it by its name"),
  TF6047: error("`{param}` is an array that has been freed", "pass an array that is still in use, or free it later"),
  TF6048: error("the shape of `{param}` is not known: nothing given says what {extents} is", "pass `{param}` as an array of the shape you want"),
  TF6049: error("`{a}` and `{b}` overlap in memory, and `{written}` is written", "pass a copy of one of them"),

  TF6070: error("{name} of shape {shape} and dtype {dtype} does not fit into memory", "work on smaller arrays"),

  // TF605x: WebAssembly
  TF6050: error("the module of `{function}` cannot be loaded: {reason}", "the engine must have WebAssembly with SIMD (Node 16 or newer, any browser of today)"),
  TF6051: error("`{function}` ended early: {reason}", "this is a fault of TileFoundry: please report it with the kernel"),
  TF6052: error("the arrays of `{function}` do not fit into WebAssembly's memory of 4 GiB: {arrays}", "work on parts, free arrays that are no longer used, or use the target `cpu`"),

  // TF606x: .npy files
  TF6060: error("{file} is no .npy file that can be read: {reason}", "write it with `numpy.save`"),
  TF6061: error("{file} holds elements of type {descr}, which is no dtype of this version", "convert it with `astype` to one of {known}"),
  TF6062: error("{file} is cut short: {there} bytes of elements, but shape {shape} of {dtype} takes {needed}", "write the file again"),

  // TF504x: buffers
  TF5040: error("which tensor `{name}` is, is decided while the kernel runs, and it is written", "write `{tensor}` and the other tensor each in its own branch"),
  TF6007: error("`{param}` takes elements of {expected}, not {given}", "convert the array, or change the parameter"),
  TF6008: error("`{param}` takes a scalar of {dtype}, not {given}", "pass a value of the parameter's dtype"),
  TF6009: error("`{function}` takes {expected}, not {given}", "pass one for each parameter"),

  // TF61xx: what a strict run of the interpreter reports
  TF6101: error("division by zero", "`{op}` by 0 is defined (quotient 0, remainder the dividend), but hardly meant: test the divisor first"),
  TF6102: error("{array} is read at index {index} of axis {axis}, outside its extent {extent}", "an element outside reads as 0: test the index first"),
  TF6103: error("{array} is written at index {index} of axis {axis}, outside its extent {extent}", "an element outside is not written: test the index first"),
  TF6104: error("a window of {array} starts at {index} along axis {axis}", "a window with a negative offset is empty along that axis: start it at 0"),
  TF6105: error("the step of the loop over `{variable}` is 0", "such a loop does not run: give it a step that is not 0"),
  TF6108: error("positions that meet at a barrier go different ways here", "let the condition or the trip count be the same for all positions"),
  TF6106: error("`{function}` was stopped after {limit} loop iterations", "allow more, or look for a loop that never ends"),
  TF6107: error("the arrays of `{function}` do not fit into memory", "run it on smaller arrays"),
} as const satisfies Readonly<Record<string, Row>>;

export type Code = keyof typeof CODES;

type ParamsIn<M extends string> = M extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsIn<Rest> : never;

/** The parameters that message and help of a code name, each as text. */
export type CodeParams<C extends Code> = {
  readonly [P in ParamsIn<(typeof CODES)[C]["message"]> | ParamsIn<(typeof CODES)[C]["help"]>]: string | number;
};
