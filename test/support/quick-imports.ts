import { registerHooks } from "node:module";

const root = new URL("../../", import.meta.url).href;
const packages = new URL("node_modules/", root).href;
const counts = new Map<string, number>();

// The compile cache keeps what was compiled by address, and Vitest appends the time to the addresses of test files: nothing
// of them would be found again, and the cache would grow with each run. A process counts instead.
//
// Vitest reports each import to its main process, for a watch; and Node looks where a file is. Our imports are whole paths.
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
