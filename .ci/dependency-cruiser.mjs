// Allowed imports, as ARCHITECTURE.md, "Folders", summarises them. Exceptions are listed only in `debt`.
const core = "^lib/core/";
/** The browser profile of an agent, by the modules that others import. */
const agentsLight = "^lib/agents/([^/]+/(index|policy)|agents|policies|shared/(profile|tool-kinds))\\.ts$";
/** Modules for reading and exact rules: not reachable from code that the browser loads. */
const agentsHeavy =
  "^lib/agents/([^/]+/((read|sent|summary)/.*|(messages|read)/native|sent-text|server|reader|schema|native|estimator|compaction)|registry)\\.ts$|node_modules/(zod|js-tiktoken)/|^lib/(server|cli)/";
const agents = "^lib/agents/";
/** Schemas, client and computing functions of the queries: shared by page and programs. */
const queries = "^lib/queries/(accuracy|boundaries|client|contexts|contract|cost|replays|session|wire)/";
/** Their answers for opened sessions, and the table: for the server and programs. */
const answers = "^lib/queries/(answers/|[^/]+\\.ts$)";
/** User policies, each in an interpreter. */
/** The English names that the page shows, for reports and printed tables. */
const english = "^app/i18n/messages/en/";
const sandbox = "^lib/sandbox/";
const server = "^lib/(server|cli)/";
const tests = "\\.test\\.tsx?$|^lib/(core|server|cli|queries|sandbox)/testing/";

/** `[from, to]` patterns that are allowed until the debt is paid. */
const debt = [];

/** Modules under `from` may import from the project only modules that match `allowed`. */
function only(name, from, allowed, extra = {}) {
  return {
    name,
    severity: "error",
    from: { path: from, pathNot: [tests, ...debt.map(([path]) => path)] },
    to: { path: "^(lib|app|components|bin|bench|e2e|page|verify)/", pathNot: allowed, ...extra },
  };
}

function no(name, from, to, pathNot = []) {
  return { name, severity: "error", from: { path: from, pathNot: [tests, ...pathNot] }, to };
}

export default {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    only("core-is-pure", core, [core]),
    no("core-without-packages", core, { dependencyTypes: ["npm", "npm-dev", "core"] }),
    no("agents-light", agentsLight, { path: agentsHeavy, reachable: true }),
    {
      ...no("agents-come-when-asked-for", "^(lib|components|app|page)/", { path: "^lib/agents/[^/]+/index\\.ts$" }, [
        "^lib/agents/(registry\\.ts$|[^/]+/)",
      ]),
      // `agents.ts` loads a profile on demand.
      to: { path: "^lib/agents/[^/]+/index\\.ts$", dependencyTypesNot: ["dynamic-import"] },
    },
    only("agents-rest", agents, [core, agents], {}),
    no("agents-keep-to-their-folder", "^lib/agents/([^/]+)/", {
      path: "^lib/agents/([^/]+)/",
      pathNot: "^lib/agents/($1|entry-tree|shared)/",
    }),
    no("agents-without-node", agents, { dependencyTypes: ["core"] }),
    only("contract-and-client", "^lib/queries/(client|contract|wire)/", [core, "^lib/queries/(client|contract|wire)/"]),
    only("queries", queries, [core, agentsLight, queries]),
    no("queries-without-node", queries, { dependencyTypes: ["core"] }),
    only("answers", answers, [core, agents, queries, answers, "^lib/server/"]),
    only("sandbox", sandbox, [core, sandbox]),
    only("policy-check", "^lib/policy-check/", [core, agents, "^lib/policy-check/"]),
    no("sandbox-without-node", sandbox, { dependencyTypes: ["core"] }),
    // Charts and sentences for a file follow the page's rules, without the page's components.
    only("server", "^lib/server/", [
      ...[core, agents, queries, answers, sandbox, "^lib/policy-check/", "^lib/server/"],
      "^components/(charts/(bands|scale|step-path)|format/format|session/timeline/(cheapest-trigger|verdict-sentence))\\.ts$",
      english,
    ]),
    only("cli", "^lib/cli/", [
      core,
      agents,
      queries,
      answers,
      sandbox,
      english,
      "^lib/policy-check/",
      server,
      "^verify/conformance",
    ]),
    only("library", "^lib/library/", [core, agents, queries, answers, "^lib/(server|library)/"]),
    no("library-without-pages", "^lib/library/", { path: "node_modules/(next|react)/", reachable: true }),
    only("components", "^components/", [core, agentsLight, queries, sandbox, "^components/", "^app/i18n/"]),
    no("settings-know-no-session", "^components/(settings|charts|export|format|glossary|hooks|palette|ui)/", {
      path: "^components/",
      pathNot: "^components/(settings|charts|export|format|glossary|hooks|palette|ui)/",
    }),
    // Modules that several tabs use are in `shared`: tabs do not import each other.
    no("session-tabs-apart", "^components/session/([^/]+)/", {
      path: "^components/session/",
      pathNot: "^components/session/($1|shared)/",
    }),
    no("components-without-node", "^components/", { dependencyTypes: ["core"] }),
    no("no-schemas-in-the-browser", `^components/|${queries.replace("contract|", "")}`, {
      path: "^lib/queries/contract/(?!(types|routes)\\.ts$)",
      dependencyTypesNot: ["type-only"],
    }),
    no("no-zod-in-the-browser", "^components/", { path: "node_modules/zod" }),
    no("no-tables-in-the-browser", "^(components|app/(?!api))", { path: "node_modules/js-tiktoken" }),
    only("pages", "^app/(?!api/)", [core, agentsLight, queries, "^lib/server/", "^components/", "^app/"]),
    only("page-without-server", "^page/", [
      core,
      agents,
      queries,
      answers,
      "^lib/server/",
      "^components/",
      "^app/i18n/",
      "^page/",
    ]),
    only("api-routes", "^app/api/", [core, agents, queries, answers, "^lib/server/"]),
    // The golden cases' adapters are loaded on demand.
    no("product-without-proofs", "^(lib|app|components|page)/", { path: "^verify/" }, [
      "^lib/cli/commands/conformance\\.ts$",
    ]),
    no("unresolved", "^(lib|app|components)/", { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.next|dist/|node_modules/next/dist" },
    parser: "swc",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
