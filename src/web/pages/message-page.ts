import { html } from "hono/html";
import { framed, type Html, type Place } from "./frame.ts";

export interface Message {
  readonly title: string;
  /** What to do next. */
  readonly hint: string;
  /** The log has it too. */
  readonly reference?: string | undefined;
}

/** A page that says one thing: what this address is, or what did not work. */
export function messagePage(place: Place, { title, hint, reference }: Message): Html {
  return framed(place, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p class="lead">${hint}</p>
      </div>
      ${reference === undefined ? "" : html`<p class="note">${place.speech.say("common.reference", { id: reference })}</p>`}
    `,
  });
}
