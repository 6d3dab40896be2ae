/** The page that the router was last asked for. */
let wanted: string | undefined;

/** Notes that the router sets off for an address. */
export function setOff(url: string): void {
  wanted = new URL(url, location.href).pathname;
}

/** True if the router is on its way to another page than the one of the address. */
export function isLeaving(): boolean {
  return wanted !== undefined && wanted !== location.pathname;
}
