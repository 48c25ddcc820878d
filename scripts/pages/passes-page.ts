// packages/passes/PASSES.md: what each pass does, shown on a small kernel. The examples are run when the page is made.

import { resolveTarget, toModule, moduleText, parseProgram } from "tilefoundry";
import { STAGES, type ModuleNode, type Stage } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { PASSES, runPasses, type Pass, type PassName } from "@tilefoundry/passes";
import { hasErrors, renderDiagnostics } from "@tilefoundry/text";

const SCALE = `@prim_func
def scale(x: Tensor[(M, 8), "f32"], y: Out[Tensor[(M, 8), "f32"]]):
    for i in T.parallel(M):
        row = pl.load(x, (i, 0), (1, 8))
        pl.store(tf.mul(row, 2.0), (i, 0), y)
`;

const COUNT = `@prim_func
def count(x: Tensor[(N,), "f32"], y: Out[Tensor[(1,), "f32"]]):
    total = 0.0
    for i in T.range(N):
        if pl.read(x, (i,)) > 0.0:
            total = total + 1.0 * 1.0
    pl.write(y, (0,), total)
`;

const SQUARE = `@func
def square(x: Tensor[(4,), "f32"]):
    d = tf.sub(x, 1.0)
    return tf.mul(d, d)
`;

const CALLS = `@prim_func
def double(x: Tensor[(4,), "f32"], y: Out[Tensor[(4,), "f32"]]):
    for i in T.range(4):
        pl.write(y, (i,), pl.read(x, (i,)) * 2.0)

@prim_func(entry=True)
def twice(x: Tensor[(4,), "f32"], y: InOut[Tensor[(4,), "f32"]]):
    double(x, y)
`;

const EXP = `@prim_func
def exponential(x: Tensor[(N,), "f32"], y: Out[Tensor[(N,), "f32"]]):
    for i in T.range(N):
        pl.write(y, (i,), T.exp(pl.read(x, (i,))))
`;

const REGION = `@pl.function(type=pl.FunctionType.Orchestration)
def rows(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="relu"):
        for r in pl.parallel(M):
            pl.store(pl.relu(pl.load(x, [r, 0], [1, 8])), [r, 0], y)
`;

const REVERSE = `@prim_func
def reverse(x: InOut[Tensor[(8,), "f32"]]):
    row = pl.load(x, (0,), (8,))
    for i in T.range(8):
        pl.write(x, (i,), pl.read(row, (7 - i,)))
`;

const MEET = `@prim_func
def reverse(x: InOut[Tensor[(8,), "f32"]]):
    for i in T.parallel(8, level="thread"):
        v = pl.read(x, (i,))
        T.barrier("thread")
        pl.write(x, (7 - i,), v)
`;

/** A kernel that shows what each pass does. */
const EXAMPLES: Readonly<Record<PassName, string>> = {
  "graph-to-statements": SQUARE,
  flatten: SCALE,
  "thread-calls": CALLS,
  "to-ssa": COUNT,
  simplify: COUNT,
  "outline-scopes": REGION,
  "inline-calls": CALLS,
  "lower-ops": SCALE,
  "split-at-barriers": MEET,
  map: SCALE,
  "expand-math": EXP,
  place: REVERSE,
};

const TARGET = "wasm";

function moduleOf(text: string): ModuleNode {
  const { value, diagnostics } = parseProgram(text, "example.tf");
  if (value === undefined) throw new Error(renderDiagnostics(diagnostics));
  return toModule(value);
}

/** The texts before and after a pass. */
function shown(name: PassName): readonly [before: string, after: string] {
  const device = resolveTarget(TARGET).value?.device;
  if (device === undefined) throw new Error(`no target ${TARGET}`);
  let before = moduleOf(EXAMPLES[name]);
  let after = before;
  const { diagnostics } = runPasses(before, name, { ops: builtinOps, device, fold: true }, (_pass, module) => {
    before = after;
    after = module;
  });
  if (hasErrors(diagnostics)) throw new Error(renderDiagnostics(diagnostics));
  return [moduleText(before), moduleText(after)];
}

const fenced = (text: string): string => `\`\`\`python\n${text.trimEnd()}\n\`\`\``;

function section({ name, from, to, doc }: Pass<PassName>): string {
  const [before, after] = shown(name);
  const example = before === after ? `It leaves this kernel as it is:\n\n${fenced(after)}` : `${fenced(before)}\n\nbecomes\n\n${fenced(after)}`;
  return `## ${name}\n\n${from === to ? `\`${from}\`` : `\`${from}\` → \`${to}\``}. ${doc}\n\n${example}\n`;
}

function stageRows(): string {
  const passes: readonly Pass[] = PASSES;
  const makers = (stage: Stage): string => passes.filter((p) => (p.ahead ? p.from : p.to) === stage || p.to === stage).map((p) => `[${p.name}](#${p.name})`).join(", ");
  return STAGES.map((stage) => `| \`${stage}\` | ${stage === "parsed" ? "the frontend" : ""}${stage === "parsed" && makers(stage) !== "" ? "; " : ""}${makers(stage)} |`).join("\n");
}

export function passesPage(): string {
  const passes: readonly Pass<PassName>[] = PASSES;
  return `# Passes

From the IR as authored to IR that a target writes down, in the order in which they run. Made by \`npm run pages\`, the examples by the passes
themselves, for the target \`${TARGET}\`; \`tf print FILE --stage NAME\` shows the same of any program. Every pass gives back its own output, and that of
every later one, unchanged.

| stage | made by |
|---|---|
${stageRows()}

${passes.map(section).join("\n")}`;
}
