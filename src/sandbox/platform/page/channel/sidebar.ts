import { html, nothing, type TemplateResult } from "lit";
import type { HelloEvent, PageChannel, ShownExpression } from "../../protocol.ts";
import { emojiAddress, stickerAddress } from "../content/address.ts";
import { icons } from "../content/icons.ts";
import type { PageSession } from "../page-session.ts";
import { isForumOnPage, shownChannelOf } from "../state/channels.ts";
import type { PageState } from "../state/page-state.ts";
import { mentionsIn, unreadIn } from "../state/read-positions.ts";
import { avatar } from "./author.ts";
import "./user-panel.ts";

/** The server's name, its channels, its own emoji and stickers, and the person's own panel below. */
export function sidebar(session: PageSession, state: PageState, isOpen: boolean): TemplateResult {
  const { hello } = state;
  return html`<aside class="sidebar ${isOpen ? "open" : ""}" aria-label="Server">
    <div class="guild-name">${hello?.guild.name ?? "Greenroom"}</div>
    <nav class="channels" aria-label="Channels">
      <div class="menu-title">Text channels</div>
      ${hello?.channels.map((channel) => channelEntry(session, state, channel))}
      ${directEntry(session, state)}
      ${expressions(hello?.expressions)}
    </nav>
    <page-user-panel .session=${session} .state=${state}></page-user-panel>
  </aside>`;
}

const mostShown = 99;

/** One channel in the list: bright with a mark while something waits there, with the number of calls for this person. */
function channelEntry(
  session: PageSession,
  state: PageState,
  channel: PageChannel,
): TemplateResult {
  const { id, name } = channel;
  const [unread, calls] = [unreadIn(state, id), mentionsIn(state, id)];
  const sign = isForumOnPage(channel) ? icons.forum : icons.hash;
  return html`${entry(session, state, { id, name, unread, calls, sign, badge: badge(calls) })}
  ${openPost(session, state, channel)}`;
}

/** The open post is listed below its forum. */
function openPost(session: PageSession, state: PageState, forum: PageChannel) {
  const { thread, parent, name } = shownChannelOf(state, state.channelId);
  if (!thread || parent?.id !== forum.id) return nothing;
  const { id } = thread;
  return html`<div class="channel-post">
    ${entry(session, state, { id, name, unread: 0, calls: 0, sign: icons.post, badge: nothing })}
  </div>`;
}

function badge(count: number): TemplateResult | typeof nothing {
  if (count === 0) return nothing;
  const shown = count > mostShown ? `${mostShown}+` : String(count);
  return html`<span class="badge" aria-hidden="true">${shown}</span>`;
}

/** The person's conversation with the bot, once there is one, with the number of messages that wait. */
function directEntry(session: PageSession, state: PageState): TemplateResult | typeof nothing {
  const { hello, messages, channelId } = state;
  if (!hello) return nothing;
  const id = hello.directChannelId;
  const isThere = channelId === id || messages.some((message) => message.channel_id === id);
  if (!isThere) return nothing;
  const unread = unreadIn(state, id);
  const name = shownChannelOf(state, id).name;
  const sign = avatar(hello.bot, "small");
  return html`<div class="menu-title direct-title">Direct messages</div>
    ${entry(session, state, { id, name, unread, calls: 0, sign, badge: badge(unread) })}`;
}

interface ChannelButton {
  readonly id: string;
  readonly name: string;
  readonly unread: number;
  /** How many of the unread messages mention this person. */
  readonly calls: number;
  readonly sign: TemplateResult;
  readonly badge: TemplateResult | typeof nothing;
}

function entry(
  session: PageSession,
  state: PageState,
  { id, name, unread, calls, sign, badge }: ChannelButton,
) {
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
    @click=${() => session.goTo(id)}
  >
    ${sign}<span>${name}</span>${badge}
  </button>`;
}

/** The server's own emoji and stickers, below its channels; nothing while there are none. */
function expressions(
  own: HelloEvent["expressions"] | undefined,
): readonly (TemplateResult | typeof nothing)[] {
  if (own === undefined) return [];
  return [
    shelf("Emoji", own.emojis, ({ id, name }) => {
      return html`<img src=${emojiAddress(id)} alt=":${name}:" title=":${name}:" width="32" height="32" />`;
    }),
    shelf("Stickers", own.stickers, ({ id, name }) => {
      return html`<img src=${stickerAddress(id)} alt=${name} title=${name} width="64" height="64" />`;
    }),
  ];
}

function shelf(
  title: string,
  all: readonly ShownExpression[],
  picture: (one: ShownExpression) => TemplateResult,
): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<section class="shelf" aria-label=${title}>
    <div class="menu-title">${title}</div>
    <ul>${all.map((one) => html`<li>${picture(one)}</li>`)}</ul>
  </section>`;
}
