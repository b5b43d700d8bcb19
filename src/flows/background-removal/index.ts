import type { Asked, Ctx, Form, Reply, TargetMessage } from "../../discord/index.ts";
import { againActions } from "./again.ts";
import { cutOut } from "./cut-out.ts";
import { readCutoutOptions } from "./cutout-options.ts";
import { formActions, pictureForm } from "./form.ts";
import { namedPictures, type RemovalOptions, removalOptions } from "./options.ts";
import { picturesOf } from "./picture-source.ts";
import { restyleActions } from "./restyle.ts";

/** `/background remove` and its menu, with the form for pictures and the buttons under the results. */
export const backgroundRemoval = {
  options: removalOptions,
  /** Undefined when pictures were given. */
  form: (asked: Asked, options: RemovalOptions): Form | undefined =>
    namedPictures(options).length === 0 ? pictureForm(asked, options) : undefined,
  remove: async (ctx: Ctx<RemovalOptions>): Promise<Reply> =>
    cutOut(ctx, namedPictures(ctx.options), { wishes: readCutoutOptions(ctx.options, ctx.words) }),
  removeFrom: async (ctx: Ctx, message: TargetMessage): Promise<Reply> => {
    const author = message.author?.id;
    const postedBy = author === undefined || author === ctx.userId ? undefined : author;
    return cutOut(ctx, picturesOf(message, ctx.attachments), { wishes: {}, postedBy });
  },
  actions: [...againActions, ...formActions, ...restyleActions],
} as const;
