import {
  type APIMessage,
  type APIThreadChannel,
  MessageFlags,
  MessageType,
} from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import type { HelloEvent } from "../../protocol.ts";
import { attachments, looseAttachments } from "../content/attachments.ts";
import { components } from "../content/components.ts";
import { embeds } from "../content/embed.ts";
import { emojiElement, icons } from "../content/icons.ts";
import type { MessageContext } from "../content/message-context.ts";
import { PageElement } from "../element.ts";
import { markdown } from "../markdown/render.ts";
import { messageTime } from "../markdown/time.ts";
import type { PageSession } from "../page-session.ts";
import { createNames, shownName } from "../state/names.ts";
import { pageNow } from "../state/page-clock.ts";
import type { PendingAction } from "../state/page-state.ts";
import { author, avatar } from "./author.ts";
import { usedLine } from "./used-line.ts";

/** `<page-message>`: one message with everything on it. */
class PageMessage extends PageElement {
  static override properties = {
    session: { attribute: false },
    message: { attribute: false },
    replied: { attribute: false },
    waiting: { attribute: false },
    grouped: { type: Boolean },
    thread: { attribute: false },
    locale: {},
    done: { attribute: false },
  };
  declare session: PageSession;
  declare message: APIMessage;
  declare replied: APIMessage | undefined;
  declare waiting: readonly PendingAction[];
  declare grouped: boolean;
  /** The thread that was begun from it. */
  declare thread: APIThreadChannel | undefined;
  /** A change renders dates and commands again, in the new language. */
  declare locale: string | undefined;
  /** Of the welcome: which of its suggestions were tried. */
  declare done: readonly string[] | undefined;

  override render(): TemplateResult {
    const { message, session } = this;
    const { hello } = session.state;
    const isEphemeral = this.#has(MessageFlags.Ephemeral);
    const scene = { session, message, names: createNames(hello, this.done), waiting: this.waiting };
    const isCalling = isMention(message, hello);
    const sentAt = new Date(message.timestamp);
    const clock = this.grouped ? sentAt.toLocaleTimeString(undefined, { timeStyle: "short" }) : "";
    const failed = this.waiting.find((one) => one.failed !== undefined);
    const state = [
      this.grouped ? "grouped" : "",
      isEphemeral ? "ephemeral" : "",
      isCalling ? "calling" : "",
    ].join(" ");
    return html`<article
      class="message ${state}"
      aria-label="Message from ${shownName(message.author)}"
      data-message-id=${message.id}
      data-state=${this.#has(MessageFlags.Loading) ? "thinking" : "shown"}
      @contextmenu=${this.#onContextMenu}
    >
      ${usedLine(message, this.replied, hello)}
      <div class="message-body">
        ${this.grouped ? html`<time class="hover-time" datetime=${message.timestamp}>${clock}</time>` : avatar(message.author)}
        <div class="message-main">
          ${this.grouped ? nothing : this.#head()}
          ${this.#content(scene)} ${reactions(scene)} ${this.#published()} ${this.#thread()}
          ${failed ? html`<div class="failure" role="alert">${icons.warning}<span>${failed.failed}</span></div>` : nothing}
          ${
            isEphemeral
              ? html`<div class="ephemeral-line">
                ${icons.eye}<span>Only you can see this</span><span aria-hidden="true">·</span>
                <button type="button" class="link-button" @click=${() => session.dismiss(message)}>Dismiss message</button>
              </div>`
              : nothing
          }
        </div>
      </div>
      <div class="toolbar">
        <button type="button" class="icon-button" aria-label="More" title="More" aria-haspopup="menu" @click=${this.#onMore}>
          ${icons.more}
        </button>
      </div>
    </article>`;
  }

