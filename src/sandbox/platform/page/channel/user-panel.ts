import { html, nothing, type TemplateResult } from "lit";
import { type DiscordLocale, isLocale, localeNames } from "../../locales.ts";
import type { PagePerson } from "../../protocol.ts";
import { colour } from "../content/embed.ts";
import { icons } from "../content/icons.ts";
import { PageElement } from "../element.ts";
import type { PageSession } from "../page-session.ts";
import { shownName } from "../state/names.ts";
import type { PageState } from "../state/page-state.ts";
import { avatar } from "./author.ts";

/** `<page-user-panel>`: who you are here, and whom you can be instead. */
class PageUserPanel extends PageElement {
  static override properties = {
    session: { attribute: false },
    state: { attribute: false },
    isOpen: { state: true },
    isSettings: { state: true },
  };
  declare session: PageSession;
  declare state: PageState;
  declare isOpen: boolean;
  declare isSettings: boolean;

  constructor() {
    super();
    this.isOpen = false;
    this.isSettings = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pointerdown", this.#onOutside, true);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pointerdown", this.#onOutside, true);
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("isSettings") && this.isSettings) this.querySelector("select")?.focus();
    if (!changed.has("isOpen") || !this.isOpen) return;
    this.querySelector<HTMLElement>("[role=menuitemradio][aria-checked=true]")?.focus();
  }

  override render(): TemplateResult {
    const { hello } = this.state;
    if (!hello) return html`<div class="user-panel"></div>`;
    const { me } = hello;
    return html`<div class="user-panel" data-me=${me.name}>
      ${this.isOpen ? this.#menu(hello.people, me) : nothing}
      ${this.isSettings ? this.#settings(hello.locale) : nothing}
      <button
        type="button"
        class="user-button"
        aria-label="Switch person, now ${shownName(me.user)} (${me.role.name})"
        aria-haspopup="menu"
        aria-expanded=${this.isOpen}
        @click=${() => {
          this.isOpen = !this.isOpen;
          this.isSettings = false;
        }}
      >
        <span class="with-status">${avatar(me.user)}<i class="status online"></i></span>
        ${nameAndRole(me)} ${icons.swap}
      </button>
      <button
        type="button"
        class="icon-button settings-button"
        aria-label="User settings"
        title="User settings"
        aria-haspopup="dialog"
        aria-expanded=${this.isSettings}
        @click=${() => {
          this.isSettings = !this.isSettings;
          this.isOpen = false;
        }}
      >
        ${icons.settings}
      </button>
    </div>`;
  }

  #menu(people: readonly PagePerson[], me: PagePerson): TemplateResult {
    return html`<div class="user-menu" role="menu" aria-label="Switch person" @keydown=${this.#onKey}>
      <div class="menu-title">View as</div>
      ${people.map(
        (person) => html`<button
        type="button"
        role="menuitemradio"
        aria-checked=${person.name === me.name}
        data-person=${person.name}
        @click=${() => this.#switch(person)}
      >
        ${avatar(person.user)} ${nameAndRole(person)}
        ${person.name === me.name ? html`<span class="tick">${icons.check}</span>` : nothing}
      </button>`,
      )}
    </div>`;
  }

  #settings(locale: DiscordLocale): TemplateResult {
    return html`<div class="user-menu" role="dialog" aria-label="User settings" @keydown=${this.#onSettingsKey}>
      <label class="menu-title" for="locale">Language</label>
      <select id="locale" @change=${this.#onLocale}>
        ${Object.entries(localeNames).map(
          ([value, name]) =>
            html`<option value=${value} lang=${value} ?selected=${value === locale}>${name}</option>`,
        )}
      </select>
    </div>`;
  }

  readonly #onLocale = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    if (isLocale(value)) void this.session.speak(value);
  };

  readonly #onSettingsKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    this.isSettings = false;
    this.querySelector<HTMLElement>(".settings-button")?.focus();
  };

  #switch({ name }: PagePerson): void {
    this.#close();
    if (name === this.session.person) return;
    this.dispatchEvent(new CustomEvent("page-switch", { detail: name, bubbles: true }));
  }

  #close(): void {
    this.isOpen = false;
    this.querySelector<HTMLElement>(".user-button")?.focus();
  }

  readonly #onOutside = (event: Event): void => {
    if (event.composedPath().includes(this)) return;
    this.isOpen = false;
    this.isSettings = false;
  };

  #onKey(event: KeyboardEvent): void {
    const items = [...this.querySelectorAll<HTMLElement>("[role=menuitemradio]")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
    else if (event.key === "ArrowUp") items.at(at - 1)?.focus();
    else if (event.key === "Escape") this.#close();
    else return;
    event.preventDefault();
  }
}

function nameAndRole({ user, role }: PagePerson): TemplateResult {
  return html`<span class="user-names">
    <span class="user-name" .style=${role.color ? `color: ${colour(role.color)}` : ""}>${shownName(user)}</span>
    <span class="user-role">${role.name}</span>
  </span>`;
}

customElements.define("page-user-panel", PageUserPanel);
