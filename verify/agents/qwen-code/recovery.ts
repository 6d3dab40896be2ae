interface Recovered {
  /** The balanced fragments that are valid JSON, in order. */
  readonly records: readonly unknown[];
  /** True if the line held nothing else. */
  readonly complete: boolean;
}

/**
 * The values that Qwen Code recovers from a line that is not one JSON value: every balanced `{…}`, ignoring braces within strings. A surplus closing brace
 * starts again. Unlike our own reading of lines, it goes on after garbage. Source: README.md, "Damaged lines".
 */
export function recoverObjects(line: string): Recovered {
  const scan = new Scan(line);
  for (let i = 0; i < line.length; i++) i = scan.unit(i);
  return scan.result();
}

class Scan {
  readonly #line: string;
  readonly #records: unknown[] = [];
  #depth = 0;
  #start = -1;
  #complete = true;

  constructor(line: string) {
    this.#line = line;
  }

  /** Examines one unit, and returns the last index that it has examined. */
  unit(index: number): number {
    const unit = this.#line[index];
    if (unit === '"') return this.#string(index);
    if (unit === "{") this.#open(index);
    else if (unit === "}") this.#close(index);
    else if (this.#depth === 0 && !/\s/.test(unit ?? " ")) this.#complete = false;
    return index;
  }

  result(): Recovered {
    return { records: this.#records, complete: this.#complete && this.#records.length > 0 && this.#depth === 0 };
  }

  /** Skips a string, at any depth; a string without an end takes the rest of the line. */
  #string(start: number): number {
    if (this.#depth === 0) this.#complete = false;
    for (let i = start + 1; i < this.#line.length; i++) {
      if (this.#line[i] === "\\") i += 1;
      else if (this.#line[i] === '"') return i;
    }
    this.#complete = false;
    return this.#line.length;
  }

  #open(index: number): void {
    if (this.#depth === 0) this.#start = index;
    this.#depth += 1;
  }

  #close(index: number): void {
    this.#depth -= 1;
    if (this.#depth > 0) return;
    if (this.#depth < 0) {
      this.#depth = 0;
      this.#complete = false;
      return;
    }
    try {
      this.#records.push(JSON.parse(this.#line.slice(this.#start, index + 1)));
    } catch {
      // A fragment that is not JSON is dropped, and the line no longer counts as complete.
      this.#complete = false;
    }
  }
}
