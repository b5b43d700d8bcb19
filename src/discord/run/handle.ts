import { type APIMessage, InteractionType } from "discord.js";
import { withTimeout } from "../../clock.ts";
import type { Credentials } from "../../store/index.ts";
import { atStake } from "../access/afford.ts";
import { billedToOf } from "../access/billed-to.ts";
import { carried, chosenChannel } from "../access/channel.ts";
import { requireCredentials } from "../access/guard.ts";
import {
  createTally,
  type SpentLine,
  spentLines,
  spentText,
  withActing,
  withSpent,
} from "../access/spending.ts";
import type { VideoAccess } from "../declare/clients.ts";
import type { Ctx } from "../declare/ctx.ts";
import { helpMs } from "../draw/limits.ts";
import type { Reply } from "../draw/reply.ts";
import { mayHaveMore } from "./context.ts";
import { type HandlerCall, InteractionCtx } from "./ctx.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { createProgress, type Progress } from "./progress.ts";
import { showProgress } from "./respond.ts";
import type { RunningHandler } from "./running-handlers.ts";
import type { RunningInteraction } from "./work.ts";

/** What a handler is called with. */
export interface HandlerRun
  extends RunningInteraction,
    Pick<HandlerCall, "demands" | "options" | "view"> {
  readonly message: APIMessage | undefined;
}

/** Calls a handler with its credentials, its progress and what it may spend. */
export async function handle(
  deps: InteractionDeps,
  run: HandlerRun,
  handler: (ctx: Ctx) => Promise<Reply>,
): Promise<Reply> {
  const { journey, asker, running, demands } = run;
  // More than it takes to ask, but what is offered and how much may be spent depends on it.
  if (mayHaveMore(asker)) {
    await withTimeout(asker.learnRoles, { ms: helpMs }).catch(() => undefined);
  }
  const { opened, other } = await openCredentials(run, deps.services.store.credentials);
  const { guildId, userId, rank, settings } = asker;
  const { row, uses } = demands;
  const command = journey.name ?? "";
  const call: HandlerCall = {
    ...run,
    opened,
    tally: createTally(),
    billedTo: billedToOf({ guildId, userId, rank, settings, command, row, uses }),
    progress: progressOf(deps, run),
  };
  const ctx = new InteractionCtx(call, deps);
  try {
    const isPress = journey.interaction.type !== InteractionType.ApplicationCommand;
    const stake = atStake(demands, isPress);
    if (stake.length > 0) await ctx.afford(stake);
    const reply = await Promise.race([handler(ctx), stopped(running)]);
    if (reply.kind === "form") return reply;
    const acted = other === undefined ? reply : withActing(reply, other, asker.words);
    return withSpent(acted, await linesOf(deps, call));
  } catch (error) {
    const lines = await linesOf(deps, call);
    if (lines.length > 0) journey.spent = spentText(lines);
    throw error;
  } finally {
    await call.progress.stop();
  }
}

/** With the name of the channel that acts, where it is another than the default one. */
async function openCredentials(
  { journey, asker, demands, options }: HandlerRun,
  credentials: Credentials,
) {
  const { guildId, rank } = asker;
  let other: string | undefined;
  const asked = chosenChannel(options.as) ?? carried(journey.as);
  const onOther = (name: string) => {
    other = name;
  };
  const acting = asked && { ...asked, onOther };
  const opened = await requireCredentials(demands, { guildId, rank, acting }, credentials);
  // Also where nobody chose: the buttons of a reply go on acting as the channel that it is about.
  if (opened.channel?.channelId !== undefined) journey.as = opened.channel.channelId;
  return { opened, other };
}

function progressOf(deps: InteractionDeps, { journey }: HandlerRun): Progress {
  return createProgress(
    (notice) => showProgress(deps, journey, notice),
    (error) => journey.log().warn("progress was not shown", { error }),
  );
}

/** What it cost and what is left; a count that can't be had does not hold up the answer. */
async function linesOf(
  { services }: InteractionDeps,
  { tally, asker, journey, billedTo }: HandlerCall,
): Promise<readonly SpentLine[]> {
  if (tally.spent.length === 0) return [];
  try {
    const leftOf = (access: VideoAccess) => services.clients.left(access, billedTo);
    return await spentLines(tally, { leftOf, words: asker.words });
  } catch (error) {
    journey.log().warn("what is left was not told", { error });
    return [];
  }
}

/** A handler that was stopped half-way gets so long to say what it leaves behind. */
const lastWordMs = 1000;

function stopped(running: RunningHandler): Promise<never> {
  return new Promise((_, reject) => {
    running.onStop((reason) => setTimeout(reject, lastWordMs, reason).unref());
  });
}
