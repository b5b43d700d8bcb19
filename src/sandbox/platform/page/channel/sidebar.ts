import { html, type TemplateResult } from "lit";
import type { Desk } from "../desk.ts";
import type { PageState } from "../state/page.ts";
import { channelEntry, directEntry } from "./channel-entry.ts";
import { expressions } from "./expressions.ts";
import "./user-panel.ts";

/** The server's name, its channels, its own emoji and stickers, and the person's own panel below. */
export function sidebar(desk: Desk, state: PageState, isOpen: boolean): TemplateResult {
  const { hello } = state;
  return html`<aside class="sidebar ${isOpen ? "open" : ""}" aria-label="Server">
    <div class="guild-name">${hello?.guild.name ?? "Greenroom"}</div>
    <nav class="channels" aria-label="Channels">
      <div class="menu-title">Text channels</div>
      ${hello?.channels.map((channel) => channelEntry(desk, state, channel))}
      ${directEntry(desk, state)}
      ${expressions(hello?.expressions)}
    </nav>
    <page-user-panel .desk=${desk} .state=${state}></page-user-panel>
  </aside>`;
}
