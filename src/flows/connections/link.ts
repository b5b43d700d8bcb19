import {
  type Action,
  action,
  actionFor,
  type Button,
  type Ctx,
  card,
  event,
  form,
  join,
  notice,
  presses,
  type Reply,
  type TokenKind,
  time,
  type Words,
} from "../../discord/index.ts";
import { ConnectError } from "../../errors.ts";
import {
  type PendingLink,
  type Permission,
  permissions,
  permissionsOf,
} from "../../oauth/index.ts";
import { askAbout, linkedCard } from "./asked.ts";

const kinds = ["refresh", "access"] as const satisfies readonly TokenKind[];

/** A name is shown in choices beside the channel's title. */
export const longestName = 50;

/** What is typed goes to the service and, sealed, into the store, and nowhere else. */
export function tokenForm(words: Words) {
  return form({
    title: words.say("linking.token.title"),
    intro: words.md("linking.token.intro"),
    fields: [
      {
        name: "kind",
        kind: "select",
        label: words.say("linking.token.kind"),
        options: kinds.map((kind) => ({
          value: kind,
          label: words.say(`linking.token.${kind}`),
          description: words.say(`linking.token.${kind}_about`),
          isDefault: kind === "refresh",
        })),
      },
      {
        name: "token",
        label: words.say("linking.token.label"),
        description: words.say("linking.token.about"),
        minLength: 8,
        maxLength: 2048,
      },
      {
        name: "name",
        label: words.say("linking.token.name"),
        description: words.say("linking.token.name_about"),
        required: false,
        maxLength: longestName,
      },
    ],
    submit: prove.press(null),
  });
}

const enterToken = action<null>({
  name: "connect.enter-token",
  answer: "form",
  by: "requester",
  rank: "owner",
  form: ({ words }) => tokenForm(words),
});

interface Waiting {
  readonly handle: string;
}

/** The question whether to link a channel. */
const answered = { answer: "update", by: "requester", rank: "owner", isOnce: true } as const;

const keep = action<Waiting>({
  name: "connect.keep-token",
  ...answered,
  run: async (ctx, { handle }) => linkedCard(await ctx.links.keep(handle), ctx),
});

const drop = action<Waiting>({
  name: "connect.drop-token",
  ...answered,
  run: async ({ links, words }, { handle }) => {
    await links.drop(handle);
    return declined(words, "linking.dropped");
  },
});

const prove = action<null>({
  name: "connect.prove-token",
  answer: "private",
  by: "requester",
  rank: "owner",
  run: async (ctx, _state, { fields }) => {
    const { words } = ctx;
    const kind = fields.kind === "access" ? "access" : "refresh";
    const name = fields.name?.trim();
    const entered = await ctx.links.enter({
      kind,
      token: fields.token ?? "",
      ...(name && { name }),
    });
    const { handle, ...shown } = entered;
    return askAbout(
      {
        ...shown,
        server: await ctx.serverName(),
        until: new Date(ctx.now() + waitMs),
        yes: keep.press({ handle }),
        no: drop.press({ handle }),
      },
      words,
    );
  },
});

export const tokenActions: readonly Action<never>[] = [enterToken, prove, keep, drop];

/** The permissions that are ticked where nobody has chosen any yet. */
const usual: readonly Permission[] = ["read", "comments"];

const closed: ReadonlySet<string> = new Set(["links_closed", "oauth_client_missing"]);

/** Begins a link and says what comes next; where the bot has no web page, says what can be done instead. */
export async function beginLink(ctx: Ctx, ticked = usual): Promise<Reply> {
  const { words } = ctx;
  try {
    const { url, code, endsAt } = await ctx.links.begin(ticked);
    return card({
      title: words.say("linking.begin.title"),
      text: join(
        [
          words.md("linking.begin.text"),
          code !== undefined && words.md("linking.begin.code", { code }),
          words.md("linking.begin.until", { until: time(endsAt, "t") }),
        ],
        "\n\n",
      ),
      buttons: [{ label: words.say("linking.begin.open"), url }],
    });
  } catch (error) {
    if (!(error instanceof ConnectError && closed.has(error.code))) throw error;
    return noPage(ctx, error.code);
  }
}

