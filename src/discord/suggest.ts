import type { APIApplicationCommandAutocompleteInteraction } from "discord.js";
import type { Services } from "./context.ts";
import { askerOf } from "./context.ts";
import { type Opened, requireCredentials, requireRank } from "./guard.ts";
import { limits } from "./limits.ts";
import type { Memory } from "./memory.ts";
import type { Choice } from "./options.ts";
import { unfold } from "./plan.ts";
import type { Routes } from "./routes.ts";
import { spenderOf } from "./spender.ts";
import { cut, oneLine } from "./text.ts";

/** Suggestions can't be deferred: what isn't there by then is left out. */
const suggestMs = 2000;

/** At most 25 choices for the option under the cursor; none when anything stands in the way. */
export async function suggestionsFor(
  interaction: APIApplicationCommandAutocompleteInteraction,
  routes: Routes,
  services: Services,
  memory: Memory,
): Promise<readonly Choice[]> {
  const asker = askerOf(interaction);
  const { path, given } = unfold(interaction.data);
  const declaration = routes.commands.get(path);
  const focused = given.find((option) => "focused" in option && option.focused === true);
  const suggest = focused === undefined ? undefined : declaration?.options?.[focused.name]?.suggest;
  if (asker === undefined || declaration === undefined || suggest === undefined) return [];
  requireRank(declaration, asker.rank);
  const { guildId, userId, rank } = asker;
  const spender = spenderOf({ guildId, userId, command: path });
  const opened = await requireCredentials(declaration, guildId, rank, services.store.credentials);
  const choices = await suggest(String(focused?.value ?? ""), {
    guildId,
    locale: asker.locale,
    get video() {
      return services.clients.video(opened["video-key"]?.secret ?? "", spender);
    },
    signal: AbortSignal.timeout(suggestMs),
    recall: (key, ms, load) => memory.recall(`${key} ${guildId} ${credentialOf(opened)}`, ms, load),
  });
  return choices.slice(0, limits.suggestions).map((choice) => ({
    name: cut(oneLine(choice.name), limits.command.choiceName),
    value: choice.value,
  }));
}

/** Tells one credential from the next without holding it: when it was entered. */
function credentialOf(opened: Opened): string {
  return `${opened["video-key"]?.addedAt ?? "none"}`;
}
