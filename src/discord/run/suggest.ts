import type { APIApplicationCommandAutocompleteInteraction } from "discord.js";
import { abortable } from "../../clock.ts";
import { authorise } from "../access/authorise.ts";
import { billedToOf } from "../access/billed-to.ts";
import { chosenChannel, linkedChannels, withoutSecret } from "../access/channel.ts";
import { type Opened, requireCredentials } from "../access/guard.ts";
import { accessOf } from "../access/video-access.ts";
import type { Demands } from "../declare/demands.ts";
import { option } from "../declare/options.ts";
import type { Choice, SuggestCtx } from "../declare/suggest.ts";
import { isWithin } from "../declare/text-limits.ts";
import { limits } from "../draw/limits.ts";
import { cut, oneLine } from "../draw/text.ts";
import { type Asker, askerOf, languageOfService, mayHaveMore } from "./context.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { unfold } from "./plan.ts";

/** Suggestions can't be deferred: what isn't there by then is left out, and read on for the next key. */
const suggestMs = 250;

/** At most 25 choices for the option under the cursor; none when anything stands in the way. */
export async function suggestionsFor(
  interaction: APIApplicationCommandAutocompleteInteraction,
  deps: InteractionDeps,
): Promise<readonly Choice[]> {
  const timeout = AbortSignal.timeout(suggestMs);
  const choices = await abortable(choicesFor(interaction, deps), timeout).catch(
    (error: unknown) => {
      if (timeout.aborted) return [];
      throw error;
    },
  );
  const fitting = choices.filter(({ value }) => `${value}`.length <= limits.command.choiceText);
  return fitting.slice(0, limits.suggestions).map((choice) => ({
    name: cut(oneLine(choice.name) || `${choice.value}`, limits.command.choiceName),
    value: choice.value,
  }));
}

/** An option that was taken away since. */
const unknownOption = option.text({});

async function choicesFor(
  interaction: APIApplicationCommandAutocompleteInteraction,
  deps: InteractionDeps,
): Promise<readonly Choice[]> {
  const asker = await askerOf(interaction, deps, () => suggestMs);
  const { path, given } = unfold(interaction.data);
  const route = deps.routes.commands.get(path);
  const focused = given.find((option) => "focused" in option && option.focused === true);
  const suggest = focused === undefined ? undefined : route?.options[focused.name]?.suggest;
  if (asker === undefined || route === undefined || suggest === undefined) return [];
  // Discord holds what is typed to an option's limit only once the command is sent.
  if (!given.every(({ name, value }) => isWithin(value, route.options[name] ?? unknownOption)))
    return [];
  const { declaration: demands } = route;
  const others = Object.fromEntries(
    given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const acting = focused?.name === "as" ? undefined : chosenChannel(others.as);
  await authorise(demands, asker, { isActing: acting !== undefined });
  // Moderators are offered more than members, and would not look again at a list that came too short.
  if (mayHaveMore(asker)) await asker.learnRoles();
  const { guildId, rank } = asker;
  const opening = { guildId, rank, acting };
  const opened = await requireCredentials(demands, opening, deps.services.store.credentials);
  const asking = { asker, path, demands, opened, others };
  return suggest(String(focused?.value ?? "").trim(), suggestCtx(asking, deps));
}

interface Asking {
  readonly asker: Asker;
  readonly path: string;
  readonly demands: Demands;
  readonly opened: Opened;
  readonly others: SuggestCtx["others"];
}

function suggestCtx(
  { asker, path, demands, opened, others }: Asking,
  { services, answers, serverInfo }: InteractionDeps,
): SuggestCtx {
  const { clients, store, now } = services;
  const { guildId, userId, rank, words, settings } = asker;
  const hl = languageOfService(words.tag);
  const access = accessOf({
    ...{ guildId, rank, demands, opened, clients, answers, view: "private" },
    billedTo: billedToOf({ guildId, userId, rank, settings, command: path, isSpare: true }),
    local: { hl, region: settings.region },
    onSpent: () => {},
  });
  return {
    ...{ guildId, rank, words, settings, hl, others, now },
    has: (kind) => opened[kind] !== undefined,
    channelId: opened.channel?.channelId,
    channels: async () => (await linkedChannels(guildId, store.credentials)).map(withoutSecret),
    feeds: () => services.feeds.of(guildId).all(),
    get moderation() {
      return services.moderation.of(guildId);
    },
    channelName: (id) =>
      serverInfo.channel(id).then(
        (channel) => channel.name,
        () => undefined,
      ),
    get video() {
      return access.video;
    },
    signal: AbortSignal.timeout(10_000),
  };
}
