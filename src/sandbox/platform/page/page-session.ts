import type { APIApplicationCommand, APIMessage } from "discord-api-types/v10";
import type { DiscordLocale } from "../../locales.ts";
import type { PersonName } from "../../types.ts";
import {
  type CommandAction,
  type HappeningsAnswer,
  type PageEvent,
  type PlatformFormAction,
  typingMs,
} from "../protocol.ts";
import {
  ClientRequestError,
  createPlatformClient,
  type PlatformClient,
} from "./platform-client.ts";
import { applyEvent, stopTyping } from "./state/apply-event.ts";
import { setPageClock } from "./state/page-clock.ts";
import {
  emptyPage,
  type PageState,
  type PendingAction,
  type TypingUser,
} from "./state/page-state.ts";
import { addPending, bindPending, failPending } from "./state/pending-actions.ts";
import {
  rememberDone,
  rememberedDone,
  rememberedLocale,
  rememberLocale,
} from "./state/remembered.ts";

/** One person on the page: what they see and what they can do. Elements get it as their `session`. */
export class PageSession {
  state: PageState = emptyPage;
  person: PersonName;
  client: PlatformClient;
  /** Which post was opened last. */
  lastPost: string | undefined;
  readonly #onChange: () => void;
  #connection: PageConnection | undefined;
  readonly #typing = new Map<string, number>();
  #lastKey = 0;

  constructor(person: PersonName, onChange: () => void) {
    this.person = person;
    this.client = createPlatformClient(person);
    this.#onChange = onChange;
  }

