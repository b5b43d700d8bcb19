import type { Attachment } from "../discord/index.ts";

/** Discord tells more of a file than a button's state has to remember. */
export function plainAttachment(attachment: Attachment): Attachment {
  const { id, filename, size, url, content_type } = attachment;
  return { id, filename, size, url, ...(content_type !== undefined && { content_type }) };
}
