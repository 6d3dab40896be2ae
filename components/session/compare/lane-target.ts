/** A mark further from the pointer than this, in pixels, is not meant. */
const REACH_PX = 12;

/** The boundary that is nearest to a pixel of its lane; `undefined` where none is near. @param requests of the boundaries */
export function boundaryNear(
  requests: readonly number[],
  px: (request: number) => number,
  at: number,
): number | undefined {
  let found: number | undefined;
  let least = REACH_PX;
  for (const request of requests) {
    const distance = Math.abs(px(request) - at);
    if (distance > least) continue;
    found = request;
    least = distance;
  }
  return found;
}

/** The boundary behind the pinned request, and behind the last one the first again. @param requests of the boundaries, ascending */
export function boundaryAfter(requests: readonly number[], pin: number | null): number | undefined {
  return requests.find((request) => request > (pin ?? -1)) ?? requests[0];
}
