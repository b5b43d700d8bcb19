// Preloaded by `npm start`: what is loaded from here on is compiled, and freed of its types, once for all starts.
// JavaScript on purpose: a TypeScript file would bring in the very compiler that this spares.
import { enableCompileCache } from "node:module";

enableCompileCache();
