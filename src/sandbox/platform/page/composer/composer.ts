import { html, nothing, type TemplateResult } from "lit";
import { ActError } from "../acts.ts";
import { icons } from "../content/icons.ts";
import type { Desk } from "../desk.ts";
import { PageElement } from "../element.ts";
import type { PageState } from "../state/page.ts";
import { checkFile } from "./check.ts";
import { type CommandEntry, filterEntries, listEntries, typedEntry } from "./command-index.ts";
import type { PageCommandLine } from "./command-line.ts";
import "./command-line.ts";
import { picker, pickerId, pickerRowId } from "./picker.ts";
import { dropPreview } from "./previews.ts";
import { tray } from "./tray.ts";

/** https://docs.discord.com/developers/resources/message#create-message */
const maxContent = 2_000;
const maxFiles = 10;
/** From here on the remaining characters are shown. */
const fewLeft = 200;

/** `<page-composer>`: where messages and commands are written. */
export class PageComposer extends PageElement {
  static override properties = {
    desk: { attribute: false },
    state: { attribute: false },
    text: { state: true },
    files: { state: true },
    entry: { state: true },
    active: { state: true },
    isPickerClosed: { state: true },
    error: { state: true },
    sending: { state: true },
  };
  declare desk: Desk;
  declare state: PageState;
  declare text: string;
  declare files: readonly File[];
  declare entry: CommandEntry | undefined;
  declare active: number;
  declare isPickerClosed: boolean;
  declare error: string;
  declare sending: boolean;
  #rest = "";

