import type { Form, Reply, RequestInfo, TargetMessage } from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import { cutOut } from "./cut-out.ts";
import { readCutoutOptions } from "./cutout-options.ts";
import { formActions, pictureForm } from "./form.ts";
import { picturesInOptions, type RemovalOptions, removalOptions } from "./options.ts";
import { picturesInMessage } from "./picture-source.ts";
import { resultActions } from "./result-actions.ts";

/** `/background remove` and its menu, with the form for pictures and the buttons under the results. */
export const backgroundRemoval = {
  options: removalOptions,
  /** Undefined when the options name a picture. */
  form: (request: RequestInfo, options: RemovalOptions): Form | undefined =>
    picturesInOptions(options).length === 0 ? pictureForm(request, options) : undefined,
  remove: async (ctx: Ctx<RemovalOptions>): Promise<Reply> =>
    cutOut(ctx, {
      all: picturesInOptions(ctx.options),
      order: { wishes: readCutoutOptions(ctx.options, ctx.words) },
    }),
  removeFrom: async (ctx: Ctx, message: TargetMessage): Promise<Reply> => {
    const author = message.author?.id;
    const postedBy = author === undefined || author === ctx.userId ? undefined : author;
    const all = picturesInMessage(message, ctx.attachments);
    return cutOut(ctx, { all, order: { wishes: {}, postedBy } });
  },
  actions: [...formActions, ...resultActions],
} as const;
