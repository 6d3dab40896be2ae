import { fileURLToPath } from "node:url";
import { checkDeepNesting, checkOddValues } from "@/verify/support/odd-values";
import { qwenCodeReader } from "./read/reader";

checkOddValues(qwenCodeReader, fileURLToPath(new URL("./fixtures/", import.meta.url)));

checkDeepNesting(qwenCodeReader, (input) => {
  const parts = [{ functionCall: { id: "t", name: "x", args: input } }];
  return { type: "assistant", uuid: "a", parentUuid: null, sessionId: "s", message: { role: "model", parts } };
});
