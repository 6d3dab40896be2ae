import { fileURLToPath } from "node:url";
import { checkDeepNesting, checkOddValues } from "@/verify/support/odd-values";
import { claudeCodeReader } from "./read/reader";

checkOddValues(claudeCodeReader, fileURLToPath(new URL("./fixtures/", import.meta.url)));

checkDeepNesting(claudeCodeReader, (input) => {
  const call = { type: "tool_use", id: "t", name: "Read", input };
  return { type: "assistant", uuid: "a", message: { role: "assistant", content: [call] } };
});
