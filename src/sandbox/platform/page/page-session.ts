import type { APIApplicationCommand, APIMessage } from "discord-api-types/v10";
import type { PersonName } from "../../types.ts";
import type { Locale } from "../locales.ts";
import { type CommandAct, type FormAct, type PageEvent, typingMs } from "../protocol.ts";
import { ActError, type Acts, createActs } from "./acts.ts";
import { emptyPage, type PageState, type Typing, type Waiting } from "./state/page.ts";
import { readOn } from "./state/reading.ts";
import {
  rememberedLocale,
  rememberedReading,
  rememberLocale,
  rememberReading,
} from "./state/remembered.ts";
import { stopTyping, take } from "./state/take.ts";
import { answered, begin, forget, refused } from "./state/waiting.ts";

/** One person on the page: what they see and what they can do. Elements get it as their `session`. */
export class PageSession {
  state: PageState = emptyPage;
  person: PersonName;
  acts: Acts;
  /** Which post was opened last. */
  lastPost: string | undefined;
  readonly #onChange: () => void;
  #connection: Connection | undefined;
  readonly #typing = new Map<string, number>();
  #lastKey = 0;

  constructor(person: PersonName, onChange: () => void) {
    this.person = person;
    this.acts = createActs(person);
    this.#onChange = onChange;
  }

  open(): void {
    this.state = { ...this.state, reading: rememberedReading(this.person) };
    this.#connection = connect(this.person, {
      onEvent: (event) => this.#take(event),
      onLost: () => this.#set({ ...this.state, link: this.state.hello ? "lost" : "connecting" }),
    });
  }

  close(): void {
    this.#connection?.close();
  }

  switchTo(person: PersonName): void {
    this.close();
    this.person = person;
    this.acts = createActs(person);
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
  async command(act: CommandAct, label: string): Promise<void> {
    const { interactionId } = await this.acts.command(act);
    const key = this.#key();
    const waiting = { key, kind: "command", channelId: act.channelId, label } as const;
    this.#set(answered(begin(this.state, waiting), key, interactionId));
  }

  async menu(command: APIApplicationCommand, message: APIMessage): Promise<void> {
    const act = { channelId: message.channel_id, commandId: command.id, messageId: message.id };
    const waiting = { kind: "command", channelId: act.channelId, label: command.name } as const;
    await this.#watch(waiting, () => this.acts.menu(act));
  }

  async press(message: APIMessage, customId: string, values?: readonly string[]): Promise<void> {
    const act = { channelId: message.channel_id, messageId: message.id, customId };
    const waiting = { ...act, kind: "component", label: "" } as const;
    await this.#watch(waiting, () => this.acts.component(values ? { ...act, values } : act));
  }

  /** Answers the key to follow the form by; its failure is kept in `state.waiting`. */
  submit(fields: FormAct["fields"]): string {
    const { form } = this.state;
    if (!form) throw new ActError("This form is closed.");
    const { interactionId, channelId } = form;
    const waiting = { kind: "form", channelId, label: "" } as const;
    const key = this.#key();
    void this.#watch(waiting, () => this.acts.form({ channelId, interactionId, fields }), key);
    return key;
  }

  closeForm(): void {
    const waiting = this.state.waiting.filter(({ kind }) => kind !== "form");
    this.#set({ ...this.state, waiting, form: undefined });
  }

  async react({ id: messageId }: APIMessage, emoji: string): Promise<void> {
    // Where it was refused, what stands below the message has not changed.
    await this.acts.react({ messageId, emoji }).catch(() => undefined);
  }

  async dismiss(message: APIMessage): Promise<void> {
    const messages = this.state.messages.filter(({ id }) => id !== message.id);
    this.#set({ ...this.state, messages });
    // Gone from this page already; if the platform missed it, the message returns on the next visit.
    await this.acts.dismiss({ messageId: message.id }).catch(() => undefined);
  }

  async speak(locale: Locale): Promise<void> {
    rememberLocale(this.person, locale);
    // Heard again when the platform is back, as every page says on its arrival what it remembers.
    await this.acts.speak({ locale }).catch(() => undefined);
  }

  /** Says that the page can be seen again. */
  lookAgain(): void {
    this.#set(this.state);
  }

  forget(key: string): void {
    this.#set(forget(this.state, key));
  }

  #take(event: PageEvent): void {
    if (event.type === "locale") rememberLocale(this.person, event.locale);
    if (event.type === "hello") {
      const remembered = rememberedLocale(this.person);
      if (remembered !== undefined && remembered !== event.locale) void this.speak(remembered);
    }
    if (event.type === "typing") this.#watchTyping(event);
    this.#set(take(this.state, event));
  }

  /** Counted from the last time that they were heard of. */
  #watchTyping({ channelId, userId }: Typing): void {
    const key = `${channelId} ${userId}`;
    clearTimeout(this.#typing.get(key));
    const stop = () => this.#set(stopTyping(this.state, { channelId, userId }));
    this.#typing.set(key, setTimeout(stop, typingMs));
  }

  async #watch(
    waiting: Omit<Waiting, "key">,
    act: () => Promise<{ interactionId: string }>,
    key = this.#key(),
  ): Promise<void> {
    this.#set(begin(this.state, { ...waiting, key }));
    try {
      const { interactionId } = await act();
      this.#set(answered(this.state, key, interactionId));
    } catch (error) {
      if (!(error instanceof ActError)) throw error;
      this.#set(refused(this.state, key, error.message));
    }
  }

  #key(): string {
    this.#lastKey += 1;
    return `act-${this.#lastKey}`;
  }

  /** What is on the screen is read; a page in the background reads nothing. */
  #set(state: PageState): void {
    const next = document.hidden ? state : readOn(state);
    if (next.reading !== this.state.reading) rememberReading(this.person, next.reading);
    this.state = next;
    this.#onChange();
  }
}

interface Connection {
  close(): void;
}

interface ConnectionEvents {
  onEvent(event: PageEvent): void;
  onLost(): void;
}

const firstWaitMs = 400;
const longestWaitMs = 3_000;

/** Listens to the platform as one person, and comes back by itself when the socket drops. */
function connect(person: PersonName, events: ConnectionEvents): Connection {
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
