// Finds the files that imports name: beside the importing file, and in further folders. How a file is read is the caller's matter; each is
// parsed once.

import type { ImportPath, Library, LibraryText } from "@tilefoundry/frontend";
import { parse } from "@tilefoundry/grammar";
import { makeSource, type Source } from "@tilefoundry/text";

/** A library that takes texts which are read already. */
export interface OpenLibrary extends Library {
  /** The text of that name, parsed once however often it is asked for. */
  textOf(name: string, text: string): LibraryText;
  /** Whether an import has meant the text. */
  isImported(source: Source): boolean;
}

/** `read` gives the text of a file, or undefined if there is none; folders are looked into after that of the importing file. */
export function makeLibrary(read: (path: string) => string | undefined, folders: readonly string[] = []): OpenLibrary {
  const known = new Map<string, LibraryText | undefined>();
  const imported = new Set<Source>();
  const textAt = (path: string): LibraryText | undefined => {
    if (!known.has(path)) {
      const text = read(path);
      known.set(path, text === undefined ? undefined : parsed(path, text));
    }
    return known.get(path);
  };
  const places = (wanted: ImportPath, from: Source): readonly string[] => basesOf(wanted, from, folders).flatMap((base) => filesOf(base, wanted.path));
  return {
    places,
    find: (wanted, from) => {
      for (const place of places(wanted, from)) {
        const text = textAt(place);
        if (text !== undefined && text.source !== from) imported.add(text.source);
        if (text !== undefined) return text;
      }
      return undefined;
    },
    textOf: (name, text) => {
      const path = clean(name);
      const before = known.get(path);
      if (before?.source.text === text) return before;
      const made = parsed(name, text);
      known.set(path, made);
      return made;
    },
    isImported: (source) => imported.has(source),
  };
}

function parsed(path: string, text: string): LibraryText {
  const source = makeSource(path, text);
  const { value: tree, diagnostics } = parse(source);
  return { source, tree, diagnostics };
}

/** Where the path of an import begins: each dot after the first goes up one folder. */
function basesOf({ level }: ImportPath, from: Source, folders: readonly string[]): readonly string[] {
  const own = folderOf(from.name);
  return level === 0 ? [own, ...folders] : [`${own}${"/..".repeat(level - 1)}`];
}

const folderOf = (file: string): string => (/[\\/]/.test(file) ? file.replace(/[\\/][^\\/]*$/, "") : ".");

const filesOf = (base: string, path: readonly string[]): readonly string[] =>
  [...(path.length === 0 ? [] : [".tf", ".py"]), "/__init__.tf", "/__init__.py"].map((ending) => clean(`${[base, ...path].join("/")}${ending}`));

/** One spelling for one file: no `.`, and `..` only at the front. */
function clean(path: string): string {
  const parts: string[] = [];
  for (const part of path.split(/[\\/]/)) {
    if (part === "." || (part === "" && parts.length > 0)) continue;
    const last = parts.at(-1);
    if (part === ".." && last !== undefined && last !== ".." && last !== "") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}
