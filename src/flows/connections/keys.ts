import { type Form, form, notice, type Words } from "../../discord/index.ts";
import type { CredentialKind } from "../../store/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { credentialSelector } from "./disconnect.ts";

type KeyKind = Exclude<CredentialKind, "channel">;

/** The call that has to succeed with a key before the key is stored. */
const checks = {
  "video-key": ({ clients, signal }, key) =>
    clients.video(key).call("i18nRegions.list", { part: ["snippet"] }, { signal }),
  "background-key": ({ clients, signal }, key) => clients.background(key).account({ signal }),
} as const satisfies Record<KeyKind, (ctx: Ctx, key: string) => Promise<unknown>>;

export const saveKey = action<KeyKind>({
  name: "connect.save",
  answer: "private",
  by: "requester",
  rank: "owner",
  run: async (ctx, kind, { fields }) => {
    const secret = (fields.key ?? "").trim();
    await checks[kind](ctx, secret);
    await ctx.credentials.write(kind, secret);
    const { words } = ctx;
    return notice({
      tone: "good",
      title: words.say("connect.saved.title", { kind: credentialSelector(kind) }),
      text: words.say("connect.saved.text"),
    });
  },
});

/** What people type here goes to the service and, encrypted, into the store, and nowhere else. */
export function keyForm(kind: KeyKind, words: Words): Form {
  return form({
    title: words.say("connect.key_form.title", { kind: credentialSelector(kind) }),
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
