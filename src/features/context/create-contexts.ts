import { createAnswerCache } from "../../cache.ts";
import { withTimeout } from "../../clock.ts";
import {
  type FeatureCall,
  type FeatureContexts,
  type HandlerContextParts,
  type HandlerRequest,
  helpMs,
  withFoot,
} from "../../discord/index.ts";
import { ConnectError } from "../../errors.ts";
import { openCredentials, readLinkedChannels, withoutSecret } from "./credentials.ts";
import type { FormContext, NotificationCtx, SuggestCtx } from "./ctx.ts";
import { type Demands, mayChange, mayRepeat, whereToLook } from "./demands.ts";
import {
  FeatureContext,
  type FeatureContextDeps,
  type FeatureServices,
  youtubeLanguage,
} from "./feature-context.ts";
import { createFileCache } from "./file-cache.ts";
import { limitSuggestions, suggestionsCommand } from "./limit-suggestions.ts";
import { withServedCountry } from "./served-country.ts";
import {
  billedToFor,
  callsToAfford,
  createTally,
  describeSpent,
  isFree,
  type Tally,
} from "./spending.ts";
import { createVideoClients } from "./video-clients.ts";

/** Makes what the dispatcher needs to open a context for each handler. */
export function createFeatureContexts(made: FeatureServices): FeatureContexts {
  const services = { ...made, store: withOperatorsEngine(made) };
  const { now, log } = services;
  const { files: stored } = services.store;
  const deps: FeatureContextDeps = {
    ...services,
    answers: createAnswerCache(now),
    files: createFileCache({ now, stored, log }),
  };
  return {
    mayRepeat: (demands) =>
      mayRepeat(demands, { keepsResults: services.store.files !== undefined }),
    mayChange,
    whereToLook,
    open: (parts, request) => openCall(parts, request, deps),

    async requireForForm({ guildId, rank }, declaration) {
      const demands: Demands = declaration;
      const { credentials } = services.store;
      await withTimeout(() => openCredentials(demands, { guildId, rank }, credentials), {
        timeoutMs: helpMs,
      }).catch((error: unknown) => {
        if (error instanceof ConnectError) throw error;
      });
    },

    openForm(request): FormContext {
      const { replies, queue } = services.moderation.of(request.guildId);
      return {
        ...request,
        savedReplies: () => withTimeout(replies.all, { timeoutMs: helpMs }).catch(() => []),
        heldComment: (ref) =>
          withTimeout(() => queue.item(ref), { timeoutMs: helpMs }).catch(() => undefined),
      };
    },

    openNotification: (context): NotificationCtx => ({
      ...context,
      log,
      get images() {
        return services.images.of({ tenant: context.guildId, person: "" });
      },
      unitsSpent: (days) => services.clients.unitsSpent(context.guildId, days),
    }),

    async openSuggestions(context, { declaration, as: acting }): Promise<SuggestCtx> {
      const { guildId, userId, rank, words } = context;
      const settings = withServedCountry(context.settings);
      const { clients, store, moderation, feeds } = services;
      const by = { guildId, userId, rank };
      const demands: Demands = declaration;
      const opening = { guildId, rank, acting };
      const opened = await openCredentials(demands, opening, store.credentials);
      const hl = youtubeLanguage(words.tag);
      const access = createVideoClients({
        guildId,
        rank,
        demands,
        opened,
        answers: deps.answers,
        view: "private",
        clients,
        limit: limitSuggestions(clients.unitsSpent, by),
        billedTo: billedToFor({ ...by, settings, command: suggestionsCommand, isSpare: true }),
        files: store.files,
        now,
        servers: store.database.servers,
        local: { hl, region: settings.region },
      });
      return {
        ...context,
        settings,
        hl,
        has: (kind) => opened[kind] !== undefined,
        channelId: opened.channel?.channelId,
        channels: async () =>
          (await readLinkedChannels(guildId, store.credentials)).map(withoutSecret),
        feeds: () => feeds.of(guildId).all(),
        get moderation() {
          return moderation.of(guildId);
        },
        get video() {
          return access.video;
        },
      };
    },
  };
}

/** The store, in which a server without an engine of its own has the operator's. */
function withOperatorsEngine({
  store,
  operatorsEngine: value,
}: FeatureServices): FeatureServices["store"] {
  if (value === undefined) return store;
  const { credentials } = store;
  return {
    ...store,
    credentials: {
      ...credentials,
      read: async (guildId, kind, channelId) => {
        const read = await credentials.read(guildId, kind, channelId);
        return kind === "background-key" && read.state === "absent"
          ? { state: "found", value }
          : read;
      },
    },
  };
}

async function openCall(
  parts: HandlerContextParts,
  request: HandlerRequest,
  deps: FeatureContextDeps,
): Promise<FeatureCall> {
  const { declaration, command, view, isPress, as } = request;
  const { guildId, rank, words } = parts.interaction.requester;
  const demands: Demands = declaration;
  const { method, uses, needs, wants } = demands;
  /** Name of the channel that acts, where it is not the default one. */
  let other: string | undefined;
  const onOther = (name: string) => {
    other = name;
  };
  const acting = as && { ...as, onOther };
  const isLocal = (method ?? uses ?? needs ?? wants) === undefined;
  const opened = isLocal
    ? {}
    : await openCredentials(demands, { guildId, rank, acting }, deps.store.credentials);
  const tally = createTally();
  const ctx = new FeatureContext(parts, { demands, command, view, opened, tally }, deps);
  return {
    ctx,
    // Even where nobody chose one: the buttons of a reply continue to act as the channel that it is about.
    as: opened.channel?.channelId,
    async requireBudget() {
      const calls = callsToAfford(demands, isPress);
      if (calls.length > 0) await ctx.afford(calls);
    },
    async addFoot(reply) {
      const acted =
        other === undefined
          ? reply
          : withFoot(reply, words.say("common.acting", { channel: other }));
      if (tally.spent.length === 0) return acted;
      const isPriced = tally.isPriced || (reply.kind === "ask" && isFree(tally));
      const spent = isPriced ? undefined : await spentBy(ctx, tally, deps);
      return spent === undefined ? acted : withFoot(acted, spent);
    },
    async describeCost() {
      return isFree(tally) ? undefined : spentBy(ctx, tally, deps);
    },
  };
}

/** What it cost and what is left; if a count can't be read, the answer is sent without. */
async function spentBy(
  ctx: FeatureContext,
  tally: Tally,
  { clients }: FeatureContextDeps,
): Promise<string | undefined> {
  try {
    return await describeSpent(tally, {
      leftOf: (access) => clients.left(access, ctx.billedTo),
      words: ctx.words,
    });
  } catch (error) {
    ctx.log.warn("the quota left could not be read", { error });
    return undefined;
  }
}
