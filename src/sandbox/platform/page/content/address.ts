import type { APIAttachment, APIMessage } from "discord-api-types/v10";

const schemes = /^(?:https?:|blob:|data:(?:image|video|audio)\/|\/(?!\/))/i;
const attachmentScheme = "attachment://";

/** An address the page may load or link to; the empty string for any other. */
export function safeAddress(url: string | undefined): string {
  return url !== undefined && schemes.test(url) ? url : "";
}

/** The server's own, on the stand-in's own host. */
export const emojiAddress = (id: string): string => `/emojis/${encodeURIComponent(id)}.png`;

/** The attachment that `attachment://name` or its own address names. */
export function findAttachment(url: string, message: APIMessage): APIAttachment | undefined {
  if (!url.startsWith(attachmentScheme)) return message.attachments.find((one) => one.url === url);
  const name = url.slice(attachmentScheme.length);
  return message.attachments.find(({ filename }) => filename === name);
}

export function shownMediaAddress(url: string | undefined, message: APIMessage): string {
  if (!url?.startsWith(attachmentScheme)) return safeAddress(url);
  return safeAddress(findAttachment(url, message)?.url);
}

export function readFileName(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return path.slice(path.lastIndexOf("/") + 1) || "picture";
}

export function sizeText(bytes: number): string {
  if (bytes < 1_024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KB`;
  return `${(bytes / 1_048_576).toFixed(2)} MB`;
}
