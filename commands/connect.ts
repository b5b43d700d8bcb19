import {
  action,
  ask,
  type Ctx,
  card,
  command,
  form,
  md,
  mention,
  notice,
  opening,
  option,
  type Reply,
  subcommand,
  type Text,
  time,
} from "../src/discord/index.ts";
import type { CredentialKind } from "../src/store/index.ts";

const names = {
  "video-key": "video service",
  "background-key": "image service",
} as const satisfies Record<CredentialKind, string>;

const kinds = Object.keys(names) as CredentialKind[];

/** One call that a good key passes, before anything is stored. */
const proofs = {
  "video-key": (ctx, key) =>
    ctx.clients.video(key).call("i18nRegions.list", { part: ["snippet"] }, ctx),
  "background-key": (ctx, key) => ctx.clients.background(key).account(ctx),
} as const satisfies Record<CredentialKind, (ctx: Ctx, key: string) => Promise<unknown>>;

const save = action<CredentialKind>({
  name: "connect.save",
  answer: "private",
  by: "requester",
  rank: "owner",
  run: async (ctx, kind, { key = "" }) => {
    const secret = key.trim();
    await proofs[kind](ctx, secret);
    await ctx.credentials.write(kind, secret);
    return notice({
      tone: "good",
      title: `The ${names[kind]} is connected`,
      text: "The key works. It is stored sealed, for this server only, and is never shown again. You can take it away with /connect disconnect.",
    });
  },
});

const disconnect = action<readonly CredentialKind[]>({
  name: "connect.disconnect",
  answer: "update",
  by: "requester",
  rank: "owner",
  run: async (ctx, chosen) => {
    const removed: CredentialKind[] = [];
    for (const kind of chosen) if (await ctx.credentials.remove(kind)) removed.push(kind);
    return removed.length === 0
      ? notice({ tone: "info", title: "There was nothing to disconnect" })
      : notice({
          tone: "good",
          title: "Disconnected",
          text: `The key of the ${removed.map((kind) => names[kind]).join(" and the ")} is erased here. If others may have seen it, delete it at the service too.`,
        });
  },
});

export default command({
  description: "Connect this server with its own keys",
  subcommands: {
    key: opening({
      description: "Enter the video service's API key, for public searches and lists",
      rank: "owner",
      form: () =>
        form({
          title: "Connect the video service",
          intro: md`Make an API key in the Google Cloud console (**APIs & Services**, **Credentials**) with the **YouTube Data API v3** switched on.`,
          fields: [
            {
              name: "key",
              label: "API key",
              description: "Proved with one call, then stored sealed for this server only",
              placeholder: "AIza…",
              minLength: 8,
              maxLength: 200,
            },
          ],
          submit: save.press("video-key"),
        }),
    }),
    "background-key": opening({
      description: "Enter the image service's API key, for removing backgrounds",
      rank: "owner",
      form: () =>
        form({
          title: "Connect the image service",
          intro: md`Make an API key in your **remove.bg** account. Pictures that members choose are sent there, and each one uses your credits.`,
          fields: [
            {
              name: "key",
              label: "API key",
              description: "Proved with one free call, then stored sealed for this server only",
              minLength: 8,
              maxLength: 200,
            },
          ],
          submit: save.press("background-key"),
        }),
    }),
    status: subcommand({
      description: "What is connected, by whom, and what is left",
      rank: "moderator",
      answer: "private",
      wants: ["background-key"],
      run: async (ctx) =>
        card({
          title: "Connections of this server",
          fields: [
            { name: "Video service", value: await stateOf(ctx, "video-key", "/connect key") },
            {
              name: "Image service",
              value: await stateOf(ctx, "background-key", "/connect background-key"),
            },
            ...(ctx.has("background-key")
              ? [{ name: "Image credits", value: await balance(ctx) }]
              : []),
          ],
          footer: "Keys are stored sealed and are never shown.",
        }),
    }),
    disconnect: subcommand({
      description: "Erase keys of this server",
      rank: "owner",
      answer: "private",
      options: {
        what: option.choice({
          description: "Which key; both otherwise",
          choices: [
            { name: "Video service", value: "video-key" },
            { name: "Image service", value: "background-key" },
          ],
        }),
      },
      run: async (ctx): Promise<Reply> => {
        const { what } = ctx.options;
        const chosen = what === undefined ? kinds : [what];
        return ask({
          title: "Disconnect?",
          text: `The key of the ${chosen.map((kind) => names[kind]).join(" and the ")} will be erased. Commands that need it stop working for everybody here until a key is entered again.`,
          confirm: { label: "Disconnect", style: "danger", press: disconnect.press(chosen) },
        });
      },
    }),
  },
  actions: [save, disconnect],
});

async function stateOf(ctx: Ctx<unknown>, kind: CredentialKind, way: string): Promise<Text> {
  const facts = await ctx.credentials.facts(kind);
  return facts === undefined
    ? md`Not connected. An owner can do it with ${way}.`
    : md`Connected by ${mention(facts.addedBy)} ${time(new Date(facts.addedAt))}`;
}

/** A balance that can't be had must not hide the rest of the card. */
async function balance(ctx: Ctx<unknown>): Promise<Text> {
  try {
    const { credits, api } = await ctx.background.account(ctx);
    return `${credits.total} credits, ${api.freeCalls} free calls this month`;
  } catch (error) {
    ctx.log.warn("no balance", { error });
    return "The service does not tell right now.";
  }
}
