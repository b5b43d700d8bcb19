import type { APIAttachment, APIMessage } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { safeAddress, sizeText } from "./address.ts";
import { icons } from "./icons.ts";
import { pictureGrid } from "./pictures.ts";

/** Shown as pictures; anything else a browser might draw (SVG, TIFF) is a file, as in Discord. */
const pictureTypes = /^image\/(?:png|jpe?g|webp|gif|avif)\b/;

function isPicture({ content_type: type, filename }: APIAttachment): boolean {
  return type ? pictureTypes.test(type) : /\.(?:png|jpe?g|webp|gif|avif)$/i.test(filename);
}

/** Pictures first, then everything else as players or cards. */
export function attachments(shown: readonly APIAttachment[]): TemplateResult | typeof nothing {
  if (shown.length === 0) return nothing;
  const pictures = shown.filter(isPicture).map((one) => ({
    url: safeAddress(one.url),
    name: one.filename,
    alt: one.description,
    width: one.width ?? undefined,
    height: one.height ?? undefined,
    size: one.size,
    isSpoiler: one.filename.startsWith("SPOILER_"),
  }));
  const others = shown.filter((one) => !isPicture(one));
  return html`<div class="attachments">
    ${pictures.length > 0 ? pictureGrid(pictures) : nothing} ${others.map(other)}
  </div>`;
}

function other(attachment: APIAttachment): TemplateResult {
  const url = safeAddress(attachment.url);
  const type = attachment.content_type ?? "";
  const card = fileCard({ url, name: attachment.filename, size: attachment.size });
  if (type.startsWith("video/")) return html`<video class="player" src=${url} controls></video>`;
  if (type.startsWith("audio/"))
    return html`${card}<audio class="player" src=${url} controls></audio>`;
  return card;
}

/** Those that no embed shows already. */
export function looseAttachments(message: APIMessage): readonly APIAttachment[] {
  const shown = new Set(
    message.embeds.flatMap(({ image, thumbnail, author, footer }) => [
      image?.url,
      thumbnail?.url,
      author?.icon_url,
      footer?.icon_url,
    ]),
  );
  return message.attachments.filter(
    ({ url, filename }) => !shown.has(url) && !shown.has(`attachment://${filename}`),
  );
}

interface FileFacts {
  readonly url: string;
  readonly name: string;
  readonly size?: number | undefined;
}

/** A file that is not shown itself: its name, its size and a way to save it. */
export function fileCard({ url, name, size }: FileFacts): TemplateResult {
  return html`<div class="file-card" data-file=${name}>
    <span class="file-icon">${icons.file}</span>
    <span class="file-text">
      <a class="md-link" href=${url} target="_blank" rel="noopener noreferrer">${name}</a>
      ${size === undefined ? nothing : html`<span class="file-size">${sizeText(size)}</span>`}
    </span>
    <a class="icon-button" href=${url} download=${name} target="_blank" rel="noopener" aria-label="Download ${name}" title="Download">
      ${icons.save}
    </a>
  </div>`;
}
