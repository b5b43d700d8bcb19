/** What the handlers of features get, and how it is made from an interaction: `bot.ts` passes `createFeatureContexts` to `src/discord`. */

export type { TokenKind } from "./channel-links.ts";
export type {
  BackgroundAccess,
  PlannedCall,
  ServiceClients,
  UnitsSpent,
  VideoAccess,
} from "./clients.ts";
export { createFeatureContexts } from "./create-contexts.ts";
export { credentialMissing, findLinkedChannel } from "./credentials.ts";
export type {
  Ctx,
  CtxFor,
  FeatureSuggest,
  FormContext,
  NotificationCtx,
  Output,
  SuggestCtx,
} from "./ctx.ts";
export {
  actsAsChannel,
  asksOwnView,
  type Demands,
  isPrivate,
  ownViewDemands,
  rankFor,
} from "./demands.ts";
export type { FeatureServices } from "./feature-context.ts";
export { suggestionsCommand, suggestionUnits } from "./limit-suggestions.ts";
export { servedCountry, withServedCountry } from "./served-country.ts";
