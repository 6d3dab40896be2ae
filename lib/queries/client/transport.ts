/** Answers a request of the page: a server, or something in the page itself. */
export type Transport = (path: string, init: RequestInit) => Promise<Response>;

let transport: Transport | undefined;

/** Has requests answered within the page: there is no server. Called once, before anything is asked. */
export function answerWithin(local: Transport): void {
  transport = local;
}

/** Whether there is a server, which can tell of changes by itself, keep things and know of other sessions. */
export function isServed(): boolean {
  return transport === undefined;
}

/** Sends a request to whoever answers. Rejects as `fetch`. */
export function send(path: string, init: RequestInit): Promise<Response> {
  return transport === undefined ? fetch(path, init) : transport(path, init);
}
