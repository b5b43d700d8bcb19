import { randomUUID } from "node:crypto";
import { DiscordAPIError } from "@discordjs/rest";
import type { REST } from "discord.js";
import { MessageFlags } from "discord-api-types/v10";
import { onTestFinished } from "vitest";
import { collectRoutes } from "../../src/discord/declare/routes.ts";
import type { Press } from "../../src/discord/draw/reply.ts";
import { type Command, command, notice } from "../../src/discord/index.ts";
import { createDispatcher } from "../../src/discord/run/dispatch.ts";
import { createRunningHandlers } from "../../src/discord/run/running-handlers.ts";
import type { Services } from "../../src/discord/run/services.ts";
import { ServiceError } from "../../src/errors.ts";
import { action, subcommand } from "../../src/features/declarations/index.ts";
import { createFeatureContexts, type FeatureServices } from "../../src/features/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { openStore } from "../../src/store/index.ts";
import { describeReusing } from "./databases/each-kind.ts";
import type { Kind } from "./databases/kinds.ts";
import { rolesFrom } from "./guild-roles.ts";
import { command as sentCommand, press as sentPress } from "./raw-interactions.ts";
import { languages } from "./words.ts";

/** Several of the bot's processes within one. Each has its own connections to the same database. */

/** The person who sends the commands. */
export const whose = { guildId: "444444444444444444", userId: "555555555555555555" };
const keys = [{ id: "k1", key: new Uint8Array(32).fill(5) }];

export type Sent = ReturnType<typeof sentCommand>;

