// What the pages use of a package without types.
declare module "railroad-diagrams" {
  interface Item {
    readonly width: number;
  }
  type Part = Item | string;
  const railroad: {
    Diagram(...items: readonly Part[]): Item & { toString(): string };
    Sequence(...items: readonly Part[]): Item;
    Choice(normal: number, ...items: readonly Part[]): Item;
    Optional(item: Part): Item;
    OneOrMore(item: Part, separator?: Part): Item;
    ZeroOrMore(item: Part, separator?: Part): Item;
    Terminal(text: string): Item;
    NonTerminal(text: string): Item;
    Skip(): Item;
  };
  export default railroad;
}
