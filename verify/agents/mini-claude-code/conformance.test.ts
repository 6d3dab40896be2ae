import { describeGoldenCases } from "@/verify/support/golden-cases";
import { conformance } from "./conformance";

describeGoldenCases("mini-claude-code", conformance);
