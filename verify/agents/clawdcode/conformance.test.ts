import { exactCounter } from "@/verify/support/counter";
import { describeGoldenCases } from "@/verify/support/golden-cases";
import { createConformance } from "./conformance";

describeGoldenCases("clawdcode", createConformance(exactCounter));
