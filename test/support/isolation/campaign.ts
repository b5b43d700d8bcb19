import { pressAnswerFor } from "../../../src/discord/run/reply-renderer.ts";
import type { Credential } from "../../../src/store/index.ts";
import { seeded } from "../random.ts";
import {
  type Attached,
  command,
  press,
  submission,
  suggestion,
  type Value,
} from "../raw-interactions.ts";
import { type Bot, openBot } from "./bot.ts";
import { idsIn, mark, marksIn } from "./marks.ts";
import {
  type Actor,
  actors,
  guildIds,
  idsOf,
  keys,
  ownMarks,
  persons,
  roleIds,
  type Server,
  servers,
} from "./people.ts";
import { cardButtons, fillQueues } from "./queues.ts";
import type { Recorded } from "./recorder.ts";
import { type Known, type Services, startServices } from "./services.ts";

export interface Report {
  readonly actions: number;
  readonly requests: number;
  /** Descriptions of what was found in a server where it does not belong. */
  readonly foreign: readonly string[];
  /** Presses on buttons of another server, and how many of them were refused as too old. */
  readonly crossed: number;
  readonly refused: number;
  /** How often interactions ended in each way. */
  readonly endings: Readonly<Record<string, number>>;
  /** Answers that contained one of the server's own marks. */
  readonly telling: number;
}

export interface Campaign {
  readonly actions: number;
  readonly seed: number;
}

const atOnce = 6;
/** How far the clock moves for each action: a day of quota lasts a few thousand actions. */
const stepMs = 8_000;

/** Something that can be pressed, and who may press it. */
interface Press {
  readonly server: Server;
  readonly userId: string;
  readonly customId: string;
  readonly values: readonly string[] | undefined;
  readonly flags: number;
}

/** Left out, because they would end the campaign early. */
const leftOut: ReadonlySet<string> = new Set(["connect disconnect", "connect erase"]);
const mostKept = 200;
/** Each of these takes a tenth of a second or more, so they are used rarely. */
const withPictures =
  /^(background (remove|sticker|thumbnail)|branding (banner|watermark|thumbnail))$/u;
const pictureShare = 0.01;

/**
 * Seeded actions of ten people in three servers, with one bot. Every answer is searched for what belongs to another
 * server.
 */
