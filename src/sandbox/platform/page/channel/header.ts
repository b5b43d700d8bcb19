import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import type { Desk } from "../desk.ts";
import type { PageState } from "../state/page.ts";
import { type Place, placeOf } from "../state/place.ts";
import { mentionsIn, unreadIn } from "../state/reading.ts";
import { avatar } from "./avatar.ts";

const signs = { text: icons.hash, direct: icons.at, forum: icons.forum, post: icons.post } as const;

export function channelHeader(
  desk: Desk,
  state: PageState,
  openSidebar: () => void,
): TemplateResult {
  const { hello, channelId } = state;
  const place = placeOf(state, channelId);
  const elsewhere = [...(hello?.channels.map(({ id }) => id) ?? []), hello?.directChannelId ?? ""];
  const waits = elsewhere.some(
    (id) => id !== channelId && unreadIn(state, id) + mentionsIn(state, id) > 0,
  );
  return html`<header class="channel-header">
    <button type="button" class="icon-button sidebar-button ${waits ? "waits" : ""}" aria-label="Show channels and people" @click=${openSidebar}>
      ${icons.menu}
    </button>
    ${wayBack(desk, place)}
    <span class="channel-mark">${signs[place.kind]}</span>
    <h2>${place.name}</h2>
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

function wayBack(desk: Desk, { parent }: Place): TemplateResult | typeof nothing {
  if (!parent) return nothing;
  const words = `Back to ${parent.name}`;
  return html`<button type="button" class="icon-button back-button" aria-label=${words} title=${words} @click=${() => desk.goTo(parent.id)}>
    ${icons.left}
  </button>`;
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
