import { html } from "hono/html";
import type { PageTranslator } from "../page-translator.ts";

export type LinkPageHtml = ReturnType<typeof html>;

/** What every page needs: its texts and its address. */
export interface PageContext {
  readonly translator: PageTranslator;
  /** Path of the public address, such as `/bot`; mostly empty. */
  readonly base: string;
}

interface PageParts {
  readonly title: string;
  readonly content: LinkPageHtml;
}

/** The frame of every page. It works without scripts, and loads only our own style sheet and icon. */
export function framePage(
  { translator, base }: PageContext,
  { title, content }: PageParts,
): LinkPageHtml {
  return html`<!doctype html>
<html lang="${translator.locale}">
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

export type LinkStepName = (typeof stepNames)[number];

/** The three steps of a link, with this page's step marked. */
export function stepList({ translator }: PageContext, current: LinkStepName): LinkPageHtml {
  const at = stepNames.indexOf(current);
  return html`
    <ol class="steps" aria-label="${translator.say("web.steps.label")}">
      ${stepNames.map((step, index) => {
        const state = index < at ? "done" : index === at ? "now" : "next";
        return html`<li class="${state}" ${index === at ? html`aria-current="step"` : ""}>${translator.say(`web.steps.${step}`)}</li>`;
      })}
    </ol>
  `;
}

/** Private code points: they stand in for the pieces while the sentence is put together. */
const firstMark = 0xe000;

/** A message with HTML in it, such as names; the message's own words are escaped like everything else. */
export function sentence(
  translator: PageTranslator,
  key: string,
  pieces: Readonly<Record<string, LinkPageHtml>>,
): LinkPageHtml {
  const marks = Object.keys(pieces).map((name, at) => [name, String.fromCodePoint(firstMark + at)]);
  const message = translator.say(key, Object.fromEntries(marks));
  const all = Object.values(pieces);
  const parts = message
    .split(/([\u{e000}-\u{e0ff}])/u)
    .map((part) => all[(part.codePointAt(0) ?? 0) - firstMark] ?? part);
  return html`${parts}`;
}

/** Somebody else's text; isolated, so that its direction does not change the text around it. */
export function isolatedName(text: string): LinkPageHtml {
  return html`<bdi class="name">${text}</bdi>`;
}

export interface LinkPageMessage {
  readonly title: string;
  /** What to do next. */
  readonly hint: string;
  /** The short id under which the log has the failure. */
  readonly reference?: string | undefined;
}

/** A page that says one thing: what this address is, or what did not work. */
export function messagePage(
  place: PageContext,
  { title, hint, reference }: LinkPageMessage,
): LinkPageHtml {
  return framePage(place, {
    title,
    content: html`
      <div class="opening">
        <h1>${title}</h1>
        <p class="lead">${hint}</p>
      </div>
      ${reference === undefined ? "" : html`<p class="note">${place.translator.say("common.reference", { id: reference })}</p>`}
    `,
  });
}
