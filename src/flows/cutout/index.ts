import type { Asked, Ctx, Form, Reply, TargetMessage } from "../../discord/index.ts";
import { againActions } from "./again.ts";
import { cutOut } from "./cut-out.ts";
import { formActions, pictureForm } from "./form.ts";
import { fullActions } from "./full-size.ts";
import { givenIn, type Options, options, picturesOf, readWishes } from "./options.ts";
import { restyleActions } from "./restyle.ts";

/** Cutting pictures out: the options, the form without pictures, the work, and the buttons under its results. */
export const cutouts = {
  options,
  /** Undefined when pictures were named. */
  form: (asked: Asked, given: Options): Form | undefined =>
    givenIn(given).length === 0 ? pictureForm(asked, given) : undefined,
  remove: async (ctx: Ctx<Options>): Promise<Reply> =>
    cutOut(ctx, givenIn(ctx.options), { wishes: readWishes(ctx.options, ctx.words) }),
  removeFrom: async (ctx: Ctx, message: TargetMessage): Promise<Reply> => {
    const author = message.author?.id;
    const postedBy = author === undefined || author === ctx.userId ? undefined : author;
    return cutOut(ctx, picturesOf(message, ctx.attachments), { wishes: {}, postedBy });
  },
  actions: [...againActions, ...formActions, ...fullActions, ...restyleActions],
} as const;
