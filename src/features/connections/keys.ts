import { type LimitedRank, limitedRanks, rankBudget } from "../../budget/index.ts";
import {
  type Button,
  compact,
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
  "background-key": ({ clients, signal }, key, address) =>
    clients
      .background({ secret: key, ...(address !== undefined && { address }) })
      .probe({ signal }),
} as const satisfies Record<
  KeyKind,
  (ctx: Ctx, key: string, address: string | undefined) => Promise<unknown>
>;

/** A key, and where its service is if that is not the usual place. */
interface KeyPlace {
  readonly kind: KeyKind;
  readonly address?: string | undefined;
}

const placeOf = (state: KeyKind | KeyPlace): KeyPlace =>
  typeof state === "string" ? { kind: state } : state;

export const saveKey = action<KeyKind | KeyPlace>({
  name: "connect.save",
  answer: "private",
  rank: "owner",
  run: async (ctx, state, { fields }) => {
    const place = placeOf(state);
    const { kind, address } = place;
    const secret = (fields.key ?? "").trim();
    const typed = readCredits(fields);
    if (typed.some(({ credits }) => credits === undefined))
      return badCreditsNotice(ctx, place, typed);
    try {
      await checks[kind](ctx, secret, address);
    } catch (error) {
      if (error instanceof ConnectError || error instanceof InputError)
        return badKeyNotice(ctx, place, { error, typed });
      throw error;
    }
    // Before the key: nobody can spend with it while there are no limits.
    const credits = typed.map((one) => [one.rank, one.credits]);
    const settings = await limitCredits(ctx, Object.fromEntries(credits));
    await ctx.credentials.write(kind, { secret, ...(address !== undefined && { address }) });
    const { words } = ctx;
    return notice({
      tone: "good",
      title: words.say("connect.saved.title", { kind: credentialSelector(kind) }),
      text: join([
        words.md("connect.saved.text"),
        ...(kind === "background-key"
          ? [
              "",
              words.md("connect.saved.credits"),
              ...creditLimitLines(readCreditLimits(settings), words),
              words.md("connect.saved.budget", { budget: words.mention("connect budget") }),
            ]
          : []),
      ]),
      buttons: await nextSteps(ctx, kind),
    });
  },
});

type ChosenCredits = Readonly<Partial<Record<LimitedRank, number>>>;

const mostCredits = 1_000_000;

type TypedFields = Readonly<Record<string, string>>;

interface TypedCredits {
  readonly rank: LimitedRank;
  readonly text: string;
  /** Absent if the text is no number of credits. */
  readonly credits: number | undefined;
}

/** What was typed for each level; a level that was left empty keeps its limit. */
function readCredits(fields: TypedFields): readonly TypedCredits[] {
  return limitedRanks.flatMap((rank) => {
    const text = (fields[rank] ?? "").trim();
    if (text === "") return [];
    const number = Number(text.replace(",", "."));
    const isCredits = /^\d{1,7}(?:[.,]\d{1,2})?$/u.test(text) && number <= mostCredits;
    return [{ rank, text, credits: isCredits ? number : undefined }];
  });
}

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

function readCreditLimits(settings: ServerSettings): ChosenCredits {
  return Object.fromEntries(
    limitedRanks.flatMap((rank) => {
      const { credits } = rankBudget(rank, settings).budget;
      return credits === undefined ? [] : [[rank, credits]];
    }),
  );
}

/** The key is asked for once more: it is kept nowhere before it is stored. */
function badCreditsNotice({ words }: Ctx, place: KeyPlace, typed: readonly TypedCredits[]): Reply {
  const unreadable = typed.filter(({ credits }) => credits === undefined);
  const ranks = words.list(unreadable.map(({ rank }) => words.say(`choices.rank.${rank}`)));
  return notice({
    tone: "bad",
    title: words.say("connect.bad_credits.title"),
    text: words.say("connect.bad_credits.text", { ranks, most: mostCredits }),
    buttons: [backToForm(place, typed, words)],
  });
}

/** Back to the form with the credits that were typed. Only numbers come back: anything else may be a secret in the wrong field. */
function backToForm(place: KeyPlace, typed: readonly TypedCredits[], words: Words): Button {
  const readable = typed.filter((one) => one.credits !== undefined);
  const credits = Object.fromEntries(readable.map(({ rank, text }) => [rank, text]));
  const press = enterKey.press({ ...place, credits });
  return { label: words.say("common.back_to_form"), style: "primary", press };
}

const refusedCodes: ReadonlySet<string> = new Set(["key_invalid", "background_key_refused"]);

/** For who has just typed the key: what is wrong with it, and the empty form once more. */
function badKeyNotice(
  { words }: Ctx,
  place: KeyPlace,
  { error, typed }: { readonly error: BotError; readonly typed: readonly TypedCredits[] },
): Reply {
  const { kind, address } = place;
  const isRefused = refusedCodes.has(error.code);
  // The page where that can be put right.
  const url = error.code === "access_not_configured" ? apiPage : keyPages[kind];
  return notice({
    tone: "bad",
    title: isRefused
      ? words.say("connect.refused.title", { kind: credentialSelector(kind) })
      : describeFailureShortly(error, words),
    text: isRefused
      ? words.say("connect.refused.text")
      : describeAdvice(error, words, { isOwner: true }),
    buttons: compact([
      backToForm(place, typed, words),
      address === undefined && { label: words.say("connect.key_page"), url },
    ]),
  });
}

/** Opens the form for a key. A key that was typed before is not kept: it may be another secret. */
export const enterKey = actionFor(presses.connection.enterKey, {
  by: "requester",
  answer: "form",
  rank: "owner",
  form: (request, state) =>
    typeof state === "string" ? keyForm(request, state) : keyForm(request, state, state.credits),
});

/** What people type here goes to YouTube or remove.bg and, encrypted, into the store, and nowhere else. */
export function keyForm(
  { words, settings }: RequestInfo,
  state: KeyKind | KeyPlace,
  credits: TypedFields = {},
): Form {
  const { kind, address } = placeOf(state);
  const isVideo = kind === "video-key";
  return form({
    title: words.say("connect.key_form.title", { kind: credentialSelector(kind) }),
    intro:
      address === undefined
        ? words.md(isVideo ? "connect.key_form.video" : "connect.key_form.background", {
            // A link that shows where it leads.
            page: link(keyPages[kind].replace("https://", ""), keyPages[kind]),
            api: link("YouTube Data API v3", apiPage),
          })
        : words.md("connect.key_form.place", { host: new URL(address).host }),
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
    submit: saveKey.press(address === undefined ? kind : { kind, address }),
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
