import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { encodingFor } from "./packed";

const unpack = promisify(brotliDecompress);

/** URL prefix of the build's scripts and styles. */
const BELOW = "/_next/static/";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/**
 * Sends the files that the build has packed with Brotli (`scripts/pack-static.mjs`) unchanged: Next would compress each for every request, and less
 * well. The npm package holds only packed files, so clients without Brotli get them unpacked. Sent files are cached, one megabyte in all: a page
 * loads a score of small files, and reading each is a seventh of its work for the server.
 */
export class PackedFiles {
  readonly #folder: string;
  /** Their sizes by file name, without the suffix of packed files. */
  readonly #bytes: ReadonlyMap<string, number>;
  /** Files that exist unpacked too, which Next sends. */
  readonly #unpacked: ReadonlySet<string>;
  readonly #kept = new Map<string, Promise<Buffer>>();

  /** @param folder the build's `static` folder */
  constructor(folder: string) {
    const found = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
    const files = found.map((name) => name.replaceAll("\\", "/"));
    const packed = files.filter((name) => name.endsWith(".br"));
    this.#folder = folder;
    this.#bytes = new Map(packed.map((name) => [name.slice(0, -".br".length), statSync(join(folder, name)).size]));
    this.#unpacked = new Set(files.filter((name) => this.#bytes.has(name)));
  }

  /** Answers a request for one of them, if the client accepts Brotli. Returns true if it did. */
  send({ method, url = "", headers }: IncomingMessage, response: ServerResponse): boolean {
    const [path = ""] = url.split("?", 1);
    const name = path.slice(BELOW.length);
    const bytes = path.startsWith(BELOW) ? this.#bytes.get(name) : undefined;
    if (bytes === undefined || (method !== "GET" && method !== "HEAD")) return false;
    const takes = encodingFor([headers["accept-encoding"] ?? ""].flat().join()) === "br";
    if (!takes && this.#unpacked.has(name)) return false;
    response.writeHead(200, {
      "Content-Type": TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      ...(takes && { "Content-Encoding": "br", "Content-Length": bytes }),
      // The name holds a digest of the content.
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
      Vary: "Accept-Encoding",
    });
    if (method === "HEAD") response.end();
    else {
      const packed = this.#packed(name);
      const sent = takes ? packed : packed.then((content) => unpack(content));
      // The file has gone.
      sent.then((content) => response.end(content)).catch(() => response.destroy());
    }
    return true;
  }

  #packed(name: string): Promise<Buffer> {
    const content = this.#kept.get(name) ?? readFile(join(this.#folder, `${name}.br`));
    this.#kept.set(name, content);
    return content;
  }
}
