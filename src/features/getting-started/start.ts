import {
  type Button,
  card,
  compact,
  join,
  md,
  notification,
  type Reply,
  reaches,
  type Text,
} from "../../discord/index.ts";
import type { Watch } from "../../moderation/index.ts";
import type { CredentialKind } from "../../store/index.ts";
import { nextSteps, presses } from "../cards/index.ts";
import { openHeldComments, waitingStates } from "../comments/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";

const kinds = ["video-key", "channel", "background-key"] as const satisfies CredentialKind[];

/** What is connected here, what is missing, and what the person can do next. */
export async function showStart(ctx: Ctx): Promise<Reply> {
  const { words, rank } = ctx;
  const watches = reaches(rank, "moderator") ? await ctx.moderation.watches.all() : undefined;
  const missing = kinds.filter((kind) => !ctx.has(kind));
  const parts = kinds.map((kind) => {
    const isThere = ctx.has(kind);
    const state = words.say(isThere ? "start.connected" : "start.missing");
    const isRembg = kind === "background-key" && ctx.engine === "rembg";
    const name = words.say(isRembg ? "start.parts.rembg" : `start.parts.${kind}`);
    return md`${isThere ? "🟢" : "🔴"} **${name}** · ${state}`;
  });
  return card({
    title: words.say("start.title"),
    text: join([
      words.md("start.intro"),
      "",
      ...parts,
      watches !== undefined && watchLine(ctx, watches),
      "",
      missing.length > 0 && !reaches(rank, "owner")
        ? words.md("start.ask_owner")
        : words.md("start.more"),
    ]),
    // What is missing first, for those who may connect it; then what can be done.
    buttons: compact<Button>([
      ...(await nextSteps(ctx)),
      watches !== undefined &&
        (ctx.has("channel") || watches.length > 0) && {
          label: words.say("start.review"),
          press: watches.length === 0 ? reviewNow.press(null) : presses.comment.review(),
        },
    ]),
  });
}

function watchLine({ has, words }: Ctx, watches: readonly Watch[]): Text {
  const count = watches.length;
  if (count === 0) return words.md("start.not_watching");
  const byKey = watches.filter(({ isKeyOnly }) => isKeyOnly).length;
  if (byKey === count && has("video-key")) return words.md("start.watching_key", { count });
  return has("channel")
    ? words.md("start.watching", { count })
    : words.md("start.watching_nothing");
}

/** The waiting comments, as `/comments held` shows them: without a watch there is no queue to go through. */
const reviewNow = action<null>({
  name: "start.review",
  answer: "private",
  rank: "moderator",
  needs: ["channel"],
  uses: ["commentThreads.list", "videos.list", "comments.setModerationStatus"],
  run: (ctx) => openHeldComments(ctx, waitingStates),
});

/** The same as `/start`, for whoever presses it. */
const showStartHere = action<null>({
  name: "start.show",
  answer: "private",
  by: "anyone",
  run: showStart,
});

export const startActions = [reviewNow, showStartHere] as const;

/** What a server that has just added the bot reads. */
export const botAdded = notification({
  name: "bot-added",
  to: ({ guildId }) => ({ kind: "welcome", guildId }),
  run: ({ words }) =>
    card({
      title: words.say("start.added.title"),
      text: join([words.md("start.intro"), "", words.md("start.added.text")]),
      buttons: [
        {
          label: words.say("start.added.button"),
          style: "primary",
          press: showStartHere.press(null),
        },
      ],
    }),
});