/** State that handlers share with their test. */
export interface Work {
  /** The handlers that were run, in order. */
  readonly runs: string[];
  /** Handlers wait for this. */
  gate: Promise<void>;
  /** Records the run, waits for the gate, and returns a notice with the name. */
  finish(name: string): Promise<ReturnType<typeof notice>>;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Runs the tests on each kind of database. On PostgreSQL several processes can share one. */
export function onEachStage(
  facts: (open: (commands?: typeof playlistCommands) => Promise<Stage>, isShared: boolean) => void,
): void {
  describeReusing("on", (kind, name) => {
    facts((commands = playlistCommands) => openStage(kind, commands), name === "PostgreSQL");
  });
}

async function openStage(kind: Kind, createCommands: typeof playlistCommands) {
  const place = await kind.fresh();
  const answers = createAnswers();
  const errors: string[] = [];
  const work = createWork();
  const routes = collectRoutes(createCommands(work));
  let skewMs = 0;
  const now = () => Date.now() + skewMs;

  async function openProcess() {
    const store = await openStore({ url: place.url, keys });
    onTestFinished(() => store.close());
    const processId = randomUUID();
    const write = (line: string) => void errors.push(line);
    const log = createLog({ level: "error", secrets: createSecrets(), write });
    const { rest } = answers;
    const running = createRunningHandlers();
    const features = createFeatureContexts({ store, now } as unknown as FeatureServices);
    // Only the services that these commands need.
    const services = {
      store,
      processId,
      log,
      languages,
      commandIds: new Map(),
      now,
      random: () => 0,
      attachmentHosts: [],
      siteUrl: "https://discord.test",
    } as unknown as Services;
    const dispatcher = createDispatcher({
      routes,
      services,
      features: { ...features, openSuggestions: async (context) => context },
      rest,
      callbackRest: rest,
      answerRest: rest,
      running,
      create: { emoji: never, sticker: never },
      serverRoles: rolesFrom(now),
      botId: "9".repeat(18),
    });
    onTestFinished(dispatcher.stop);
    const receive = (interaction: unknown) =>
      dispatcher.receive(interaction as never, { arrivedAt: now() });
    const { signal } = new AbortController();
    /** The id of a button in the answer to `playlists delete`. */
    const askedButton = async (index: number) => {
      const asked = sentCommand("playlists delete", whose);
      await receive(asked);
      const { text = "" } = answers.messages.get(asked.token) ?? {};
      return new RegExp(`g1:[pu]:[\\w-]{22}:${index}`, "u").exec(text)?.[0] ?? "";
    };
    const recover = (from: string) => dispatcher.recover(from, signal);
    /** Makes the process lose its identity, as when others take it for dead, and go on under a new one. */
    const lose = () => {
      Object.assign(services, { processId: randomUUID() });
      running.stopLost();
    };
    return { dispatcher, running, recover, receive, askedButton, processId, store, lose };
  }

  return {
    place,
    answers,
    errors,
    work,
    runs: work.runs,
    openProcess,
    textOf: ({ token }: { readonly token: string }) => answers.messages.get(token)?.text ?? "",
    /** Advances the clock of all processes. */
    pass(ms: number) {
      skewMs += ms;
    },
    /** Makes handlers wait until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      work.gate = promise;
      return resolve;
    },
    /** A press of a button that the message shows. */
    press(customId: string, message: object = {}) {
      const sent = sentPress(whose, { customId, message });
      answers.pressed.set(sent.token, sent.message);
      return sent;
    },
  };
}

/** A stage with one process; the process's parts are added to the stage itself. */
export async function openOne(opening: Promise<Stage>) {
  const stage = await opening;
  return { ...stage, ...(await stage.openProcess()) };
}

/** A stage with two processes. */
export async function openTwo(opening: Promise<Stage>) {
  const stage = await opening;
  return { ...stage, one: await stage.openProcess(), other: await stage.openProcess() };
}

function createWork(): Work {
  const work: Work = {
    runs: [],
    gate: Promise.resolve(),
    finish: async (name) => {
      work.runs.push(name);
      await work.gate;
      return notice({ tone: "good", title: name });
    },
  };
  return work;
}

/** `create` changes something, `list` only reads, `remove` runs until it is stopped, `delete` asks a question. */
export function playlistCommands({ runs, finish }: Work): ReadonlyMap<string, Command> {
  const question = action<string>({
    name: "search.next",
    answer: "private",
    by: "requester",
    rank: "member",
    isOnce: true,
    run: async (_, state) => finish(`once ${state}`),
  });
  const refresh = action<string>({
    name: "search.refresh",
    answer: "update",
    by: "requester",
    rank: "member",
    isRepeatable: true,
    run: async (_, state) => finish(`refresh ${state}`),
  });
  const subcommands = {
    create: subcommand({ answer: "private", run: async () => finish("create") }),
    list: subcommand({ isRepeatable: true, answer: "public", run: async () => finish("list") }),
    remove: subcommand({
      answer: "private",
      run: async (ctx) => {
        runs.push("remove");
        ctx.progress({ title: "Working" });
        await new Promise((_, reject) => {
          ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
        });
        throw new TypeError("it was not stopped");
      },
    }),
    delete: asking(question, refresh),
  };
  return new Map([["playlists", command({ subcommands, actions: [question, refresh] })]]);
}

interface PressedAction {
  press(state: string): Press;
}

/** Shows a button that can be pressed only once, one that shows the list again, and possibly a slow one. */
export function asking(once: PressedAction, refresh: PressedAction, slow?: PressedAction) {
  const buttons = [
    { label: "Yes", press: once.press("playlist") },
    { label: "Refresh", press: refresh.press("list") },
    ...(slow ? [{ label: "Slow", press: slow.press("list") }] : []),
  ];
  return subcommand({
    answer: "private",
    run: async () => notice({ tone: "warning", title: "Sure?", buttons }),
  });
}

/** Makes the next call fail as it does when the database is unreachable. */
export function failOnce<K extends string>(
  store: { [name in K]: (...args: never[]) => Promise<unknown> },
  name: K,
): void {
  const call = store[name];
  store[name] = async () => {
    store[name] = call;
    throw new ServiceError("away", { code: "store_unavailable" });
  };
}

interface Message {
  readonly id?: string;
  readonly flags: number;
  readonly components?: unknown;
  readonly text: string;
}

interface AnswerRequest {
  readonly body: {
    readonly type?: number;
    readonly data?: { readonly flags?: number };
    readonly components?: unknown;
  };
  readonly files?: readonly { readonly name: string; readonly data: Buffer }[];
}

type RequestKind = "respond" | "read" | "edit" | "delete" | "followUp";

/** An error thrown here is Discord's answer to the request. */
type Before = (kind: RequestKind, token: string) => Promise<void> | void;

/** A stand-in for Discord that knows only answers to interactions. */
function createAnswers() {
  const messages = new Map<string, Message>();
  const pressed = new Map<string, { readonly id: string; readonly flags?: number }>();
  const deleted = new Set<string>();
  const followUps: string[] = [];
  const acknowledged: string[] = [];
  let before: Before = () => undefined;

  /** The interaction's original response. @throws Discord's error if there is none */
  function messageOf(token: string): Message {
    const message = messages.get(token);
    if (message !== undefined) return { id: `message of ${token}`, ...message };
    throw deleted.has(token) ? apiError(10_008, 404) : apiError(10_015, 404);
  }

  function remove(token: string): void {
    messageOf(token);
    messages.delete(token);
    deleted.add(token);
  }

  function respond(token: string, request: AnswerRequest): void {
    if (messages.has(token)) throw apiError(40_060, 400);
    const { type = 0, data: { flags = 0 } = {} } = request.body;
    const loading = { flags: flags | MessageFlags.Loading, text: "" };
    const unchanged = { flags: 0, ...pressed.get(token), text: "" };
    const deferred: Readonly<Record<number, Message>> = { 5: loading, 6: unchanged };
    messages.set(token, deferred[type] ?? { flags, text: textIn(request) });
    acknowledged.push(token);
  }

  async function call<T>(kind: RequestKind, path: string, act: (token: string) => T): Promise<T> {
    const token = /\/(token-of-\d+)/u.exec(path)?.[1] ?? "";
    await before(kind, token);
    return act(token);
  }

  const rest = {
    options: { api: "https://discord.test/api" },
    post: (path: string, request: AnswerRequest) =>
      path.endsWith("/callback")
        ? call("respond", path, (token) => respond(token, request))
        : call("followUp", path, () => void followUps.push(textIn(request))),
    get: (path: string) => call("read", path, messageOf),
    patch: (path: string, request: AnswerRequest) =>
      call("edit", path, (token) => {
        const { components } = request.body;
        const message = messageOf(token);
        const flags = message.flags & MessageFlags.Ephemeral;
        const edited = { ...message, flags, components, text: textIn(request) };
        messages.set(token, edited);
        return edited;
      }),
    delete: (path: string) => call("delete", path, remove),
  };
  return {
    rest: rest as unknown as REST,
    messages,
    pressed,
    followUps,
    acknowledged,
    remove,
    /** Sets a function to be called before Discord handles a request. */
    before(next: Before) {
      before = next;
    },
    /** Delays the next request of that kind until it is released. */
    keepBack(kind: RequestKind) {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      before = async (next) => {
        if (next !== kind) return;
        before = () => undefined;
        reached.resolve();
        await released.promise;
      };
      return { reached: reached.promise, release: released.resolve };
    },
  };
}

/** The message's text and files. */
function textIn({ body, files = [] }: AnswerRequest): string {
  return [JSON.stringify(body), ...files.map(({ name, data }) => `${name}: ${data}`)].join(" ");
}

export function apiError(code: number, status: number): DiscordAPIError {
  const request = { files: undefined, body: undefined };
  return new DiscordAPIError({ code, message: "no" }, code, status, "POST", "", request);
}

function never(): never {
  throw new TypeError("nothing is made in the server here");
}
