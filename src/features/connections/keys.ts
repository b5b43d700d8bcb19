import { type LimitedRank, limitedRanks, rankBudget } from "../../budget/index.ts";
import {
  type Button,
  describeAdvice,
  describeFailureShortly,
  type Form,
  type FormField,
  form,
  join,
  link,
  notice,
  type Reply,
  type RequestInfo,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { type BotError, ConnectError, InputError } from "../../errors.ts";
import type { CredentialKind, ServerSettings } from "../../store/index.ts";
import { nextSteps, presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { creditLimitLines } from "../credits/index.ts";
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
  rank: "owner",
  run: async (ctx, kind, { fields }) => {
    const secret = (fields.key ?? "").trim();
    const credits = readCredits(fields);
    if (credits === undefined) return creditsUnreadable(ctx, kind, fields);
    try {
      await checks[kind](ctx, secret);
    } catch (error) {
      if (error instanceof ConnectError || error instanceof InputError)
        return keyRefused(ctx, kind, { error, fields });
      throw error;
    }
    // Before the key: nobody can spend with it while there are no limits.
    const settings = await limitCredits(ctx, credits);
    await ctx.credentials.write(kind, secret);
    const { words } = ctx;
    return notice({
      tone: "good",
      title: words.say("connect.saved.title", { kind: credentialSelector(kind) }),
      text: join([
        words.md("connect.saved.text"),
        ...(kind === "background-key" ? ["", ...limitsText(settings, words)] : []),
      ]),
      buttons: await nextSteps(ctx, kind),
    });
  },
});

type ChosenCredits = Readonly<Partial<Record<LimitedRank, number>>>;

const mostCredits = 1_000_000;

type TypedFields = Readonly<Record<string, string>>;

/** What was typed for each level; a level that was left empty keeps its limit. Undefined if something is no number of credits. */
function readCredits(fields: TypedFields): ChosenCredits | undefined {
  const typed = typedCredits(fields);
  if (!typed.every(([, text]) => isCredits(text))) return undefined;
  return Object.fromEntries(typed.map(([rank, text]) => [rank, creditsIn(text)]));
}

function typedCredits(fields: TypedFields): readonly (readonly [LimitedRank, string])[] {
  return limitedRanks.flatMap((rank) => {
    const text = (fields[rank] ?? "").trim();
    return text === "" ? [] : [[rank, text] as const];
  });
}

function isCredits(text: string): boolean {
  return /^\d{1,7}(?:[.,]\d{1,2})?$/u.test(text) && creditsIn(text) <= mostCredits;
}

const creditsIn = (text: string) => Number(text.replace(",", "."));

/** Stores the limits that differ from those that apply already. */
async function limitCredits(ctx: Ctx, credits: ChosenCredits): Promise<ServerSettings> {
  const changes = (settings: ServerSettings) =>
    limitedRanks.filter((rank) => {
      const limit = credits[rank];
      return limit !== undefined && limit !== rankBudget(rank, settings).budget.credits;
    });
  if (changes(ctx.settings).length === 0) return ctx.settings;
  return ctx.changeSettings((stored) => {
    const { ranks } = stored.budgets ?? {};
    const changed = changes(stored).map((rank) => {
      const credit = credits[rank];
      return [rank, { ...ranks?.[rank], ...(credit !== undefined && { credits: credit }) }];
    });
    const budgets = { ...stored.budgets, ranks: { ...ranks, ...Object.fromEntries(changed) } };
    return { ...stored, budgets };
  });
}

function limitsText(settings: ServerSettings, words: Words): readonly Text[] {
  return [
    words.md("connect.saved.credits"),
    ...creditLimitLines(readCreditLimits(settings), words),
    words.md("connect.saved.budget", { budget: words.mention("connect budget") }),
  ];
}

function readCreditLimits(settings: ServerSettings): ChosenCredits {
  return Object.fromEntries(
    limitedRanks.flatMap((rank) => {
      const { credits } = rankBudget(rank, settings).budget;
      return credits === undefined ? [] : [[rank, credits]];
    }),
  );
}

