import { action, type Ctx, type Form, form, notice, type Words } from "../../discord/index.ts";
import type { CredentialKind } from "../../store/index.ts";
import { selector } from "./disconnect.ts";

type Key = Exclude<CredentialKind, "channel">;

/** The call that a key has to pass before it is stored. */
const proofs = {
  "video-key": ({ clients, signal }, key) =>
    clients.video(key).call("i18nRegions.list", { part: ["snippet"] }, { signal }),
  "background-key": ({ clients, signal }, key) => clients.background(key).account({ signal }),
} as const satisfies Record<Key, (ctx: Ctx, key: string) => Promise<unknown>>;

export const saveKey = action<Key>({
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

/** What is typed goes to the service and, sealed, into the store, and nowhere else. */
export function keyForm(kind: Key, words: Words): Form {
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
    submit: saveKey.press(kind),
  });
}
