// What expressions need to know of the place where they stand: the module's for constants, a function's for bodies and types.

import type { CallExpr, FunctionDef, SExpr, SStmt } from "@tilefoundry/grammar";
import type { Dialect, DimSum, Expr, Facts, FunctionNode, ModuleForm, ModuleNode, Topology, Type, Var } from "@tilefoundry/ir";
import type { Ops, OutsideFault } from "@tilefoundry/ops";
import type { Diagnostic, Reporter, Source, Span } from "@tilefoundry/text";
import type { Declared } from "./declared.ts";
import type { Library } from "./library.ts";
import type { Namespace } from "./members.ts";
import type { Known, Value, Waiting } from "./value.ts";

/** A symbolic extent that the module declares; each function has a variable of its own for it. */
export interface Extent {
  readonly name: string;
  /** Stands for the extent in the module's compile-time dims. */
  readonly var: Var;
  readonly lo: number;
  readonly hi: number;
  readonly span: Span | undefined;
}

/** What a whole text shares. */
export interface ModuleContext {
  readonly reporter: Reporter;
  readonly ops: Ops;
  /** Values of the holes; undefined where one is not known or was refused. */
  readonly holes: readonly (Known | undefined)[];
  /** `pl`, `tf`, `T`, `math` and what imports call them. */
  readonly namespaces: Map<string, Namespace>;
  /** Ops imported by name: `from tilefoundry.tf import rsqrt`. */
  readonly imported: Map<string, { readonly namespace: Namespace; readonly name: string }>;
  readonly constants: Constants;
  /** Extents by the variable that stands for them. */
  readonly extents: Map<Var, Extent>;
  /** The text or class whose names are seen. */
  readonly owner: Owner;
  /** Names of the children that programs from holes became. */
  readonly held: Map<ModuleNode, string>;
  /** Reads the statements of a text. */
  readonly readText: (stmts: readonly SStmt[], module: ModuleContext) => void;
  /** Other files. */
  readonly files: Files;
  /** Makes definitions of other files the program's. */
  readonly linker: Linker;
  /** Reads one decorated function; undefined if a complaint left no body to speak of. */
  readonly readFunction: (def: FunctionDef, declared: Declared, above: readonly string[], module: ModuleContext, given?: ReadonlyMap<string, Given>) => FunctionNode | undefined;
  /** Functions that are being read, outermost first. */
  readonly reading: Definition[];
  /** What was found in functions, each of which has a reporter of its own. */
  readonly late: Diagnostic[];
  /** Whether host code beside kernels is passed over, as in files, or refused, as in templates. */
  readonly host: "skipped" | "refused";
  /** Whether the text is Python's own, whose host code may hold what cannot be read. */
  readonly isPython: boolean;
  /** Faults of the text itself. */
  readonly syntax: readonly Diagnostic[];
  /** Where kernels stand, those included that could not be read. */
  readonly kernels: Span[];
  /** Names of the host's that kernels need, each said once; undefined where a constant is tried, which may wait. */
  readonly needed: Set<Constant> | undefined;
  /** Undefined where none are given. */
  readonly bindings: Bindings | undefined;
  /** What static evaluation may still do in loops: a text does not make it run on. */
  readonly work: Work;
}

/** The files of one program. */
export interface Files {
  readonly library: Library | undefined;
  /** Those that were read. */
  readonly scopes: Map<Source, ModuleContext>;
  /** Those that are being read, outermost first, with the import that led to each. */
  readonly chain: { readonly source: Source; readonly span: Span | undefined }[];
}

/** Values that are given from outside, and which of their names the program has. */
export interface Bindings {
  readonly values: Map<string, Constant>;
  readonly met: Set<string>;
}

export interface Work {
  left: number;
  /** Properties that are being evaluated, one in another. */
  depth: number;
}

export interface Definition {
  readonly def: FunctionDef;
  readonly says: Declared;
  /** Comments above that belong to no statement. */
  readonly above: readonly string[];
  /** The module as the place of the definition sees it. */
  readonly module: ModuleContext;
  /** Of a function made from a template: what its parameters are. */
  readonly given?: ReadonlyMap<string, Given>;
  /** And the call that it is read for. */
  readonly askedAt?: Span;
  /** Whether it is of another file. */
  readonly isLinked?: true;
  state: "waiting" | "reading" | "done";
  /** Undefined until it is read, and where its errors left nothing. */
  node: FunctionNode | undefined;
}

