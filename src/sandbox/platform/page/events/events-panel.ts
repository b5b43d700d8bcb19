import { GuildScheduledEventStatus as Status } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { eventStatus, type HelloEvent, type ShownEvent } from "../../protocol.ts";
import { icons } from "../content/icons.ts";
import { PanelElement } from "../element.ts";
import { inlineMarkdown } from "../markdown/render.ts";
import "../markdown/time-element.ts";
import { createNames } from "../state/names.ts";
import { followClock, pageNow } from "../state/page-clock.ts";
import type { PageState } from "../state/page-state.ts";

const refreshMs = 5_000;

const stateWords = {
  [Status.Scheduled]: "scheduled",
  [Status.Active]: "active",
  [Status.Completed]: "over",
  [Status.Canceled]: "cancelled",
} as const satisfies Record<Status, string>;

/** Those that are scheduled or active now, in the order of their starts. */
export function upcomingEvents(hello: HelloEvent | undefined): readonly ShownEvent[] {
  const now = pageNow();
  return (hello?.events ?? [])
    .filter((event) => eventStatus(event, now) <= Status.Active)
    .sort((one, other) => one.startsAt - other.startsAt);
}

/** `<page-events>`: the server's events, and below them those that are over. Sends `leave` when it is closed. */
class PageEvents extends PanelElement {
  static override properties = { state: { attribute: false } };
  declare state: PageState;

  constructor() {
    super();
    // Events begin and end by themselves.
    followClock(this, refreshMs);
  }

  override render(): TemplateResult {
    const { hello } = this.state;
    const open = upcomingEvents(hello);
    const past = (hello?.events ?? []).filter((event) => !open.includes(event)).reverse();
    const title = countedEvents(open.length);
    return this.panel(
      { title, label: "Events", classes: "events" },
      html`
      ${open.length === 0 ? html`<p class="events-empty">There are no upcoming events.</p>` : nothing}
      ${this.#list(open, "Events")}
      ${past.length > 0 ? html`<h3 class="events-past">Past events</h3>` : nothing}
      ${this.#list(past, "Past events")}`,
    );
  }

  #list(events: readonly ShownEvent[], label: string): TemplateResult | typeof nothing {
    if (events.length === 0) return nothing;
    return html`<ul aria-label=${label}>
      ${repeat(
        events,
        ({ id }) => id,
        (event) => this.#card(event),
      )}
    </ul>`;
  }

  #card(event: ShownEvent): TemplateResult {
    const { hello } = this.state;
    const names = createNames(hello);
    const status = eventStatus(event, pageNow());
    return html`<li data-event-id=${event.id} data-state=${stateWords[status]}>
      <p class="event-when">${icons.calendar}<span>${this.#when(event, status)}</span></p>
      ${event.cover === undefined ? nothing : html`<img class="event-cover" src=${event.cover} alt="" />`}
      <h3>${event.name}</h3>
      ${event.description === null ? nothing : html`<p class="event-about">${inlineMarkdown(event.description, names)}</p>`}
      <p class="event-place">${icons.open}<span>${inlineMarkdown(event.location, names)}</span></p>
    </li>`;
  }

  #when({ startsAt, endsAt }: ShownEvent, status: Status): TemplateResult {
    const at = (time: number, format: string) =>
      html`<page-time .unixSeconds=${time / 1_000} format=${format} .locale=${this.state.hello?.locale}></page-time>`;
    switch (status) {
      case Status.Scheduled:
        return html`${at(startsAt, "f")} · ${at(startsAt, "R")}`;
      case Status.Active:
        return html`Happening now · until ${at(endsAt, "t")}`;
      case Status.Completed:
        return html`Ended`;
      case Status.Canceled:
        return html`Cancelled`;
    }
  }
}

customElements.define("page-events", PageEvents);

export function countedEvents(count: number): string {
  if (count === 0) return "Events";
  return count === 1 ? "1 event" : `${count} events`;
}
