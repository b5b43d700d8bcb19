import { flushCompileCache } from "node:module";
import { afterAll } from "vitest";
import "./quick-imports.ts";

// Saves the compile cache, because a worker is killed at the end and would lose what it has compiled.
afterAll(() => flushCompileCache());
