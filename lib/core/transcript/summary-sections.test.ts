import fc from "fast-check";
import { expect, test } from "vitest";
import { summarySections } from "./summary-sections";

test("four tags and the text before them make five sections", () => {
  const summary =
    "Here it is:\n<completed>\n- a\n</completed>\n<remaining>b</remaining>\n<current_state>\n</current_state>\n<notes>n</notes>";
  expect(summarySections(summary)).toEqual([
    { title: undefined, text: "Here it is:" },
    { title: "completed", text: "- a" },
    { title: "remaining", text: "b" },
    { title: "current_state", text: "" },
    { title: "notes", text: "n" },
  ]);
});

test("a tag around other tags is unwrapped", () => {
  const summary =
    "<state_snapshot>\n  <overall_goal>x</overall_goal>\n  <key_knowledge>y</key_knowledge>\n</state_snapshot>";
  expect(summarySections(summary).map(({ title }) => title)).toEqual(["overall_goal", "key_knowledge"]);
});

test("a tag around a single tag is unwrapped, also after another section", () => {
  const snapshot = "<state_snapshot>\n<overall_goal>x</overall_goal>\n</state_snapshot>";
  expect(summarySections(snapshot)).toEqual([{ title: "overall_goal", text: "x" }]);
  expect(summarySections(`<scratchpad>thought</scratchpad>\n${snapshot}`)).toEqual([
    { title: "scratchpad", text: "thought" },
    { title: "overall_goal", text: "x" },
  ]);
});

test("the parser dedents the lines of a section", () => {
  const summary =
    "<state>\n    <files>\n\n        - a\n          of\n\n        - b\n    </files>\n    <goal> one line </goal>\n</state>";
  expect(summarySections(summary)).toEqual([
    { title: "files", text: "- a\n  of\n\n- b" },
    { title: "goal", text: "one line" },
  ]);
});

test("a tag within a section's text stays there", () => {
  expect(summarySections("<analysis>\nIt holds\n<b>x</b>\n</analysis>\n<notes>n</notes>")).toEqual([
    { title: "analysis", text: "It holds\n<b>x</b>" },
    { title: "notes", text: "n" },
  ]);
});

test("Markdown headings divide a summary without tags", () => {
  expect(summarySections("Intro\n# Goal\nfix it\n\n## Files ##\n- a.ts")).toEqual([
    { title: undefined, text: "Intro" },
    { title: "Goal", text: "fix it" },
    { title: "Files", text: "- a.ts" },
  ]);
});

test("numbered titles and single-word titles divide a summary without tags and headings", () => {
  const summary = [
    "The summary below covers the earlier portion.",
    "Analysis:",
    "Let me go through it chronologically:",
    "1. **Plan**: the user gave one",
    "9. **Format agreed**:",
    "Summary:",
    "1. Primary Request and Intent:",
    "   Split the reader.",
    "2. Files and Code Sections:",
    "   - reader.ts",
    "3. Pending Tasks:",
    "   1. Tests: none yet",
  ].join("\n");
  expect(summarySections(summary)).toEqual([
    { title: undefined, text: "The summary below covers the earlier portion." },
    {
      title: "Analysis",
      text: "Let me go through it chronologically:\n1. **Plan**: the user gave one\n9. **Format agreed**:",
    },
    { title: "1. Primary Request and Intent", text: "Split the reader." },
    { title: "2. Files and Code Sections", text: "- reader.ts" },
    { title: "3. Pending Tasks", text: "1. Tests: none yet" },
  ]);
});

test("two numbered lines that end in a colon are not titles", () => {
  const summary = "1. First do this:\na\n2. Then that:\nb";
  expect(summarySections(summary)).toEqual([{ title: undefined, text: summary }]);
});

test("an unclosed tag or a tag within a line does not divide the summary", () => {
  expect(summarySections("<notes>\nopen\nuse <b>bold</b>")).toEqual([
    { title: undefined, text: "<notes>\nopen\nuse <b>bold</b>" },
  ]);
});

test("sections lose only white space, tags and headings", () => {
  const piece = fc.constantFrom(
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "# h\n",
    "## g\n",
    "1. t:\n",
    "2. t:\n",
    "3. t:\n",
    "Word:\n",
    "\n",
    "word ",
    "x",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      const words = (value: string) => value.match(/word|x/g)?.length ?? 0;
      const kept = summarySections(text).reduce(
        (sum, section) => sum + words(`${section.title ?? ""}\n${section.text}`),
        0,
      );
      expect(kept).toBe(words(text));
    }),
  );
});
