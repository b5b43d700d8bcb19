import type { Suggest } from "../declare/suggest.ts";
import { choicesOf } from "./match.ts";
import { isOwn } from "./names.ts";

/** The sections of the linked channel's page, by place, title and kind. */
export const sections: Suggest = async (typed, ctx) => {
  const { channelId, words } = ctx;
  if (channelId === undefined) return [];
  const which = isOwn(ctx) ? { mine: true } : { channelId };
  const { items } = await ctx.video.call("channelSections.list", { part: ["snippet"], ...which });
  const candidates = items.flatMap(({ id, snippet }) => {
    if (id === undefined) return [];
    const type = snippet?.type ?? "";
    const kind = words.find(`choices.sectionType.${type}`) ?? words.find(`choices.type.${type}`);
    const name = snippet?.title || kind || type || id;
    const place = snippet?.position === undefined ? "" : `${snippet.position + 1}. `;
    return [{ value: id, title: `${place}${name}`, facts: [name === kind ? undefined : kind] }];
  });
  return choicesOf(typed, candidates);
};
