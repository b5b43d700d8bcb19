import type { Attachment, TargetMessage } from "../../discord/index.ts";
import { attached } from "./options.ts";
import type { Given } from "./wishes.ts";

/**
 * The pictures of a message: those attached to it, or else those that its embeds show from Discord's own hosts, which
 * stand among `known`. The bytes are judged later.
 */
export function picturesOf(message: TargetMessage, known: readonly Attachment[]): readonly Given[] {
  const own = message.attachments.filter(isPicture);
  return attached(own.length > 0 ? own : known.filter(isPicture));
}

const endings = /\.(?:jpe?g|png|webp|gif|avif|heic|heif|bmp|tiff?)$/iu;

function isPicture({ content_type: type, filename }: Attachment): boolean {
  return type?.startsWith("image/") ?? endings.test(filename);
}
