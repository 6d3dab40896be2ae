import { fileURLToPath } from "node:url";
import { checkDeepNesting, checkOddValues } from "@/verify/support/odd-values";
import { openClawReader } from "./read/reader";

checkOddValues(openClawReader, fileURLToPath(new URL("./fixtures/", import.meta.url)));

checkDeepNesting(openClawReader, (input) => {
  const call = { type: "toolCall", id: "t", name: "read", arguments: input };
  return { type: "message", id: "a", message: { role: "assistant", content: [call] } };
});