/** A module that is being read: a whole text or a class. */
export interface Owner {
  readonly form: ModuleForm;
  readonly name: string;
  /** The text around a class. */
  readonly outer: Owner | undefined;
  /** Levels that `Mesh` may name; those of the class around it, if it declares none. */
  topologies: readonly Topology[] | undefined;
  readonly definitions: Map<string, Definition>;
  /** Functions decorated with `@pl.inline`: templates, read anew for the arguments of each call. */
  readonly templates: Map<string, Template>;
  readonly children: Map<string, ModuleNode>;
  /** Classes of the text, read when they are first needed; undefined for one with errors. */
  readonly classes: Map<string, () => ModuleNode | undefined>;
  /** Names of the classes that another one has placed. */
  readonly placed: Set<string>;
  /** What imports bring, by its name here. */
  readonly links: Map<string, Link>;
  /** Of a text that another one imports: what it defines becomes the program's when something calls it. */
  readonly linker: Linker | undefined;
}

/** A definition of another file, or a file as a whole. */
export type Link = { readonly kind: "name"; readonly owner: Owner; readonly name: string } | { readonly kind: "file"; readonly file: FileName };

/** A file or a folder of files by its name in an import. */
export interface FileName {
  readonly scope: ModuleContext | undefined;
  readonly parts: Map<string, FileName>;
}

/** Definitions of other files that the program calls, each under a name that is its own. */
export interface Linker {
  readonly linked: Map<string, Definition>;
  /** A name that nothing in the program has, the wanted one if it is free. */
  fresh(wanted: string): string;
}

/** `@pl.inline`: its parameters take what a call passes, whatever its type. */
export interface Template {
  readonly def: FunctionDef;
  readonly module: ModuleContext;
  /** What was made of it, by the kinds of the arguments. */
  readonly made: Map<string, Definition>;
}

/** What a parameter of a template is in one of its functions: of this type, or known. */
export type Given = { readonly type: Type } | { readonly known: Known };

export interface Constants {
  get(name: string): Constant | undefined;
  set(name: string, constant: Constant): void;
  keys(): Iterable<string>;
  /** Names that are no functions and no classes: a long text has few. */
  values(): Iterable<string>;
  /** Any other name may be the host's, for this reason. */
  open?(because: Waiting["because"]): void;
  /** While the module is being read: what comes next in the text stands at a later place. */
  advance?(): void;
  /** The names as the current place sees them, whatever is defined later. */
  here?(): Constants;
}

/** A name of the module. Without a value it is a function or a class, or made by host code, or its error is reported. */
export interface Constant extends Partial<Waiting> {
  readonly kind: "value" | "function" | "module" | "host" | "file" | "poison";
  readonly value?: Known;
  readonly file?: FileName;
  readonly span: Span;
}

export interface ExprContext {
  readonly module: ModuleContext;
  readonly reporter: Reporter;
  /** Undefined at module level, where everything is computed at compile time. */
  readonly dialect: Dialect | undefined;
  readonly facts: Facts;
  /** The value of a name; complains if it has none. */
  lookup(name: string, span: Span): Value;
  /** A symbolic extent of the module as this place sees it: the function's own symbol; complains if its signature has none. */
  lookupExtent(dim: DimSum, span: Span): Value;
  /** Whether a variable of this place is called so. */
  binds(name: string): boolean;
  /** Takes note of an access that is provably outside of its array. */
  readonly outside?: (fault: OutsideFault) => void;
  /** The block at hand, or how many there are: of the loop over blocks around this place, or of the caller's. */
  block?(which: BlockPart): Expr;
  /** `T.sync(mesh)`: where statements stand, positions of a mesh may meet. */
  sync?(e: CallExpr): Value;
  /** In a `@func`, where nothing may be written. */
  readonly isPure: boolean;
  /** Whether the expression is one of `symbols`, so that it may stand in a type. */
  isSymbol(expr: Expr): boolean;
}

export const BLOCK_PARTS = { get_block_idx: "block_idx", get_block_num: "block_num" } as const;
export type BlockPart = (typeof BLOCK_PARTS)[keyof typeof BLOCK_PARTS];

/** The dialect of a function; the spelling of numbers in messages at module level is TileFoundry's. */
export const dialectOf = (c: ExprContext): Dialect => c.dialect ?? "tf";

/** Evaluates an expression; given to the files that calls and operators live in. */
export type Evaluate = (e: SExpr, c: ExprContext) => Value;
