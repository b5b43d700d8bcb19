import { flushCompileCache } from "node:module";
import { afterAll } from "vitest";

// A worker is killed in the end, and would take with it what it has compiled.
afterAll(() => flushCompileCache());
