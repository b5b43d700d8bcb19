import { toList, toResource } from "../answer.ts";
import type { Handler } from "../call.ts";
import { readLanguage, readRegion } from "../locale.ts";
import { notFound } from "../refusal.ts";
import { categories, categoryChannelId } from "../world/index.ts";

const kind = "youtube#videoCategory";

type Category = (typeof categories)[number];

const parts = {
  snippet: ([, title, assignable]: Category) => ({
    title,
    assignable,
    channelId: categoryChannelId,
  }),
};

export const videoCategories = {
  "videoCategories.list": (call) => {
    readLanguage(call);
    readRegion(call);
    const ids = call.query.list("id");
    const unknown = ids.some((id) => !categories.some(([known]) => known === id));
    if (unknown) throw notFound("videoCategory", "videoCategoryNotFound", "id");
    const items = categories
      .filter(([id]) => ids.length === 0 || ids.includes(id))
      .map((category) => toResource(call, { kind, id: category[0], thing: category, parts }));
    return toList(`${kind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;
