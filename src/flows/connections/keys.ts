import {
  adviceOf,
  describeFailureShortly,
  type Form,
  form,
  link,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { type BotError, ConnectError, InputError } from "../../errors.ts";
import type { CredentialKind } from "../../store/index.ts";
import { nextSteps, presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor } from "../declarations/index.ts";
import { credentialSelector } from "./disconnect.ts";

export type KeyKind = Exclude<CredentialKind, "channel">;

/** Where people make the keys. */
const keyPages = {
  "video-key": "https://console.cloud.google.com/apis/credentials",
  "background-key": "https://www.remove.bg/dashboard#api-key",
} as const satisfies Record<KeyKind, string>;
/** Where a project gets the right to use the API at all. */
const apiPage = "https://console.cloud.google.com/apis/library/youtube.googleapis.com";

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
    try {
      await checks[kind](ctx, secret);
    } catch (error) {
      if (error instanceof ConnectError || error instanceof InputError)
        return keyRefused(ctx, kind, error);
      throw error;
    }
    await ctx.credentials.write(kind, secret);
    const { words } = ctx;
    return notice({
      tone: "good",
      title: words.say("connect.saved.title", { kind: credentialSelector(kind) }),
      text: words.md("connect.saved.text"),
      buttons: await nextSteps(ctx, kind),
    });
  },
});

const refusedCodes: ReadonlySet<string> = new Set(["key_invalid", "background_key_refused"]);

/** For who has just typed the key: what is wrong with it, and the empty form once more. */
function keyRefused({ words }: Ctx, kind: KeyKind, error: BotError): Reply {
  const isRefused = refusedCodes.has(error.code);
  return notice({
    tone: "bad",
    title: isRefused
      ? words.say("connect.refused.title", { kind: credentialSelector(kind) })
      : describeFailureShortly(error, words),
    text: isRefused ? words.say("connect.refused.text") : adviceOf(error, words, { isOwner: true }),
    buttons: [
      { label: words.say("common.back_to_form"), style: "primary", press: enterKey.press(kind) },
      { label: words.say("connect.key_page"), url: pageFor(kind, error.code) },
    ],
  });
}

/** Where that can be put right. */
function pageFor(kind: KeyKind, code: string): string {
  return code === "access_not_configured" ? apiPage : keyPages[kind];
}

/** Opens the form for a key. What was typed before is not kept: it may be another secret. */
export const enterKey = actionFor(presses.connection.enterKey, {
  answer: "form",
  by: "requester",
  rank: "owner",
  form: ({ words }, kind) => keyForm(kind, words),
});

/** What people type here goes to the service and, encrypted, into the store, and nowhere else. */
export function keyForm(kind: KeyKind, words: Words): Form {
  return form({
    title: words.say("connect.key_form.title", { kind: credentialSelector(kind) }),
    intro: words.md(
      kind === "video-key" ? "connect.key_form.video" : "connect.key_form.background",
      {
        page: linkTo(keyPages[kind]),
        api: link("YouTube Data API v3", apiPage),
      },
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

/** A link that shows where it leads. */
function linkTo(url: string): Text {
  return link(url.replace("https://", ""), url);
}
