import { html, nothing, type TemplateResult } from "lit";
import { isLocale, localeNames } from "../../../locales.ts";
import type { HelloEvent, PagePerson, ShownExpression } from "../../protocol.ts";
import { emojiAddress } from "../content/address.ts";
import { icons } from "../content/icons.ts";
import { countedEvents, upcomingEvents } from "../events/events-panel.ts";
import type { PageSession } from "../page-session.ts";
import { describeChannel } from "../state/channels.ts";
import { shownName } from "../state/names.ts";
import type { PageState } from "../state/page-state.ts";
import { avatar } from "./author.ts";
import { signs } from "./header.ts";

interface Sidebar {
  readonly session: PageSession;
  readonly state: PageState;
  readonly isOpen: boolean;
  /** Whether the events of the server are shown. */
  readonly isEvents: boolean;
  readonly toggleEvents: () => void;
  onPerson(person: PagePerson): void;
}

/** The server's name, its events, channels, emoji and stickers; below them whom one is here, and in which language. */
export function sidebar({
  session,
  state,
  isOpen,
  isEvents,
  toggleEvents,
  onPerson,
}: Sidebar): TemplateResult {
  const { hello, channelId } = state;
  const button = (id: string, sign: TemplateResult) => html`<button
    type="button"
    class="channel-button"
    aria-current=${id === channelId ? "page" : "false"}
    @click=${() => session.goTo(id)}
  >
    ${sign}<span>${describeChannel(state, id).name}</span>
  </button>`;
  const open = describeChannel(state, channelId);
  const direct = hello?.directChannelId;
  // The conversation with the bot is there once one of them has written.
  const hasConversation =
    channelId === direct || state.messages.some((message) => message.channel_id === direct);
  return html`<aside class="sidebar ${isOpen ? "open" : ""}" aria-label="Server">
    <div class="guild-name">${hello?.guild.name ?? "Greenroom"}</div>
    <div class="sidebar-top">
      <button type="button" class="channel-button events-button" aria-expanded=${isEvents} @click=${toggleEvents}>
        ${icons.calendar}<span>${countedEvents(upcomingEvents(hello).length)}</span>
      </button>
    </div>
    <nav class="channels" aria-label="Channels">
      <div class="menu-title">Text channels</div>
      ${hello?.channels.map(
        (channel) => html`${button(channel.id, signs[describeChannel(state, channel.id).kind])}
        ${open.parent?.id === channel.id ? html`<div class="channel-post">${button(channelId, icons.post)}</div>` : nothing}`,
      )}
      ${
        hello && hasConversation
          ? html`<div class="menu-title direct-title">Direct messages</div>
            ${button(hello.directChannelId, avatar(hello.bot, "small"))}`
          : nothing
      }
      ${expressions(hello?.expressions)}
    </nav>
    ${hello ? viewer(session, hello, onPerson) : nothing}
  </aside>`;
}

function viewer(
  session: PageSession,
  { me, people, locale }: HelloEvent,
  onPerson: Sidebar["onPerson"],
): TemplateResult {
  const choose = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    const person = people.find(({ name }) => name === value);
    if (person && person.name !== me.name) onPerson(person);
  };
  const speak = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    if (isLocale(value)) void session.speak(value);
  };
  return html`<div class="user-panel" data-me=${me.name}>
    <label for="person">You are</label>
    <select id="person" @change=${choose}>
      ${people.map(
        ({ name, user, role }) =>
          html`<option value=${name} .selected=${name === me.name}>${shownName(user)} (${role.name})</option>`,
      )}
    </select>
    <label for="locale">Language</label>
    <select id="locale" @change=${speak}>
      ${Object.entries(localeNames).map(
        ([value, name]) =>
          html`<option value=${value} lang=${value} .selected=${value === locale}>${name}</option>`,
      )}
    </select>
  </div>`;
}

/** The server's own emoji and stickers; nothing while there are none. */
function expressions(own: HelloEvent["expressions"] | undefined) {
  if (own === undefined) return nothing;
  return [
    shelf("Emoji", own.emojis, ({ id, name }) => {
      return html`<img src=${emojiAddress(id)} alt=":${name}:" title=":${name}:" width="32" height="32" />`;
    }),
    shelf("Stickers", own.stickers, ({ id, name }) => {
      const address = `/stickers/${encodeURIComponent(id)}.png`;
      return html`<img src=${address} alt=${name} title=${name} width="64" height="64" />`;
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
