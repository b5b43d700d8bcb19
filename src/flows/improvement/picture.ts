import type { Attachment, Ctx } from "../../discord/index.ts";
import { BotError, InputError, ServiceError } from "../../errors.ts";
import type { Prepared } from "../../images/index.ts";

/** What would be handed over. It lies in the states of buttons, so it is small and JSON-shaped. */
export interface Offered {
  /** File name that is sent along. */
  readonly name: string;
  readonly tag?: string;
  /** A picture attached here, or one at an address. */
  readonly attachment?: Attachment;
  readonly link?: string;
  /** Who posted the picture, when it was not the person who hands it over. */
  readonly postedBy?: string;
  /** The picture made ready to be sent, in this process's memory. */
  readonly kept?: string;
}

/**
 * The picture as it was given, made ready as for a cut-out: upright, stripped, under the service's limits.
 * @throws ServiceError `original_gone`; what `fetchAttachment` and `Images.prepare` refuse.
 */
export async function prepare(ctx: Ctx, attachment: Attachment): Promise<Prepared> {
  const { images, pictureLimits, signal } = ctx;
  const bytes = await ctx.fetchAttachment(attachment).catch((error: unknown) => {
    throw error instanceof BotError && error.code === "attachment_gone" ? gone(error) : error;
  });
  return images.prepare(bytes, { ...pictureLimits, signal });
}

function gone(cause: unknown): ServiceError {
  return new ServiceError("the picture as it was given is no longer there", {
    code: "original_gone",
    hint: "Discord no longer has the picture. Run /background improve and attach it there.",
    facts: { command: "background improve" },
    cause,
  });
}

/** Nobody here fetches it, so its form is all that can be judged. @throws InputError `invalid_image_url` */
export function requireAddress(link: string): string {
  const address = URL.canParse(link.trim()) ? new URL(link.trim()) : undefined;
  const isWeb = address?.protocol === "https:" || address?.protocol === "http:";
  if (address !== undefined && isWeb && address.username === "" && address.password === "") {
    return address.href;
  }
  throw new InputError("not an address of the web", {
    code: "invalid_image_url",
    hint: "That is no address of a picture on the web. Attach the picture instead.",
  });
}