  constructor() {
    super();
    this.text = "";
    this.files = [];
    this.entry = undefined;
    this.active = 0;
    this.isPickerClosed = false;
    this.error = "";
    this.sending = false;
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
    const { entry } = this;
    if (entry && this.state.hello && !this.#entries().some(({ name }) => name === entry.name))
      this.entry = undefined;
  }

  override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("active"))
      this.querySelector(".picker .active")?.scrollIntoView({ block: "nearest" });
    const box = this.querySelector("textarea");
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, innerHeight / 2)}px`;
  }

  override render(): TemplateResult {
    if (this.entry) return this.#commandLine(this.entry);
    const shown = this.#pickable();
    return html`${
      shown && this.state.hello
        ? picker({
            entries: shown,
            active: this.active,
            bot: this.state.hello.bot,
            onActive: (index) => {
              this.active = index;
            },
            onPick: (entry) => this.#pick(entry, ""),
          })
        : nothing
    }
      ${tray(this.files, (file) => this.#removeFile(file))}
      ${this.error ? html`<div class="composer-error" role="alert">${icons.warning}<span>${this.error}</span></div>` : nothing}
      <div class="composer-box">
        <button type="button" class="icon-button plus" aria-label="Attach files" title="Attach files" @click=${this.#chooseFiles}>${icons.plus}</button>
        <input type="file" multiple hidden data-message-files aria-label="Files to attach" @change=${this.#onChosen} />
        ${this.#textBox(shown)} ${this.#counter()}
        <button type="button" class="icon-button send" aria-label="Send message" title="Send (Enter)" ?disabled=${this.sending} @click=${() => this.#send()}>${icons.send}</button>
      </div>`;
  }

  /** Puts text into the box as if typed; the whole name of a command opens it. */
  write(text: string): void {
    this.entry = undefined;
    this.#type(text);
    void this.#focus();
  }

  addFiles(files: readonly File[]): void {
    const line = this.querySelector<PageCommandLine>("page-command-line");
    if (line) {
      line.addFiles(files);
      return;
    }
    const limit = this.state.hello?.attachmentLimit;
    const faults = files.map((file) => checkFile(file, limit));
    const fitting = files.filter((_, index) => faults[index] === undefined);
    const all = [...this.files, ...fitting];
    this.files = all.slice(0, maxFiles);
    const tooMany = all.length > maxFiles ? `A message takes up to ${maxFiles} files.` : "";
    this.error = faults.find((fault) => fault !== undefined) ?? tooMany;
    void this.#focus();
  }

  #commandLine(entry: CommandEntry): TemplateResult {
    return html`<page-command-line
      .desk=${this.desk}
      .entry=${entry}
      .rest=${this.#rest}
      @leave=${({ detail }: CustomEvent<string>) => {
        this.entry = undefined;
        this.#type(detail);
        void this.#focus();
      }}
      @done=${() => this.#done()}
    ></page-command-line>`;
  }

  #textBox(shown: readonly CommandEntry[] | undefined): TemplateResult {
    const channel = this.state.hello?.channels.find(({ id }) => id === this.state.channelId);
    const hasRow = (shown?.length ?? 0) > 0;
    return html`<textarea
      rows="1"
      placeholder="Message #${channel?.name ?? ""}"
      aria-label="Message #${channel?.name ?? ""}"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded=${shown !== undefined}
      aria-controls=${pickerId}
      aria-activedescendant=${hasRow ? pickerRowId(this.active) : ""}
      .value=${this.text}
      @input=${(event: Event) => this.#type((event.target as HTMLTextAreaElement).value)}
      @keydown=${this.#onKey}
    ></textarea>`;
  }

  #counter(): TemplateResult | typeof nothing {
    const left = maxContent - this.text.length;
    if (left > fewLeft) return nothing;
    return html`<span class="counter ${left < 0 ? "over" : ""}">${left}</span>`;
  }

  #entries(): readonly CommandEntry[] {
    return listEntries(this.state.hello?.commands ?? []);
  }

  /** What the picker shows; undefined while it is closed. */
  #pickable(): readonly CommandEntry[] | undefined {
    if (this.isPickerClosed || !/^\/[^\n/]*$/.test(this.text)) return undefined;
    const shown = filterEntries(this.#entries(), this.text.slice(1));
    // "/shrug whatever" is a message, not a search for a command.
    return shown.length === 0 && this.text.includes(" ") ? undefined : shown;
  }

  #type(text: string): void {
    this.text = text;
    this.active = 0;
    this.isPickerClosed = false;
    this.error = "";
    const typed = typedEntry(this.#entries(), text);
    if (typed) this.#pick(typed.entry, typed.rest);
  }

  #pick(entry: CommandEntry, rest: string): void {
    const files = this.files;
    this.#rest = rest;
    this.text = "";
    this.files = [];
    this.error = "";
    this.entry = entry;
    if (files.length > 0) void this.updateComplete.then(() => this.addFiles(files));
  }

  #done(): void {
    this.entry = undefined;
    this.text = "";
    this.#sent();
  }

  #sent(): void {
    this.dispatchEvent(new CustomEvent("page-sent", { bubbles: true }));
    void this.#focus();
  }

  async #send(): Promise<void> {
    const content = this.text.trim();
    if (this.sending || (content === "" && this.files.length === 0)) return;
    if (content.length > maxContent) {
      this.error = `A message has at most ${maxContent} characters, this one ${content.length}.`;
      return;
    }
    this.sending = true;
    this.error = "";
    const { channelId } = this.state;
    try {
      const files = await Promise.all(this.files.map((file) => this.desk.acts.upload(file)));
      await this.desk.acts.message({ channelId, content, files });
      this.files.forEach(dropPreview);
      this.text = "";
      this.files = [];
      this.#sent();
    } catch (error) {
      if (!(error instanceof ActError)) throw error;
      this.error = error.message;
    } finally {
      this.sending = false;
    }
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const shown = this.#pickable();
    const entry = shown?.[this.active];
    if (shown && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const by = event.key === "ArrowDown" ? 1 : -1;
      this.active = (this.active + by + shown.length) % Math.max(1, shown.length);
    } else if (entry && (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey))) {
      this.#pick(entry, "");
    } else if (shown && event.key === "Escape") {
      this.isPickerClosed = true;
    } else if (event.key === "Enter" && !event.shiftKey) {
      void this.#send();
    } else return;
    event.preventDefault();
  }

  #chooseFiles(): void {
    this.querySelector<HTMLInputElement>("[data-message-files]")?.click();
  }

  #onChosen(event: Event): void {
    const input = event.target as HTMLInputElement;
    this.addFiles([...(input.files ?? [])]);
    input.value = "";
  }

  #removeFile(file: File): void {
    dropPreview(file);
    this.files = this.files.filter((one) => one !== file);
    this.error = "";
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
    const isFree =
      document.activeElement === document.body || document.activeElement?.matches(".scroller");
    if (isTyping && isFree && event.key !== " ")
      this.querySelector<HTMLElement>("textarea, .pill-tail")?.focus();
  };

  async #focus(): Promise<void> {
    await this.updateComplete;
    this.querySelector("textarea")?.focus();
  }
}

customElements.define("page-composer", PageComposer);
