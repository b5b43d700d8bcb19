import type { HandlerDeclaration } from "../../src/discord/index.ts";
import type { Demands } from "../../src/features/context/demands.ts";

/** What a declaration demands besides its rank: Discord's room passes it on without looking at it. */
export function demandsOf(declaration: HandlerDeclaration): Demands {
  return declaration;
}
