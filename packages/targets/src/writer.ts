// The line writer of the source targets: blocks and lines, so that no emitter counts spaces or writes a line break itself.

/** Lines with their indentation; `text()` joins them. */
export class Writer {
  readonly #lines: string[] = [];
  readonly #indent: string;
  #depth = 0;

  constructor(indent = "    ") {
    this.#indent = indent;
  }

  line(text: string): void {
    this.#lines.push(text === "" ? "" : this.#indent.repeat(this.#depth) + text);
  }

  /** A block between a header and a closer, indented. */
  block(header: string, body: () => void, closer = "}"): void {
    this.line(header);
    this.indented(body);
    this.line(closer);
  }

  indented(body: () => void): void {
    this.#depth++;
    body();
    this.#depth--;
  }

  /** Several lines of ready text, each at the current depth. */
  lines(text: string): void {
    for (const line of text.split("\n")) this.line(line);
  }

  text(): string {
    return this.#lines.join("\n") + "\n";
  }
}