/** The key is asked for once more: it is kept nowhere before it is stored. */
function creditsUnreadable({ words }: Ctx, kind: KeyKind, fields: TypedFields): Reply {
  const unreadable = typedCredits(fields).filter(([, text]) => !isCredits(text));
  const ranks = words.list(unreadable.map(([rank]) => words.say(`choices.rank.${rank}`)));
  return notice({
    tone: "bad",
    title: words.say("connect.bad_credits.title"),
    text: words.say("connect.bad_credits.text", { ranks, most: mostCredits }),
    buttons: [backToForm(kind, fields, words)],
  });
}

/** Back to the form with the credits that were typed. Only numbers come back: anything else may be a secret in the wrong field. */
function backToForm(kind: KeyKind, fields: TypedFields, words: Words): Button {
  const credits = Object.fromEntries(typedCredits(fields).filter(([, text]) => isCredits(text)));
  const press = enterKey.press({ kind, credits });
  return { label: words.say("common.back_to_form"), style: "primary", press };
}

const refusedCodes: ReadonlySet<string> = new Set(["key_invalid", "background_key_refused"]);

/** For who has just typed the key: what is wrong with it, and the empty form once more. */
function keyRefused(
  { words }: Ctx,
  kind: KeyKind,
  { error, fields }: { readonly error: BotError; readonly fields: TypedFields },
): Reply {
  const isRefused = refusedCodes.has(error.code);
  return notice({
    tone: "bad",
    title: isRefused
      ? words.say("connect.refused.title", { kind: credentialSelector(kind) })
      : describeFailureShortly(error, words),
    text: isRefused
      ? words.say("connect.refused.text")
      : describeAdvice(error, words, { isOwner: true }),
    buttons: [
      backToForm(kind, fields, words),
      { label: words.say("connect.key_page"), url: pageFor(kind, error.code) },
    ],
  });
}

/** The page where that can be put right. */
function pageFor(kind: KeyKind, code: string): string {
  return code === "access_not_configured" ? apiPage : keyPages[kind];
}

/** Opens the form for a key. A key that was typed before is not kept: it may be another secret. */
export const enterKey = actionFor(presses.connection.enterKey, {
  by: "requester",
  answer: "form",
  rank: "owner",
  form: (request, state) =>
    typeof state === "string"
      ? keyForm(request, state)
      : keyForm(request, state.kind, state.credits),
});

/** What people type here goes to the service and, encrypted, into the store, and nowhere else. */
export function keyForm(
  { words, settings }: RequestInfo,
  kind: KeyKind,
  credits: TypedFields = {},
): Form {
  const isVideo = kind === "video-key";
  return form({
    title: words.say("connect.key_form.title", { kind: credentialSelector(kind) }),
    intro: words.md(isVideo ? "connect.key_form.video" : "connect.key_form.background", {
      page: linkTo(keyPages[kind]),
      api: link("YouTube Data API v3", apiPage),
    }),
    fields: [
      {
        name: "key",
        label: words.say("connect.key_form.label"),
        description: words.say("connect.key_form.description"),
        placeholder: isVideo ? "AIza…" : undefined,
        minLength: 8,
        maxLength: 200,
      },
      ...(isVideo ? [] : creditFields(settings, words, credits)),
    ],
    submit: saveKey.press(kind),
  });
}

/** How much people may spend with the key, with the limits that apply if nothing is changed. */
function creditFields(
  settings: ServerSettings,
  words: Words,
  typed: TypedFields,
): readonly FormField[] {
  const limits = readCreditLimits(settings);
  return limitedRanks.map((rank) => {
    const limit = limits[rank];
    const value = typed[rank] ?? (limit === undefined ? undefined : words.number(limit));
    return {
      name: rank,
      label: words.say("connect.key_form.credits", { rank: words.say(`choices.rank.${rank}`) }),
      required: false,
      value,
      maxLength: 10,
    };
  });
}

/** A link that shows where it leads. */
function linkTo(url: string): Text {
  return link(url.replace("https://", ""), url);
}
