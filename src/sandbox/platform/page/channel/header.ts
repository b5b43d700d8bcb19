import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import { type PageState, placeOf } from "../state/page.ts";
import { unreadIn } from "../state/reading.ts";
import { avatar } from "./avatar.ts";

export function channelHeader(state: PageState, openSidebar: () => void): TemplateResult {
  const { hello, channelId } = state;
  const { name, mark } = placeOf(state, channelId);
  const elsewhere = [...(hello?.channels.map(({ id }) => id) ?? []), hello?.directChannelId ?? ""];
  const waits = elsewhere.some((id) => id !== channelId && unreadIn(state, id) > 0);
  return html`<header class="channel-header">
    <button type="button" class="icon-button sidebar-button ${waits ? "waits" : ""}" aria-label="Show channels and people" @click=${openSidebar}>
      ${icons.menu}
    </button>
    <span class="channel-mark">${mark === "#" ? icons.hash : icons.at}</span>
    <h2>${name}</h2>
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
