import fc from "fast-check";
import { expect, it } from "vitest";
import { shortWord, shortWordsOf } from "./short-words";

const character = fc.oneof(
  fc.constantFrom("a", "b", "会", "话", "𝒳", "😀", "\ud835", " ", "\n", "%"),
  fc.string({ unit: "binary" }),
);

it("the short words of a text are exactly those with one or two characters", () => {
  fc.assert(
    fc.property(fc.array(character), fc.array(character, { minLength: 1, maxLength: 2 }), (text, word) => {
      const asked = word.join("");
      const characters = [...asked];
      fc.pre(characters.length > 0 && characters.length < 3 && characters.every((one) => one > " "));
      const all = [...text.join("")];
      const isThere = all.some((_, at) => characters.every((one, next) => all[at + next] === one));
      const words = shortWordsOf(text.join(""));
      expect(words.split(" ").includes(shortWord(asked))).toBe(isThere);
      expect(words).toMatch(/^(?:[0-9a-z]+ )*$/);
    }),
  );
});
