import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import type { Desk } from "../desk.ts";
import { type PageState, placeOf } from "../state/page.ts";
import { unreadIn } from "../state/reading.ts";
import { avatar } from "./avatar.ts";

const mostShown = 99;

/** One channel in the list: bright with a mark while something waits there. */
export function channelEntry(
  desk: Desk,
  state: PageState,
  id: string,
  name: string,
): TemplateResult {
  const unread = unreadIn(state, id);
  return entry(desk, state, { id, name, unread, sign: icons.hash, badge: nothing });
}

/** The person's conversation with the bot, once there is one, with the number of messages that wait. */
export function directEntry(desk: Desk, state: PageState): TemplateResult | typeof nothing {
  const { hello, messages, channelId } = state;
  if (!hello) return nothing;
  const id = hello.directChannelId;
  const isThere = channelId === id || messages.some((message) => message.channel_id === id);
  if (!isThere) return nothing;
  const unread = unreadIn(state, id);
  const name = placeOf(state, id).name;
  const count = unread > mostShown ? `${mostShown}+` : String(unread);
  const badge = unread > 0 ? html`<span class="badge" aria-hidden="true">${count}</span>` : nothing;
  return html`<div class="menu-title direct-title">Direct messages</div>
    ${entry(desk, state, { id, name, unread, sign: avatar(hello.bot, "small"), badge })}`;
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly unread: number;
  readonly sign: TemplateResult;
  readonly badge: TemplateResult | typeof nothing;
}

function entry(desk: Desk, state: PageState, { id, name, unread, sign, badge }: Entry) {
  const words = unread > 0 ? `${name}, ${unread} unread` : name;
  return html`<button
    type="button"
    class="channel-button ${unread > 0 ? "unread" : ""}"
    aria-current=${id === state.channelId ? "page" : "false"}
    aria-label=${words}
    data-unread=${unread}
    @click=${() => desk.goTo(id)}
  >
    ${sign}<span>${name}</span>${badge}
  </button>`;
}
