import { DiscordAPIError, HTTPError } from "@discordjs/rest";
import { PermissionFlagsBits as bits } from "discord-api-types/v10";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Rank, ranks } from "../../src/discord/rank.ts";
import { pressAnswerFor } from "../../src/discord/run/reply-renderer.ts";
import { encodeCustomId } from "../../src/discord/wire/custom-id.ts";
import { guildOwnerId, guildWithEveryRole } from "../support/guild-roles.ts";
import { openRawDispatch, type RawDispatch, type Received } from "../support/raw-dispatch.ts";
import { command, menu, press, suggestion, type Whose } from "../support/raw-interactions.ts";
import * as table from "./rights-table.ts";

const guildId = "800000000000000001";
const roles = {
  moderator: "810000000000000001",
  manager: "810000000000000002",
  owner: "810000000000000003",
};

type Special = Pick<Whose, "permissions" | "roles" | "here" | "silentUntil"> & {
  readonly userId?: string;
};

interface Kind extends Special {
  readonly words: string;
  readonly rank: Rank;
}

const everything = (1n << 53n) - 1n;
const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();

/**
 * People of each rank, by the permissions of their roles in the server and by the roles that the server has mapped; and
 * people to whom a channel's overwrites give more or less than that, which must not matter.
 */
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
  { words: "nothing but the server itself", rank: "owner", userId: guildOwnerId },
  ...inOneChannel(),
  ...silenced(),
];

function inOneChannel(): readonly Kind[] {
  const moderating = bits.ManageMessages | bits.ModerateMembers;
  return [
    { words: "Manage Messages in this channel alone", rank: "member", here: { allow: moderating } },
    {
      words: "Manage Channels in this channel alone",
      rank: "member",
      here: { allow: bits.ManageChannels },
    },
    {
      words: "Manage Server in this channel alone",
      rank: "member",
      here: { allow: bits.ManageGuild },
    },
    { words: "everything in this channel alone", rank: "member", here: { allow: everything } },
    {
      words: "Manage Messages, and Manage Channels in this channel alone",
      rank: "moderator",
      permissions: bits.ManageMessages,
      here: { allow: bits.ManageChannels },
    },
    {
      words: "Manage Messages, but not in this channel",
      rank: "moderator",
      permissions: bits.ManageMessages,
      here: { deny: bits.ManageMessages },
    },
    {
      words: "Manage Channels, but not in this channel",
      rank: "manager",
      permissions: bits.ManageChannels,
      here: { deny: everything },
    },
    {
      words: "Manage Server, but not in this channel",
      rank: "owner",
      permissions: bits.ManageGuild,
      here: { deny: everything },
    },
    {
      words: "the managers' role, but nothing in this channel",
      rank: "manager",
      roles: [roles.manager],
      here: { deny: everything },
    },
  ];
}

function silenced(): readonly Kind[] {
  const silentUntil = nextYear;
  return [
    {
      words: "Manage Server during a time-out",
      rank: "member",
      permissions: bits.ManageGuild,
      silentUntil,
    },
    {
      words: "the moderators' role during a time-out",
      rank: "member",
      roles: [roles.moderator],
      silentUntil,
    },
    {
      words: "Administrator, whom no time-out binds",
      rank: "owner",
      permissions: bits.Administrator,
      silentUntil,
    },
  ];
}

const handlers = {
  commands: table.rankByName(table.commands),
  menus: table.rankByName(table.menus),
  actions: table.rankByName(table.actions),
};

let bot: RawDispatch;
let lastUser = 820_000_000_000_000_000n;

const whoIs = ({ permissions, roles: own, here, silentUntil, userId }: Special): Whose => {
  lastUser += 1n;
  const id = userId ?? String(lastUser);
  return { guildId, userId: id, permissions, roles: own, here, silentUntil };
};

beforeAll(async () => {
  bot = await openRawDispatch();
  await mapRoles();
});

// Buttons expire with each test: thousands of live ones make each new one slow.
afterEach(() => bot.pass(60_000));
afterAll(() => bot.close());

async function mapRoles(): Promise<void> {
  const mapped = Object.fromEntries(Object.entries(roles).map(([rank, id]) => [rank, [id]]));
  await bot.store.settings.update(guildId, () => ({ roles: mapped }));
  bot.pass(2_000);
}

