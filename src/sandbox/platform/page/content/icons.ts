import type { APIMessageComponentEmoji } from "discord-api-types/v10";
import { html, nothing, svg, type TemplateResult } from "lit";
import { emojiAddress } from "./address.ts";

const icon = (path: string, viewBox = "0 0 24 24"): TemplateResult =>
  svg`<svg class="icon" viewBox=${viewBox} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${path} /></svg>` as TemplateResult;

export const icons = {
  hash: icon("M5 9h15M4 15h15M10 3 8 21M16 3l-2 18"),
  forum: icon("M3 5h13v9H8l-4 4v-4H3zM9 18h7l4 3v-3h1V9h-2"),
  post: icon("M4 5h16v11H9l-5 4z"),
  lock: icon("M6 11h12v9H6zM9 11V7a3 3 0 0 1 6 0v4"),
  at: icon("M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM16 8v5a3 3 0 0 0 6 0v-1a10 10 0 1 0-4 8"),
  plus: icon("M12 5v14M5 12h14"),
  close: icon("M6 6l12 12M18 6 6 18"),
  more: icon("M5 12h.01M12 12h.01M19 12h.01"),
  down: icon("m6 9 6 6 6-6"),
  right: icon("m9 6 6 6-6 6"),
  left: icon("m15 6-6 6 6 6"),
  check: icon("m5 13 4 4L19 7"),
  menu: icon("M4 6h16M4 12h16M4 18h16"),
  file: icon("M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zM14 3v5h5"),
  save: icon("M12 4v11M7 11l5 5 5-5M5 20h14"),
  open: icon("M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5"),
  eye: icon("M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z"),
  warning: icon("M12 8v5M12 16.5h.01M12 3 2 20h20z"),
  calendar: icon("M4 6h16v14H4zM4 10h16M8 3v4M16 3v4"),
  megaphone: icon("M4 10v4h3l9 5V5l-9 5zM19 9.5a4 4 0 0 1 0 5M7 14l1 6h3"),
  bolt: icon("M13 3 5 14h6l-1 7 8-11h-6z"),
  send: icon("M4 12 20 4l-5 16-3-7z"),
  picture: icon("M4 5h16v14H4zM4 16l5-5 5 5 3-3 3 3M15.5 9.5h.01"),
} as const;

/** A unicode emoji as it is, a custom one as its picture. */
export function emojiElement(
  one: APIMessageComponentEmoji | undefined,
): TemplateResult | typeof nothing {
  if (!one?.name) return nothing;
  if (one.id) return html`<img class="md-emoji" src=${emojiAddress(one.id)} alt="" />`;
  return html`<span class="emoji" aria-hidden="true">${one.name}</span>`;
}
