import { html, nothing, type TemplateResult } from "lit";
import { sizeText } from "../content/address.ts";
import { icons } from "../content/icons.ts";

/** Files that wait to be sent with a message. */
export function tray(
  files: readonly File[],
  onRemove: (file: File) => void,
): TemplateResult | typeof nothing {
  if (files.length === 0) return nothing;
  return html`<ul class="tray" aria-label="Attached files">
    ${files.map(
      (file) => html`<li class="tray-card" data-file=${file.name}>
      ${fileFace(file)}
      <button type="button" class="icon-button" aria-label="Remove ${file.name}" @click=${() => onRemove(file)}>${icons.close}</button>
    </li>`,
    )}
  </ul>`;
}

export function fileFace(file: File): TemplateResult {
  const preview = previewAddress(file);
  // What claims to be a picture and is none shows no broken one.
  const picture = html`<img
    src=${preview}
    alt=""
    @error=${(event: Event) => (event.target as HTMLElement).classList.add("broken")}
  />`;
  return html`<span class="tray-face">${preview ? picture : icons.file}</span>
    <span class="tray-name">${file.name}</span><span class="file-size">${sizeText(file.size)}</span>`;
}

const addresses = new WeakMap<File, string>();

/** A local address to show a chosen picture by; empty for a file that is not one. */
function previewAddress(file: File): string {
  if (!/^image\/(?:png|jpe?g|webp|gif|avif)$/.test(file.type)) return "";
  const known = addresses.get(file) ?? URL.createObjectURL(file);
  addresses.set(file, known);
  return known;
}

/** Frees what `previewAddress` holds. */
export function dropPreview(file: File): void {
  const known = addresses.get(file);
  if (known) URL.revokeObjectURL(known);
  addresses.delete(file);
}
