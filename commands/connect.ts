import {
  action,
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
import { budget, connections, erasure } from "../src/flows/index.ts";
import type { CredentialKind } from "../src/store/index.ts";

const { kinds, localTime, mappedRanks, mappedRoles, selector, withRole } = connections;

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
    channel: subcommand({
      rank: "owner",
      answer: "private",
      run: (ctx) => connections.beginLink(ctx),
    }),
    channels: subcommand({
      rank: "owner",
      answer: "private",
      run: (ctx) => connections.linkedChannels(ctx),
    }),
    token: opening({ rank: "owner", form: ({ words }) => connections.tokenForm(words) }),
    key: opening({ rank: "owner", form: ({ words }) => keyForm("video-key", words) }),
    "background-key": opening({
      rank: "owner",
      form: ({ words }) => keyForm("background-key", words),
    }),
    status: subcommand({
      rank: "moderator",
      answer: "private",
      wants: kinds,
      run: (ctx) => connections.connectionStatus(ctx),
    }),
    disconnect: subcommand({
      rank: "owner",
      answer: "private",
      options: {
        what: option.choice({ group: "credential", values: kinds }),
        channel: option.text({ suggest: suggest.linkedChannels }),
      },
      run: async (ctx) => {
        const { what, channel } = ctx.options;
        if (channel === undefined) {
          return connections.askToDisconnect(ctx, { kinds: what === undefined ? kinds : [what] });
        }
        const channelId = await connections.channelNamed(ctx, channel);
        const chosen = what === undefined || what === "channel" ? [] : [what];
        return connections.askToDisconnect(ctx, { kinds: ["channel", ...chosen], channelId });
      },
    }),
    notices: subcommand({
      rank: "owner",
      answer: "private",
      options: { channel: option.textChannel({}) },
      run: (ctx) => connections.chooseNotices(ctx, ctx.options.channel),
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
    export: subcommand({ rank: "owner", answer: "private", run: (ctx) => erasure.export(ctx) }),
    erase: subcommand({ rank: "owner", answer: "private", run: (ctx) => erasure.ask(ctx) }),
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
  actions: [
    ...erasure.actions,
    save,
    clearPlace,
    connections.reconnect,
    connections.confirmLink,
    connections.declineLink,
    connections.disconnect,
    connections.clearNotices,
    ...connections.tokenActions,
    ...connections.channelActions,
  ],
  events: [connections.linkPending, connections.grantGone],
});

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
          ? words.say("connect.region.usual")
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
  readonly rank: connections.MappedRank | "none" | undefined;
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
