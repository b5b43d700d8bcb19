import { afterAll, describe, it, onTestFinished } from "vitest";
import { kinds } from "../support/databases/each-kind.ts";
import { reusing } from "../support/databases/kinds.ts";
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

for (const { name, make } of kinds) {
  describe.skipIf(!make)(`the typed stores over ${name}`, () => {
    const kind = make?.();
    if (kind === undefined) {
      it("needs its server", () => undefined);
      return;
    }
    afterAll(() => kind.stop());

    const shared = reusing(kind, onTestFinished);
    for (const hold of facts) hold(shared);
  });
}
