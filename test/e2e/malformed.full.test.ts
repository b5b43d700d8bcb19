import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../../src/sandbox/platform/index.ts";
import {
  command,
  menu,
  press,
  submission,
  suggestion,
  type Whose,
} from "../support/raw-interactions.ts";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";

const seed = 15;
let platform: Platform;
let bot: SpawnedBot;
let whose: Whose;

beforeAll(async () => {
  platform = await startPlatform({ hasLimits: false });
  bot = await spawnBot({ platform });
  whose = { guildId: platform.guildId, userId: platform.ownerId };
});
afterAll(async () => {
  await bot.stop();
  await platform.close();
});

const said = (message: string) => bot.lines.filter((line) => line.message === message);
const faults = () => [
  ...said("ended by an error"),
  ...said("an unhandled error"),
  ...said("an interaction was lost"),
];

/** Only counts the command sent below: a damaged interaction may be answered too, at any time. */
const answers = () => said("answered").filter(({ name }) => name === "connect status").length;

async function isAnswered(): Promise<void> {
  const before = answers();
  await platform.people("owner").command("connect status");
  await expect.poll(answers).toBe(before + 1);
  expect(bot.child.exitCode).toBeNull();
}

/** The path to every value inside a value. */
function placesIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [
    [name],
    ...placesIn(item).map((steps) => [name, ...steps]),
  ]);
}

function damaged(value: unknown, [step = "", ...rest]: readonly string[], by: unknown): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  if (rest.length > 0) copy[step] = damaged(copy[step], rest, by);
  else if (by === undefined) delete copy[step];
  else copy[step] = by;
  return copy;
}

function goodOnes(): readonly object[] {
  const customId = `g1:a:${"h".repeat(22)}:0`;
  const file = { filename: "a.png", url: `${platform.url}/attachments/1/1/a.png`, size: 3 };
  return [
    command("playlists list", whose, { title: "a" }),
    command("background remove", whose, { image: file }),
    suggestion("videos show", "video", whose, { text: "a" }),
    menu("Remove background", whose),
    press(whose, { customId }),
    press(whose, { customId, values: ["a"] }),
    press(whose, { customId: "g1:cancel:100000000000000000" }),
    submission(whose, customId.replace(":a:", ":f:"), { title: "a" }),
  ];
}

const junk = fc.oneof(fc.constant(undefined), fc.constant(null), fc.jsonValue());
const mutants = fc.array(fc.tuple(fc.nat(), fc.nat(), junk), { minLength: 1, maxLength: 3 });

describe("a bot that is sent what nobody should send", () => {
  it("drops interactions that lack a part, and answers the next command", async () => {
    const { gateway, guildId } = platform;
    const dropped = said("a malformed interaction is dropped").length;
    const lacking = goodOnes().flatMap((one) =>
      ["data", "message", "member", "id", "token", "type"]
        .filter((name) => name in one)
        .map((name) => damaged(one, [name], undefined) as object),
    );

    for (const one of lacking) gateway.dispatch("INTERACTION_CREATE", one, guildId);
    await isAnswered();

    expect(said("a malformed interaction is dropped").length).toBeGreaterThan(dropped + 30);
    expect(faults()).toEqual([]);
  });

  it("survives interactions damaged in any place", async () => {
    const { gateway, guildId } = platform;
    const sent = fc.sample(mutants, { numRuns: 600, seed }).map((changes) =>
      changes.reduce<object>((one, [which, where, by], at) => {
        const from = at === 0 ? (goodOnes()[which % goodOnes().length] ?? {}) : one;
        const places = placesIn(from);
        return damaged(from, places[where % places.length] ?? ["data"], by) as object;
      }, {}),
    );

    // A few at a time: a command has three seconds, and speed is not tested here.
    for (const [index, one] of sent.entries()) {
      gateway.dispatch("INTERACTION_CREATE", one, guildId);
      if (index % 40 === 39) await isAnswered();
    }

    expect(faults()).toEqual([]);
  });

  it("reads no other event, whatever is in it", async () => {
    const { gateway, guildId } = platform;
    const names = [
      "GUILD_CREATE",
      "GUILD_DELETE",
      "MESSAGE_CREATE",
      "CHANNEL_DELETE",
      "UNHEARD_OF",
    ];

    for (const name of names) {
      for (const data of [null, {}, [], 5, { id: null }, { channels: 7, members: [null] }]) {
        gateway.dispatch(name, data as object, guildId);
      }
    }
    await isAnswered();

    expect(faults()).toEqual([]);
  });

  it("lives on when the connection's own packets are malformed", async () => {
    const packets = [
      null,
      5,
      {},
      { op: 0 },
      { op: 0, t: "READY", s: null, d: null },
      { op: 0, t: 7, s: "x", d: "y" },
      { op: 9, d: null },
      { op: 10, d: null },
      { op: 99, d: {} },
    ];

    for (const packet of packets) platform.gateway.send(packet);
    await isAnswered();

    expect(said("ended by an error")).toEqual([]);
  });
});
