import { describeGoldenCases } from "@/verify/support/golden-cases";
import { conformance } from "./conformance";

describeGoldenCases("pi", conformance);
