// Preloaded by `npm start`: what is loaded from here on is compiled, and its types are stripped, once for all starts.
// It is JavaScript on purpose: a TypeScript file would load the very compiler that this saves.
import "./require-node.mjs";
// An older Node has no such function, and would refuse its name before the check above.
import * as module from "node:module";

module.enableCompileCache();
