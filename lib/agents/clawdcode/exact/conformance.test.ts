import { exactCounter } from "../../testing/counter";
import { describeGoldenCases } from "../../testing/golden-cases";
import { createConformance } from "./conformance";

describeGoldenCases("clawdcode", createConformance(exactCounter));
