import {
  type Action,
  action,
  form,
  notice,
  type TokenKind,
  type Words,
} from "../../discord/index.ts";
import { askAbout, linkedCard } from "./asked.ts";

const kinds = ["refresh", "access"] as const satisfies readonly TokenKind[];
const waitMs = 10 * 60_000;
/** A name stands in choices beside its title. */
export const longestName = 50;

interface Waiting {
  readonly handle: string;
}

/** The form; what is typed goes nowhere but to the service and, sealed, into the store. */
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

export const enterToken = action<null>({
  name: "connect.enter-token",
  answer: "form",
  by: "requester",
  rank: "owner",
  form: ({ words }) => tokenForm(words),
});

const keep = action<Waiting>({
  name: "connect.keep-token",
  answer: "update",
  by: "requester",
  rank: "owner",
  isOnce: true,
  run: async (ctx, { handle }) => linkedCard(await ctx.links.keep(handle), ctx),
});

const drop = action<Waiting>({
  name: "connect.drop-token",
  answer: "update",
  by: "requester",
  rank: "owner",
  isOnce: true,
  run: async ({ links, words }, { handle }) => {
    await links.drop(handle);
    return notice({
      tone: "info",
      title: words.say("linking.declined.title"),
      text: words.say("linking.dropped"),
    });
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
