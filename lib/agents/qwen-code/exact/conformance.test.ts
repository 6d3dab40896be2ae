import { describeGoldenCases } from "../../testing/golden-cases";
import { conformance } from "./conformance";

describeGoldenCases("qwen-code", conformance);
