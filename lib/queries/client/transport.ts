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
export function send(path: string, init: RequestInit): Promise<Response> {
  return transport === undefined ? fetch(path, init) : transport(path, init);
}
