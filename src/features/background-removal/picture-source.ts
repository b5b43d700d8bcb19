import type { Attachment, TargetMessage } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { decodeAddress } from "../../video-links/index.ts";
import { plainAttachment } from "../options/index.ts";

/** A picture that was handed in: an attachment, or an address on the web that only remove.bg fetches. */
export type PictureSource = { readonly attachment: Attachment } | { readonly link: string };

export function pictureName(source: PictureSource): string {
  if ("attachment" in source) return source.attachment.filename;
  const { pathname, hostname } = new URL(source.link);
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  return decodeAddress(last) || hostname;
}

export function attachedPictures(
  all: readonly (Attachment | undefined)[],
): readonly PictureSource[] {
  return all.flatMap((one) => (one === undefined ? [] : [{ attachment: plainAttachment(one) }]));
}

/**
 * The pictures attached to a message; if there are none, those in its embeds that Discord itself hosts (`known`). Their
 * bytes are checked later.
 */
export function picturesInMessage(
  message: TargetMessage,
  known: readonly Attachment[],
): readonly PictureSource[] {
  const own = message.attachments.filter(isPicture);
  return attachedPictures(own.length > 0 ? own : known.filter(isPicture));
}

const endings = /\.(?:jpe?g|png|webp|gif|avif|heic|heif|bmp|tiff?)$/iu;

function isPicture({ content_type: type, filename }: Attachment): boolean {
  return type?.startsWith("image/") ?? endings.test(filename);
}

/** Reads an address on the web, which only remove.bg will open. @throws InputError with the given code */
export function readPictureAddress(
  text: string,
  code: "invalid_image_url" | "invalid_bg_image_url",
): string {
  const typed = text.trim().replace(/^<(.*)>$/u, "$1");
  if (URL.canParse(typed)) {
    const { protocol, username, password, href, hostname } = new URL(typed);
    const isWeb = protocol === "https:" || protocol === "http:";
    if (isWeb && username === "" && password === "" && hostname.includes(".")) return href;
  }
  throw new InputError("no address on the web", { code });
}
