/** A click on a lane misses every mark that is further away than this, in pixels. */
const REACH_PX = 12;

/**
 * The boundary of a lane nearest to a pixel; `undefined` where none is near.
 * @param requests requests of the lane's boundaries
 */
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

/**
 * The boundary after the pinned request; after the last boundary, the first again.
 * @param requests requests of the boundaries, ascending
 */
export function boundaryAfter(requests: readonly number[], pin: number | null): number | undefined {
  return requests.find((request) => request > (pin ?? -1)) ?? requests[0];
}
