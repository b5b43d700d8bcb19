import { html, nothing, type TemplateResult } from "lit";
import type { PageChannel } from "../../protocol.ts";
import { icons } from "../content/icons.ts";
import type { Desk } from "../desk.ts";
import type { PageState } from "../state/page.ts";
import { isForum, placeOf } from "../state/place.ts";
import { mentionsIn, unreadIn } from "../state/reading.ts";
import { avatar } from "./avatar.ts";

const mostShown = 99;

/** One channel in the list: bright with a mark while something waits there, with the number of calls for this person. */
export function channelEntry(desk: Desk, state: PageState, channel: PageChannel): TemplateResult {
  const { id, name } = channel;
  const [unread, calls] = [unreadIn(state, id), mentionsIn(state, id)];
  const sign = isForum(channel) ? icons.forum : icons.hash;
  return html`${entry(desk, state, { id, name, unread, calls, sign, badge: badge(calls) })}
  ${openPost(desk, state, channel)}`;
}

/** The post that is read at the moment stands below its forum. */
function openPost(desk: Desk, state: PageState, forum: PageChannel) {
  const { thread, parent, name } = placeOf(state, state.channelId);
  if (!thread || parent?.id !== forum.id) return nothing;
  const { id } = thread;
  return html`<div class="channel-post">
    ${entry(desk, state, { id, name, unread: 0, calls: 0, sign: icons.post, badge: nothing })}
  </div>`;
}

function badge(count: number): TemplateResult | typeof nothing {
  if (count === 0) return nothing;
  const shown = count > mostShown ? `${mostShown}+` : String(count);
  return html`<span class="badge" aria-hidden="true">${shown}</span>`;
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
  const sign = avatar(hello.bot, "small");
  return html`<div class="menu-title direct-title">Direct messages</div>
    ${entry(desk, state, { id, name, unread, calls: 0, sign, badge: badge(unread) })}`;
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly unread: number;
  /** Of those that wait, the ones that call this person. */
  readonly calls: number;
  readonly sign: TemplateResult;
  readonly badge: TemplateResult | typeof nothing;
}

function entry(desk: Desk, state: PageState, { id, name, unread, calls, sign, badge }: Entry) {
  const waits = unread > 0 || calls > 0;
  const words = [
    name,
    ...(unread > 0 ? [`${unread} unread`] : []),
    ...(calls > 0 ? [calls === 1 ? "1 mention" : `${calls} mentions`] : []),
  ].join(", ");
  return html`<button
    type="button"
    class="channel-button ${waits ? "unread" : ""}"
    aria-current=${id === state.channelId ? "page" : "false"}
    aria-label=${words}
    data-unread=${unread}
    data-mentions=${calls}
    @click=${() => desk.goTo(id)}
  >
    ${sign}<span>${name}</span>${badge}
  </button>`;
}
