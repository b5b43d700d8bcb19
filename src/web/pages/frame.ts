import { html } from "hono/html";
import type { Speech } from "../speech.ts";

export type Html = ReturnType<typeof html>;

/** What every page needs to know of where it stands. */
export interface Place {
  readonly speech: Speech;
  /** Path of the public address, such as `/bot`; mostly empty. */
  readonly base: string;
}

interface PageParts {
  readonly title: string;
  readonly content: Html;
}

/** The frame of every page. It works without a script, and loads one style sheet and one sign of our own. */
export function framed({ speech, base }: Place, { title, content }: PageParts): Html {
  return html`<!doctype html>
<html lang="${speech.locale}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex, nofollow">
    <meta name="color-scheme" content="light dark">
    <title>${title} – Greenroom</title>
    <link rel="icon" href="${base}/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="${base}/style.css">
  </head>
  <body>
    <header class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <circle cx="16" cy="16" r="16" />
        <path d="M21.6 12.3A6.6 6.6 0 1 0 22.6 16.6H16.6" />
      </svg>
      <span>Greenroom</span>
    </header>
    <main>${content}</main>
  </body>
</html>`;
}

const stepNames = ["check", "allow", "confirm"] as const;

export type Step = (typeof stepNames)[number];

/** The three steps of a link, and which one this page is. */
export function steps({ speech }: Place, current: Step): Html {
  const at = stepNames.indexOf(current);
  return html`
    <ol class="steps" aria-label="${speech.say("web.steps.label")}">
      ${stepNames.map((step, index) => {
        const state = index < at ? "done" : index === at ? "now" : "next";
        return html`<li class="${state}" ${index === at ? html`aria-current="step"` : ""}>${speech.say(`web.steps.${step}`)}</li>`;
      })}
    </ol>
  `;
}

/** Code points that no message uses: they hold the places of the pieces while the sentence is put together. */
const firstMark = 0xe000;

/** A message with pieces of a page in it, such as names; its own words are escaped like everything else. */
export function sentence(
  speech: Speech,
  key: string,
  pieces: Readonly<Record<string, Html>>,
): Html {
  const marks = Object.keys(pieces).map((name, at) => [name, String.fromCodePoint(firstMark + at)]);
  const said = speech.say(key, Object.fromEntries(marks));
  const all = Object.values(pieces);
  const parts = said
    .split(/([\u{e000}-\u{e0ff}])/u)
    .map((part) => all[(part.codePointAt(0) ?? 0) - firstMark] ?? part);
  return html`${parts}`;
}

/** As somebody else wrote it, and however it runs: it turns nothing around it. */
export function name(text: string): Html {
  return html`<bdi class="name">${text}</bdi>`;
}