  open(): void {
    this.state = { ...this.state, done: rememberedDone(this.person) };
    this.#connection = connect(this.person, {
      onEvent: (event) => this.#take(event),
      onLost: () => this.#set({ ...this.state, link: this.state.hello ? "lost" : "connecting" }),
    });
  }

  close(): void {
    this.#connection?.close();
  }

  switchTo(person: PersonName): void {
    this.#tick("Switch");
    this.close();
    this.person = person;
    this.client = createPlatformClient(person);
    const { channelId } = this.state;
    this.#set({ ...emptyPage, channelId });
    this.open();
  }

  /** A post, remembered for the way back. */
  openPost(threadId: string): void {
    this.lastPost = threadId;
    this.goTo(threadId);
  }

  goTo(channelId: string): void {
    this.#set({ ...this.state, channelId });
  }

  /** Rejects with the words to show beside the command line, which stays as it was. */
  async command(act: CommandAction, label: string): Promise<void> {
    const { interactionId } = await this.client.send("command", act);
    const key = this.#key();
    const waiting = { key, kind: "command", channelId: act.channelId, label } as const;
    this.#set(bindPending(addPending(this.state, waiting), key, interactionId));
    const used = this.state.hello?.commands.find(({ id }) => id === act.commandId);
    if (used) this.#tick([used.name, ...act.path].join(" "));
  }

  async menu(command: APIApplicationCommand, message: APIMessage): Promise<void> {
    const act = { channelId: message.channel_id, commandId: command.id, messageId: message.id };
    const waiting = { kind: "command", channelId: act.channelId, label: command.name } as const;
    this.#tick(command.name);
    await this.#watch(waiting, () => this.client.send("menu", act));
  }

  async press(message: APIMessage, customId: string, values?: readonly string[]): Promise<void> {
    const act = { channelId: message.channel_id, messageId: message.id, customId };
    const waiting = { ...act, kind: "component", label: "" } as const;
    await this.#watch(waiting, () =>
      this.client.send("component", values ? { ...act, values } : act),
    );
  }

  /** Answers the key to follow the form by; its failure is kept in `state.waiting`. */
  submit(fields: PlatformFormAction["fields"]): string {
    const { form } = this.state;
    if (!form) throw new ClientRequestError("This form is closed.");
    const { interactionId, channelId } = form;
    const waiting = { kind: "form", channelId, label: "" } as const;
    const key = this.#key();
    void this.#watch(
      waiting,
      () => this.client.send("form", { channelId, interactionId, fields }),
      key,
    );
    return key;
  }

  closeForm(): void {
    const waiting = this.state.waiting.filter(({ kind }) => kind !== "form");
    this.#set({ ...this.state, waiting, form: undefined });
  }

  async react({ id: messageId }: APIMessage, emoji: string): Promise<void> {
    // If it was refused, the reactions below the message have not changed.
    await this.client.send("react", { messageId, emoji }).catch(() => undefined);
  }

  async dismiss(message: APIMessage): Promise<void> {
    const messages = this.state.messages.filter(({ id }) => id !== message.id);
    this.#set({ ...this.state, messages });
    // Gone from this page already; if the stand-in missed it, the message returns on the next visit.
    await this.client.send("dismiss", { messageId: message.id }).catch(() => undefined);
  }

  async delete({ id: messageId }: APIMessage): Promise<void> {
    // A failure needs no message of its own: people see that the message is still there.
    await this.client.send("delete", { messageId }).catch(() => undefined);
  }

  async speak(locale: DiscordLocale): Promise<void> {
    if (this.state.hello && locale !== this.state.hello.locale) this.#tick("Language");
    rememberLocale(this.person, locale);
    // If it fails, the page sends the stored language again when it reconnects.
    await this.client.send("speak", { locale }).catch(() => undefined);
  }

  /** How everything stands that can be made to happen; with the name of a button it presses that first. */
  async happenings(name?: string): Promise<HappeningsAnswer["happenings"]> {
    const { happenings } = await this.client.send("happenings", name === undefined ? {} : { name });
    if (name !== undefined) this.#tick("Make something happen");
    return happenings;
  }

  forget(key: string): void {
    const waiting = this.state.waiting.filter((one) => one.key !== key);
    this.#set({ ...this.state, waiting });
  }

  #take(event: PageEvent): void {
    if (event.type === "locale") rememberLocale(this.person, event.locale);
    if (event.type === "hello" || event.type === "clock") setPageClock(event.now);
    if (event.type === "hello") {
      const remembered = rememberedLocale(this.person);
      if (remembered !== undefined && remembered !== event.locale) void this.speak(remembered);
    }
    if (event.type === "typing") this.#watchTyping(event);
    this.#set(applyEvent(this.state, event));
  }

  /** Marks what this person has tried of the welcome's suggestions. */
  #tick(name: string): void {
    if (this.state.done.includes(name)) return;
    const done = [...this.state.done, name];
    rememberDone(this.person, done);
    this.#set({ ...this.state, done });
  }

  /** The time counts from the last typing event. */
  #watchTyping({ channelId, userId }: TypingUser): void {
    const key = `${channelId} ${userId}`;
    clearTimeout(this.#typing.get(key));
    const timer = setTimeout(() => {
      this.#set(stopTyping(this.state, { channelId, userId }));
    }, typingMs);
    this.#typing.set(key, timer);
  }

  async #watch(
    waiting: Omit<PendingAction, "key">,
    act: () => Promise<{ interactionId: string }>,
    key = this.#key(),
  ): Promise<void> {
    this.#set(addPending(this.state, { ...waiting, key }));
    try {
      const { interactionId } = await act();
      this.#set(bindPending(this.state, key, interactionId));
    } catch (error) {
      if (!(error instanceof ClientRequestError)) throw error;
      this.#set(failPending(this.state, key, error.message));
    }
  }

  #key(): string {
    this.#lastKey += 1;
    return `act-${this.#lastKey}`;
  }

  #set(state: PageState): void {
    this.state = state;
    this.#onChange();
  }
}

interface PageConnection {
  close(): void;
}

interface PageConnectionHandlers {
  onEvent(event: PageEvent): void;
  onLost(): void;
}

const firstWaitMs = 400;
const longestWaitMs = 3_000;

/** Receives the stand-in's events for one person; reconnects when the socket drops. */
function connect(person: PersonName, events: PageConnectionHandlers): PageConnection {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = firstWaitMs;
  let isClosed = false;

  function open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const opened = new WebSocket(`${scheme}://${location.host}/page/socket?as=${person}`);
    socket = opened;
    opened.addEventListener("message", ({ data }) => {
      if (isClosed) return;
      waitMs = firstWaitMs;
      events.onEvent(JSON.parse(String(data)) as PageEvent);
    });
    opened.addEventListener("close", () => {
      if (isClosed) return;
      events.onLost();
      timer = setTimeout(open, waitMs);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    });
  }

  open();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
