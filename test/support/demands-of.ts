import type { HandlerDeclaration } from "../../src/discord/index.ts";
import type { Demands } from "../../src/features/context/demands.ts";

/** What a declaration demands besides its rank. `src/discord` passes it on without knowing its type. */
export function demandsOf(declaration: HandlerDeclaration): Demands {
  return declaration;
}
