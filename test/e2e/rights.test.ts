import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rank, ranks } from "../../src/discord/rank.ts";
import { pressAnswerOf } from "../../src/discord/run/drawing.ts";
import { encodeCustomId } from "../../src/discord/wire/custom-id.ts";
import { openRawDispatch, type RawDispatch, type Received } from "../support/raw-dispatch.ts";
import { command, menu, press, suggestion, type Whose } from "../support/raw-interactions.ts";
import * as table from "./rights-table.ts";

const guildId = "800000000000000001";
const roles = {
  moderator: "810000000000000001",
  manager: "810000000000000002",
  owner: "810000000000000003",
};

interface Kind extends Pick<Whose, "permissions" | "roles"> {
  readonly words: string;
  readonly rank: Rank;
}

/** Everybody who counts as something, by what Discord says of them and by the roles that this server has mapped. */
const kinds: readonly Kind[] = [
  { words: "nobody special", rank: "member" },
  { words: "a role that means nothing", rank: "member", roles: ["810000000000000009"] },
  {
    words: "Manage Roles and Kick Members",
    rank: "member",
    permissions: bits.ManageRoles | bits.KickMembers,
  },
  { words: "Manage Messages", rank: "moderator", permissions: bits.ManageMessages },
  { words: "Moderate Members", rank: "moderator", permissions: bits.ModerateMembers },
  { words: "the moderators' role", rank: "moderator", roles: [roles.moderator] },
  { words: "Manage Channels", rank: "manager", permissions: bits.ManageChannels },
  { words: "the managers' role", rank: "manager", roles: [roles.manager, roles.moderator] },
  { words: "Manage Server", rank: "owner", permissions: bits.ManageGuild },
  { words: "Administrator", rank: "owner", permissions: bits.Administrator },
  {
    words: "the owners' role",
    rank: "owner",
    roles: [roles.owner],
    permissions: bits.ManageMessages,
  },
];

const handlers = {
  commands: table.rankByName(table.commands),
  menus: table.rankByName(table.menus),
  actions: table.rankByName(table.actions),
};

let bot: RawDispatch;
let lastUser = 820_000_000_000_000_000n;

const whoIs = ({ permissions, roles: own }: Pick<Kind, "permissions" | "roles">): Whose => {
  lastUser += 1n;
  return { guildId, userId: String(lastUser), permissions, roles: own };
};

beforeAll(async () => {
  bot = await openRawDispatch();
  await mapRoles();
});

afterAll(() => bot.close());

async function mapRoles(): Promise<void> {
  const mapped = Object.fromEntries(Object.entries(roles).map(([rank, id]) => [rank, [id]]));
  await bot.store.settings.update(guildId, { roles: mapped });
  bot.pass(2_000);
}

/** What hangs on somebody's answer, ready to be used. */
async function begun(name: string, whose: Whose, more: object = {}): Promise<string> {
  const action = bot.routes.actions.get(name);
  if (action === undefined) throw new Error(`nothing is called ${name}`);
  const state = [{ action: name, state: {}, ...more }];
  const { guildId: guild, userId } = whose;
  const handle = await bot.store.continuations.put({ guildId: guild, userId, state }, 60_000);
  return encodeCustomId({ answer: pressAnswerOf(action), handle, index: 0 });
}

/** Refused, and without a trace: no service was reached, nothing was written, and only that person was told. */
async function refusal(interaction: unknown): Promise<string> {
  const before = bot.version();
  const received = await bot.receive(interaction);
  expect(received.reached).toEqual([]);
  expect(bot.version()).toBe(before);
  expect(toldToAll(received)).toEqual([]);
  return received.code;
}

/** Words that went where others see them. */
function toldToAll({ sent }: Received): readonly unknown[] {
  const [first] = sent;
  const flagsOf = (body: unknown) => Number((body as { flags?: number } | undefined)?.flags ?? 0);
  const data = (first?.body as { data?: unknown } | undefined)?.data;
  const isPrivate = (flagsOf(data) & 64) !== 0;
  return sent.filter(({ method, body }, index) => {
    // Nobody but the person sees what they are offered, and a refused one is offered nothing.
    const offered = (data as { choices?: readonly unknown[] } | undefined)?.choices;
    if (offered !== undefined) return offered.length > 0;
    if (index === 0) return data !== undefined && !isPrivate;
    if (method === "delete") return false;
    return !isPrivate && (flagsOf(body) & 64) === 0;
  });
}

const mayReach = (rank: Rank, wanted: Rank) => ranks.indexOf(rank) >= ranks.indexOf(wanted);

