import { expect, it } from "vitest";
import { predictorVerdict } from "./verdict";

it("the verdict is bad if either share is below a half, and unknown if a share is unknown", () => {
  expect(predictorVerdict({ precision: 0.5, recall: 1 })).toBe("holds");
  expect(predictorVerdict({ precision: 0.49, recall: 1 })).toBe("badly");
  expect(predictorVerdict({ precision: 1, recall: 0 })).toBe("badly");
  expect(predictorVerdict({ precision: null, recall: 0.1 })).toBe("unknown");
  expect(predictorVerdict({ precision: 0.1, recall: null })).toBe("unknown");
});
