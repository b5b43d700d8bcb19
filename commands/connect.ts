import {
  action,
  ask,
  type Ctx,
  command,
  form,
  notice,
  opening,
  option,
  type Reply,
  roleMention,
  subcommand,
  suggest,
  type Words,
} from "../src/discord/index.ts";
import {
  budget,
  connectionStatus,
  localTime,
  type MappedRank,
  mappedRanks,
  mappedRoles,
  withRole,
} from "../src/flows/index.ts";
import type { CredentialKind } from "../src/store/index.ts";

const kinds = ["video-key", "channel", "background-key"] as const satisfies CredentialKind[];

type Key = Exclude<CredentialKind, "channel">;

/** One call that a good key passes, before anything is stored. */
const proofs = {
  "video-key": ({ clients, signal }, key) =>
    clients.video(key).call("i18nRegions.list", { part: ["snippet"] }, { signal }),
  "background-key": ({ clients, signal }, key) => clients.background(key).account({ signal }),
} as const satisfies Record<Key, (ctx: Ctx<unknown>, key: string) => Promise<unknown>>;

const save = action<Key>({
  name: "connect.save",
  answer: "private",
  by: "requester",
  rank: "owner",
  run: async (ctx, kind, { fields }) => {
    const secret = (fields.key ?? "").trim();
    await proofs[kind](ctx, secret);
    await ctx.credentials.write(kind, secret);
    const { words } = ctx;
    return notice({
      tone: "good",
      title: words.say("connect.saved.title", { kind: selector(kind) }),
      text: words.say("connect.saved.text"),
    });
  },
});

const disconnect = action<readonly CredentialKind[]>({
  name: "connect.disconnect",
  answer: "update",
  by: "requester",
  rank: "owner",
  run: async ({ credentials, words }, chosen) => {
    const removed: CredentialKind[] = [];
    for (const kind of chosen) if (await credentials.remove(kind)) removed.push(kind);
    if (removed.length === 0) return nothingConnected(words);
    return notice({
      tone: "good",
      title: words.say("connect.disconnected.title"),
      text: [
        words.say("connect.disconnected.text", { what: namesOf(removed, words) }),
        ...afterwards(removed, words),
      ].join("\n"),
    });
  },
});

const clearPlace = action<null>({
  name: "connect.clear-region",
  answer: "update",
  by: "requester",
  rank: "owner",
  run: async (ctx) => {
    await ctx.changeSettings({ region: undefined, timeZone: undefined });
    return notice({
      tone: "good",
      title: ctx.words.say("connect.region.cleared"),
      text: ctx.words.say("connect.region.cleared_text"),
    });
  },
});

export default command({
  subcommands: {
    key: opening({ rank: "owner", form: ({ words }) => keyForm("video-key", words) }),
    "background-key": opening({
      rank: "owner",
      form: ({ words }) => keyForm("background-key", words),
    }),
    status: subcommand({
      rank: "moderator",
      answer: "private",
      wants: kinds,
      run: (ctx) => connectionStatus(ctx),
    }),
    disconnect: subcommand({
      rank: "owner",
      answer: "private",
      options: { what: option.choice({ group: "credential", values: kinds }) },
      run: async (ctx) => {
        const { what } = ctx.options;
        return askToDisconnect(ctx, what === undefined ? kinds : [what]);
      },
    }),
    region: subcommand({
      rank: "owner",
      answer: "private",
      wants: ["video-key", "channel"],
      options: {
        region: option.country({ suggest: suggest.regions }),
        "time-zone": option.timeZone({ suggest: suggest.timeZones }),
      },
      run: async (ctx) => {
        const { region, "time-zone": timeZone } = ctx.options;
        const change = { ...(region && { region }), ...(timeZone && { timeZone }) };
        const isChange = Object.keys(change).length > 0;
        if (isChange) await ctx.changeSettings(change);
        const { now, words } = ctx;
        return place({ now, words, settings: { ...ctx.settings, ...change } }, isChange);
      },
    }),
    budget: subcommand({
      rank: "owner",
      answer: "private",
      options: {
        rank: option.choice({ group: "rank", values: budget.limitedRanks }),
        person: option.person({}),
        units: option.integer({ min: 0, max: 100_000_000 }),
        searches: option.integer({ min: 0, max: 1_000_000 }),
        uploads: option.integer({ min: 0, max: 1_000_000 }),
        credits: option.number({ min: 0, max: 1_000_000 }),
        remove: option.flag({}),
        reserve: option.integer({ min: 0, max: 90 }),
        "daily-units": option.integer({ min: 1, max: 100_000_000 }),
        "daily-searches": option.integer({ min: 1, max: 1_000_000 }),
        "daily-uploads": option.integer({ min: 1, max: 1_000_000 }),
      },
      run: (ctx) => {
        const { "daily-units": units, "daily-searches": searches, ...rest } = ctx.options;
        const { "daily-uploads": uploads, ...budgets } = rest;
        return budget.change(ctx, { ...budgets, quota: { units, searches, uploads } });
      },
    }),
    roles: subcommand({
      rank: "owner",
      answer: "private",
      options: {
        role: option.role({}),
        rank: option.choice({ group: "rank", values: [...mappedRanks, "none"] }),
      },
      run: (ctx) => mapRole(ctx, ctx.options),
    }),
  },
  actions: [save, disconnect, clearPlace],
});

