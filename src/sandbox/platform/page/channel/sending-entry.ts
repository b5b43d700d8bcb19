import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import type { Desk } from "../desk.ts";
import { shownName } from "../state/names.ts";
import type { Waiting } from "../state/page.ts";
import { author } from "./author.ts";
import { avatar } from "./avatar.ts";
import { commandLine } from "./used-line.ts";

/** A command on its way to the bot, or one that the bot did not answer; only this page knows of it. */
export function sendingEntry(waiting: Waiting, desk: Desk): TemplateResult {
  const { hello } = desk.state;
  if (!hello) return html``;
  const isFailed = waiting.failed !== undefined;
  return html`<article
    class="message sending ${isFailed ? "ephemeral" : ""}"
    aria-label="Command ${waiting.label}"
    data-state=${isFailed ? "failed" : "sending"}
  >
    ${commandLine(hello.me.user, waiting.label, hello)}
    <div class="message-body">
      ${avatar(hello.bot)}
      <div class="message-main">
        <header class="message-head">${author(hello.bot, hello)}</header>
        ${isFailed ? failure(waiting) : html`<div class="thinking" role="status">Sending command…</div>`}
        ${isFailed ? dismissLine(waiting, desk) : nothing}
      </div>
    </div>
  </article>`;

  function failure({ failed }: Waiting): TemplateResult {
    const words = failed || `${shownName(hello?.bot ?? { username: "The app" })} did not respond`;
    return html`<div class="failure" role="alert">${icons.warning}<span>${words}</span></div>`;
  }
}

function dismissLine({ key }: Waiting, desk: Desk): TemplateResult {
  return html`<div class="ephemeral-line">
    ${icons.eye}<span>Only you can see this</span><span aria-hidden="true">·</span>
    <button type="button" class="link-button" @click=${() => desk.forget(key)}>Dismiss message</button>
  </div>`;
}
