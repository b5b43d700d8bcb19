import { html, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import type { Field } from "./field.ts";
import { fileFace } from "./tray.ts";

export interface CardActs {
  readonly isFocused: boolean;
  onChoose(): void;
  onRemove(): void;
  onDrop(files: readonly File[]): void;
}

/** The place to drop an option's file, and the file once it is there. */
export function attachmentCard(field: Field, acts: CardActs): TemplateResult {
  const { option, file } = field;
  const drop = (event: DragEvent) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    // The channel shows its own hint while something is dragged over it; it must hear that this ended.
    event.currentTarget?.dispatchEvent(new CustomEvent("page-dropped", { bubbles: true }));
    acts.onDrop(files);
  };
  const face = file
    ? html`${fileFace(file)}
        <button type="button" class="icon-button" aria-label="Remove ${file.name}" @click=${acts.onRemove}>${icons.close}</button>`
    : html`<button type="button" class="drop-button" tabindex="-1" aria-label="Upload a file for ${option.label}" @click=${acts.onChoose}>
        ${icons.picture}<span><strong>Drag and drop, paste</strong><br />or click to upload</span>
      </button>`;
  return html`<div class="attachment-card ${acts.isFocused ? "focused" : ""}" data-card=${option.name} @drop=${drop}>
    ${face}
    <span class="card-option">${option.label}</span>
  </div>`;
}
