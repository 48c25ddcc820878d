// grammar/railroad.html: the rules as diagrams, drawn here; the page holds its pictures and needs nothing from elsewhere.

import railroad from "railroad-diagrams";
import type { Production } from "@tilefoundry/grammar/rules";
import { languageRules } from "./language.ts";

function drawn(p: Production): ReturnType<typeof railroad.Terminal> {
  switch (p.kind) {
    case "word": return railroad.Terminal(p.text);
    case "token": return railroad.Terminal(p.name);
    case "rule": return railroad.NonTerminal(p.name);
    case "sequence": return p.parts.length === 0 ? railroad.Skip() : railroad.Sequence(...p.parts.map(drawn));
    case "choice": return railroad.Choice(0, ...p.parts.map(drawn));
    case "optional": return railroad.Optional(drawn(p.part));
    case "repeat": {
      const separator = p.separator && drawn(p.separator);
      return p.atLeastOne ? railroad.OneOrMore(drawn(p.part), separator) : railroad.ZeroOrMore(drawn(p.part), separator);
    }
  }
}

/** The diagram as SVG; a box of a rule, which is the one with corners, leads to the rule. */
function svgOf(rule: Production): string {
  const svg = railroad.Diagram(drawn(rule)).toString().trim();
  return svg.replace(/(<rect(?![^>]* rx)[^>]*><\/rect>\s*)(<text[^>]*>(\w+)<\/text>)/g, '<a href="#$3">$1$2</a>');
}

const STYLE = `
  :root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fdfdfb; --word: #e3f3e1; --rule: #e4ebf7; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #17181a; --word: #24402a; --rule: #26344d; } }
  body { margin: 2rem auto; padding: 0 1rem; max-width: 76rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
  nav { columns: 12rem; font: 14px/1.6 ui-monospace, monospace; }
  h2 { margin: 2rem 0 0; font: 600 16px ui-monospace, monospace; }
  figure { margin: 0; overflow-x: auto; }
  svg.railroad-diagram path { fill: none; stroke: var(--ink); stroke-width: 2; }
  svg.railroad-diagram rect { fill: var(--rule); stroke: var(--ink); stroke-width: 1.5; }
  svg.railroad-diagram rect[rx] { fill: var(--word); }
  svg.railroad-diagram text { fill: var(--ink); font: 14px ui-monospace, monospace; text-anchor: middle; }
  a { color: inherit; }`;

export function railroadPage(): string {
  const rules = languageRules();
  const links = [...rules.keys()].map((name) => `<a href="#${name}">${name}</a><br>`);
  const figures = [...rules].map(([name, rule]) => `<h2 id="${name}">${name}</h2>\n<figure>${svgOf(rule)}</figure>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The grammar of TileFoundry's kernel language</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>The grammar of the kernel language</h1>
<p>The rules of <a href="GRAMMAR.md">GRAMMAR.md</a> as diagrams. Round boxes are words and tokens, square ones rules.</p>
<nav>
${links.join("\n")}
</nav>
${figures.join("\n")}
</body>
</html>
`;
}
