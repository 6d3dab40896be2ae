import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { isObject, type JsonObject } from "@/lib/agents/openclaw/messages/value";
import { addPaths, type FileOperations } from "@/lib/agents/openclaw/summary/file-operations";

/** Adds the files that an earlier compaction by OpenClaw itself passed on. */
export function addCarriedFiles(to: FileOperations, compaction: JsonObject, preset: OpenClawPreset): void {
  if (compaction.fromHook) return;
  const details = compaction.details;
  if (!isObject(details)) return;
  const lists = [details.readFiles, details.modifiedFiles];
  // 2026.9.6 uses the record completely or not at all.
  if (preset === "current" && !lists.every(isTextList)) return;
  addPaths(to.read, details.readFiles);
  addPaths(to.edited, details.modifiedFiles);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
