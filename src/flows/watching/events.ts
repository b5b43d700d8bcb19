import { event } from "../../discord/index.ts";
import type { ModerationEvents } from "../../moderation/index.ts";
import { itemCard } from "./card.ts";
import { digestCard } from "./digest.ts";
import { sampleCard } from "./sample.ts";
import { troubleNotice, wellNotice } from "./trouble.ts";

/** How what the queue tells is drawn; where it stands is the queue's matter. */
export const events = [
  event<ModerationEvents["held-card"]>({
    name: "held-card",
    run: ({ words, now }, facts) => itemCard(facts, { words, now: now() }),
  }),
  event<ModerationEvents["held-digest"]>({
    name: "held-digest",
    run: ({ words }, facts) => digestCard(facts, words),
  }),
  event<ModerationEvents["watch-sample"]>({ name: "watch-sample", run: sampleCard }),
  event<ModerationEvents["watch-trouble"]>({ name: "watch-trouble", run: troubleNotice }),
  event<ModerationEvents["watch-well"]>({ name: "watch-well", run: wellNotice }),
  // Where the watch's own channel can't be written to.
  event<ModerationEvents["watch-lost"]>({
    name: "watch-lost",
    to: ({ guildId }) => ({ kind: "notices", guildId }),
    run: troubleNotice,
  }),
] as const;
