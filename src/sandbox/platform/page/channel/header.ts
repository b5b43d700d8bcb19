import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import type { PageState } from "../state/page.ts";
import { avatar } from "./avatar.ts";

export function channelHeader(state: PageState, openSidebar: () => void): TemplateResult {
  const { hello, channelId } = state;
  const channel = hello?.channels.find(({ id }) => id === channelId);
  return html`<header class="channel-header">
    <button type="button" class="icon-button sidebar-button" aria-label="Show channels and people" @click=${openSidebar}>
      ${icons.menu}
    </button>
    <span class="channel-mark">${icons.hash}</span>
    <h2>${channel?.name ?? ""}</h2>
    <span class="space"></span>
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