async function judge(wanted: Rank, kind: Kind, interaction: unknown): Promise<string> {
  if (!mayReach(kind.rank, wanted)) return refusal(interaction);
  const { code } = await bot.receive(interaction);
  // Owners may change the roles, and erase everything.
  if (wanted === "owner") await mapRoles();
  return code === "rank_too_low" ? code : "allowed";
}

const verdictOf = (wanted: Rank, { rank }: Kind) =>
  mayReach(rank, wanted) ? "allowed" : "rank_too_low";

describe("the table of rights", () => {
  it.each(["commands", "menus", "actions"] as const)("has all %s and no others", (kind) => {
    expect([...handlers[kind].keys()].sort()).toEqual([...bot.routes[kind].keys()].sort());
  });

  it("says of each action whether others may use it", () => {
    const others = [...bot.routes.actions.values()].filter(({ by }) => by !== "requester");

    expect([...table.shared].sort()).toEqual(others.map(({ name }) => name).sort());
  });
});

describe.each(kinds)("a person with $words ($rank)", (kind) => {
  it("runs the commands of that rank", async () => {
    for (const [path, wanted] of handlers.commands) {
      const verdict = await judge(wanted, kind, command(path, whoIs(kind)));
      expect([path, verdict]).toEqual([path, verdictOf(wanted, kind)]);
    }
  });

  it("opens the menus of that rank", async () => {
    for (const [title, wanted] of handlers.menus) {
      const verdict = await judge(wanted, kind, menu(title, whoIs(kind)));
      expect([title, verdict]).toEqual([title, verdictOf(wanted, kind)]);
    }
  });

  it("uses the buttons, selects and forms of that rank, though they hang on an own answer", async () => {
    for (const [name, wanted] of handlers.actions) {
      const whose = whoIs(kind);
      const customId = await begun(name, whose);
      const verdict = await judge(wanted, kind, press(whose, { customId }));
      expect([name, verdict]).toEqual([name, verdictOf(wanted, kind)]);
    }
  });

  it("is offered suggestions by the commands of that rank alone", async () => {
    for (const [path, { options }] of bot.routes.commands) {
      const wanted = handlers.commands.get(path) ?? "owner";
      for (const [name, { suggest }] of Object.entries(options)) {
        if (suggest === undefined) continue;
        const verdict = await judge(wanted, kind, suggestion(path, name, whoIs(kind)));
        expect([path, name, verdict]).toEqual([path, name, verdictOf(wanted, kind)]);
      }
    }
  });

  it("acts as a channel of their choice from moderator on", async () => {
    const verdict = await judge(
      "moderator",
      kind,
      command("videos list", whoIs(kind), { as: "UCx" }),
    );

    expect(verdict).toBe(verdictOf("moderator", kind));
  });
});

describe("a refused suggestion", () => {
  it("is an empty list", async () => {
    const asked = suggestion("videos edit", "video", whoIs({}));
    const { sent } = await bot.receive(asked);

    expect(sent).toMatchObject([{ body: { type: 8, data: { choices: [] } } }]);
  });
});

