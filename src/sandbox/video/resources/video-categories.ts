import { toList, toResource } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { readLanguage, readRegion } from "../locale.ts";
import { notFound } from "../refusal.ts";
import { type Category, categories, categoryChannelId, inLanguage } from "../world/index.ts";

const kind = "youtube#videoCategory";

const parts = {
  snippet: ({ title, isAssignable }: Category, call: Call) => ({
    title: inLanguage(title, readLanguage(call)),
    assignable: isAssignable,
    channelId: categoryChannelId,
  }),
};

export const videoCategories = {
  "videoCategories.list": (call) => {
    readLanguage(call);
    readRegion(call);
    const ids = call.query.list("id");
    const unknown = ids.some((wanted) => !categories.some(({ id }) => id === wanted));
    if (unknown) throw notFound("videoCategory", "videoCategoryNotFound", "id");
    const items = categories
      .filter(({ id }) => ids.length === 0 || ids.includes(id))
      .map((category) => toResource(call, { kind, id: category.id, thing: category, parts }));
    return toList(`${kind}ListResponse`, items);
  },
} as const satisfies Record<string, Handler>;
