import {
  action,
  type Button,
  type Ctx,
  card,
  event,
  join,
  notice,
  type Reply,
  time,
} from "../../discord/index.ts";
import { ConnectError } from "../../errors.ts";
import {
  type PendingLink,
  type Permission,
  permissions,
  permissionsOf,
} from "../../oauth/index.ts";
import { askAbout, linkedCard } from "./asked.ts";
import { enterToken } from "./entered.ts";

/** What is ticked beforehand where nobody has ticked anything yet. */
const usual: readonly Permission[] = ["read", "comments"];

const closed: ReadonlySet<string> = new Set(["links_closed", "oauth_client_missing"]);

/** Begins a link, and says what comes next; where the bot has no page it says so, and what there is instead. */
export async function beginLink(ctx: Ctx<unknown>, ticked = usual): Promise<Reply> {
  const { words } = ctx;
  try {
    const { url, code, endsAt } = await ctx.links.begin(ticked);
    return card({
      title: words.say("linking.begin.title"),
      text: join(
        [
          words.md("linking.begin.text"),
          ...(code === undefined ? [] : [words.md("linking.begin.code", { code })]),
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
function noPage({ words }: Ctx<unknown>, code: string): Reply {
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

interface Reconnect {
  readonly channelId?: string;
  readonly permission?: string;
}

/** Begins a link of a channel that had one, with what it had and what it lacks ticked beforehand. */
export const reconnect = action<Reconnect>({
  name: "connect.reconnect",
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

interface Waiting {
  readonly handle: string;
}

export const confirmLink = action<Waiting>({
  name: "connect.confirm-link",
  answer: "update",
  by: "requester",
  rank: "owner",
  isOnce: true,
  run: async (ctx, { handle }) => linkedCard(await ctx.links.confirm(handle), ctx),
});

export const declineLink = action<Waiting>({
  name: "connect.decline-link",
  answer: "update",
  by: "requester",
  rank: "owner",
  isOnce: true,
  run: async ({ links, words }, { handle }) => {
    await links.decline(handle);
    return notice({
      tone: "info",
      title: words.say("linking.declined.title"),
      text: words.say("linking.declined.text"),
    });
  },
});

/** How long a consent waits for its question; the service's own clock has the last word. */
const waitMs = 10 * 60_000;

/** The account consented: its requester is asked where the link began. */
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
