// The pages that are made from the code, by path. `npm run pages` writes them; a test holds what is checked in to what they are.

import { grammarPage } from "./grammar-page.ts";
import { passesPage } from "./passes-page.ts";
import { railroadPage } from "./railroad.ts";
import { textMateGrammar } from "./textmate.ts";

export const PAGES: Readonly<Record<string, () => string>> = {
  "grammar/GRAMMAR.md": grammarPage,
  "grammar/railroad.html": railroadPage,
  "grammar/tilefoundry.tmLanguage.json": textMateGrammar,
  "packages/passes/PASSES.md": passesPage,
};
