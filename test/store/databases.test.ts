import { afterAll, describe, it, onTestFinished } from "vitest";
import { kinds, reusing } from "../support/databases/kinds.ts";
import { continuationFacts } from "./facts/continuations.ts";
import { credentialFacts } from "./facts/credentials.ts";
import { creditsFacts } from "./facts/credits.ts";
import { erasedMeanwhileFacts } from "./facts/erased-meanwhile.ts";
import { erasureFacts } from "./facts/erasure.ts";
import { forgettingFacts } from "./facts/forget-old.ts";
import { guildRowsFacts } from "./facts/guild-rows.ts";
import { guildFacts } from "./facts/guilds.ts";
import { leaseFacts } from "./facts/leases.ts";
import { openingFacts } from "./facts/opening.ts";
import { settingsFacts } from "./facts/settings.ts";
import { ticketFacts } from "./facts/tickets.ts";
import { tokenFacts } from "./facts/tokens.ts";
import { unitsFacts } from "./facts/units.ts";

const facts = [
  openingFacts,
  credentialFacts,
  continuationFacts,
  guildFacts,
  guildRowsFacts,
  forgettingFacts,
  erasureFacts,
  erasedMeanwhileFacts,
  settingsFacts,
  unitsFacts,
  creditsFacts,
  ticketFacts,
  leaseFacts,
  tokenFacts,
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
