import { registerHooks } from "node:module";

const root = new URL("../../", import.meta.url).href;
const packages = new URL("node_modules/", root).href;
const counts = new Map<string, number>();

// Node's compile cache stores code by module address, and Vitest appends the time to the addresses of test files: their code
// would never be found again, and the cache would grow with each run. A counter for each process replaces the time.
//
// Vitest also reports each import to its main process for watch mode, and Node searches for each file. Our imports are complete
// paths, so both steps are skipped here.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = "" } = context;
    const isOwn = parentURL.startsWith(root) && !parentURL.startsWith(packages);
    if (isOwn && process.env.VITEST_MODE !== "WATCH" && /^\.\.?\/.*\.ts$/u.test(specifier)) {
      const { href } = new URL(specifier, parentURL);
      return { url: href, format: "module-typescript", shortCircuit: true };
    }
    const found = nextResolve(specifier, context);
    const [path = "", time] = found.url.split("?vitest=");
    if (time === undefined) return found;
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return { ...found, url: `${path}?vitest=${count}` };
  },
});
