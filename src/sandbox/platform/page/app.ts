import { html, nothing, type TemplateResult } from "lit";
import type { PersonName } from "../../types.ts";
import type { PageMenu } from "./channel/context-menu.ts";
import "./channel/context-menu.ts";
import { channelHeader, linkBar, lockedBar, typingLine } from "./channel/header.ts";
import type { PageMessages } from "./channel/message-list.ts";
import "./channel/message-list.ts";
import { sidebar } from "./channel/sidebar.ts";
import type { PageViewer } from "./channel/viewer.ts";
import "./channel/viewer.ts";
import type { PageComposer } from "./composer/composer.ts";
import "./composer/composer.ts";
import { PageElement } from "./element.ts";
import { PageSession } from "./page-session.ts";
import "./forms/form-dialog.ts";
import "./forum/forum-element.ts";
import "./events/events-panel.ts";
import "./happenings/happenings-panel.ts";
import { describeChannel } from "./state/channels.ts";
import type { PageState } from "./state/page-state.ts";

const people: readonly PersonName[] = ["owner", "moderator", "member"];

/** `<page-app>`: the whole page, as one person sees it. */
class PageApp extends PageElement {
  static override properties = {
    state: { state: true },
    isSidebarOpen: { state: true },
    isDropping: { state: true },
    panel: { state: true },
  };
  declare state: PageState;
  declare isSidebarOpen: boolean;
  declare isDropping: boolean;
  /** Shown beside the channel. */
  declare panel: "happenings" | "events" | undefined;
  readonly #session: PageSession;

  constructor() {
    super();
    // The person survives a reload in the address: `?as=moderator`.
    const wantedName = new URLSearchParams(location.search).get("as");
    const person = people.find((name) => name === wantedName) ?? "owner";
    this.#session = new PageSession(person, () => {
      // On a narrow screen the list covers the channel that was chosen from it.
      if (this.#session.state.channelId !== this.state.channelId) this.isSidebarOpen = false;
      this.state = this.#session.state;
    });
    this.state = this.#session.state;
    this.isSidebarOpen = false;
    this.isDropping = false;
    this.panel = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#session.open();
    this.addEventListener("page-view", (event) =>
      this.querySelector<PageViewer>("page-viewer")?.open((event as CustomEvent).detail),
    );
    this.addEventListener("page-menu", (event) =>
      this.querySelector<PageMenu>("page-menu")?.open((event as CustomEvent).detail),
    );
    this.addEventListener("page-compose", (event) => {
      // Without a column of its own, the panel covers the command line.
      if (matchMedia("(max-width: 1000px)").matches) this.panel = undefined;
      this.#composer()?.write((event as CustomEvent<{ text: string }>).detail.text);
    });
    this.addEventListener("page-dropped", () => {
      this.isDropping = false;
    });
    this.addEventListener("page-sent", () =>
      this.querySelector<PageMessages>("page-messages")?.toEnd(),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#session.close();
  }

  override render(): TemplateResult {
    const { state } = this;
    return html`<div class="app" data-link=${state.link}>
      ${sidebar({
        session: this.#session,
        state,
        isOpen: this.isSidebarOpen,
        isEvents: this.panel === "events",
        toggleEvents: () => {
          this.#closeSidebar();
          this.#toggle("events");
        },
        onPerson: ({ name }) => this.#switch(name),
      })}
      <button type="button" class="scrim ${this.isSidebarOpen ? "open" : ""}" aria-label="Hide channels and people" tabindex="-1" @click=${this.#closeSidebar}></button>
      <main
        class="channel ${this.isDropping ? "dropping" : ""}"
        @dragover=${this.#onDragOver}
        @dragleave=${this.#onDragLeave}
        @drop=${this.#onDrop}
      >
        ${channelHeader(this.#session, state, {
          openSidebar: () => {
            this.isSidebarOpen = true;
          },
          toggleHappenings: () => this.#toggle("happenings"),
          isHappenings: this.panel === "happenings",
        })}
        ${linkBar(state)}
        ${
          describeChannel(state, state.channelId).kind === "forum"
            ? html`<page-forum class="forum" .session=${this.#session} .state=${state}></page-forum>`
            : this.#talk()
        }
      </main>
      ${
        this.panel === "happenings"
          ? html`<page-happenings .session=${this.#session} .state=${state} @leave=${() => this.#toggle("happenings")}></page-happenings>`
          : nothing
      }
      ${
        this.panel === "events"
          ? html`<page-events .state=${state} @leave=${() => this.#toggle("events")}></page-events>`
          : nothing
      }
    </div>
    <page-menu .session=${this.#session}></page-menu>
    <page-viewer></page-viewer>
    <page-form .session=${this.#session} .opened=${state.form} .waiting=${state.waiting}></page-form>`;
  }

  #talk(): TemplateResult {
    const { state } = this;
    return html`<div class="stage">
        <page-messages class="messages" .session=${this.#session} .state=${state}></page-messages>
        <div class="drop-hint" aria-hidden="true"><strong>Drop to attach</strong></div>
      </div>
      ${typingLine(state)} ${lockedBar(state)}
      <page-composer class="composer" .session=${this.#session} .state=${state}></page-composer>`;
  }

  #toggle(panel: "happenings" | "events"): void {
    this.panel = this.panel === panel ? undefined : panel;
    if (this.panel === undefined) this.querySelector<HTMLElement>(`.${panel}-button`)?.focus();
  }

  #composer(): PageComposer | null {
    return this.querySelector<PageComposer>("page-composer");
  }

  #switch(person: PersonName): void {
    this.#closeSidebar();
    const url = new URL(location.href);
    url.searchParams.set("as", person);
    history.replaceState(null, "", url);
    this.#session.switchTo(person);
  }

  #closeSidebar(): void {
    this.isSidebarOpen = false;
  }

  #onDragOver(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.isDropping = true;
  }

  #onDragLeave(event: DragEvent): void {
    const channel = event.currentTarget as HTMLElement;
    if (!channel.contains(event.relatedTarget as Node | null)) this.isDropping = false;
  }

  #onDrop(event: DragEvent): void {
    event.preventDefault();
    this.isDropping = false;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) this.#composer()?.addFiles(files);
  }
}

customElements.define("page-app", PageApp);
