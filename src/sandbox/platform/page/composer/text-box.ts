import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import { PageElement } from "../element.ts";
import { tooLargeText } from "../forms/questions.ts";
import type { PageSession } from "../page-session.ts";
import { ClientRequestError } from "../platform-client.ts";
import { describeChannel } from "../state/channels.ts";
import type { PageState } from "../state/page-state.ts";
import { type CommandEntry, filterEntries, typedEntry } from "./command-index.ts";
import { picker, pickerId, pickerRowId } from "./picker.ts";
import { dropPreview, tray } from "./tray.ts";

/** https://docs.discord.com/developers/resources/message#create-message */
const maxContent = 2_000;
const maxFiles = 10;
/** From here on the remaining characters are shown. */
const fewLeft = 200;

/** A command chosen from the picker, with what was there already. */
export interface PickedCommand {
  readonly entry: CommandEntry;
  /** Typed after its name. */
  readonly rest: string;
  readonly files: readonly File[];
}

/** `<page-text-box>`: where a message is written; `/` opens the picker. Sends `pick` and `sent`. */
export class PageTextBox extends PageElement {
  static override properties = {
    session: { attribute: false },
    state: { attribute: false },
    entries: { attribute: false },
    text: { state: true },
    files: { state: true },
    active: { state: true },
    isPickerClosed: { state: true },
    error: { state: true },
    sending: { state: true },
  };
  declare session: PageSession;
  declare state: PageState;
  declare entries: readonly CommandEntry[];
  declare text: string;
  declare files: readonly File[];
  declare active: number;
  declare isPickerClosed: boolean;
  declare error: string;
  declare sending: boolean;

  constructor() {
    super();
    this.entries = [];
    this.text = "";
    this.files = [];
    this.active = 0;
    this.isPickerClosed = false;
    this.error = "";
    this.sending = false;
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
    const shown = this.#pickable();
    const left = maxContent - this.text.length;
    return html`${this.#picker(shown)} ${tray(this.files, (file) => this.#removeFile(file))}
      ${this.error ? html`<div class="composer-error" role="alert">${icons.warning}<span>${this.error}</span></div>` : nothing}
      <div class="composer-box">
        <button type="button" class="icon-button plus" aria-label="Attach files" title="Attach files" @click=${() => this.querySelector<HTMLInputElement>("[data-message-files]")?.click()}>${icons.plus}</button>
        <input type="file" multiple hidden data-message-files aria-label="Files to attach" @change=${this.#onChosen} />
        ${this.#textArea(shown)}
        ${left > fewLeft ? nothing : html`<span class="counter ${left < 0 ? "over" : ""}">${left}</span>`}
        <button type="button" class="icon-button send" aria-label="Send message" title="Send (Enter)" ?disabled=${this.sending} @click=${() => this.#send()}>${icons.send}</button>
      </div>`;
  }

  /** Puts text into the box as if typed; the whole name of a command picks it. */
  write(text: string): void {
    this.text = text;
    this.active = 0;
    this.isPickerClosed = false;
    this.error = "";
    const typed = typedEntry(this.entries, text);
    if (typed) this.#pick(typed.entry, typed.rest);
  }

  addFiles(files: readonly File[]): void {
    const limit = this.state.hello?.attachmentLimit ?? Number.POSITIVE_INFINITY;
    const fitting = files.filter(({ size }) => size <= limit);
    const tooLarge = files.find(({ size }) => size > limit);
    const all = [...this.files, ...fitting];
    this.files = all.slice(0, maxFiles);
    const tooMany = all.length > maxFiles ? `You can attach up to ${maxFiles} files.` : "";
    this.error = tooLarge ? tooLargeText(tooLarge, limit) : tooMany;
    void this.toCursor();
  }

  async toCursor(): Promise<void> {
    await this.updateComplete;
    this.querySelector("textarea")?.focus();
  }

  #picker(shown: readonly CommandEntry[] | undefined): TemplateResult | typeof nothing {
    const { hello } = this.state;
    if (!shown || !hello) return nothing;
    return picker({
      entries: shown,
      active: this.active,
      bot: hello.bot,
      onActive: (index) => {
        this.active = index;
      },
      onPick: (entry) => this.#pick(entry, ""),
    });
  }

  #textArea(shown: readonly CommandEntry[] | undefined): TemplateResult {
    const { name, mark } = describeChannel(this.state, this.state.channelId);
    const hasRow = (shown?.length ?? 0) > 0;
    return html`<textarea
      rows="1"
      placeholder="Message ${mark}${name}"
      aria-label="Message ${mark}${name}"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded=${shown !== undefined}
      aria-controls=${pickerId}
      aria-activedescendant=${hasRow ? pickerRowId(this.active) : ""}
      .value=${this.text}
      @input=${(event: Event) => this.write((event.target as HTMLTextAreaElement).value)}
      @keydown=${this.#onKey}
    ></textarea>`;
  }

  /** What the picker shows; undefined while it is closed. */
  #pickable(): readonly CommandEntry[] | undefined {
    if (this.isPickerClosed || !/^\/[^\n/]*$/.test(this.text)) return undefined;
    const shown = filterEntries(this.entries, this.text.slice(1));
    // "/shrug whatever" is a message, not a search for a command.
    return shown.length === 0 && this.text.includes(" ") ? undefined : shown;
  }

  #pick(entry: CommandEntry, rest: string): void {
    const detail: PickedCommand = { entry, rest, files: this.files };
    this.text = "";
    this.files = [];
    this.dispatchEvent(new CustomEvent("pick", { detail }));
  }

  async #send(): Promise<void> {
    const content = this.text.trim();
    if (this.sending || (content === "" && this.files.length === 0)) return;
    if (content.length > maxContent) {
      this.error = `A message can have up to ${maxContent} characters; this one has ${content.length}.`;
      return;
    }
    this.sending = true;
    this.error = "";
    const { channelId } = this.state;
    try {
      const files = await Promise.all(this.files.map((file) => this.session.client.upload(file)));
      await this.session.client.send("message", { channelId, content, files });
      this.files.forEach(dropPreview);
      this.text = "";
      this.files = [];
      this.dispatchEvent(new CustomEvent("sent"));
    } catch (error) {
      if (!(error instanceof ClientRequestError)) throw error;
      this.error = error.message;
    } finally {
      this.sending = false;
    }
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const shown = this.#pickable();
    const entry = shown?.[this.active];
    const isEnter = event.key === "Enter" && !event.shiftKey;
    if (shown && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const by = event.key === "ArrowDown" ? 1 : -1;
      this.active = (this.active + by + shown.length) % Math.max(1, shown.length);
    } else if (entry && (event.key === "Tab" || isEnter)) this.#pick(entry, "");
    else if (shown && event.key === "Escape") this.isPickerClosed = true;
    else if (isEnter) void this.#send();
    else return;
    event.preventDefault();
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
}

customElements.define("page-text-box", PageTextBox);
