/** The invented project that a sample session works in. What tools answer is taken from it, so that a session agrees with itself. */
export class Workspace {
  readonly root: string;
  readonly #files: Map<string, string>;

  constructor(root: string, files: ReadonlyMap<string, string>) {
    this.root = root;
    this.#files = new Map(files);
  }

  /** Path as the agent writes it. */
  path(relative: string): string {
    return `${this.root}/${relative}`;
  }

  content(relative: string): string {
    const content = this.#files.get(relative);
    if (content === undefined) throw new Error(`the sample project has no ${relative}`);
    return content;
  }

  paths(pattern = /./): string[] {
    return [...this.#files.keys()].filter((path) => pattern.test(path)).sort();
  }

  write(relative: string, content: string): void {
    this.#files.set(relative, content);
  }

  /** Lines that match, as `path:line:text`. */
  search(pattern: RegExp, where = /./): string[] {
    return this.paths(where).flatMap((path) =>
      this.content(path)
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}:${line}`] : [])),
    );
  }

  /** Puts lines behind the first one that matches; gives what an edit tool is told. */
  insertAfter(
    relative: string,
    pattern: RegExp,
    added: readonly string[],
  ): { before: string; after: string; line: number } {
    const lines = this.content(relative).split("\n");
    const at = lines.findIndex((line) => pattern.test(line));
    if (at < 0) throw new Error(`nothing in ${relative} matches ${pattern}`);
    const near = lines.slice(at, at + 2);
    const [first = "", ...rest] = near;
    const indent = /^\s*/.exec(rest[0] ?? first)?.[0] ?? "";
    const after = [first, ...added.map((line) => (line === "" ? "" : indent + line)), ...rest];
    lines.splice(at, near.length, ...after);
    this.#files.set(relative, lines.join("\n"));
    return { before: near.join("\n"), after: after.join("\n"), line: at + 1 };
  }
}
