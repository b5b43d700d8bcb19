import {
  type Button,
  card,
  form,
  join,
  notice,
  notification,
  type Reply,
  time,
  type Words,
} from "../../discord/index.ts";
import { ConnectError } from "../../errors.ts";
import { linkPermissions, type Permission, permissionsGivenBy } from "../../oauth/index.ts";
import { presses } from "../cards/index.ts";
import type { Ctx, TokenKind } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { askAboutLink, linkedChannelCard } from "./link-cards.ts";

const tokenKinds = ["refresh", "access"] as const satisfies readonly TokenKind[];

/** Choices show the name beside the channel's title. */
export const maxChannelNameChars = 50;

/** What people type here goes to YouTube and, encrypted, into the store, and nowhere else. */
export function tokenForm({ words }: Pick<Ctx, "words">) {
  return form({
    title: words.say("linking.token.title"),
    intro: words.md("linking.token.intro"),
    fields: [
      {
        name: "kind",
        kind: "select",
        label: words.say("linking.token.kind"),
        options: tokenKinds.map((kind) => ({
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
        maxLength: maxChannelNameChars,
      },
    ],
    submit: submitToken.press(null),
  });
}

const enterToken = action<null>({
  name: "connect.enter-token",
  answer: "form",
  rank: "owner",
  form: tokenForm,
});

interface PendingLinkRef {
  readonly handle: string;
}

/** What the buttons of the question whether to link a channel have in common. */
const linkAnswer = { answer: "update", by: "requester", rank: "owner", isOnce: true } as const;

const keepToken = action<PendingLinkRef>({
  name: "connect.keep-token",
  ...linkAnswer,
  run: async (ctx, { handle }) => linkedChannelCard(await ctx.links.keep(handle), ctx),
});

const dropToken = action<PendingLinkRef>({
  name: "connect.drop-token",
  ...linkAnswer,
  run: async ({ links, words }, { handle }) => {
    await links.drop(handle);
    return declinedNotice(words, "linking.dropped");
  },
});

const submitToken = action<null>({
  name: "connect.prove-token",
  answer: "private",
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
    return askAboutLink(
      {
        ...shown,
        server: await ctx.serverName(),
        until: new Date(ctx.now() + waitMs),
        yes: keepToken.press({ handle }),
        no: dropToken.press({ handle }),
      },
      words,
    );
  },
});

export const tokenActions: readonly FeatureAction<never>[] = [
  enterToken,
  submitToken,
  keepToken,
  dropToken,
];

/** The permissions that are ticked at first. */
const defaultPermissions: readonly Permission[] = ["read", "comments"];

const closedCodes: ReadonlySet<string> = new Set(["links_closed", "oauth_client_missing"]);

/** Starts linking a channel and says what comes next. If the bot has no web page, it says what to do instead. */
export async function beginLink(ctx: Ctx, ticked = defaultPermissions): Promise<Reply> {
  const { words } = ctx;
  try {
    const { url, endsWithCode, endsAt } = await ctx.links.begin(ticked);
    return card({
      title: words.say("linking.begin.title"),
      text: join(
        [
          words.md("linking.begin.text"),
          endsWithCode && words.say("linking.begin.code"),
          words.md("linking.begin.until", { until: time(endsAt, "t") }),
        ],
        "\n\n",
      ),
      buttons: [{ label: words.say("linking.begin.open"), url }],
    });
  } catch (error) {
    if (!(error instanceof ConnectError && closedCodes.has(error.code))) throw error;
    return noPageNotice(ctx, error.code);
  }
}

/** For a bot without a web page. It offers to enter a token, unless the bot is not registered at Google. */
function noPageNotice({ words }: Ctx, code: string): Reply {
  const isUnregistered = code === "oauth_client_missing";
  const enter: Button = {
    label: words.say("linking.closed.enter"),
    style: "primary",
    press: enterToken.press(null),
  };
  return notice({
    tone: "warning",
    title: words.say("linking.closed.title"),
    text: words.md(isUnregistered ? "linking.closed.unregistered" : "linking.closed.text", {
      command: words.mention("connect token"),
    }),
    buttons: isUnregistered ? undefined : [enter],
  });
}

/** Links a channel again. Its previous permissions are ticked, and the missing one. */
export const reconnectAction = actionFor(presses.connection.reconnect, {
  rank: "owner",
  run: async (ctx, { channelId, permission }) => {
    const all = await ctx.credentials.channels();
    const before = all.find((one) => one.channelId === channelId);
    const had =
      before?.scopes === undefined ? defaultPermissions : permissionsGivenBy(before.scopes);
    const ticked = linkPermissions.filter((one) => had.includes(one) || one === permission);
    return beginLink(ctx, ticked.length === 0 ? defaultPermissions : ticked);
  },
});

export const confirmLink = action<PendingLinkRef>({
  name: "connect.confirm-link",
  ...linkAnswer,
  run: async (ctx, { handle }) => linkedChannelCard(await ctx.links.confirm(handle), ctx),
});

/** Where the browser did not prove whose it is, the person types the code that only this browser shows. */
export const enterLinkCode = action<PendingLinkRef>({
  name: "connect.enter-link-code",
  answer: "form",
  rank: "owner",
  form: ({ words }, ref) =>
    form({
      title: words.say("linking.code.title"),
      fields: [
        {
          name: "code",
          label: words.say("linking.code.label"),
          description: words.say("linking.code.about"),
          minLength: 4,
          maxLength: 20,
        },
      ],
      submit: submitLinkCode.press(ref),
    }),
});

export const submitLinkCode = action<PendingLinkRef>({
  name: "connect.submit-link-code",
  rank: "owner",
  run: async (ctx, { handle }, { fields }) =>
    linkedChannelCard(await ctx.links.confirm(handle, fields.code ?? ""), ctx),
});

export const declineLink = action<PendingLinkRef>({
  name: "connect.decline-link",
  ...linkAnswer,
  run: async ({ links, words }, { handle }) => {
    await links.decline(handle);
    return declinedNotice(words, "linking.declined.text");
  },
});

/** How long people have to confirm a link. This is only what the question says: the link's record decides. */
const waitMs = 10 * 60_000;

/** After the consent: asks whoever started the link to confirm it, in the channel where they started it. */
export const linkPendingEvent = notification({
  name: "link-pending",
  to: ({ guildId, userId, answerTo }) => ({ kind: "answer", guildId, userId, answerTo }),
  run: async (ctx, { handle, channel, permissions, missing, asksCode = false }) =>
    askAboutLink(
      {
        channel,
        permissions,
        missing,
        asksCode,
        server: await ctx.serverName(),
        until: new Date(ctx.now() + waitMs),
        yes: asksCode ? enterLinkCode.press({ handle }) : confirmLink.press({ handle }),
        no: declineLink.press({ handle }),
      },
      ctx.words,
    ),
});

/** Posted once when a linked channel's consent has ended. */
export const grantGoneEvent = notification({
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
        words.md("linking.gone.text", { command: words.mention("connect channels") }),
        words.say(isSevenDays ? "linking.gone.week" : "linking.gone.why"),
      ]),
      buttons: [
        {
          label: words.say("common.reconnect"),
          style: "primary",
          press: reconnectAction.press({ channelId }),
        },
      ],
    });
  },
});

function declinedNotice(words: Words, text: "linking.declined.text" | "linking.dropped"): Reply {
  return notice({
    tone: "neutral",
    title: words.say("linking.declined.title"),
    text: words.say(text),
  });
}
