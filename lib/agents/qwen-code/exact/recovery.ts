export interface Recovered {
  /** The balanced fragments that are JSON, in order. */
  readonly records: readonly unknown[];
  /** Whether the line held nothing else. */
  readonly complete: boolean;
}

/**
 * What Qwen Code finds in a line that is not one JSON value: every balanced `{…}`, braces within strings apart. A brace too
 * many starts afresh. Unlike our own reading of lines it goes on behind garbage. Source: README.md, "Damaged lines".
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

  /** Looks at one unit; gives the last index that was looked at. */
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

  /** Skips a string, at any depth; one that does not end takes the rest. */
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
      // A fragment that is not JSON is dropped; the line is no longer complete.
      this.#complete = false;
    }
  }
}