export async function isolate({ actions, seed }: Campaign): Promise<Report> {
  let clock = Date.now();
  const now = () => clock;
  const services = await startServices(credentials(), { now });
  const bot = await openBot(services.url, now);
  try {
    await connect(bot, services.ownChannelId, clock);
    const run = createRun(bot, services.url, seeded(seed));
    for (const server of servers) await run.hang(server);
    let begun = 0;
    const worker = async () => {
      while (begun < actions) {
        begun += 1;
        // Time stands still until every interaction has its first answer, because one that is too late does nothing.
        while (bot.firstAnswers().length > 0) await Promise.all(bot.firstAnswers());
        clock += stepMs;
        await run.act(begun);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    await run.partWith("B");
    return { actions, requests: services.requests, ...run.report(services) };
  } finally {
    await bot.close();
    await services.close();
  }
}

const secretOf = (owner: string) => `secret-of-${owner}-${"x".repeat(24)}`;

function credentials(): readonly Known[] {
  const of = (owner: string): Known => ({
    owner,
    secret: secretOf(owner),
    writers: servers
      .filter((server) => server === owner || Object.values(keys[server]).includes(owner))
      .map((server) => `T${server}`),
  });
  const shared = servers.flatMap((server) => Object.values(keys[server]));
  return [...new Set([...servers, ...shared])].map(of);
}

async function connect({ store }: Bot, channelId: string, at: number): Promise<void> {
  for (const server of servers) {
    const guildId = guildIds[server];
    const facts = {
      addedBy: persons.find(({ where }) => where.includes(server))?.userId ?? "",
      addedAt: at,
    };
    const { video, image } = keys[server];
    const write = (credential: Omit<Credential, keyof typeof facts>) =>
      store.credentials.write(guildId, { ...facts, ...credential });
    await write({ kind: "video-key", secret: secretOf(video) });
    await write({ kind: "background-key", secret: secretOf(image) });
    await write({
      kind: "channel",
      secret: secretOf(server),
      channelId,
      channelTitle: `Channel ${mark(server)}`,
      scopes: ["youtube.force-ssl", "youtube.upload", "youtube.channel-memberships.creator"],
    });
    await store.settings.update(guildId, () => ({ roles: { moderator: [roleIds[server]] } }));
    await fillQueues(store, server, { source: channelId, at });
  }
}

function createRun(bot: Bot, servicesUrl: string, random: () => number) {
  const foreign: string[] = [];
  const endings: Record<string, number> = {};
  const presses: Press[] = [];
  /** Values that were suggested, by server and option. */
  const offered = new Map<string, readonly Value[]>();
  const paths = [...bot.routes.commands.keys()].filter((path) => !leftOut.has(path));
  const heavy = paths.filter((path) => withPictures.test(path));
  const light = paths.filter((path) => !withPictures.test(path));
  let crossed = 0;
  let refused = 0;
  let telling = 0;

  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const chance = (share: number) => random() < share;

  /** A small picture with the server's words as its name. */
  function pictureOf(server: Server): Attached {
    const name = `${mark(`T${server}`)}.png`;
    return { filename: name, url: `${servicesUrl}/pictures/${name}`, size: 2_000 };
  }

  async function act(n: number): Promise<void> {
    const actor = pick(actors);
    const draw = random();
    if (draw < 0.2) return offer(actor);
    if (draw < 0.5 && presses.length > 0) return use(actor, n);
    await ask(actor, n);
  }

  async function ask(actor: Actor, n: number): Promise<void> {
    const path = pick(chance(pictureShare) ? heavy : light);
    const options = optionsFor(actor.server, path, n);
    const declared = Object.entries(bot.routes.commands.get(path)?.options ?? {});
    const lacking = declared.find(
      ([name, { required }]) => required && options[name] === undefined,
    );
    // A command can't be sent without its required options, so suggestions for the missing one are requested first.
    if (lacking !== undefined) return offer(actor, path, lacking[0]);
    await send(actor, path, command(path, actor.whose, options));
  }

  /** Options as people fill them in: from suggestions, and with their server's words. */
  function optionsFor(server: Server, path: string, n: number): Record<string, Value | Attached> {
    const declared = Object.entries(bot.routes.commands.get(path)?.options ?? {});
    const chosen = declared.filter(([, { required }]) => required || chance(0.25));
    return Object.fromEntries(
      chosen.flatMap(([name, option]): [string, Value | Attached][] => {
        if (name === "extra") return [];
        if (option.choices !== undefined) return [[name, pick(option.choices.values)]];
        if (option.type === "boolean") return [[name, chance(0.5)]];
        if (option.type === "integer" || option.type === "number")
          return [[name, 1 + Math.floor(random() * 20)]];
        if (option.type === "attachment") return [[name, pictureOf(server)]];
        if (option.type !== "string") return [];
        const known = offered.get(`${server} ${name}`) ?? [];
        if (known.length > 0) return [[name, pick(known)]];
        return words.has(name) ? [[name, `${mark(`T${server}`)} ${name} ${n}`]] : [];
      }),
    );
  }

  async function offer(actor: Actor, path = pick(light), wanted?: string): Promise<void> {
    const declared = Object.entries(bot.routes.commands.get(path)?.options ?? {});
    const asked = declared.filter(([, { suggest }]) => suggest !== undefined).map(([name]) => name);
    if (asked.length === 0 || (wanted !== undefined && !asked.includes(wanted))) return;
    const name = wanted ?? pick(asked);
    const others: Record<string, Value> = {};
    for (const [other] of declared) {
      const known = offered.get(`${actor.server} ${other}`);
      if (other !== name && known !== undefined && chance(0.7)) others[other] = pick(known);
    }
    const sent = await send(
      actor,
      `${path} ${name}`,
      suggestion(path, name, actor.whose, { others }),
    );
    const choices = sent.flatMap(({ body }) => choicesIn(body));
    if (choices.length > 0) offered.set(`${actor.server} ${name}`, choices);
  }

  /** Mostly presses the person's own buttons, sometimes another person's, and sometimes another server's. */
  async function use(actor: Actor, n: number): Promise<void> {
    const here = presses.filter(({ server }) => server === actor.server);
    const own = here.filter(({ userId }) => userId === actor.whose.userId);
    const there = presses.filter(({ server }) => server !== actor.server);
    const draw = random();
    const from = draw < 0.6 && own.length > 0 ? own : draw < 0.8 && here.length > 0 ? here : there;
    if (from.length === 0) return;
    const { server, customId, values, flags } = pick(from);
    const given = values === undefined ? {} : { values: [pick(values)] };
    const message = { flags };
    const code = await usePress(actor, n, { customId, message, ...given });
    if (server === actor.server) return;
    crossed += 1;
    if (code === "too_old") refused += 1;
    else foreign.push(`a press of ${server} ended in ${actor.server} with ${code}`);
  }

  async function usePress(
    actor: Actor,
    n: number,
    pressing: Parameters<typeof press>[1],
  ): Promise<string> {
    const interaction = press(actor.whose, pressing);
    const { code, sent } = await deliver(
      actor,
      `press ${pressing.customId.slice(0, 4)}`,
      interaction,
    );
    for (const { body } of sent) {
      const form = formIn(body);
      if (form === undefined) continue;
      const fields = Object.fromEntries(
        form.fields.map((name) => [name, `${mark(`T${actor.server}`)} ${n}`]),
      );
      await send(actor, "form", submission(actor.whose, form.customId, fields));
    }
    return code;
  }

  async function send(
    actor: Actor,
    what: string,
    interaction: Parameters<Bot["receive"]>[0],
  ): Promise<readonly Recorded[]> {
    return (await deliver(actor, what, interaction)).sent;
  }

  async function deliver(
    { server, whose }: Actor,
    what: string,
    interaction: Parameters<Bot["receive"]>[0],
  ) {
    const code = await bot.receive(interaction);
    endings[code] = (endings[code] ?? 0) + 1;
    const sent = bot.take(interaction.token);
    for (const { text, body } of sent) {
      look(server, what, text);
      for (const found of pressesIn(body)) remember({ server, userId: whose.userId, ...found });
    }
    return { code, sent };
  }

  function look(server: Server, what: string, text: string): void {
    const own = ownMarks(server);
    const marks = [...marksIn(text)];
    if (marks.length > 0) telling += 1;
    for (const each of marks) {
      if (own.has(each)) continue;
      const at = text.indexOf(mark(each));
      const around = text.slice(Math.max(0, at - 60), at + 60);
      foreign.push(`${each} stood in ${server}: ${what}: ${around}`);
    }
    for (const id of idsIn(text)) {
      const where = idsOf.get(id);
      if (where !== undefined && !where.includes(server))
        foreign.push(`${id} stood in ${server}: ${what}`);
    }
    if (text.includes("secret-of-")) foreign.push(`a secret stood in ${server}: ${what}`);
  }

  function remember(found: Press): void {
    presses.push(found);
    if (presses.length > mostKept) presses.splice(Math.floor(random() * mostKept), 1);
  }

  return {
    act,
    /** Collects the buttons of the cards in the server's channel, which everyone can press. */
    async hang(server: Server): Promise<void> {
      const answerOf = (name: string) => {
        const action = bot.routes.actions.get(name);
        if (action === undefined) throw new Error(`nothing is called ${name}`);
        return pressAnswerFor(action);
      };
      for (const customId of await cardButtons(bot.store, server, answerOf)) {
        remember({ server, userId: "1", customId, values: undefined, flags: 0 });
      }
    },
    /** Erases one server; the others must keep everything, and nothing of the erased one may be shown any more. */
    async partWith(server: Server): Promise<void> {
      const others = servers.filter((other) => other !== server);
      const held = () =>
        Promise.all(others.map((other) => bot.store.credentials.channels(guildIds[other])));
      const before = JSON.stringify(await held());
      await bot.store.eraseServer(guildIds[server]);
      if (JSON.stringify(await held()) !== before)
        foreign.push(`others lost theirs with ${server}`);
      for (const other of servers) {
        const exported = await bot.store.exportServer(guildIds[other]);
        look(other, "export", JSON.stringify(exported));
      }
      for (const { guildId, text } of bot.left) {
        const place = servers.find((each) => guildIds[each] === guildId);
        if (place === undefined) foreign.push(`something was left in ${guildId}`);
        else look(place, "left in a channel", text);
      }
    },
    report: (services: Services) => ({
      foreign: [
        ...foreign,
        ...services.strays,
        ...bot.take("unasked").map(({ text }) => `unasked: ${text}`),
      ],
      crossed,
      refused,
      endings,
      telling,
    }),
  };
}

/** Options that accept any text. */
const words: ReadonlySet<string> = new Set(
  "query title description text filter name search note".split(" "),
);

type Json = Readonly<Record<string, unknown>>;

function* partsOf(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const each of Object.values(value)) yield* partsOf(each);
}

function choicesIn(body: unknown): readonly Value[] {
  const { type, data } = (body ?? {}) as {
    type?: number;
    data?: { choices?: readonly { value: Value }[] };
  };
  return type === 8 ? (data?.choices ?? []).map(({ value }) => value) : [];
}

function pressesIn(body: unknown): readonly Omit<Press, "server" | "userId">[] {
  const { type, data, flags } = (body ?? {}) as { type?: number; data?: Json; flags?: number };
  if (type === 9) return [];
  return [...partsOf(data ?? body)].flatMap((part) => {
    if (typeof part.custom_id !== "string") return [];
    const options = part.options as readonly { readonly value: string }[] | undefined;
    const values = options?.map(({ value }) => value);
    return [{ customId: part.custom_id, values, flags: Number(data?.flags ?? flags ?? 0) }];
  });
}

function formIn(
  body: unknown,
): { readonly customId: string; readonly fields: readonly string[] } | undefined {
  const { type, data } = (body ?? {}) as { type?: number; data?: Json };
  if (type !== 9 || data === undefined) return undefined;
  const fields = [...partsOf(data.components)].filter((part) => part.type === 4);
  return { customId: String(data.custom_id), fields: fields.map((part) => String(part.custom_id)) };
}