describe("what hangs on an answer", () => {
  const owner = { permissions: bits.Administrator };

  it("is used by others only where the table says so", async () => {
    for (const name of handlers.actions.keys()) {
      const customId = await begun(name, whoIs(owner));
      const code = table.shared.has(name)
        ? (await bot.receive(press(whoIs(owner), { customId }))).code
        : await refusal(press(whoIs(owner), { customId }));
      expect([name, code === "not_yours"]).toEqual([name, !table.shared.has(name)]);
    }
  });

  it("is used by nobody else where only one person was shown it", async () => {
    for (const name of handlers.actions.keys()) {
      const customId = await begun(name, whoIs(owner), { isPrivate: true });
      const code = await refusal(press(whoIs(owner), { customId }));
      expect([name, code]).toEqual([name, "not_yours"]);
    }
  });

  it("is used in no other server, by nobody and by no owner", async () => {
    for (const name of handlers.actions.keys()) {
      const whose = whoIs(owner);
      const customId = await begun(name, whose);
      const elsewhere = { ...whose, guildId: "800000000000000002" };
      const code = await refusal(press(elsewhere, { customId }));
      expect([name, code]).toEqual([name, "too_old"]);
    }
  });

  it("is used by nobody outside a server", async () => {
    const whose = whoIs(owner);
    const customId = await begun("videos.details", whose);
    const { guild_id, member, guild, ...rest } = press(whose, { customId });

    expect(await refusal({ ...rest, user: member.user, context: 1 })).toBe("only_in_servers");
  });

  it("is answered as its declaration says, whatever letter somebody puts there", async () => {
    const whose = whoIs(owner);
    for (const name of handlers.actions.keys()) {
      const customId = await begun(name, whose);
      const [version, own, handle, index] = customId.split(":");
      for (const letter of ["a", "p", "u", "e", "f"].filter((each) => each !== own)) {
        const forged = [version, letter, handle, index].join(":");
        const code = await refusal(press(whose, { customId: forged }));
        expect([name, letter, code]).toEqual([name, letter, "too_old"]);
      }
    }
  });

  it.each([
    ["a handle that was never given out", `g1:p:${"A".repeat(22)}:0`],
    ["another version", `g2:p:${"A".repeat(22)}:0`],
    ["a handle that is too long", `g1:p:${"A".repeat(23)}:0`],
    ["a place that is not there", "PLACE"],
    ["a name instead of a handle", "videos.delete-now"],
    ["nothing", ""],
    ["another bot's id", "confirm_delete_123456789012345678"],
    ["work that is not under way", "g1:cancel:123456789012345678"],
  ])("is too old for %s", async (_, wanted) => {
    const whose = whoIs(owner);
    const customId = await begun("videos.details", whose);
    const forged = wanted === "PLACE" ? customId.replace(/:0$/u, ":7") : wanted;

    expect(await refusal(press(whose, { customId: forged }))).toBe("too_old");
  });

  it("stops nobody else's work, here or elsewhere", async () => {
    const whose = whoIs({});
    const id = "123456789012345679";
    const job = bot.jobs.start(id, whose);
    const customId = `g1:cancel:${id}`;
    const byOther = await refusal(press(whoIs(owner), { customId }));
    const elsewhere = await refusal(
      press({ ...whose, guildId: "800000000000000002" }, { customId }),
    );
    const wasStopped = job.signal.aborted;
    const own = await bot.receive(press(whose, { customId }));
    job.end();

    expect([byOther, elsewhere, wasStopped]).toEqual(["not_yours", "too_old", false]);
    expect(own.code).toBe("answered");
    expect(job.signal.aborted).toBe(true);
  });
});

describe("a mapped role", () => {
  const moderator = { roles: [roles.moderator] };
  const whose = () => whoIs(moderator);
  const status = (who: Whose) => command("connect status", who);
  const map = (ids: readonly string[] | undefined) =>
    bot.store.settings.update(guildId, { roles: { moderator: ids } });

  it("counts no more at once in the process that took it away, and within two seconds in others", async () => {
    const [here, there] = [bot, bot.another()];
    const codes = async () => [
      (await here.receive(status(whose()))).code,
      (await there.receive(status(whose()))).code,
    ];
    const before = await codes();
    const owner = whoIs({ permissions: bits.ManageGuild });
    const role = { type: 8, name: "role", value: roles.moderator };
    const change = command("connect roles", owner, { rank: "none" });
    (change.data.options[0] as { options: unknown[] }).options.push(role);
    const changed = await here.receive(change);
    const after = await codes();
    bot.pass(2_000);
    const later = await codes();
    await map([roles.moderator]);
    bot.pass(2_000);

    expect(changed.code).toBe("answered");
    expect(before).toEqual(["answered", "answered"]);
    expect(after).toEqual(["rank_too_low", "answered"]);
    expect(later).toEqual(["rank_too_low", "rank_too_low"]);
  });
});

describe("while the settings can't be read", () => {
  let broken: RawDispatch;
  let isBroken = false;

  beforeAll(async () => {
    broken = await openRawDispatch((store) => ({
      ...store,
      settings: {
        ...store.settings,
        read: (id) =>
          isBroken
            ? Promise.resolve({ state: "failed", error: new Error("locked") })
            : store.settings.read(id),
      },
    }));
    await broken.store.settings.update(guildId, { roles: { moderator: [roles.moderator] } });
  });
  afterAll(() => broken.close());

  const ask = (kind: Pick<Kind, "permissions" | "roles">) =>
    broken.receive(command("connect status", whoIs(kind)));

  it("counts Discord's own permissions alone, and says why a role may be missing", async () => {
    const known = await ask({ roles: [roles.moderator] });
    isBroken = true;
    broken.pass(2_000);
    const mapped = await ask({ roles: [roles.moderator] });
    const plain = await ask({});
    const own = await ask({ permissions: bits.ManageMessages });
    isBroken = false;

    expect(known.code).toBe("answered");
    expect(mapped.code).toBe("store_unavailable");
    expect(mapped.reached).toEqual([]);
    expect(plain.code).toBe("rank_too_low");
    expect(own.code).not.toBe("rank_too_low");
  });
});
