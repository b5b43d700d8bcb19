import {
  ask,
  type Button,
  cut,
  join,
  md,
  notice,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import type { CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { maxRuleNameChars } from "./form.ts";
import { shownName } from "./subscribe.ts";

export const shareOptions = { name: option.text({ max: maxRuleNameChars }) };

/** Shows what this server shares; with a name, asks whether to share the rules under it. */
export async function shareRules(ctx: CtxFor<typeof shareOptions>): Promise<Reply> {
  const { words, moderation } = ctx;
  const shared = await moderation.lists.share();
  const name = shownName(ctx.options.name);
  if (shared !== undefined && name === "") {
    return notice({
      tone: "neutral",
      title: words.say("rules.share.title", { name: shared.share.name }),
      text: words.md("rules.share.text", {
        count: shared.users,
        command: words.mention("rules share"),
      }),
      buttons: stopButtons(words),
      isPrivate: true,
    });
  }
  const count = await moderation.lists.shareable();
  if (count.words + count.authors === 0) {
    return notice({
      tone: "neutral",
      title: words.say("rules.share.none"),
      text: words.md("rules.share.none_text", { command: words.mention("rules add") }),
      isPrivate: true,
    });
  }
  return ask({
    title: words.say("rules.share.ask"),
    text: join([
      words.md("rules.share.what", { words: count.words, authors: count.authors }),
      shared !== undefined && words.say("rules.share.replaces", { count: shared.users }),
    ]),
    confirm: {
      label: words.say("rules.share.confirm"),
      style: "primary",
      press: shareNow.press({
        name: name === "" ? cut(await ctx.serverName(), maxRuleNameChars) : name,
      }),
    },
  });
}

const shareNow = action<{ readonly name: string }>({
  name: "rules.share-now",
  rank: "manager",
  isOnce: true,
  run: async ({ words, moderation, userId }, { name }) => {
    const code = await moderation.lists.startSharing(name, userId);
    return notice({
      tone: "good",
      title: words.say("rules.share.title", { name }),
      text: join([
        words.md("rules.share.code", { command: words.mention("rules subscribe") }),
        md`\`${code}\``,
      ]),
      buttons: stopButtons(words),
      isPrivate: true,
    });
  },
});

function stopButtons(words: Words): readonly Button[] {
  return [
    { label: words.say("rules.share.stop"), style: "danger", press: stopSharing.press(null) },
  ];
}

const stopSharing = action<null>({
  name: "rules.share-stop",
  rank: "manager",
  run: async ({ words, moderation }) => {
    const count = await moderation.lists.stopSharing();
    return notice({
      tone: "good",
      title: words.say("rules.share.stopped"),
      text: words.say("rules.share.stopped_text", { count }),
      isPrivate: true,
    });
  },
});

export const shareActions = [shareNow, stopSharing] as const;
