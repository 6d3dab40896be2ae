import type { Facet } from "@/lib/core/base/facet-keys";
import { ownTimeZone } from "@/lib/core/base/time-zone";
import type { ItemFilter } from "@/lib/core/columns/item-filter";
import type {
  AccuracyRow,
  BoundaryAnswer,
  BoundaryRequest,
  Breakdown,
  FidelityAnswer,
  FidelityWire,
  IndexingRequest,
  InsightsAnswer,
  ItemsAnswer,
  ItemText,
  LedgerAnswer,
  LedgerRequest,
  OverheadAnswer,
  OwnPoliciesAnswer,
  PricesAnswer,
  ProfileChoice,
  ProfilesAnswer,
  ReplayRequest,
  ReplayResult,
  SearchAnswer,
  SessionAnswer,
  SessionChoices,
  SessionPage,
  SourcesAnswer,
  StoredProfile,
  SummarizerWire,
  SummaryPreviewAnswer,
  UploadAnswer,
} from "../contract/types";
import { VERSION_HEADER } from "../wire/version-header";
import { getJson, networkError, problemOf, request, sendJson, sessionPath, unreadable } from "./requests";

/** What chooses sessions of the list; the conditions are those of docs/interfaces.md. */
export interface SessionsFilter {
  readonly q?: string;
  readonly where?: readonly string[];
}

export interface SessionsQuery extends SessionsFilter {
  readonly sort?: string;
  readonly cursor?: string;
  /** Rows of a page, 200 at most. */
  readonly limit?: number;
}

/** One page of the session list. */
export function listSessions(query: SessionsQuery = {}, signal?: AbortSignal): Promise<SessionPage> {
  return getJson<SessionPage>(`/api/sessions${queryText(onOwnDays(query))}`, signal);
}

/** Sums over the sessions that match, and what they can be narrowed to. */
export function getChoices(filter: SessionsFilter, signal?: AbortSignal): Promise<SessionChoices> {
  return getJson<SessionChoices>(`/api/sessions/choices${queryText(onOwnDays(filter))}`, signal);
}

/** Sums and distributions over the sessions that match, and how far they can be trusted. */
export function getInsights(filter: SessionsFilter, by: Facet, signal?: AbortSignal): Promise<InsightsAnswer> {
  return getJson<InsightsAnswer>(`/api/insights${queryText({ ...filter, by, tz: ownTimeZone() })}`, signal);
}

/** A filter whose days are those of the browser's time zone. */
function onOwnDays<Filter extends SessionsFilter>(filter: Filter): Filter & { readonly tz?: string } {
  return filter.where?.some((one) => one.startsWith("day")) ? { ...filter, tz: ownTimeZone() } : filter;
}

function queryText(query: SessionsQuery & { readonly by?: Facet; readonly tz?: string }): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== "") search.append(key, `${one}`);
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/** The models that have a price, with the row of one of them. */
export function getPrices(model?: string, signal?: AbortSignal): Promise<PricesAnswer> {
  const query = model === undefined ? "" : `?${new URLSearchParams({ model })}`;
  return getJson<PricesAnswer>(`/api/prices${query}`, signal);
}

/** The policies of one's own, as their files are. */
export function getOwnPolicies(signal?: AbortSignal): Promise<OwnPoliciesAnswer> {
  return getJson<OwnPoliciesAnswer>("/api/policies", signal);
}

/** The interpreter that they run in. */
export async function getInterpreter(signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = await request("/api/policies/interpreter", signal);
  return response.arrayBuffer();
}

/** @param at the version of its file that is asked about */
export function getSession(id: string, signal?: AbortSignal, at?: string): Promise<SessionAnswer> {
  return getJson<SessionAnswer>(
    at === undefined ? sessionPath(id) : `${sessionPath(id)}?${new URLSearchParams({ at })}`,
    signal,
  );
}

