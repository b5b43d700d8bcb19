import { html, nothing, type TemplateResult } from "lit";
import { PageElement } from "../element.ts";
import type { PageSession } from "../page-session.ts";
import { offeredHere } from "../state/channels.ts";
import type { PageState } from "../state/page-state.ts";
import type { PageCommandForm } from "./command-form.ts";
import { type CommandEntry, listEntries } from "./command-index.ts";
import "./command-form.ts";
import type { PageTextBox, PickedCommand } from "./text-box.ts";
import "./text-box.ts";

/** `<page-composer>`: where messages are written and commands are filled in, one at a time. */
export class PageComposer extends PageElement {
  static override properties = {
    session: { attribute: false },
    state: { attribute: false },
    picked: { state: true },
  };
  declare session: PageSession;
  declare state: PageState;
  declare picked: PickedCommand | undefined;

  constructor() {
    super();
    this.picked = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("paste", this.#onPaste);
    addEventListener("keydown", this.#onPageKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("paste", this.#onPaste);
    removeEventListener("keydown", this.#onPageKey);
  }

  override willUpdate(): void {
    // A command that this person may not use, or that is gone, can't stay open.
    const name = this.picked?.entry.name;
    const isKnown = this.#entries().some((entry) => entry.name === name);
    if (this.state.hello && !isKnown) this.picked = undefined;
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    const files = this.picked?.files ?? [];
    if (changed.has("picked") && files.length > 0) this.addFiles(files);
  }

  override render(): TemplateResult {
    return html`<page-text-box
        ?hidden=${this.picked !== undefined}
        .session=${this.session}
        .state=${this.state}
        .entries=${this.#entries()}
        @pick=${({ detail }: CustomEvent<PickedCommand>) => {
          this.picked = detail;
        }}
        @sent=${() => this.#sent()}
      ></page-text-box>
      ${this.picked ? this.#commandForm(this.picked) : nothing}`;
  }

  /** Puts text into the box as if typed; the whole name of a command opens it. */
  write(text: string): void {
    this.picked = undefined;
    this.#box()?.write(text);
    void this.#toCursor();
  }

  /** Takes files that were dropped or pasted anywhere on the channel. */
  addFiles(files: readonly File[]): void {
    const form = this.querySelector<PageCommandForm>("page-command-form");
    (form ?? this.#box())?.addFiles(files);
  }

  #commandForm({ entry, rest }: PickedCommand): TemplateResult {
    return html`<page-command-form
      .session=${this.session}
      .entry=${entry}
      .rest=${rest}
      @leave=${() => this.write("")}
      @done=${() => {
        this.picked = undefined;
        this.#sent();
      }}
    ></page-command-form>`;
  }

  #entries(): readonly CommandEntry[] {
    const { hello } = this.state;
    return listEntries(offeredHere(this.state), hello?.locale);
  }

  #box(): PageTextBox | null {
    return this.querySelector<PageTextBox>("page-text-box");
  }

  #sent(): void {
    this.dispatchEvent(new CustomEvent("page-sent", { bubbles: true }));
    void this.#toCursor();
  }

  async #toCursor(): Promise<void> {
    await this.updateComplete;
    if (!this.picked) await this.#box()?.toCursor();
  }

  readonly #onPaste = (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.addFiles(files);
  };

  /** As in Discord: typing anywhere on the page goes into the box. */
  readonly #onPageKey = (event: KeyboardEvent): void => {
    const isTyping = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.matches(".scroller");
    if (!isTyping || !isFree || event.key === " ") return;
    const place = this.picked ? ".form-body input" : "textarea";
    this.querySelector<HTMLElement>(place)?.focus();
  };
}

customElements.define("page-composer", PageComposer);
