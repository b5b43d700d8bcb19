import { type ServerType, serve } from "@hono/node-server";
import type { APIMessage, APIUser } from "discord-api-types/v10";
import { Hono } from "hono";
import { type WebSocket, WebSocketServer } from "ws";
import type { PageServer } from "../../src/sandbox/platform/page/serve.ts";
import type {
  HelloEvent,
  PageEvent,
  PagePerson,
  SuggestAnswer,
} from "../../src/sandbox/platform/protocol.ts";
import type { PersonName } from "../../src/sandbox/types.ts";

export interface SeenAct {
  readonly name: string;
  readonly as: PersonName;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FakePlatform {
  readonly url: string;
  readonly acts: readonly SeenAct[];
  /** Resets everything to the state at the start. */
  reset(): void;
  /** The messages that each person sees first; change them before a page connects. */
  readonly seen: Record<PersonName, APIMessage[]>;
  commands: HelloEvent["commands"];
  /** Forums, in addition to the text channels. */
  forums: HelloEvent["channels"];
  threads: HelloEvent["threads"];
  attachmentLimit: number;
  locale: HelloEvent["locale"];
  welcomeId: HelloEvent["welcomeId"];
  /** Answers an act with this instead of `{ interactionId }`; a string is answered as an error 400 with that text. */
  answer(name: string, reply: (act: SeenAct) => unknown): void;
  /** Sends an event to every open page, or to those of one person. */
  emit(event: PageEvent, person?: PersonName): void;
  /** Resolves with the first act of this name, past or to come. */
  act(name: string): Promise<SeenAct>;
  /** Cuts every socket, and rejects new ones for `forMs`. */
  cut(forMs?: number): void;
  /** Serves bytes below `/cdn/` and returns their address; emoji and stickers are served by their file's name. */
  host(name: string, type: string, data: Uint8Array): string;
  close(): Promise<void>;
}

export const bot = {
  id: "900",
  username: "Greenroom",
  discriminator: "0000",
  global_name: null,
  avatar: null,
  bot: true,
} as APIUser;

export const people: Readonly<Record<PersonName, PagePerson>> = {
  owner: person("owner", "101", "Olivia", 0xf0b232),
  moderator: person("moderator", "102", "Mika", 0x2ecc71),
  member: person("member", "103", "Mel", 0),
};

function person(name: PersonName, id: string, shown: string, color: number): PagePerson {
  const user = { id, username: name, discriminator: "0", global_name: shown, avatar: null };
  const role = {
    id: `${id}0`,
    name: name[0]?.toUpperCase() + name.slice(1),
    color,
    permissions: "0",
  };
  return { name, user: user as APIUser, role: role as PagePerson["role"] };
}

const defaultLimit = 10_485_760;

function blank() {
  return {
    commands: [],
    forums: [],
    threads: [],
    attachmentLimit: defaultLimit,
    locale: "en-US",
    welcomeId: undefined,
  } satisfies Partial<FakePlatform>;
}

/** Serves the real page with a fake Discord that sends only what the test says. The page's server stays open. */
export async function startFakePlatform(page: PageServer): Promise<FakePlatform> {
  const app = new Hono();
  const sockets = new Map<WebSocket, PersonName>();
  const acts: SeenAct[] = [];
  const replies = new Map<string, (act: SeenAct) => unknown>();
  const hosted = new Map<string, { type: string; data: Uint8Array }>();
  const listeners = new Set<() => void>();
  let isShutUntil = 0;
  let lastId = 0;

  const platform: FakePlatform = {
    url: "",
    acts,
    seen: { owner: [], moderator: [], member: [] },
    ...blank(),
    reset() {
      acts.length = 0;
      lastId = 0;
      replies.clear();
      listeners.clear();
      for (const seen of Object.values(platform.seen)) seen.length = 0;
      Object.assign(platform, blank());
    },
    answer: (name, reply) => replies.set(name, reply),
    emit(event, to) {
      for (const [socket, who] of sockets)
        if (to === undefined || who === to) socket.send(JSON.stringify(event));
    },
    act: (name) =>
      new Promise((resolve) => {
        const look = () => {
          const found = acts.find((act) => act.name === name);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    cut(forMs = 0) {
      isShutUntil = Date.now() + forMs;
      for (const socket of sockets.keys()) socket.terminate();
    },
    host(name, type, data) {
      hosted.set(name, { type, data });
      return `${platform.url}/cdn/${name}`;
    },
    async close() {
      for (const socket of sockets.keys()) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  app.post("/page/:name", async (context) => {
    const name = context.req.param("name");
    const as = context.req.query("as") as PersonName;
    const isFile = name === "files";
    const body = isFile
      ? { name: context.req.query("name"), bytes: (await context.req.arrayBuffer()).byteLength }
      : await context.req.json();
    const act = { name, as, body };
    acts.push(act);
    for (const listener of listeners) listener();
    lastId += 1;
    const reply = replies.get(name)?.(act) ?? {
      interactionId: `i${lastId}`,
      id: `f${lastId}`,
      choices: [] as SuggestAnswer["choices"],
    };
    if (typeof reply === "string") return context.json({ error: reply }, 400);
    return context.json((await reply) as object);
  });
  for (const folder of ["cdn", "emojis", "stickers"]) {
    app.get(`/${folder}/:name`, (context) => {
      const file = hosted.get(context.req.param("name"));
      if (!file) return context.notFound();
      return context.body(new Uint8Array(file.data), 200, { "content-type": file.type });
    });
  }
  app.get("*", (context) => page.fetch(context.req.raw));

  const server = await new Promise<ServerType>((resolve) => {
    const started = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      Object.assign(platform, { url: `http://127.0.0.1:${port}` });
      resolve(started);
    });
  });

  const socketServer = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (Date.now() < isShutUntil) return socket.destroy();
    const as = new URL(request.url ?? "", platform.url).searchParams.get("as") as PersonName;
    socketServer.handleUpgrade(request, socket, head, (opened) => {
      sockets.set(opened, as);
      opened.on("close", () => sockets.delete(opened));
      opened.send(JSON.stringify(hello(as)));
    });
  });

  function hello(as: PersonName): HelloEvent {
    return {
      type: "hello",
      me: people[as],
      now: Date.now(),
      welcomeId: platform.welcomeId,
      locale: platform.locale,
      people: Object.values(people),
      guild: { id: "1", name: "Test server" },
      channels: [
        { id: "500", name: "general", type: 0 },
        { id: "501", name: "other", type: 0 },
        ...platform.forums,
      ],
      threads: platform.threads,
      roles: Object.values(people).map(({ role }) => role),
      directChannelId: "510",
      bot,
      online: true,
      commands: platform.commands,
      messages: platform.seen[as],
      attachmentLimit: platform.attachmentLimit,
      events: [],
      expressions: { emojis: [], stickers: [] },
    };
  }

  return platform;
}

let lastMessage = 1_000;

/** A message of the bot in `#general`; each has a higher id than the one before. */
export function botMessage(change: object = {}): APIMessage {
  lastMessage += 1;
  return {
    id: String(lastMessage),
    channel_id: "500",
    author: bot,
    content: "",
    timestamp: new Date().toISOString(),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
    type: 0,
    flags: 0,
    ...change,
  } as unknown as APIMessage;
}
