import type { APIMessage } from "discord.js";
import { InputError } from "../../errors.ts";
import type { OpenedAttachment } from "../declare/interaction-context.ts";
import type { Attachment } from "../declare/option.ts";
import { withOwnName } from "../draw/attachment-name.ts";
import type { AdmissionHold, AdmitOptions } from "./admission.ts";
import type { Services } from "./services.ts";

/** docs/services/discord.md#hosts-of-files */
export const discordAttachmentHosts = ["cdn.discordapp.com", "media.discordapp.net"] as const;

const mebibyte = 1024 * 1024;

/** Greatest size of an attachment. A picture above the image service's smaller limit is shrunk. */
export const largestAttachment = 32 * mebibyte;

type Fetching = Pick<Services, "http" | "attachmentHosts">;
type Message = Pick<APIMessage, "attachments" | "embeds"> | undefined;

/** Files of a message. A picture that an embed shows has left the message's own list. */
export function attachedFiles(message: Message, hosts: readonly string[]): readonly Attachment[] {
  const listed = (message?.attachments ?? []).map(withOwnName);
  const known = new Set(listed.map(({ url }) => new URL(url).pathname));
  const pictures = (message?.embeds ?? []).flatMap(({ image, thumbnail }) => [image, thumbnail]);
  const shown = pictures.flatMap((picture) => {
    if (picture === undefined || !URL.canParse(picture.url)) return [];
    const { host, pathname } = new URL(picture.url);
    if (!hosts.includes(host) || known.has(pathname)) return [];
    // Discord does not say its size, so the limit applies while it is read.
    const filename = pathname.slice(pathname.lastIndexOf("/") + 1);
    return [{ id: "", filename, size: 0, url: picture.url }];
  });
  return [...listed, ...shown];
}

interface Opening extends AdmitOptions {
  readonly services: Fetching;
  /** Counts the bytes before they are fetched. */
  readonly held: Pick<AdmissionHold, "admit">;
}

/** What is made from a file counts as much as the file; nothing counts as less than this. */
const leastWeight = 4 * mebibyte;

/**
 * Reads what a person attached, once there is room for it.
 * @throws InputError `attachment_too_large`; what `AdmissionHold.admit` and `Http.download` throw
 */
export async function fetchAttachment(
  attachment: Attachment,
  { services, held, ...options }: Opening,
): Promise<Buffer> {
  requireSize(attachment, largestAttachment);
  // A file whose size Discord does not say may be the largest.
  const size = attachment.size > 0 ? attachment.size : largestAttachment;
  const weight = Math.max(leastWeight, 2 * size);
  await held.admit(weight, options);
  return services.http.download({
    url: attachment.url,
    hosts: services.attachmentHosts,
    maxBytes: Math.min(largestAttachment, weight / 2),
    signal: options.signal,
  });
}

/**
 * The same as a stream, with only a part of it in memory.
 * @throws InputError `attachment_too_large`; what `AdmissionHold.admit` and `Http.open` throw
 */
export async function openAttachment(
  attachment: Attachment,
  { services, held, maxBytes, ...options }: Opening & { readonly maxBytes: number },
): Promise<OpenedAttachment> {
  requireSize(attachment, maxBytes);
  await held.admit(leastWeight, options);
  const hosts = services.attachmentHosts;
  return services.http.open({ url: attachment.url, hosts, maxBytes, signal: options.signal });
}

function requireSize({ size }: Attachment, maxBytes: number): void {
  if (size <= maxBytes) return;
  throw new InputError("attachment over the limit by its declared size", {
    code: "attachment_too_large",
    facts: { has: Math.round(size / mebibyte), most: Math.round(maxBytes / mebibyte) },
  });
}
