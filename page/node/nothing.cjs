// Replaces modules that the page never needs: threads, processes, networks, databases. A call throws an error.
const absent = () => {
  throw Object.assign(new Error("There is nothing like this in a page."), { code: "ENOENT" });
};
module.exports = new Proxy(
  {},
  { get: (_, name) => (name === "__esModule" ? false : name === "promisify" ? () => absent : absent) },
);
