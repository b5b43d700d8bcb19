import {
  action,
  ask,
  type Ctx,
  cut,
  gone,
  join,
  named,
  notice,
  type Reply,
} from "../../discord/index.ts";
import { readSection, withNames } from "./contents.ts";
import { sectionLines, sectionTitle } from "./draw.ts";

export const askDelete = action<{ readonly id: string }>({
  name: "channels.ask-delete-section",
  answer: "private",
  by: "anyone",
  row: "channelSections.delete",
  uses: ["channelSections.list", "playlists.list", "channels.list"],
  run: (ctx, { id }) => askToDelete(ctx, id),
});

export const deleteSection = action<{ readonly id: string }>({
  name: "channels.delete-section",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "channelSections.delete",
  run: async (ctx, { id }) => {
    await ctx.own.call("channelSections.delete", { id }, { signal: ctx.signal });
    return notice({ tone: "good", title: ctx.words.say("channels.delete_section.done") });
  },
});

/** Says what goes and what stays, and what it costs. */
export async function askToDelete(ctx: Ctx, id: string): Promise<Reply> {
  const { words } = ctx;
  const section = await readSection(ctx, id);
  if (section === undefined) return gone("section", words);
  const [found = { section, names: new Map<string, string>() }] = await withNames(ctx, [section]);
  const title = sectionTitle(found, words);
  const lines = sectionLines(found, words);
  return ask({
    title: words.say("channels.delete_section.title", { title: cut(title, 100) }),
    text: words.md("channels.delete_section.text", {
      price: await ctx.price(["channelSections.delete"]),
    }),
    fields: [
      {
        name: named(words, "sectionType", section.snippet?.type) ?? title,
        value: lines.length === 0 ? title : join(lines),
      },
    ],
    confirm: {
      label: words.say("cards.delete"),
      style: "danger",
      press: deleteSection.press({ id }),
    },
  });
}
