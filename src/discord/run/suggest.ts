import type { APIApplicationCommandAutocompleteInteraction } from "discord.js";
import { authorise } from "../access/authorise.ts";
import { billedToOf } from "../access/billed-to.ts";
import { chosenChannel, linkedChannels, withoutSecret } from "../access/channel.ts";
import { requireCredentials } from "../access/guard.ts";
import type { Memory } from "../access/memory.ts";
import type { GuildRolesCache } from "../access/roles/guild-roles-cache.ts";
import type { NearSettings } from "../access/settings.ts";
import { accessOf } from "../access/video-access.ts";
import { type Choice, option } from "../declare/options.ts";
import type { Routes } from "../declare/routes.ts";
import { isWithin } from "../declare/text-limits.ts";
import { limits } from "../draw/limits.ts";
import { cut, oneLine } from "../draw/text.ts";
import { askerOf, languageOfService, mayHaveMore, type Services } from "./context.ts";
import type { Places } from "./places.ts";
import { unfold } from "./plan.ts";

/** Suggestions can't be deferred: what isn't there by then is left out, and read on for the next key. */
const suggestMs = 250;

export interface Suggesting {
  readonly routes: Routes;
  readonly services: Services;
  readonly memory: Memory;
  readonly settings: NearSettings;
  readonly guildRoles: GuildRolesCache;
  readonly places: Places;
}

/** At most 25 choices for the option under the cursor; none when anything stands in the way. */
export async function suggestionsFor(
  interaction: APIApplicationCommandAutocompleteInteraction,
  suggesting: Suggesting,
): Promise<readonly Choice[]> {
  const late = new Promise<readonly Choice[]>((resolve) => {
    setTimeout(resolve, suggestMs, []).unref();
  });
  const choices = await Promise.race([choicesFor(interaction, suggesting), late]);
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
  { routes, services, memory, settings, guildRoles, places }: Suggesting,
): Promise<readonly Choice[]> {
  const { languages, clients, store, now } = services;
  const patienceMs = () => suggestMs;
  const asker = await askerOf(interaction, { languages, settings, guildRoles, now, patienceMs });
  const { path, given } = unfold(interaction.data);
  const route = routes.commands.get(path);
  const focused = given.find((option) => "focused" in option && option.focused === true);
  const suggest = focused === undefined ? undefined : route?.options[focused.name]?.suggest;
  if (asker === undefined || route === undefined || suggest === undefined) return [];
  // Discord holds what is typed to an option's limit only once the command is sent.
  if (!given.every(({ name, value }) => isWithin(value, route.options[name] ?? unknownOption)))
    return [];
  const { declaration: demands } = route;
  const { guildId, userId, words } = asker;
  const others = Object.fromEntries(
    given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const acting = focused?.name === "as" ? undefined : chosenChannel(others.as);
  await authorise(demands, asker, { isActing: acting !== undefined });
  // Moderators are offered more than members, and would not look again at a list that came too short.
  if (mayHaveMore(asker)) await asker.learnRoles();
  const { rank } = asker;
  const opening = { guildId, rank, acting };
  const opened = await requireCredentials(demands, opening, store.credentials);
  const { settings: chosen } = asker;
  const billedTo = billedToOf({
    guildId,
    userId,
    rank,
    settings: chosen,
    command: path,
    isSpare: true,
  });
  const hl = languageOfService(words.tag);
  const local = { hl, region: asker.settings.region };
  const shared = { guildId, rank, demands, opened, billedTo, clients, memory, local };
  const access = accessOf({ ...shared, view: "private", onSpent: () => {} });
  return suggest(String(focused?.value ?? "").trim(), {
    guildId,
    rank,
    words,
    settings: asker.settings,
    hl,
    others,
    has: (kind) => opened[kind] !== undefined,
    channelId: opened.channel?.channelId,
    channels: async () => (await linkedChannels(guildId, store.credentials)).map(withoutSecret),
    feeds: () => services.feeds.of(guildId).all(),
    get moderation() {
      return services.moderation.of(guildId);
    },
    channelName: (id) =>
      places.channel(id).then(
        (channel) => channel.name,
        () => undefined,
      ),
    get video() {
      return access.video;
    },
    signal: AbortSignal.timeout(10_000),
    now,
  });
}
