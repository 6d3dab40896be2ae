import { describeGoldenCases } from "../../testing/golden-cases";
import { conformance } from "./conformance";

describeGoldenCases("opencode", conformance);
