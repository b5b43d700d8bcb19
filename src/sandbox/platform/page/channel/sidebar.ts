import { html, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import type { Desk } from "../desk.ts";
import type { PageState } from "../state/page.ts";
import { expressions } from "./expressions.ts";
import "./user-panel.ts";

/** The server's name, its channels, its own emoji and stickers, and the person's own panel below. */
export function sidebar(desk: Desk, state: PageState, isOpen: boolean): TemplateResult {
  const { hello, channelId } = state;
  return html`<aside class="sidebar ${isOpen ? "open" : ""}" aria-label="Server">
    <div class="guild-name">${hello?.guild.name ?? "Greenroom"}</div>
    <nav class="channels" aria-label="Channels">
      <div class="menu-title">Text channels</div>
      ${hello?.channels.map(
        ({ id, name }) => html`<button
        type="button"
        class="channel-button"
        aria-current=${id === channelId ? "page" : "false"}
        @click=${() => desk.goTo(id)}
      >
        ${icons.hash}<span>${name}</span>
      </button>`,
      )}
      ${expressions(hello?.expressions)}
    </nav>
    <page-user-panel .desk=${desk} .state=${state}></page-user-panel>
  </aside>`;
}