/** The custom id of a button on that person's answer, ready to be pressed. */
async function begun(name: string, whose: Whose, more: object = {}, at = bot): Promise<string> {
  const action = at.routes.actions.get(name);
  if (action === undefined) throw new Error(`nothing is called ${name}`);
  const state = [{ action: name, state: {}, ...more }];
  const { guildId: guild, userId } = whose;
  const handle = await at.store.continuations.put({ guildId: guild, userId, state }, 60_000);
  return encodeCustomId({ answer: pressAnswerFor(action), handle, index: 0 });
}

/**
 * Checks that the refusal left no trace: no service was called, nothing was written, and only that person saw the
 * answer. Returns its code.
 */
async function refusal(interaction: unknown, at = bot): Promise<string> {
  const before = at.version();
  const received = await at.receive(interaction);
  expect(received.reached).toEqual([]);
  expect(at.version()).toBe(before);
  expect(toldToAll(received)).toEqual([]);
  return received.code;
}

/** Messages with words that were sent where others see them. */
function toldToAll({ sent }: Received): readonly unknown[] {
  const [first] = sent;
  const flagsOf = (body: unknown) => Number((body as { flags?: number } | undefined)?.flags ?? 0);
  const data = (first?.body as { data?: unknown } | undefined)?.data;
  const isPrivate = (flagsOf(data) & 64) !== 0;
  return sent.filter(({ method, body }, index) => {
    // Only the person sees suggestions, and after a refusal there are none.
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
  // An allowed owner's command may have changed the mapped roles or erased everything.
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
    const job = bot.running.start(id, whose);
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
  const map = (ids: readonly string[]) =>
    bot.store.settings.update(guildId, () => ({ roles: { moderator: ids } }));

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
    await broken.store.settings.update(guildId, () => ({
      roles: { moderator: [roles.moderator] },
    }));
  });
  afterAll(() => broken.close());

  const ask = (kind: Special) => broken.receive(command("connect status", whoIs(kind)));

  it("counts the permissions of Discord's own roles alone, and says why a role may be missing", async () => {
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

describe("the roles of a server", () => {
  let here: RawDispatch;
  beforeEach(async () => {
    here = await openRawDispatch();
  });
  afterEach(() => here.close());

  const manager = { permissions: bits.ManageChannels };
  const create = (kind: Special) => command("playlists create", whoIs(kind));
  const codeOf = async (interaction: unknown) => (await here.receive(interaction)).code;
  const discordError = (status: number, code: number) =>
    new DiscordAPIError({ code, message: "x" }, code, status, "GET", "/guilds", {});

  /** One of each way to start something, all of which need a manager. */
  async function entrances(kind: Special): Promise<readonly unknown[]> {
    const whose = whoIs(kind);
    const pressed = async (name: string) =>
      press(whose, { customId: await begun(name, whose, {}, here) });
    return [
      command("playlists create", whose),
      command("videos upload", whose),
      menu("Add to playlist", whose),
      await pressed("playlists.delete-now"),
      await pressed("playlists.edit-form"),
      suggestion("playlists edit", "playlist", whose),
    ];
  }

  it("are asked for by nobody who needs none of them", async () => {
    const free = [
      command("videos list", whoIs({})),
      command("usage", whoIs({ roles: ["810000000000000009"] })),
      suggestion("search", "channel", whoIs({})),
    ];
    for (const interaction of free) await here.receive(interaction);

    expect(here.guildReads()).toBe(0);
  });

  it("are asked for where more may be shown to the person than to everyone", async () => {
    const reads = async (interaction: unknown) => {
      const before = here.guildReads();
      await here.receive(interaction);
      here.pass(60_000);
      return here.guildReads() - before;
    };
    const counts = [
      await reads(suggestion("videos show", "video", whoIs(manager))),
      await reads(command("videos list", whoIs(manager))),
      await reads(command("videos list", whoIs({ here: { allow: bits.ManageChannels } }))),
      await reads(suggestion("videos show", "video", whoIs({}))),
    ];

    expect(counts).toEqual([1, 1, 1, 0]);
  });

  it("keep no member waiting, and fail none, though they never come", async () => {
    here.answerGuilds(() => new Promise(() => undefined));
    const { code } = await here.receive(command("connect status", whoIs({})), 2_200);
    const free = await here.receive(command("usage", whoIs({})));

    expect(code).toBe("server_roles_unread");
    expect(free.code).not.toBe("server_roles_unread");
    expect(here.guildReads()).toBe(1);
  });

  it("are read once for everyone within a minute", async () => {
    await Promise.all(Array.from({ length: 20 }, () => here.receive(create(manager))));
    here.pass(59_999);
    await codeOf(create(manager));
    const within = here.guildReads();
    here.pass(1);
    await codeOf(create(manager));

    expect([within, here.guildReads()]).toEqual([1, 2]);
  });

  it("give nothing any more a minute after they were changed, and nothing at once after they were taken away", async () => {
    const before = await codeOf(create(manager));
    here.answerGuilds(async (id) => ({ ...guildWithEveryRole(id), roles: [] }));
    const takenAway = await codeOf(create({}));
    const changed = await codeOf(create(manager));
    here.pass(60_000);
    const later = await codeOf(create(manager));

    expect([takenAway, later]).toEqual(["rank_too_low", "rank_too_low"]);
    expect(before).not.toBe("rank_too_low");
    expect(changed).not.toBe("rank_too_low");
  });

  it("count for everyone where the role of all has them", async () => {
    here.answerGuilds(async (id) => guildWithEveryRole(id, bits.ManageChannels));

    expect(await codeOf(create({}))).not.toBe("rank_too_low");
  });

  it("refuse what takes more, with words of their own, where only the commands were added", async () => {
    here.answerGuilds(async () => Promise.reject(discordError(403, 50_001)));
    const codes: string[] = [];
    for (const interaction of await entrances(manager)) {
      codes.push(await refusal(interaction, here));
    }
    const { sent } = await here.receive(create(manager));

    expect(new Set(codes)).toEqual(new Set(["bot_not_in_server"]));
    expect(JSON.stringify(sent)).toContain("https://chat.test/oauth2/authorize");
    expect(JSON.stringify(sent)).toContain("Add the bot to this server first");
  });

  it("are asked for once a minute where Discord refuses", async () => {
    here.answerGuilds(async () => Promise.reject(discordError(404, 10_004)));
    for (const interaction of await entrances(manager)) await here.receive(interaction);
    here.pass(59_999);
    await here.receive(create(manager));
    const within = here.guildReads();
    here.pass(1);
    here.answerGuilds(async (id) => guildWithEveryRole(id));

    expect(within).toBe(1);
    expect(await codeOf(create(manager))).not.toBe("bot_not_in_server");
  });

  it("are asked for again within seconds where Discord failed, and not before", async () => {
    here.answerGuilds(async () => Promise.reject(new HTTPError(503, "x", "GET", "x", {})));
    const codes: string[] = [];
    for (const interaction of await entrances(manager)) {
      codes.push(await refusal(interaction, here));
    }
    const tries = here.guildReads();
    here.answerGuilds(async (id) => guildWithEveryRole(id));
    const early = await codeOf(create(manager));
    here.pass(3_000);
    const later = await codeOf(create(manager));

    expect(new Set(codes)).toEqual(new Set(["server_roles_unread"]));
    expect(tries).toBe(4);
    expect(early).toBe("server_roles_unread");
    expect(later).not.toBe("server_roles_unread");
  });

  it("are had though one answer of Discord is lost", async () => {
    let asked = 0;
    here.answerGuilds(async (id) => {
      asked += 1;
      if (asked === 1) throw new TypeError("fetch failed");
      return guildWithEveryRole(id);
    });

    expect(await codeOf(create(manager))).not.toBe("server_roles_unread");
  });

  it("leave mapped roles their rank where they can't be read", async () => {
    const mapped = { roles: { manager: [roles.manager] } };
    await here.store.settings.update(guildId, () => mapped);
    here.answerGuilds(async () => Promise.reject(discordError(403, 50_001)));

    expect(await codeOf(create({ roles: [roles.manager] }))).not.toBe("bot_not_in_server");
    expect(await codeOf(command("connect key", whoIs({ roles: [roles.manager] })))).toBe(
      "bot_not_in_server",
    );
    expect(await codeOf(create({}))).toBe("bot_not_in_server");
  });

  it("keep nobody waiting who has waited for the first answer already", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    here.answerGuilds(() => promise);
    const late = await here.receive(create(manager), 2_200);
    resolve(guildWithEveryRole(guildId));
    await promise;

    expect(late.code).toBe("server_roles_unread");
    expect(late.sent).toMatchObject([{ method: "post", body: { type: 4, data: { flags: 64 } } }]);
    expect(await codeOf(create(manager))).not.toBe("server_roles_unread");
    expect(here.guildReads()).toBe(1);
  });

  it("are no guild without an owner", async () => {
    here.answerGuilds(async () => ({ id: guildId }));

    expect(await codeOf(create({}))).toBe("server_roles_unread");
  });
});
