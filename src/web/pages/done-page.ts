import { html } from "hono/html";
import type { Outcome } from "../outcome.ts";
import { framed, type Html, name, type Place, sentence, steps } from "./frame.ts";

/** The consent is there; what becomes of it is decided in Discord. */
export function donePage(place: Place, { channel, permissions }: Outcome): Html {
  const { speech } = place;
  return framed(place, {
    title: speech.say("web.done.heading"),
    content: html`
      ${steps(place, "confirm")}
      <div class="opening">
        <h1>${speech.say("web.done.heading")}</h1>
        <p class="lead">${sentence(speech, "web.done.text", { channel: name(channel.title) })}</p>
      </div>
      <section class="channel">
        <p class="title">${name(channel.title)}</p>
        <ul class="granted" aria-label="${speech.say("web.done.granted")}">
          ${permissions.map((one) => html`<li>${speech.say(`web.permissions.${one}.title`)}</li>`)}
        </ul>
      </section>
      <p>${speech.say("web.done.other")}</p>
      <p class="note">${speech.say("web.done.close")}</p>
    `,
  });
}
