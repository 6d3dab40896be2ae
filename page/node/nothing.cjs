// What the page never calls: threads, processes, networks, databases. Whoever calls it all the same gets an error.
const absent = () => {
  throw Object.assign(new Error("There is nothing like this in a page."), { code: "ENOENT" });
};
module.exports = new Proxy(
  {},
  { get: (_, name) => (name === "__esModule" ? false : name === "promisify" ? () => absent : absent) },
);
