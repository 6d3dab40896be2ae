import type { RequestIndex } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import { ChoiceError } from "./session-context";

/** The request point that is asked for. Throws `ChoiceError` for one that does not exist. */
export function requestPointOf(at: RequestIndex | "last", columns: SessionColumns): RequestIndex {
  const last = pointCount(columns) - 1;
  const request = at === "last" ? last : at;
  if (!Number.isInteger(request) || request < 0 || request > last) {
    throw new ChoiceError(`no request ${request}; requests go from 0 to ${last}`);
  }
  return request;
}
