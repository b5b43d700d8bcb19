import type { APIMessage } from "discord.js";
import { authorise, tooOld } from "../access/authorise.ts";
import { ask, type Press, type Reply } from "../draw/reply.ts";
import { join, time } from "../draw/text.ts";
import type { AskedPress, QuestionOrigin } from "./asked-press.ts";
import type { View } from "./feature-contexts.ts";
import { handle } from "./handle.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { planCommand } from "./plan.ts";
import { type RunningInteraction, refuseInterrupted } from "./run-and-reply.ts";
import { runWork } from "./run-work.ts";

interface LatePress {
  readonly asked: AskedPress;
  /** What the button does. */
  readonly press: Press;
  readonly view: View;
  readonly message: APIMessage | undefined;
}

/** Asks again in place of what an old button would do, with what applies now. */
export async function askAgain(
  deps: InteractionDeps,
  who: RunningInteraction,
  { asked, press, view, message }: LatePress,
): Promise<Reply> {
  const { words } = who.requester;
  const at = new Date(asked.at);
  const note = words.md("common.asked_again", { at: time(at), moment: time(at, "f") });
  const { label, origin } = asked;
  if (origin === undefined) {
    const confirm = { label, style: "danger", press } as const;
    return ask({ title: words.say("common.still", { label }), text: note, confirm });
  }
  const reply = await makeAgain(deps, who, { origin, view, message });
  return reply.kind === "ask" || reply.kind === "list"
    ? { ...reply, text: join([note, reply.text]) }
    : reply;
}

async function makeAgain(
  deps: InteractionDeps,
  who: RunningInteraction,
  { origin, ...shown }: { readonly origin: QuestionOrigin } & Pick<LatePress, "view" | "message">,
): Promise<Reply> {
  const { received, requester } = who;
  received.origin = origin;
  if (origin.kind === "command") {
    const plan = planCommand(origin.data, deps.routes);
    await authorise(plan.declaration, requester, { isActing: received.as !== undefined });
    return runWork(deps, who, { ...plan, answer: shown.view });
  }
  const action = deps.routes.actions.get(origin.press.action);
  if (action === undefined || !("run" in action)) throw tooOld("press");
  await authorise(action, requester, {});
  refuseInterrupted(deps, received, action);
  const run = (ctx: never) => action.run(ctx, origin.press.state as never, origin.input);
  return handle(deps, { ...who, declaration: action, options: {}, ...shown }, run);
}