/** Without a registration a token could not be renewed either, but an access token works while it lasts. */
function noPage({ words }: Ctx, code: string): Reply {
  const isUnregistered = code === "oauth_client_missing";
  const enter: Button = {
    label: words.say("linking.closed.enter"),
    style: "primary",
    press: enterToken.press(null),
  };
  return notice({
    tone: "warning",
    title: words.say("linking.closed.title"),
    text: words.say(isUnregistered ? "linking.closed.unregistered" : "linking.closed.text", {
      command: words.command("connect token"),
    }),
    ...(!isUnregistered && { buttons: [enter] }),
  });
}

/** Links a channel again, with its former permissions and the missing ones ticked. */
export const reconnect = actionFor(presses.connection.reconnect, {
  answer: "private",
  by: "anyone",
  rank: "owner",
  run: async (ctx, { channelId, permission }) => {
    const all = await ctx.credentials.channels();
    const before = all.find((one) => one.channelId === channelId);
    const had = before?.scopes === undefined ? usual : permissionsOf(before.scopes);
    const ticked = permissions.filter((one) => had.includes(one) || one === permission);
    return beginLink(ctx, ticked.length === 0 ? usual : ticked);
  },
});

export const confirmLink = action<Waiting>({
  name: "connect.confirm-link",
  ...answered,
  run: async (ctx, { handle }) => linkedCard(await ctx.links.confirm(handle), ctx),
});

export const declineLink = action<Waiting>({
  name: "connect.decline-link",
  ...answered,
  run: async ({ links, words }, { handle }) => {
    await links.decline(handle);
    return declined(words, "linking.declined.text");
  },
});

/** How long a consent may wait for its confirmation; the service's own clock has the last word. */
const waitMs = 10 * 60_000;

/** The account consented: whoever began the link is asked to confirm it where it began. */
export const linkPending = event<PendingLink>({
  name: "link-pending",
  to: ({ guildId, userId, answerTo }) => ({ kind: "answer", guildId, userId, answerTo }),
  run: async (ctx, { handle, channel, permissions, missing }) =>
    askAbout(
      {
        ...{ channel, permissions, missing },
        server: await ctx.serverName(),
        until: new Date(ctx.now() + waitMs),
        yes: confirmLink.press({ handle }),
        no: declineLink.press({ handle }),
      },
      ctx.words,
    ),
});

interface GrantGone {
  readonly guildId: string;
  readonly channelId: string;
  /** The service ends consents of unpublished projects after a week. */
  readonly isSevenDays: boolean;
}

/** A linked channel's consent has ended; posted once. */
export const grantGone = event<GrantGone>({
  name: "grant-gone",
  to: ({ guildId }) => ({ kind: "notices", guildId }),
  run: async (ctx, { channelId, isSevenDays }) => {
    const { words } = ctx;
    const one = (await ctx.channels()).find((channel) => channel.channelId === channelId);
    const title = one?.name ?? one?.channelTitle ?? channelId;
    return notice({
      tone: "warning",
      title: words.say("linking.gone.title", { channel: title }),
      text: join([
        words.md("linking.gone.text", { command: words.command("connect channels") }),
        words.say(isSevenDays ? "linking.gone.week" : "linking.gone.why"),
      ]),
      buttons: [
        {
          label: words.say("common.reconnect"),
          style: "primary",
          press: reconnect.press({ channelId }),
        },
      ],
    });
  },
});

function declined(words: Words, text: "linking.declined.text" | "linking.dropped"): Reply {
  return notice({
    tone: "info",
    title: words.say("linking.declined.title"),
    text: words.say(text),
  });
}
