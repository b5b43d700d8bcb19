import type { APIMessage } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../content/icons.ts";
import { PageElement } from "../element.ts";
import { startOfDay } from "../markdown/time.ts";
import type { PageSession } from "../page-session.ts";
import { describeChannel } from "../state/channels.ts";
import { shownName } from "../state/names.ts";
import type { PageState, PendingAction } from "../state/page-state.ts";
import { author, avatar } from "./author.ts";
import { postHead } from "./header.ts";
import { commandLine } from "./used-line.ts";
import "./message-element.ts";

const groupMs = 7 * 60_000;
/** Closer to the end than this counts as reading the newest. */
const nearPx = 60;
const nothingWaiting: readonly PendingAction[] = [];

/** `<page-messages>`: the channel's messages; stays at the newest unless the person reads above. */
export class PageMessages extends PageElement {
  static override properties = {
    session: { attribute: false },
    state: { attribute: false },
    unseen: { state: true },
  };
  declare session: PageSession;
  declare state: PageState;
  declare unseen: number;
  #isAtEnd = true;
  #top = 0;
  #count = 0;
  #channel = "";
  #watch: ResizeObserver | undefined;

  constructor() {
    super();
    this.unseen = 0;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.disconnect();
  }

  override firstUpdated(): void {
    // Pictures that load later make the list longer, a growing command line makes the window onto it shorter.
    this.#watch = new ResizeObserver(() => {
      this.#readPosition();
      if (this.#isAtEnd) this.toEnd();
    });
    for (const part of this.querySelectorAll(".scroller, .scroller-inner"))
      this.#watch.observe(part);
  }

  override willUpdate(): void {
    this.#readPosition();
  }

  override updated(): void {
    const { length } = this.#shown();
    const isOtherChannel = this.#channel !== `${this.session.person}:${this.state.channelId}`;
    const added = length - this.#count;
    this.#channel = `${this.session.person}:${this.state.channelId}`;
    this.#count = length;
    if (isOtherChannel) this.#isAtEnd = true;
    if (this.#isAtEnd) this.toEnd();
    else if (added > 0) this.unseen += added;
  }

  override render(): TemplateResult {
    const messages = this.#shown();
    const sending = this.state.waiting.filter(
      ({ kind, channelId }) => kind === "command" && channelId === this.state.channelId,
    );
    return html`<div class="scroller" tabindex="0" role="region" aria-label="Messages" @scroll=${this.#readPosition}>
        <div class="scroller-inner" role="log" aria-label="Messages" aria-live="polite">
          ${this.#welcome()}
          ${repeat(
            messages,
            ({ id }) => id,
            (message, index) => this.#row(message, messages[index - 1]),
          )}
          ${repeat(
            sending,
            ({ key }) => key,
            (one) => sendingEntry(one, this.session),
          )}
        </div>
      </div>
      ${
        this.unseen > 0
          ? html`<button type="button" class="jump-bar" @click=${() => this.toEnd()}>
            ${this.unseen === 1 ? "1 new message" : `${this.unseen} new messages`} ${icons.down}
          </button>`
          : nothing
      }`;
  }

  toEnd(): void {
    const scroller = this.querySelector(".scroller");
    if (scroller) {
      scroller.scrollTop = scroller.scrollHeight;
      this.#top = scroller.scrollTop;
    }
    this.#isAtEnd = true;
    this.unseen = 0;
  }

  #shown(): readonly APIMessage[] {
    return this.state.messages.filter(({ channel_id: id }) => id === this.state.channelId);
  }

  #row(message: APIMessage, before: APIMessage | undefined): TemplateResult {
    const waiting = this.state.waiting.filter(({ messageId }) => messageId === message.id);
    const isNewDay =
      before !== undefined &&
      startOfDay(Date.parse(before.timestamp)) !== startOfDay(Date.parse(message.timestamp));
    return html`${isNewDay ? daySeparator(message.timestamp) : nothing}<page-message
        .session=${this.session}
        .message=${message}
        .replied=${this.#replied(message)}
        .waiting=${waiting.length > 0 ? waiting : nothingWaiting}
        .thread=${this.state.hello?.threads.find(({ id }) => id === message.id)}
        .locale=${this.state.hello?.locale}
        .done=${message.id === this.state.hello?.welcomeId ? this.state.done : undefined}
        .grouped=${!isNewDay && isGrouped(message, before)}
      ></page-message>`;
  }

  #replied(message: APIMessage): APIMessage | undefined {
    if (message.referenced_message) return message.referenced_message;
    const metadata = message.interaction_metadata;
    const id =
      metadata && "interacted_message_id" in metadata
        ? metadata.interacted_message_id
        : message.message_reference?.message_id;
    return id === undefined ? undefined : this.state.messages.find((one) => one.id === id);
  }

  #welcome(): TemplateResult {
    const { name, kind, thread } = describeChannel(this.state, this.state.channelId);
    if (thread) return postHead(this.state, thread);
    if (kind === "direct") {
      return html`<div class="welcome">
        <span class="welcome-mark">${icons.at}</span>
        <h1>${name}</h1>
        <p>This is your private conversation with ${name}. Only you can see it.</p>
      </div>`;
    }
    return html`<div class="welcome">
      <span class="welcome-mark">${kind === "announcements" ? icons.megaphone : icons.hash}</span>
      <h1>Welcome to #${name}</h1>
      <p>This is the start of the channel. Type <kbd>/</kbd> to see what ${this.state.hello?.bot.username} can do.</p>
    </div>`;
  }

  /** Reads from the scroller whether the person has scrolled up: a new message may come before the scroll event. */
  #readPosition(): void {
    const scroller = this.querySelector(".scroller");
    if (!scroller) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    // A list that grew beneath the reader also ends up away from its end; only moving up means reading above.
    if (scrollHeight - scrollTop - clientHeight < nearPx) {
      this.#isAtEnd = true;
      this.unseen = 0;
    } else if (scrollTop < this.#top) this.#isAtEnd = false;
    this.#top = scrollTop;
  }
}

/** Messages of one author soon after each other share a head; the answer to a command never does. */
function isGrouped(message: APIMessage, before: APIMessage | undefined): boolean {
  if (!before || before.author.id !== message.author.id) return false;
  if (message.interaction_metadata || message.message_reference || message.interaction)
    return false;
  if (((before.flags ?? 0) & 64) !== ((message.flags ?? 0) & 64)) return false;
  return Date.parse(message.timestamp) - Date.parse(before.timestamp) < groupMs;
}

function daySeparator(timestamp: string): TemplateResult {
  const day = new Date(timestamp).toLocaleDateString(undefined, { dateStyle: "long" });
  return html`<div class="day" role="separator" aria-label=${day}><span>${day}</span></div>`;
}

customElements.define("page-messages", PageMessages);

/** A command on its way to the bot, or one that the bot did not answer; only this page knows of it. */
function sendingEntry(waiting: PendingAction, session: PageSession): TemplateResult {
  const { hello } = session.state;
  if (!hello) return html``;
  const isFailed = waiting.failed !== undefined;
  const words = waiting.failed || `${shownName(hello.bot)} did not respond`;
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
        ${
          isFailed
            ? html`<div class="failure" role="alert">${icons.warning}<span>${words}</span></div>
              <div class="ephemeral-line">
                ${icons.eye}<span>Only you can see this</span><span aria-hidden="true">·</span>
                <button type="button" class="link-button" @click=${() => session.forget(waiting.key)}>Dismiss message</button>
              </div>`
            : html`<div class="thinking" role="status">Sending command…</div>`
        }
      </div>
    </div>
  </article>`;
}
