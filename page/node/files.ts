/** Replaces `node:fs` in the page: opens the user's files by path and descriptor. Only a worker can read them synchronously. */
export interface PageFile {
  readonly blob: Blob;
  readonly mtimeMs: number;
}

const files = new Map<string, PageFile>();
/** Unpacked data goes to files without a name. */
const nameless: { readonly parts: Uint8Array[]; bytes: number }[] = [];
const open = new Map<number, string>();
let next = 10;

/** Marks the path of a nameless file, followed by its index in `nameless`. */
const NAMELESS = "\0";

export function putFile(path: string, file: PageFile): void {
  files.set(path, file);
}

export const constants = { O_RDONLY: 0, O_NONBLOCK: 0 };

/** The error that Node throws for a missing file. */
function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
}

export function statSync(path: string, { throwIfNoEntry = true }: { readonly throwIfNoEntry?: boolean } = {}) {
  const file = files.get(path);
  if (file === undefined) {
    if (!throwIfNoEntry) return undefined;
    throw missing(path);
  }
  return {
    size: file.blob.size,
    mtimeMs: file.mtimeMs,
    dev: 0,
    ino: [...files.keys()].indexOf(path),
    isFile: () => true,
    isDirectory: () => false,
  };
}

/** The page has no symbolic links. */
export function lstatSync(path: string) {
  return statSync(path);
}

export function existsSync(path: string): boolean {
  return files.has(path);
}

export function openSync(path: string, flags?: unknown): number {
  if (flags === "wx+") {
    nameless.push({ parts: [], bytes: 0 });
    open.set(next, `${NAMELESS}${nameless.length - 1}`);
    return next++;
  }
  if (!files.has(path)) throw missing(path);
  open.set(next, path);
  return next++;
}

export function closeSync(fd: number): void {
  open.delete(fd);
}

function blobOf(fd: number): Blob {
  const path = open.get(fd) ?? "";
  if (!path.startsWith(NAMELESS)) return files.get(path)?.blob ?? new Blob([]);
  return new Blob((nameless[Number(path.slice(1))]?.parts ?? []) as BlobPart[]);
}

/** Sizes of read-ahead: large for sequential reads, small after a jump, such as for the text of one item. */
const AHEAD = 8 << 20;
const AFTER_JUMP = 256 << 10;
let ahead: { readonly fd: number; readonly from: number; readonly bytes: Uint8Array } | undefined;

export function readSync(fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number {
  if (
    ahead === undefined ||
    ahead.fd !== fd ||
    position < ahead.from ||
    position + length > ahead.from + ahead.bytes.length
  ) {
    const isSequential = ahead?.fd === fd && position >= ahead.from && position <= ahead.from + ahead.bytes.length;
    const part = blobOf(fd).slice(position, position + Math.max(length, isSequential ? AHEAD : AFTER_JUMP));
    ahead = { fd, from: position, bytes: new Uint8Array(new FileReaderSync().readAsArrayBuffer(part)) };
  }
  const at = position - ahead.from;
  const got = ahead.bytes.subarray(at, at + length);
  buffer.set(got, offset);
  return got.length;
}

export function writeSync(fd: number, bytes: Uint8Array, at = 0): number {
  const file = nameless[Number((open.get(fd) ?? "").slice(1))];
  const part = bytes.slice(at);
  file?.parts.push(part);
  if (file !== undefined) file.bytes += part.length;
  return part.length;
}

export function readFileSync(): never {
  throw missing("a file of the computer");
}
export function mkdtempSync(prefix: string): string {
  return prefix;
}
export function rmSync(): void {}

export async function stat(path: string) {
  return statSync(path);
}
export async function readFile(): Promise<never> {
  throw missing("a file of the computer");
}

/** The page's files are not in a folder, so no other files are next to them. */
export async function readdir(): Promise<never[]> {
  return [];
}

export function fstatSync(): never {
  throw new Error("no open file has a state here");
}
