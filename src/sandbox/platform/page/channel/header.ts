import type { APIThreadChannel } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import { tagPill } from "../forum/forum-element.ts";
import type { PageSession } from "../page-session.ts";
import { describeChannel } from "../state/channels.ts";
import { createNames } from "../state/names.ts";
import type { PageState } from "../state/page-state.ts";
import { postTags } from "../state/posts.ts";
import { avatar } from "./author.ts";

/** Before the name of a place. */
export const signs = {
  text: icons.hash,
  announcements: icons.megaphone,
  direct: icons.at,
  forum: icons.forum,
  post: icons.post,
} as const;

interface HeaderButtons {
  readonly openSidebar: () => void;
  readonly toggleHappenings: () => void;
  readonly isHappenings: boolean;
}

export function channelHeader(
  session: PageSession,
  state: PageState,
  { openSidebar, toggleHappenings, isHappenings }: HeaderButtons,
): TemplateResult {
  const { hello, channelId } = state;
  const { kind, name, parent } = describeChannel(state, channelId);
  const back = `Back to ${parent?.name}`;
  return html`<header class="channel-header">
    <button type="button" class="icon-button sidebar-button" aria-label="Show channels and people" @click=${openSidebar}>
      ${icons.menu}
    </button>
    ${
      parent
        ? html`<button type="button" class="icon-button back-button" aria-label=${back} title=${back} @click=${() => session.goTo(parent.id)}>
          ${icons.left}
        </button>`
        : nothing
    }
    <span class="channel-mark">${signs[kind]}</span>
    <h2>${name}</h2>
    <span class="space"></span>
    <button type="button" class="happenings-button" aria-label="Make something happen" title="Make something happen" aria-expanded=${isHappenings} @click=${toggleHappenings}>
      ${icons.bolt}<span aria-hidden="true">Make something happen</span>
    </button>
    ${
      hello
        ? html`<span class="bot-state" data-online=${hello.online} title=${`${hello.bot.username} is ${hello.online ? "online" : "offline"}`}>
          <span class="with-status">${avatar(hello.bot, "small")}<i class="status ${hello.online ? "online" : ""}"></i></span>
          <span class="bot-name">${hello.bot.username}</span>
          <span class="bot-word">${hello.online ? "online" : "offline"}</span>
        </span>`
        : nothing
    }
  </header>`;
}

/** A bar over the channel while the page or the bot is cut off. */
export function linkBar({ link, hello }: PageState): TemplateResult | typeof nothing {
  if (link === "lost") return bar("Reconnecting…", "lost");
  if (link === "connecting" && !hello) return bar("Connecting…", "connecting");
  if (hello && !hello.online)
    return bar(`${hello.bot.username} is offline. Commands won't be answered.`, "offline");
  return nothing;
}

function bar(words: string, state: string): TemplateResult {
  return html`<div class="link-bar ${state}" role="status" data-link=${state}>${words}</div>`;
}

/** Who else is about to write here. */
export function typingLine(state: PageState): TemplateResult {
  const { hello, channelId } = state;
  const names = createNames(hello);
  const others = state.typing.filter(
    (one) => one.channelId === channelId && one.userId !== hello?.me.user.id,
  );
  const who = others.map(({ userId }) => names.user(userId)).join(", ");
  const verb = others.length === 1 ? "is" : "are";
  return html`<div class="typing-line" role="status">
    ${who === "" ? nothing : html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span><strong>${who}</strong> ${verb} typing…</span>`}
  </div>`;
}

/** Above a post's messages: its title and tags. */
export function postHead(state: PageState, thread: APIThreadChannel): TemplateResult {
  const tags = postTags(state, thread);
  return html`<div class="welcome post-head">
    <span class="welcome-mark">${icons.post}</span>
    <h1>${thread.name}</h1>
    ${tags.length > 0 ? html`<div class="tags" role="list" aria-label="Tags">${tags.map((tag) => tagPill(tag))}</div>` : nothing}
  </div>`;
}

/** Over the message box of a post that a moderator closed. */
export function lockedBar(state: PageState): TemplateResult | typeof nothing {
  const { thread } = describeChannel(state, state.channelId);
  if (!thread?.thread_metadata?.locked) return nothing;
  return html`<div class="locked-bar" role="status">${icons.lock}<span>This post is locked. Only moderators can write here.</span></div>`;
}
