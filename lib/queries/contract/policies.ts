import { z } from "zod";

/** A user's policy as it is in its file: unexecuted code. */
export const ownPolicySource = z.object({ id: z.string(), file: z.string(), text: z.string() });

/** `GET /api/policies`: the user's own policies. */
export const ownPoliciesAnswer = z.object({ policies: z.array(ownPolicySource) });

export type OwnPoliciesAnswer = z.infer<typeof ownPoliciesAnswer>;
