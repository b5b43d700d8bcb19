import { describeReusing } from "../support/databases/each-kind.ts";
import { continuationFacts } from "./facts/continuations.ts";
import { credentialFacts } from "./facts/credentials.ts";
import { erasedMeanwhileFacts } from "./facts/erased-meanwhile.ts";
import { exportFacts } from "./facts/export.ts";
import { interactionFacts } from "./facts/interactions.ts";
import { linkedChannelFacts } from "./facts/linked-channels.ts";
import { ticketFacts } from "./facts/one-time-tokens.ts";
import { openingFacts } from "./facts/opening.ts";
import { revocationFacts } from "./facts/revocations.ts";
import { settingsFacts } from "./facts/settings.ts";
import { tokenFacts } from "./facts/tokens.ts";

const facts = [
  openingFacts,
  credentialFacts,
  linkedChannelFacts,
  continuationFacts,
  erasedMeanwhileFacts,
  settingsFacts,
  ticketFacts,
  tokenFacts,
  revocationFacts,
  exportFacts,
  interactionFacts,
];

describeReusing("the typed stores over", (kind) => {
  for (const hold of facts) hold(kind);
});
