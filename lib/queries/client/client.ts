import type { Facet } from "@/lib/core/base/facet-keys";
import { ownTimeZone } from "@/lib/core/base/time-zone";
import { type QueryName, ROUTES, VERSION_HEADER } from "../contract/routes";
import type {
  Answer,
  Body,
  InsightsAnswer,
  ItemText,
  JsonName,
  SessionChoices,
  SessionPage,
  UploadAnswer,
} from "../contract/types";
import { isAbort, networkError, problemOf, unreadable } from "./api-error";

/** Names and values of a URL query. Undefined and empty values are omitted. */
type Search = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Parameters of a query: the session, upload or profile in its path, the URL query, the body. */
type Asked<Name extends QueryName> = ((typeof ROUTES)[Name]["path"] extends `${string}{id}${string}`
  ? { readonly id: string }
  : unknown) &
  (Body<Name> extends undefined ? unknown : { readonly body: Body<Name> }) & { readonly search?: Search };

/** Sends a query by its name. Rejects as `request`. */
export async function ask<Name extends JsonName>(
  name: Name,
  asked: Asked<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const response = await request(name, asked, signal);
  try {
    // The contract's tests hold the server to this shape; zod stays out of the browser.
    return (await response.json()) as Answer<Name>;
  } catch (error) {
    if (isAbort(error)) throw error;
    throw unreadable(response.status);
  }
}

/** Sends a query and returns a successful answer. Rejects with `ApiError`, and with an `AbortError` if the caller aborts. */
export async function request<Name extends QueryName>(
  name: Name,
  asked: Asked<Name>,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const { method } = ROUTES[name];
  const accept = "application/json";
  const init =
    "body" in asked
      ? { headers: { "content-type": accept, accept }, body: JSON.stringify(asked.body) }
      : { headers: { accept } };
  let response: Response;
  try {
    response = await send(pathOf(name, asked), { method, ...init, signal, credentials: "same-origin" });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw networkError();
  }
  if (!response.ok) throw problemOf(response.status, await response.text().catch(() => ""));
  return response;
}

/** The URL of a query. */
export function pathOf(
  name: QueryName,
  { id = "", search = {} }: { readonly id?: string; readonly search?: Search },
): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(search))
    for (const one of [value].flat()) if (one !== undefined && one !== "") query.append(key, `${one}`);
  const path = ROUTES[name].path.replace("{id}", encodeURIComponent(id));
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Filters of the session list; docs/interfaces.md lists the conditions. */
export interface SessionsFilter {
  readonly q?: string;
  readonly where?: readonly string[];
}

export interface SessionsQuery extends SessionsFilter {
  readonly sort?: string;
  readonly cursor?: string;
  /** Rows of a page, at most 200. */
  readonly limit?: number;
}

export function listSessions(query: SessionsQuery = {}, signal?: AbortSignal): Promise<SessionPage> {
  return ask("sessions", { search: onOwnDays(query) }, signal);
}

/** Sums over matching sessions, and the values that can narrow them. */
export function getChoices(filter: SessionsFilter, signal?: AbortSignal): Promise<SessionChoices> {
  return ask("sessionChoices", { search: onOwnDays(filter) }, signal);
}

/** Sums and distributions over matching sessions, and their reliability. */
export function getInsights(filter: SessionsFilter, by: Facet, signal?: AbortSignal): Promise<InsightsAnswer> {
  return ask("insights", { search: { ...filter, by, tz: ownTimeZone() } }, signal);
}

/** A filter with days in the browser's time zone. */
function onOwnDays(filter: SessionsQuery): Search {
  return { ...filter, ...(filter.where?.some((one) => one.startsWith("day")) && { tz: ownTimeZone() }) };
}

/** Parameters of columns: an estimator's tokens (`own`: that of the recording's agent), a policy's measures. */
export interface WantedColumns {
  readonly tokens?: string;
  readonly measures?: string;
  /** The wanted version; default: the current file. */
  readonly at?: string;
  /** A version of the same columns that the caller has: if the server still holds it, the answer is a delta. */
  readonly since?: string;
}

/** Columns as bytes, and the version of their file. */
export interface ColumnsAnswer {
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** The columnar summary, for the codec of lib/core/columns, or a delta of it. */
export async function getColumns(id: string, wanted: WantedColumns, signal?: AbortSignal): Promise<ColumnsAnswer> {
  const response = await request("columns", { id, search: { ...wanted } }, signal);
  return {
    version: response.headers.get(VERSION_HEADER) ?? "",
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

/** One item with its whole text, in the caller's version. */
export async function getWholeItem(
  id: string,
  { item, at }: { readonly item: number; readonly at: string },
  signal?: AbortSignal,
): Promise<ItemText | null> {
  const { items } = await ask("items", { id, search: { from: item, to: item + 1, full: "1", at } }, signal);
  return items[0] ?? null;
}

interface UploadProgress {
  readonly sent: number;
  readonly total: number;
}

export interface UploadOptions {
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly signal?: AbortSignal;
}

/** Sends the file as the raw body, by XMLHttpRequest, because `fetch` reports no upload progress. Aborting rejects with an `AbortError`. */
export function uploadFile(file: File, { onProgress, signal }: UploadOptions = {}): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(new DOMException("The upload was cancelled", "AbortError"));
    if (signal?.aborted) return aborted();
    const call = new XMLHttpRequest();
    const { method, path } = ROUTES.addUpload;
    call.open(method, path);
    call.setRequestHeader("content-type", "application/octet-stream");
    call.setRequestHeader("x-file-name", encodeURIComponent(file.name));
    call.upload.onprogress = (event) => onProgress?.({ sent: Math.min(event.loaded, file.size), total: file.size });
    call.onerror = () => reject(networkError());
    call.onabort = aborted;
    call.onload = () => {
      if (call.status < 200 || call.status > 299) return reject(problemOf(call.status, call.responseText));
      try {
        // The contract's tests hold the server to this shape.
        resolve(JSON.parse(call.responseText) as UploadAnswer);
      } catch {
        reject(unreadable(call.status));
      }
    };
    signal?.addEventListener("abort", () => call.abort(), { once: true });
    call.send(file);
  });
}

/** Answers the page's requests: a server, or code in the page itself. */
export type Transport = (path: string, init: RequestInit) => Promise<Response>;

let transport: Transport | undefined;

/** Answers requests within the page, without a server. Called once, before the first request. */
export function answerWithin(local: Transport): void {
  transport = local;
}

/** True if there is a server, which can report changes, store data and list other sessions. */
export function isServed(): boolean {
  return transport === undefined;
}

/** Sends a request. Rejects as `fetch`. */
function send(path: string, init: RequestInit): Promise<Response> {
  return transport === undefined ? fetch(path, init) : transport(path, init);
}