/** Messages choose by names without hyphens. */
function selector(kind: CredentialKind): string {
  return kind.replace("-", "_");
}

function keyForm(kind: Key, words: Words) {
  return form({
    title: words.say("connect.key_form.title", { kind: selector(kind) }),
    intro: words.md(
      kind === "video-key" ? "connect.key_form.video" : "connect.key_form.background",
    ),
    fields: [
      {
        name: "key",
        label: words.say("connect.key_form.label"),
        description: words.say("connect.key_form.description"),
        ...(kind === "video-key" ? { placeholder: "AIza…" } : {}),
        minLength: 8,
        maxLength: 200,
      },
    ],
    submit: save.press(kind),
  });
}

async function askToDisconnect(
  ctx: Ctx<unknown>,
  asked: readonly CredentialKind[],
): Promise<Reply> {
  const { credentials, words } = ctx;
  const facts = await Promise.all(asked.map((kind) => credentials.facts(kind)));
  const there = facts.flatMap((fact) => fact ?? []);
  if (there.length === 0) return nothingConnected(words);
  const chosen = there.map(({ kind }) => kind);
  return ask({
    title: words.say("connect.ask.title"),
    text: [words.say("connect.ask.text"), ...afterwards(chosen, words)].join("\n"),
    fields: there.map(({ kind, channelTitle }) => ({
      name: words.say(`choices.credential.${kind}`),
      value: [channelTitle, words.say("connect.ask.loses", { kind: selector(kind) })]
        .filter(Boolean)
        .join("\n"),
    })),
    confirm: {
      label: words.say("connect.ask.confirm"),
      style: "danger",
      press: disconnect.press(chosen),
    },
  });
}

/** What erasing here does not undo at the services. */
function afterwards(kinds: readonly CredentialKind[], words: Words): readonly string[] {
  return [
    ...(kinds.some((kind) => kind !== "channel") ? [words.say("connect.ask.keys_stay")] : []),
    ...(kinds.includes("channel") ? [words.say("connect.ask.consent_stays")] : []),
  ];
}

function namesOf(kinds: readonly CredentialKind[], words: Words): string {
  return words.list(kinds.map((kind) => words.say(`choices.credential.${kind}`)));
}

function nothingConnected(words: Words): Reply {
  return notice({ tone: "info", title: words.say("connect.disconnected.nothing") });
}

type Place = Pick<Ctx<unknown>, "now" | "words" | "settings">;

function place(chosen: Place, isChange: boolean): Reply {
  const { settings, words } = chosen;
  const isChosen = settings.region !== undefined || settings.timeZone !== undefined;
  return notice({
    tone: isChange ? "good" : "info",
    title: words.say(isChange ? "connect.region.saved" : "connect.region.title"),
    text: words.md("connect.region.text", {
      country:
        settings.region === undefined
          ? words.say("connect.region.none")
          : words.country(settings.region),
      zone: (settings.timeZone ?? "UTC").replaceAll("_", " "),
      time: localTime(chosen),
    }),
    ...(isChosen
      ? { buttons: [{ label: words.say("connect.region.clear"), press: clearPlace.press(null) }] }
      : {}),
  });
}

interface RoleChoice {
  readonly role: string | undefined;
  readonly rank: MappedRank | "none" | undefined;
}

/** With both options it maps, with none it shows; one alone says what is missing. */
async function mapRole(ctx: Ctx<unknown>, { role, rank }: RoleChoice): Promise<Reply> {
  const { settings, words } = ctx;
  if (role === undefined || rank === undefined) {
    const isHalf = role !== undefined || rank !== undefined;
    return notice({
      tone: isHalf ? "warning" : "info",
      title: words.say(isHalf ? "connect.roles.half" : "connect.roles.title"),
      text: words.md("connect.roles.text", { roles: mappedRoles(settings.roles, words) }),
    });
  }
  // Everybody has that role, and nobody carries it among their roles: mapping it would do nothing or far too much.
  if (role === ctx.guildId) {
    return notice({ tone: "warning", title: words.say("connect.roles.everyone") });
  }
  const roles = withRole(settings.roles, role, rank);
  await ctx.changeSettings({ roles });
  const name = roleMention(role);
  return notice({
    tone: "good",
    title: words.say("connect.roles.saved"),
    text: words.md("connect.roles.saved_text", {
      change: words.md("connect.roles.change", { role: name, rank }),
      roles: mappedRoles(roles, words),
    }),
  });
}
