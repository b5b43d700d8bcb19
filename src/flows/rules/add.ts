import {
  type Asked,
  action,
  type Ctx,
  type Form,
  notice,
  type Reply,
} from "../../discord/index.ts";
import type { RuleDraft } from "../../moderation/index.ts";
import { draftOf, repeatsOf, usual, type Wishes } from "./draft.ts";
import { dryRun } from "./dry-run.ts";
import { changeForm, fitsForm, listForm, listKinds, wishesIn } from "./form.ts";

const shared = {
  by: "requester",
  rank: "manager",
  needs: ["channel"],
  uses: ["channels.list", "commentThreads.list", "members.list", "playlists.list", "videos.list"],
} as const;

interface AddOptions extends Pick<Wishes, "kind" | "name" | "does"> {
  readonly what?: string | undefined;
  readonly look_alikes?: boolean | undefined;
  readonly times?: number | undefined;
  readonly within?: number | undefined;
}

/** Asks for the list that a rule of that kind needs, where the options left it out. */
export function askForList(asked: Asked, options: AddOptions): Form | undefined {
  const { kind, name, does, what, look_alikes: isFolded = usual.isFolded } = options;
  if (what !== undefined || !listKinds.includes(kind)) return undefined;
  const { times, withinMs } = usual;
  const submit = listed.press({ kind, name, does, isFolded, times, withinMs });
  return listForm(asked, kind, { name, submit });
}

/** A dry run, and what may follow it. */
export async function add(ctx: Ctx, options: AddOptions): Promise<Reply> {
  const { kind, name, does, what = "" } = options;
  return propose(ctx, {
    ...{ kind, name, does, what },
    isFolded: options.look_alikes ?? usual.isFolded,
    times: options.times ?? usual.times,
    withinMs: options.within ?? usual.withinMs,
  });
}

/** A rule is tried before it can be switched on. */
async function propose(ctx: Ctx, wishes: Wishes): Promise<Reply> {
  return proposal(ctx, await draftOf(ctx, wishes));
}

async function proposal(ctx: Ctx, draft: RuleDraft): Promise<Reply> {
  const { words } = ctx;
  return dryRun(ctx, draft, [
    { label: words.say("rules.dry.on"), style: "success", press: switchOn.press(draft) },
    ...(fitsForm(draft)
      ? [{ label: words.say("rules.dry.change"), press: change.press(draft) }]
      : []),
    { label: words.say("rules.dry.discard"), press: discard.press(null) },
  ]);
}

/** The form that a command opened; its answer is the first message. */
const listed = action<Omit<Wishes, "what">>({
  ...shared,
  name: "rules.listed",
  answer: "private",
  run: (ctx, wishes, { fields }) => propose(ctx, { ...wishes, what: fields.what ?? "" }),
});

const change = action<RuleDraft>({
  name: "rules.change",
  answer: "form",
  by: "requester",
  rank: "manager",
  form: ({ words }, draft) => changeForm(words, draft, changed.press(draft)),
});

const changed = action<RuleDraft>({
  ...shared,
  name: "rules.changed",
  answer: "update",
  run: async (ctx, draft, input) => {
    const { fields } = input;
    const repeats =
      draft.test.kind === "repeated"
        ? await repeatsOf(fields.times ?? "", fields.within ?? "")
        : { times: usual.times, withinMs: usual.withinMs };
    return propose(ctx, { ...wishesIn(input, draft), ...repeats });
  },
});

const switchOn = action<RuleDraft>({
  name: "rules.switch-on",
  answer: "update",
  by: "requester",
  rank: "manager",
  isOnce: true,
  run: async ({ words, moderation, userId }, draft) => {
    const { name } = await moderation.rules.add(draft, userId);
    return notice({
      tone: "good",
      title: words.say("rules.on.title", { name }),
      text: words.say("rules.on.text", { command: words.command("rules list") }),
    });
  },
});

const discard = action<null>({
  name: "rules.discard",
  answer: "update",
  by: "requester",
  rank: "manager",
  run: async ({ words }) =>
    notice({
      tone: "info",
      title: words.say("rules.dry.discarded"),
      text: words.say("rules.dry.discarded_text"),
    }),
});

export const actions = [listed, change, changed, switchOn, discard] as const;