/** How every estimator compares with the recorded usage; `null` where nothing is recorded. The server first counts what it has not counted yet. */
export async function getAccuracy(id: string, signal?: AbortSignal): Promise<readonly AccuracyRow[] | null> {
  const { summary } = await getJson<SessionAnswer>(`${sessionPath(id)}?accuracy=all`, signal);
  return summary.accuracy ?? null;
}

/** What the columns are asked for with: an estimator's tokens (`own`: that of the recording's agent), a policy's measures. */
export interface WantedColumns {
  readonly tokens?: string;
  readonly measures?: string;
  /** The version that they are wanted of; without it, of the file as it is. */
  readonly at?: string;
  /** The version that the caller has the same columns of: where the server still holds it, the answer is a delta. */
  readonly since?: string;
}

/** Columns as bytes, and the version of the file that they are of. */
export interface ColumnsAnswer {
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** The columnar summary, to be decoded with the codec of lib/core/columns, or a delta of it. */
export async function getColumns(id: string, wanted: WantedColumns, signal?: AbortSignal): Promise<ColumnsAnswer> {
  const response = await request(`${sessionPath(id)}/columns?${new URLSearchParams({ ...wanted })}`, signal);
  return {
    version: response.headers.get(VERSION_HEADER) ?? "",
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

/** Texts of the items in the half-open range [from, to), at most 500 of them, in the version that the caller shows. */
export function getItems(
  id: string,
  { from, to, at }: { readonly from: number; readonly to: number; readonly at: string },
  signal?: AbortSignal,
): Promise<ItemsAnswer> {
  return getJson<ItemsAnswer>(
    `${sessionPath(id)}/items?${new URLSearchParams({ from: `${from}`, to: `${to}`, at })}`,
    signal,
  );
}

/** Where a text stands in the version that the caller shows, among the items for which the conditions hold. */
export function searchSession(
  id: string,
  wanted: ItemFilter & { readonly q?: string | undefined; readonly at: string },
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  const given = Object.entries(wanted).flatMap(([key, value]) => (value === undefined ? [] : [[key, `${value}`]]));
  return getJson<SearchAnswer>(`${sessionPath(id)}/search?${new URLSearchParams(given)}`, signal);
}

/** Where an item that is a picture is loaded from, in the version that the caller shows. */
export function picturePath(id: string, item: number, at: string): string {
  return `${sessionPath(id)}/picture?${new URLSearchParams({ item: `${item}`, at })}`;
}

/** One item with its whole text, in the version that the caller shows. */
export async function getWholeItem(
  id: string,
  { item, at }: { readonly item: number; readonly at: string },
  signal?: AbortSignal,
): Promise<ItemText | null> {
  const search = new URLSearchParams({ from: `${item}`, to: `${item + 1}`, full: "1", at });
  const { items } = await getJson<ItemsAnswer>(`${sessionPath(id)}/items?${search}`, signal);
  return items[0] ?? null;
}

export function getSources(signal?: AbortSignal): Promise<SourcesAnswer> {
  return getJson<SourcesAnswer>("/api/sources", signal);
}

/** Stops the reading of files in the background, resumes it, or has all of them read again. */
export async function steerIndexing(action: IndexingRequest["action"]): Promise<void> {
  await sendJson("/api/indexing", "POST", { action } satisfies IndexingRequest);
}

/** The breakdown at a request, with what the agent's own report says. */
export function getBreakdown(id: string, at: number, estimator: string, signal?: AbortSignal): Promise<Breakdown> {
  const search = new URLSearchParams({ at: `${at}`, estimator });
  return getJson<Breakdown>(`${sessionPath(id)}/breakdown?${search}`, signal);
}

/** What is known of a session's overhead beyond its file. */
export function getOverhead(id: string, estimator: string, signal?: AbortSignal): Promise<OverheadAnswer> {
  const search = new URLSearchParams({ estimator });
  return getJson<OverheadAnswer>(`${sessionPath(id)}/overhead?${search}`, signal);
}

/** Puts a context profile in force; a choice of `null` takes it back. */
export async function chooseProfile(id: string, choice: ProfileChoice): Promise<void> {
  await sendJson(`${sessionPath(id)}/overhead`, "PUT", choice);
}

export function listProfiles(signal?: AbortSignal): Promise<ProfilesAnswer> {
  return getJson<ProfilesAnswer>("/api/profiles", signal);
}

/**
 * Stores a context profile: one given as JSON, or the overhead that a session's recording holds. Rejects with `ApiError`, whose detail names the
 * fields that are wrong.
 */
export async function addProfile(
  name: string,
  from: { readonly profile: unknown } | { readonly session: string },
): Promise<StoredProfile> {
  const response = await sendJson("/api/profiles", "POST", { name, ...from });
  // The contract's own tests hold the server to this shape.
  return (await response.json()) as StoredProfile;
}

/** How well the session's own policy predicts its recorded compactions; `null` where no policy of its agent is known. */
export async function getFidelity(id: string, signal?: AbortSignal): Promise<FidelityWire | null> {
  return (await getJson<FidelityAnswer>(`${sessionPath(id)}/fidelity`, signal)).fidelity;
}

/** What was needed again after the compactions of a replay, or of the recording. */
export async function getLedger(id: string, wanted: LedgerRequest): Promise<LedgerAnswer> {
  const response = await sendJson(`${sessionPath(id)}/ledger`, "POST", wanted);
  // The contract's own tests hold the server to this shape.
  return (await response.json()) as LedgerAnswer;
}

/** The session under a policy, with the context at every request. */
export async function getReplay(id: string, wanted: ReplayRequest, signal?: AbortSignal): Promise<ReplayResult> {
  const response = await sendJson(`${sessionPath(id)}/replay`, "POST", wanted, signal);
  // The contract's own tests hold the server to this shape.
  return (await response.json()) as ReplayResult;
}

/** A compaction with its texts: the context after it as messages, the agent's prompt and report. */
export async function getBoundary(id: string, wanted: BoundaryRequest): Promise<BoundaryAnswer> {
  const response = await sendJson(`${sessionPath(id)}/boundary`, "POST", wanted);
  // The contract's own tests hold the server to this shape.
  return (await response.json()) as BoundaryAnswer;
}

/** The endpoint for real summaries; `null` where none was named. */
export async function getSummarizer(signal?: AbortSignal): Promise<SummarizerWire | null> {
  return (await getJson<{ readonly summarizer: SummarizerWire | null }>("/api/summarizer", signal)).summarizer;
}

/** Exactly what would be sent for a compaction's summary, and what was made of it before. */
export async function getSummaryPreview(id: string, wanted: BoundaryRequest): Promise<SummaryPreviewAnswer> {
  const response = await sendJson(`${sessionPath(id)}/summary/preview`, "POST", wanted);
  // The contract's own tests hold the server to this shape.
  return (await response.json()) as SummaryPreviewAnswer;
}

export async function deleteProfile(id: string): Promise<void> {
  await request(`/api/profiles/${encodeURIComponent(id)}`, undefined, { method: "DELETE" });
}

/** Removes a file that was sent to the server. */
export async function deleteUpload(id: string): Promise<void> {
  await request(`/api/uploads/${encodeURIComponent(id)}`, undefined, { method: "DELETE" });
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
    call.open("POST", "/api/uploads");
    call.setRequestHeader("content-type", "application/octet-stream");
    call.setRequestHeader("x-file-name", encodeURIComponent(file.name));
    call.upload.onprogress = (event) => onProgress?.({ sent: Math.min(event.loaded, file.size), total: file.size });
    call.onerror = () => reject(networkError());
    call.onabort = aborted;
    call.onload = () => {
      if (call.status < 200 || call.status > 299) return reject(problemOf(call.status, call.responseText));
      try {
        // The contract's own tests hold the server to this shape.
        resolve(JSON.parse(call.responseText) as UploadAnswer);
      } catch {
        reject(unreadable(call.status));
      }
    };
    signal?.addEventListener("abort", () => call.abort(), { once: true });
    call.send(file);
  });
}
