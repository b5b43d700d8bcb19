import { flushCompileCache } from "node:module";
import { afterAll } from "vitest";

// Saves the compile cache, because a worker is killed at the end and would lose what it has compiled.
afterAll(() => flushCompileCache());