  #has(flag: MessageFlags): boolean {
    return ((this.message.flags ?? 0) & flag) !== 0;
  }

  #head(): TemplateResult {
    const { author: user, timestamp } = this.message;
    return html`<header class="message-head">
      ${author(user, this.session.state.hello)}
      <time datetime=${timestamp}>${messageTime(timestamp, pageNow())}</time>
    </header>`;
  }

  /** It was sent to the channels that follow this one. */
  #published(): TemplateResult | typeof nothing {
    if (!this.#has(MessageFlags.Crossposted)) return nothing;
    return html`<div class="published">${icons.megaphone}<span>Published</span></div>`;
  }

  #thread(): TemplateResult | typeof nothing {
    const { thread, session, message } = this;
    // A post begins with the message of its own id.
    if (thread === undefined || thread.id === message.channel_id) return nothing;
    const count = thread.message_count ?? 0;
    const words = count === 0 ? "No messages yet" : count === 1 ? "1 message" : `${count} messages`;
    return html`<button type="button" class="thread-card" data-thread-id=${thread.id} @click=${() => session.goTo(thread.id)}>
      ${icons.post}<strong>${thread.name}</strong><span>${words}</span>${icons.right}
    </button>`;
  }

  #content(scene: MessageContext): TemplateResult {
    const { message } = this;
    if (message.type === MessageType.ThreadStarterMessage) {
      const about = message.referenced_message?.author;
      return html`<div class="message-text thread-start">${about ? shownName(about) : "Somebody"} started this thread.</div>`;
    }
    if (message.type === MessageType.ChannelPinnedMessage)
      return html`<div class="message-text">pinned a message to this channel.</div>`;
    if (this.#has(MessageFlags.Loading)) {
      const name = shownName(message.author);
      return html`<div class="thinking" role="status" aria-label="${name} is thinking">
        <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span>${name} is thinking…</span>
      </div>`;
    }
    if (this.#has(MessageFlags.IsComponentsV2))
      return html`<div class="components v2">${components(message.components ?? [], scene)}</div>`;
    const isSuppressed = this.#has(MessageFlags.SuppressEmbeds);
    return html`${message.content ? this.#text(scene) : nothing}
    ${attachments(looseAttachments(message))} ${isSuppressed ? nothing : embeds(scene)}
    ${message.components?.length ? html`<div class="components">${components(message.components, scene)}</div>` : nothing}`;
  }

  /** Discord says "(edited)" beside a message's text only, never beside bare embeds or components. */
  #text({ names }: MessageContext): TemplateResult {
    const isEdited = this.message.edited_timestamp !== null;
    return html`<div class="message-text">
      ${markdown(this.message.content, names)}${isEdited ? html`<span class="edited">(edited)</span>` : nothing}
    </div>`;
  }

  #onContextMenu(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    // Links and pictures keep the browser's own menu only with Shift, as the page can't offer "copy link" itself.
    if (event.shiftKey || target.closest("input, textarea")) return;
    event.preventDefault();
    this.#openMenu(event.clientX, event.clientY);
  }

  #onMore(event: MouseEvent): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    this.#openMenu(box.left, box.bottom + 4);
  }

  #openMenu(x: number, y: number): void {
    const detail = { message: this.message, x, y };
    this.dispatchEvent(new CustomEvent("page-menu", { detail, bubbles: true }));
  }
}

/** Whether a message calls this person: by name, by their role, or with everyone. */
function isMention(message: APIMessage, hello: HelloEvent | undefined): boolean {
  if (hello === undefined || message.author.id === hello.me.user.id) return false;
  const { user, role } = hello.me;
  return (
    message.mention_everyone ||
    message.mention_roles.includes(role.id) ||
    message.mentions.some(({ id }) => id === user.id)
  );
}

customElements.define("page-message", PageMessage);

/** Emoji below a message with how many chose them; a press chooses one too, or gives it up. */
function reactions({ message, session }: MessageContext): TemplateResult | typeof nothing {
  if (!message.reactions?.length) return nothing;
  return html`<div class="reactions" role="group" aria-label="Reactions">
    ${message.reactions.map(({ emoji: one, count, me }) => {
      const { id, name } = one;
      const key = id === null ? `${name}` : `${name}:${id}`;
      return html`<button
        type="button"
        class="reaction"
        aria-pressed=${me}
        aria-label="${name}, ${count}"
        @click=${() => session.react(message, key)}
      >
        ${emojiElement({ name: name ?? "", ...(id === null ? {} : { id }) })}<span>${count}</span>
      </button>`;
    })}
  </div>`;
}
