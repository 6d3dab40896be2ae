import { ColumnBuffer } from "../base/column-buffer";

const COLUMNS = [
  ...(["kind", "isError", "estimated", "category", "chars", "bytes", "line", "offset", "recordLength"] as const),
  ...(["part", "callId", "tool", "file"] as const),
];

/** Rows of a block list, by column. A column is as long as the page's capacity. */
export class BlockPage {
  readonly capacity: number;
  readonly kind: Uint8Array<ArrayBuffer>;
  readonly isError: Uint8Array<ArrayBuffer>;
  readonly estimated: Uint8Array<ArrayBuffer>;
  /** Category code plus one; 0 if the message decides the category. */
  readonly category: Uint8Array<ArrayBuffer>;
  readonly chars: Int32Array<ArrayBuffer>;
  readonly bytes: Int32Array<ArrayBuffer>;
  readonly line: Int32Array<ArrayBuffer>;
  readonly offset: Float64Array<ArrayBuffer>;
  readonly recordLength: Int32Array<ArrayBuffer>;
  readonly part: Int32Array<ArrayBuffer>;
  readonly callId: Int32Array<ArrayBuffer>;
  readonly tool: Int32Array<ArrayBuffer>;
  readonly file: Int32Array<ArrayBuffer>;

  constructor(capacity: number) {
    const buffer = new ColumnBuffer(capacity, { floats: 1, integers: 8, bytes: 4 });
    this.capacity = capacity;
    this.offset = buffer.floats();
    this.chars = buffer.integers();
    this.bytes = buffer.integers();
    this.line = buffer.integers();
    this.recordLength = buffer.integers();
    this.part = buffer.integers();
    this.callId = buffer.integers();
    this.tool = buffer.integers();
    this.file = buffer.integers();
    this.kind = buffer.bytes();
    this.isError = buffer.bytes();
    this.estimated = buffer.bytes();
    this.category = buffer.bytes();
  }

  /** Copies the first rows of a page into this one, from row `at` on. */
  take(page: BlockPage, rows: number, at = 0): void {
    for (const name of COLUMNS) this[name].set(page[name].subarray(0, rows), at);
  }

  /** Copies one row of a page into row `at` of this one. */
  takeRow(page: BlockPage, row: number, at: number): void {
    this.kind[at] = page.kind[row] ?? 0;
    this.isError[at] = page.isError[row] ?? 0;
    this.estimated[at] = page.estimated[row] ?? 0;
    this.category[at] = page.category[row] ?? 0;
    this.chars[at] = page.chars[row] ?? 0;
    this.bytes[at] = page.bytes[row] ?? 0;
    this.line[at] = page.line[row] ?? 0;
    this.offset[at] = page.offset[row] ?? 0;
    this.recordLength[at] = page.recordLength[row] ?? 0;
    this.part[at] = page.part[row] ?? 0;
    this.callId[at] = page.callId[row] ?? 0;
    this.tool[at] = page.tool[row] ?? 0;
    this.file[at] = page.file[row] ?? 0;
  }
}
