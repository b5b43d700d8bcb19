// Preloaded by `npm start`: what is loaded from here on is compiled, and its types are stripped, once for all starts.
// It is JavaScript on purpose: a TypeScript file would load the very compiler that this saves.
import { enableCompileCache } from "node:module";

enableCompileCache();
