import type { APIApplicationCommandAutocompleteInteraction } from "discord.js";
import { waitUnlessAborted } from "../../clock.ts";
import { authorise } from "../access/authorise.ts";
import { basicOption } from "../declare/options.ts";
import type { SuggestedChoice, SuggestionContext } from "../declare/suggest.ts";
import { isWithin } from "../declare/text-limits.ts";
import { limits } from "../draw/limits.ts";
import { cut, oneLine } from "../draw/text.ts";
import type { DispatchDeps } from "./feature-contexts.ts";
import { chosenAs } from "./handle.ts";
import { readCommandPath } from "./plan.ts";
import { mayHaveMore, readRequester, requestInfo } from "./requester.ts";

/** Suggestions can't be deferred: what isn't there by then is left out, and loads on for the next keystroke. */
const suggestMs = 250;

/** At most 25 choices for the option under the cursor; none when anything fails. */
export async function suggestionsFor(
  interaction: APIApplicationCommandAutocompleteInteraction,
  deps: DispatchDeps,
): Promise<readonly SuggestedChoice[]> {
  const timeout = AbortSignal.timeout(suggestMs);
  const choices = await waitUnlessAborted(choicesFor(interaction, deps), timeout).catch(
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

/** Stands in for a typed option that the command no longer has. */
const unknownOption = basicOption.text({});

async function choicesFor(
  interaction: APIApplicationCommandAutocompleteInteraction,
  deps: DispatchDeps,
): Promise<readonly SuggestedChoice[]> {
  const requester = await readRequester(interaction, deps, () => suggestMs);
  const { path, typedOptions } = readCommandPath(interaction.data);
  const route = deps.routes.commands.get(path);
  const focused = typedOptions.find((option) => "focused" in option && option.focused === true);
  const suggest = focused === undefined ? undefined : route?.options[focused.name]?.suggest;
  if (requester === undefined || route === undefined || suggest === undefined) return [];
  // Discord enforces an option's limit only when the command is sent.
  if (
    !typedOptions.every(({ name, value }) => isWithin(value, route.options[name] ?? unknownOption))
  )
    return [];
  const { declaration } = route;
  const others = Object.fromEntries(
    typedOptions.flatMap(({ name, value }) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const as = focused?.name === "as" ? undefined : chosenAs(others.as);
  await authorise(declaration, requester, { isActing: as !== undefined });
  // Moderators are offered more than members, and would not look again at a list that came too short.
  if (mayHaveMore(requester)) await requester.learnRoles();
  const context: SuggestionContext = {
    ...requestInfo(requester, deps.services.now),
    rank: requester.rank,
    others,
    commands: deps.routes.listed,
    channelName: (id) =>
      deps.serverInfo.channel(id).then(
        (channel) => channel.name,
        () => undefined,
      ),
    forumTags: (id) =>
      deps.serverInfo.channel(id).then(
        // What is typed so far may be the id of another server's forum.
        ({ guildId, tags }) => (guildId === requester.guildId ? tags : []),
        () => [],
      ),
    signal: AbortSignal.timeout(10_000),
  };
  const request = { declaration, command: path, as };
  const ctx = await deps.features.openSuggestions(context, request);
  return suggest(String(focused?.value ?? "").trim(), ctx as never);
}
