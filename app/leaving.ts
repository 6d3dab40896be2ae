/** Address of the last requested page. */
let wanted: string | undefined;

/** Notes that the router starts navigating to an address. */
export function noteNavigation(url: string): void {
  wanted = new URL(url, location.href).pathname;
}

/** True if the router is navigating to another page. */
export function isLeaving(): boolean {
  return wanted !== undefined && wanted !== location.pathname;
}
