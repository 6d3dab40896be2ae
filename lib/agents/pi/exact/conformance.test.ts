import { describeGoldenCases } from "../../testing/golden-cases";
import { conformance } from "./conformance";

describeGoldenCases("pi", conformance);
