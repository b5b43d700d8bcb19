import { type APIMessage, InteractionType, type REST } from "discord.js";
import type { BilledTo } from "../../budget/index.ts";
import type { Locks } from "../../store/index.ts";
import { atStake } from "../access/afford.ts";
import { billedToOf } from "../access/billed-to.ts";
import { carried, chosenChannel } from "../access/channel.ts";
import type { CreateExpressions } from "../access/expressions/create.ts";
import { requireCredentials } from "../access/guard.ts";
import type { Kept } from "../access/kept.ts";
import type { Memory } from "../access/memory.ts";
import type { NearSettings } from "../access/settings.ts";
import {
  createTally,
  type SpentLine,
  spentLines,
  spentText,
  type Tally,
  withActing,
  withSpent,
} from "../access/spending.ts";
import type { View } from "../access/video-access.ts";
import type { VideoAccess } from "../declare/clients.ts";
import type { Ctx } from "../declare/ctx.ts";
import type { Demands } from "../declare/demands.ts";
import type { Reply } from "../draw/reply.ts";
import { guildInfo } from "../wire/post.ts";
import type { Admission, Holding } from "./admission.ts";
import { type Asker, mayHaveMore, type Services } from "./context.ts";
import { InteractionCtx } from "./ctx.ts";
import type { Journey } from "./journey.ts";
import { createProgress } from "./progress.ts";
import type { Respond } from "./respond.ts";
import type { RunningHandler } from "./running-handlers.ts";
import { soon } from "./soon.ts";

/** Whose work it is. */
export interface Who {
  readonly journey: Journey;
  readonly asker: Asker;
  readonly running: RunningHandler;
  /** Files that it holds until its answer was sent. */
  readonly held: Holding;
}

/** What a handler is called with. */
export interface Run extends Who {
  readonly demands: Demands;
  readonly options: Readonly<Record<string, unknown>>;
  readonly view: View;
  readonly message: APIMessage | undefined;
}

export interface HandleParts {
  readonly services: Services;
  readonly respond: Pick<Respond, "progress">;
  readonly memory: Memory;
  readonly kept: Kept;
  readonly admission: Pick<Admission, "hold">;
  readonly create: CreateExpressions;
  readonly turns: Locks;
  readonly settings: NearSettings;
  readonly rest: REST;
}

/** Calls a handler with its credentials, its progress and what it may spend. */
export type Handle = (run: Run, handler: (ctx: Ctx) => Promise<Reply>) => Promise<Reply>;

export function createHandle(parts: HandleParts): Handle {
  const { services, respond, memory, kept, admission, create, turns, settings } = parts;
  const { store } = services;

  async function handle(run: Run, handler: (ctx: Ctx) => Promise<Reply>): Promise<Reply> {
    const { journey, asker, running, held, demands, options, view, message } = run;
    // More than it takes to ask, but what is offered and how much may be spent depends on it.
    if (mayHaveMore(asker)) await soon(asker.learnRoles, undefined);
    const { guildId, rank } = asker;
    let other: string | undefined;
    const asked = chosenChannel(options.as) ?? carried(journey.as);
    const onOther = (name: string) => {
      other = name;
    };
    const acting = asked && { ...asked, onOther };
    const opened = await requireCredentials(demands, { guildId, rank, acting }, store.credentials);
    // Also where nobody chose: the buttons of a reply go on acting as the channel that it is about.
    if (opened.channel?.channelId !== undefined) journey.as = opened.channel.channelId;
    const progress = createProgress(
      (notice) => respond.progress(journey, notice),
      (error) => journey.log().warn("progress was not shown", { error }),
    );
    let shown: Parameters<Ctx["progress"]>[0] = {
      title: asker.words.say("common.queue.working"),
    };
    const onQueued = (ahead: number | undefined) => {
      const text =
        ahead === undefined ? {} : { text: asker.words.say("common.queue.place", { ahead }) };
      progress.show({ ...shown, ...text });
    };
    const tally = createTally();
    const { reference } = journey;
    const command = journey.name ?? "";
    const { row, uses } = demands;
    const billedTo = billedToOf({ ...whose(asker), command, row, uses });
    const ctx = new InteractionCtx(
      {
        ...{
          asker,
          command,
          demands,
          options,
          opened,
          view,
          message,
          memory,
          turns,
          tally,
          billedTo,
        },
        kept,
        create,
        answerTo: answerToOf(journey, asker),
        guildName: async () => (await guildInfo(guildId, parts.rest)).name,
        near: settings,
        progress: (notice) => {
          shown = notice;
          progress.show(notice);
        },
        held,
        holdApart: () => admission.hold({ tenant: guildId, person: asker.userId }),
        onQueued,
        get signal() {
          return running.signal;
        },
        reference,
        log: journey.log,
      },
      services,
    );
    try {
      const stake = atStake(
        demands,
        journey.interaction.type !== InteractionType.ApplicationCommand,
      );
      if (stake.length > 0) await ctx.afford(stake);
      const reply = await Promise.race([handler(ctx), stopped(running)]);
      if (reply.kind === "form") return reply;
      const acted = other === undefined ? reply : withActing(reply, other, asker.words);
      return withSpent(acted, await linesOf(tally, run, billedTo));
    } catch (error) {
      const lines = await linesOf(tally, run, billedTo);
      if (lines.length > 0) journey.spent = spentText(lines);
      throw error;
    } finally {
      await progress.stop();
    }
  }

  /** What it cost and what is left; a count that can't be had does not hold up the answer. */
  async function linesOf(
    tally: Tally,
    { asker, journey }: Who,
    billedTo: BilledTo,
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

  return handle;
}

function answerToOf({ interaction }: Journey, { words }: Asker) {
  return {
    applicationId: interaction.application_id,
    interactionToken: interaction.token,
    locale: words.tag,
  };
}

function whose({ guildId, userId, rank, settings }: Asker) {
  return { guildId, userId, rank, settings };
}

/** A handler that was stopped half-way gets so long to say what it leaves behind. */
const lastWordMs = 1000;

function stopped(running: RunningHandler): Promise<never> {
  return new Promise((_, reject) => {
    running.onStop((reason) => setTimeout(reject, lastWordMs, reason).unref());
  });
}
