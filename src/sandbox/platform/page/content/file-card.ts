import { html, nothing, type TemplateResult } from "lit";
import { sizeText } from "./address.ts";
import { icons } from "./icons.ts";

export interface FileFacts {
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
