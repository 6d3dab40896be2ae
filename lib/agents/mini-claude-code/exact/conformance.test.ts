import { describeGoldenCases } from "../../testing/golden-cases";
import { conformance } from "./conformance";

describeGoldenCases("mini-claude-code", conformance);
