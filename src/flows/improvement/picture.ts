import type { Attachment, Ctx } from "../../discord/index.ts";
import { BotError, InputError, ServiceError } from "../../errors.ts";
import type { Prepared } from "../../images/index.ts";
import { readyPicture } from "../cutout/index.ts";

/** What would be handed over. The states of buttons hold it: small and JSON-shaped. */
export interface OfferedPicture {
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
 * @throws ServiceError `original_gone`; what `readyPicture` throws
 */
export function prepareOffered(ctx: Ctx, attachment: Attachment): Promise<Prepared> {
  return readyPicture(ctx, attachment).catch((cause: unknown) => {
    if (!(cause instanceof BotError) || cause.code !== "attachment_gone") throw cause;
    throw new ServiceError("the picture as it was given is no longer there", {
      code: "original_gone",
      facts: { command: "background improve" },
      cause,
    });
  });
}

/** Only its form can be checked: the bot itself never fetches it. @throws InputError `invalid_image_url` */
export function requireAddress(link: string): string {
  const address = URL.canParse(link.trim()) ? new URL(link.trim()) : undefined;
  const isWeb = address?.protocol === "https:" || address?.protocol === "http:";
  if (address !== undefined && isWeb && address.username === "" && address.password === "") {
    return address.href;
  }
  throw new InputError("not an address of the web", { code: "invalid_image_url" });
}
