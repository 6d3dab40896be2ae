import "./node/globals";
import { isInputError } from "@/lib/server/ingest/input-error";
import { answer } from "./answers";
import { putFile } from "./node/files";

/** A question of the page, or a file for it. */
export type ToWorker =
  | { readonly id: number; readonly file: File }
  | { readonly id: number; readonly path: string; readonly method: string; readonly body: string | null };

export interface FromWorker {
  readonly id: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

const GZIP = [0x1f, 0x8b];

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  void ("file" in data ? taken(data.file) : answer(data.path, data.method, data.body))
    .catch(problemOf)
    .then((response) => reply(data.id, response));
});

/** Keeps a file under its name; a packed one unpacked. */
async function taken(file: File): Promise<Response> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = GZIP.every((byte, at) => head[at] === byte);
  const blob = isPacked ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : file;
  putFile(file.name, { blob, mtimeMs: file.lastModified });
  return Response.json({ id: file.name });
}

async function reply(id: number, response: Response): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  const message: FromWorker = { id, status: response.status, headers: Object.fromEntries(response.headers), body };
  self.postMessage(message, { transfer: [body.buffer] });
}

const BAD_REQUEST = new Set(["SettingError", "ChoiceError", "UnknownEstimatorError", "ZodError"]);

/** A refusal in the form that the server gives it. */
function problemOf(error: unknown): Response {
  if (isInputError(error)) return problem(422, error.message, error.formats, error.program);
  if (error instanceof Error && BAD_REQUEST.has(error.name)) return problem(400, error.message);
  // A page has no place for reports but the browser's console.
  reportError(error);
  return problem(500, "Something went wrong in this page.");
}

function problem(status: number, detail: string, formats: readonly object[] = [], program?: string): Response {
  return Response.json({ type: "about:blank", title: "Not possible", status, detail, formats, program }, { status });
}
