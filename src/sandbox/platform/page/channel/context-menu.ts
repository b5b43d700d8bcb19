import {
  type APIMessage,
  ApplicationCommandType,
  MessageFlags,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { nameIn } from "../../../locales.ts";
import { icons } from "../content/icons.ts";
import { PageElement } from "../element.ts";
import type { PageSession } from "../page-session.ts";
import { showPopupAt } from "../popup.ts";
import { offeredHere } from "../state/channels.ts";
import { avatar } from "./author.ts";

interface MessageMenuRequest {
  readonly message: APIMessage;
  readonly x: number;
  readonly y: number;
}

/** `<page-menu>`: what can be done with a message, the bot's own entries under Apps. */
export class PageMenu extends PageElement {
  static override properties = {
    session: { attribute: false },
    request: { attribute: false },
    apps: { state: true },
  };
  declare session: PageSession;
  declare request: MessageMenuRequest | undefined;
  declare apps: boolean;
  #opener: Element | null = null;

  constructor() {
    super();
    this.apps = false;
  }

  open(request: MessageMenuRequest): void {
    this.#opener = document.activeElement;
    this.request = request;
    this.apps = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pointerdown", this.#onOutside, true);
    addEventListener("resize", this.#close);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pointerdown", this.#onOutside, true);
    removeEventListener("resize", this.#close);
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    const menu = this.querySelector<HTMLElement>(".menu.first");
    if (!this.request || !menu) return;
    showPopupAt(menu, this.request.x, this.request.y);
    if (changed.has("request")) menu.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const second = this.querySelector<HTMLElement>(".menu.second");
    const entry = menu.querySelector("[data-entry=apps]")?.getBoundingClientRect();
    if (!second || !entry) return;
    const sides = [entry.right + 6, entry.left - 226];
    const side = sides.find((left) => left > 8 && left + 220 < innerWidth);
    showPopupAt(second, side ?? entry.left, side === undefined ? entry.bottom : entry.top - 8);
  }

  override render(): TemplateResult {
    if (!this.request) return html``;
    const { message } = this.request;
    const isEphemeral = ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
    return html`<div class="menu first" popover="manual" role="menu" aria-label="Message" @keydown=${this.#onKey}>
        ${isEphemeral ? nothing : this.#appsEntry()}
        ${entry("Copy text", () => this.#finish(() => navigator.clipboard?.writeText(message.content)))}
        ${entry("Copy message ID", () => this.#finish(() => navigator.clipboard?.writeText(message.id)))}
        ${isEphemeral ? entry("Dismiss message", () => this.#finish(() => this.session.dismiss(message))) : nothing}
        ${isEphemeral || !this.#mayDelete(message) ? nothing : entry("Delete message", () => this.#finish(() => this.session.delete(message)))}
      </div>
      ${this.apps ? this.#appsMenu(message) : nothing}`;
  }

  #mayDelete({ author }: APIMessage): boolean {
    const me = this.session.state.hello?.me;
    if (me === undefined) return false;
    const held = BigInt(me.role.permissions);
    const managing = PermissionFlagsBits.ManageMessages | PermissionFlagsBits.Administrator;
    return author.id === me.user.id || (held & managing) !== 0n;
  }

  #appsEntry(): TemplateResult {
    return html`<button
      type="button"
      role="menuitem"
      tabindex="-1"
      data-entry="apps"
      aria-haspopup="menu"
      aria-expanded=${this.apps}
      @pointerenter=${() => {
        this.apps = true;
      }}
      @click=${this.#openApps}
    >
      <span>Apps</span>${icons.right}
    </button>`;
  }

  #appsMenu(message: APIMessage): TemplateResult {
    const { hello } = this.session.state;
    const commands = offeredHere(this.session.state).filter(
      ({ type }) => type === ApplicationCommandType.Message,
    );
    return html`<div class="menu second" popover="manual" role="menu" aria-label="Apps" @keydown=${this.#onKey}>
      ${commands.map(
        (command) => html`<button
        type="button"
        role="menuitem"
        tabindex="-1"
        @click=${() => this.#finish(() => this.session.menu(command, message))}
      >
        ${hello ? avatar(hello.bot, "small") : nothing}<span class="menu-name">${hello ? nameIn(command, hello.locale) : command.name}</span>
      </button>`,
      )}
      ${commands.length > 0 ? nothing : html`<span class="menu-empty">No apps can be used on this message.</span>`}
    </div>`;
  }

  async #openApps(): Promise<void> {
    this.apps = true;
    await this.updateComplete;
    this.querySelector<HTMLElement>(".menu.second [role=menuitem]")?.focus();
  }

  #finish(act: () => unknown): void {
    this.#close();
    void act();
  }

  readonly #close = (): void => {
    if (!this.request) return;
    this.request = undefined;
    if (this.#opener instanceof HTMLElement) this.#opener.focus();
  };

  readonly #onOutside = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.#close();
  };

  #onKey(event: KeyboardEvent): void {
    const menu = event.currentTarget as HTMLElement;
    const items = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const isSecond = menu.classList.contains("second");
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => items[(at + 1) % items.length]?.focus(),
      ArrowUp: () => items.at(at - 1)?.focus(),
      ArrowRight: () => {
        if (items[at]?.dataset.entry === "apps") void this.#openApps();
      },
      ArrowLeft: () => {
        if (!isSecond) return;
        this.apps = false;
        this.querySelector<HTMLElement>("[data-entry=apps]")?.focus();
      },
      Escape: this.#close,
      Tab: this.#close,
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }
}

function entry(name: string, act: () => void): TemplateResult {
  return html`<button type="button" role="menuitem" tabindex="-1" @click=${act}><span>${name}</span></button>`;
}

customElements.define("page-menu", PageMenu);
