import type { APIMessage } from "discord.js";
import type { OptionReading } from "../declare/option.ts";
import type { Reply } from "../draw/reply.ts";
import { handle } from "./handle.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import type { PlannedWork } from "./plan.ts";
import type { Requester } from "./requester.ts";
import { type RunningInteraction, refuseInterrupted } from "./run-and-reply.ts";

/** Runs a command or a menu. */
export async function runWork(
  deps: InteractionDeps,
  who: RunningInteraction,
  plan: PlannedWork,
): Promise<Reply> {
  const { declaration, answer: view } = plan;
  refuseInterrupted(deps, who.received, declaration);
  const options = await plan.options(readingFor(who.requester, deps.services.now));
  const message = plan.message as APIMessage | undefined;
  return handle(deps, { ...who, declaration, options, view, message }, plan.run);
}

function readingFor({ guildId, settings, words }: Requester, now: () => number): OptionReading {
  return { guildId, now: now(), tag: words.tag, timeZone: settings.timeZone ?? "UTC" };
}
